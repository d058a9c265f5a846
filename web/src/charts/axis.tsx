import styles from './axis.module.css'

type LeftAxisProps = {
  readonly ticks: readonly number[]
  readonly at: (value: number) => number
  readonly text: (value: number) => string
  /** The x positions where the grid lines begin and end. */
  readonly from: number
  readonly to: number
  /** The unit of the values, above the axis. */
  readonly name?: string
}

/** Horizontal grid lines, each with its value on the left. */
export function LeftAxis({ ticks, at, text, from, to, name }: LeftAxisProps) {
  return (
    <g className={styles.axis} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${at(tick)})`}>
          <line x1={from} x2={to} />
          <text x={from - 8} dy="0.32em" textAnchor="end">
            {text(tick)}
          </text>
        </g>
      ))}
      {name !== undefined && (
        <text x={from - 8} y={8} textAnchor="end" className={styles.name}>
          {name}
        </text>
      )}
    </g>
  )
}

type BottomAxisProps = {
  readonly ticks: readonly number[]
  readonly at: (value: number) => number
  readonly text: (value: number) => string
  readonly y: number
  /** The unit of the values, at the right end of the axis. */
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
