/** What waits, dearest first, from the next block on: the rate by the bytes that pay more. */
import { scaleLinear, scaleSymlog } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import type { Fees, ProjectedBlock } from '../../api/use-coins.ts'
import { BottomAxis } from '../../charts/bottom-axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { LeftAxis } from '../../charts/left-axis.tsx'
import { feeRate } from '../../text/coins.ts'
import { shortNumber, wholeNumber } from '../../text/numbers.ts'
import styles from './fee-curve.module.css'
import { medianOf, SHARES } from './projected-block.ts'

const LEFT = 44
const BOTTOM = 36
const TOP = 12
const RIGHT = 84

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
        return (
          <>
            <LeftAxis ticks={ticksUpTo(dearest)} at={y} text={feeRate} from={LEFT} to={width - RIGHT} />
            <BottomAxis
              ticks={x.ticks(Math.max(2, Math.floor(width / 140)))}
              at={x}
              text={(value) => `${shortNumber(value)} vB`}
              y={height - BOTTOM}
            />
            <path className={styles.below} d={below([...points]) ?? ''} />
            <path className={styles.curve} d={curve([...points]) ?? ''} />
            {tierLines(fees).map(([rate, names]) => (
              <g key={rate}>
                <line className={styles.tier} x1={LEFT} x2={width - RIGHT} y1={y(rate)} y2={y(rate)} />
                <text className={styles.name} x={width - RIGHT + 6} y={y(rate)} dy="0.32em">
                  {names}
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

/** One line for each rate; tiers that ask for the same share theirs. */
function tierLines(fees: Fees): [rate: number, names: string][] {
  const byRate = Map.groupBy(['low', 'medium', 'high', 'urgent'] as const, (tier) => fees[tier])
  return [...byRate].map(([rate, tiers]) => [
    rate,
    [tiers[0], tiers.at(-1)].filter((tier, i, all) => all.indexOf(tier) === i).join(' – '),
  ])
}
