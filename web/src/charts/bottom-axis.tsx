import styles from './axis.module.css'

type BottomAxisProps = {
  readonly ticks: readonly number[]
  readonly at: (value: number) => number
  readonly text: (value: number) => string
  readonly y: number
  /** What the values are, at the end of the line. */
  readonly name?: string
  readonly end?: number
}

export function BottomAxis({ ticks, at, text, y, name, end = 0 }: BottomAxisProps) {
  return (
    <g className={styles.axis} aria-hidden="true">
      {ticks.map((tick) => (
        <text key={tick} x={at(tick)} y={y + 16} textAnchor="middle">
          {text(tick)}
        </text>
      ))}
      {name !== undefined && (
        <text x={end} y={y + 32} textAnchor="end" className={styles.name}>
          {name}
        </text>
      )}
    </g>
  )
}
