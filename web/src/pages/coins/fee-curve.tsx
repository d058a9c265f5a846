/** What waits, dearest first, from the next block on: the rate by the bytes that pay more. */
import { scaleLinear, scaleSymlog } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import type { Fees, ProjectedBlock } from '../../api/use-coins.ts'
import { BottomAxis } from '../../charts/bottom-axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { LeftAxis } from '../../charts/left-axis.tsx'
import { feeRate } from '../../text/coins.ts'
import { wholeNumber } from '../../text/numbers.ts'
import styles from './fee-curve.module.css'
import { medianOf, SHARES } from './projected-block.ts'

const LEFT = 44
const BOTTOM = 36
const TOP = 12
const RIGHT = 56

type Point = readonly [vsize: number, rate: number]

export function FeeCurve({ blocks, fees }: { readonly blocks: readonly ProjectedBlock[]; readonly fees: Fees }) {
  const points = curveOf(blocks)
  const total = blocks.reduce((sum, { vsize }) => sum + vsize, 0)
  const dearest = Math.max(fees.urgent, ...points.map(([, rate]) => rate))
  return (
    <Chart
      title="Rates of what waits"
      summary={`${wholeNumber(total)} virtual bytes wait, paying from ${feeRate(points.at(-1)?.[1] ?? 0)} to ${feeRate(points[0]?.[1] ?? 0)} sat/vB.`}
      height={220}
      head={['Block', 'vB', 'Cheapest', 'Median', 'Dearest']}
      rows={blocks.map((block, index) => [
        index + 1,
        wholeNumber(block.vsize),
        feeRate(block.rates[0] ?? 0),
        feeRate(medianOf(block)),
        feeRate(block.rates.at(-1) ?? 0),
      ])}
      legend={<span>Rates in sat/vB over the bytes that wait, dearest first; the lines are the four tiers.</span>}
    >
      {(width, height) => {
        const x = scaleLinear([0, total], [LEFT, width - RIGHT])
        const y = scaleSymlog([0, dearest * 1.1], [height - BOTTOM, TOP])
        const curve = line<Point>(
          ([at]) => x(at),
          ([, rate]) => y(rate),
        ).curve(curveMonotoneX)
        const below = area<Point>(
          ([at]) => x(at),
          y(0),
          ([, rate]) => y(rate),
        ).curve(curveMonotoneX)
        const lines = [
          ...new Map(
            [
              ['low', fees.low],
              ['medium', fees.medium],
              ['high', fees.high],
              ['urgent', fees.urgent],
            ].map(([name, rate]) => [rate, name] as const),
          ),
        ]
        return (
          <>
            <LeftAxis ticks={ticksUpTo(dearest)} at={y} text={feeRate} from={LEFT} to={width - RIGHT} />
            <BottomAxis
              ticks={x.ticks(Math.max(2, Math.floor(width / 140)))}
              at={x}
              text={(value) => `${wholeNumber(value / 1000)} kvB`}
              y={height - BOTTOM}
            />
            <path className={styles.below} d={below([...points]) ?? ''} />
            <path className={styles.curve} d={curve([...points]) ?? ''} />
            {lines.map(([rate, name]) => (
              <g key={name}>
                <line className={styles.tier} x1={LEFT} x2={width - RIGHT} y1={y(Number(rate))} y2={y(Number(rate))} />
                <text className={styles.name} x={width - RIGHT + 6} y={y(Number(rate))} dy="0.32em">
                  {name}
                </text>
              </g>
            ))}
          </>
        )
      }}
    </Chart>
  )
}

/** Each block from its dearest bytes to its cheapest, one after the other. */
function curveOf(blocks: readonly ProjectedBlock[]): readonly Point[] {
  let before = 0
  return blocks.flatMap(({ vsize, rates }) => {
    const start = before
    before += vsize
    return SHARES.toReversed().map(
      (share, index): Point => [start + (1 - share) * vsize, rates[rates.length - 1 - index] ?? 0],
    )
  })
}

const ticksUpTo = (most: number): number[] =>
  [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((tick) => tick <= most * 1.1)
