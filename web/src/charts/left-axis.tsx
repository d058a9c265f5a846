import styles from './axis.module.css'

type LeftAxisProps = {
  readonly ticks: readonly number[]
  readonly at: (value: number) => number
  readonly text: (value: number) => string
  /** Where the lines begin and end. */
  readonly from: number
  readonly to: number
}

/** Quiet lines across, each with its value. */
export function LeftAxis({ ticks, at, text, from, to }: LeftAxisProps) {
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
    </g>
  )
}
