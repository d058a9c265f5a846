/** Charts of requests and latency over time. */
import { scaleLinear, scaleTime } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import { dayOfYear, exactTime, timeOfDay } from '../../../../vocabulary/time.ts'
import type { Traffic } from '../../api/use-traffic.ts'
import { BottomAxis, LeftAxis } from '../../charts/axis.tsx'
import { Chart, LegendEntry } from '../../charts/chart.tsx'
import { Card } from '../../components/card.tsx'
import { plural, shortNumber, wholeNumber } from '../../text/amounts.ts'
import styles from './traffic-chart.module.css'

type Point = Traffic['hourly']['points'][number]

const LEFT = 44
const BOTTOM = 24
const TOP = 8
const RIGHT = 12
const HOUR_MS = 3_600_000

export function TrafficChart({ points, byDay }: { readonly points: readonly Point[]; readonly byDay: boolean }) {
  const times = points.map(({ timestamp }) => Date.parse(timestamp))
  const step = byDay ? 24 * HOUR_MS : HOUR_MS
  const [first, last] = [times[0] ?? 0, (times.at(-1) ?? 0) + step]
  const most = Math.max(1, ...points.map(({ requests }) => requests))
  const slowest = Math.max(1, ...points.map(({ latencyMs }) => latencyMs.p95 ?? 0))
  const format = last - first > 2 * 24 * HOUR_MS ? dayOfYear : timeOfDay
  const ticks = (width: number) => {
    const count = Math.max(2, Math.floor(width / 110))
    const every = Math.max(1, Math.ceil(times.length / count))
    return times.filter((_, index) => index % every === 0)
  }
  const fromOf = ({ timestamp }: Point) => exactTime(Date.parse(timestamp))
  const span = byDay ? 'day' : 'hour'
  const xOf = (width: number) => scaleTime([first, last], [LEFT, width - RIGHT])
  const requestsOf = (height: number) => scaleLinear([0, most], [height - BOTTOM, TOP]).nice(4)
  const latencyOf = (height: number) => scaleLinear([0, slowest], [height - BOTTOM, TOP]).nice(3)
  const middleOf = ({ timestamp }: Point) => Date.parse(timestamp) + step / 2
  return (
    <>
      <Card title={`Requests by ${span}`} aside="UTC">
        <Chart
          title={`Requests by ${span}`}
          summary={`At most ${wholeNumber(most)} requests per ${span}.`}
          height={180}
          head={['From', 'Requests', 'Failed']}
          rows={points.map((point) => [fromOf(point), wholeNumber(point.requests), wholeNumber(point.failed)])}
          pointsOf={(width, height) =>
            points.map((point) => ({
              x: xOf(width)(middleOf(point)),
              y: requestsOf(height)(point.requests),
              text: `${fromOf(point)}: ${plural(point.requests, 'request')}, ${wholeNumber(point.failed)} failed`,
            }))
          }
          legend={
            <>
              <LegendEntry mark={styles.fine} text="Successful" />
              <LegendEntry mark={styles.failed} text="Failed" />
            </>
          }
        >
          {(width, height) => {
            const [x, y] = [xOf(width), requestsOf(height)]
            const bar = Math.max(1, x(first + step) - x(first) - 2)
            return (
              <>
                <LeftAxis ticks={wholeTicks(y.ticks(4))} at={y} text={shortNumber} from={LEFT} to={width - RIGHT} />
                <BottomAxis
                  ticks={ticks(width)}
                  at={(at) => x(at + step / 2)}
                  text={(at) => format(at)}
                  y={height - BOTTOM}
                />
                {points.map(({ timestamp, requests, successful }, index) => (
                  <g key={timestamp}>
                    <rect
                      className={styles.fine}
                      x={x(times[index] ?? 0)}
                      width={bar}
                      y={y(successful)}
                      height={y(0) - y(successful)}
                    />
                    <rect
                      className={styles.failed}
                      x={x(times[index] ?? 0)}
                      width={bar}
                      y={y(requests)}
                      height={y(successful) - y(requests)}
                    />
                  </g>
                ))}
              </>
            )
          }}
        </Chart>
      </Card>
      <Card title="Latency" aside="milliseconds">
        <Chart
          title="Latency"
          summary={`The highest 95th percentile of a ${span} is ${shortNumber(slowest)} ms.`}
          height={140}
          head={['From', 'Median, ms', '95th percentile, ms']}
          rows={points.map((point) => [fromOf(point), point.latencyMs.p50 ?? '–', point.latencyMs.p95 ?? '–'])}
          pointsOf={(width, height) =>
            points.flatMap((point) => {
              const { p50, p95 } = point.latencyMs
              return p50 === null || p95 === null
                ? []
                : {
                    x: xOf(width)(middleOf(point)),
                    y: latencyOf(height)(p95),
                    text: `${fromOf(point)}: median ${p50} ms, 95th percentile ${p95} ms`,
                  }
            })
          }
          legend={
            <>
              <LegendEntry mark={styles.median} text="Median" />
              <LegendEntry mark={styles.slow} text="95th percentile" />
            </>
          }
        >
          {(width, height) => {
            const [x, y] = [xOf(width), latencyOf(height)]
            const draw = (of: (point: Point) => number | null) =>
              line<Point>()
                .defined((point) => of(point) !== null)
                .x((point) => x(middleOf(point)))
                .y((point) => y(of(point) ?? 0))
                .curve(curveMonotoneX)([...points]) ?? ''
            return (
              <>
                <LeftAxis ticks={y.ticks(3)} at={y} text={shortNumber} from={LEFT} to={width - RIGHT} />
                <BottomAxis
                  ticks={ticks(width)}
                  at={(at) => x(at + step / 2)}
                  text={(at) => format(at)}
                  y={height - BOTTOM}
                />
                <path className={styles.slow} d={draw(({ latencyMs }) => latencyMs.p95)} />
                <path className={styles.median} d={draw(({ latencyMs }) => latencyMs.p50)} />
                {points.map((point) => (
                  // Dots, because a line through a single point is invisible.
                  <g key={point.timestamp} transform={`translate(${x(middleOf(point))} 0)`}>
                    {point.latencyMs.p95 !== null && (
                      <circle className={styles.slowDot} cy={y(point.latencyMs.p95)} r={2.5} />
                    )}
                    {point.latencyMs.p50 !== null && (
                      <circle className={styles.medianDot} cy={y(point.latencyMs.p50)} r={2.5} />
                    )}
                  </g>
                ))}
              </>
            )
          }}
        </Chart>
      </Card>
    </>
  )
}

const wholeTicks = (ticks: readonly number[]): number[] => ticks.filter((tick) => Number.isInteger(tick))
