/** The fee rates of the mempool in the order of the next blocks, over the virtual bytes before them. */
import { scaleLinear, scaleSymlog } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import type { Fees, ProjectedBlock } from '../../api/use-coins.ts'
import { BottomAxis, LeftAxis } from '../../charts/axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { feeRate, shortNumber, wholeNumber } from '../../text/amounts.ts'
import { feeTicks, medianOf, SHARES } from './chart-math.ts'
import styles from './fee-curve.module.css'

const LEFT = 44
const BOTTOM = 36
const TOP = 12
const RIGHT = 84

type Point = readonly [vsize: number, rate: number]

export function FeeCurve({ blocks, fees }: { readonly blocks: readonly ProjectedBlock[]; readonly fees: Fees }) {
  const points = curveOf(blocks)
  const total = blocks.reduce((sum, { vsize }) => sum + vsize, 0)
  const highest = Math.max(fees.urgent, ...points.map(([, rate]) => rate))
  const scales = (width: number, height: number) => ({
    x: scaleLinear([0, total], [LEFT, width - RIGHT]),
    y: scaleSymlog([0, highest * 1.1], [height - BOTTOM, TOP]),
  })
  return (
    <Chart
      title="Mempool by fee rate"
      summary={`${wholeNumber(total)} virtual bytes are unconfirmed, at ${feeRate(points.at(-1)?.[1] ?? 0)} to ${feeRate(points[0]?.[1] ?? 0)} sat/vB.`}
      height={220}
      head={['Block', 'Size, vB', 'Lowest, sat/vB', 'Median, sat/vB', 'Highest, sat/vB']}
      rows={blocks.map((block, index) => [
        index + 1,
        wholeNumber(block.vsize),
        feeRate(block.rates[0] ?? 0),
        feeRate(medianOf(block)),
        feeRate(block.rates.at(-1) ?? 0),
      ])}
      pointsOf={(width, height) => {
        const { x, y } = scales(width, height)
        return points.map(([vsize, rate]) => ({
          x: x(vsize),
          y: y(rate),
          text: `${feeRate(rate)} sat/vB: ${wholeNumber(Math.round(vsize))} vB come before`,
        }))
      }}
      legend={
        <span>
          Fee rates in sat/vB of unconfirmed transactions, in the order of the next blocks. Lines mark the four fee
          tiers.
        </span>
      }
    >
      {(width, height) => {
        const { x, y } = scales(width, height)
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
            <LeftAxis ticks={feeTicks(highest)} at={y} text={feeRate} from={LEFT} to={width - RIGHT} />
            <BottomAxis
              ticks={x.ticks(Math.max(2, Math.floor(width / 140)))}
              at={x}
              text={(value) => `${shortNumber(value)} vB`}
              y={height - BOTTOM}
            />
            <path className={styles.below} d={below([...points]) ?? ''} />
            <path className={styles.curve} d={curve([...points]) ?? ''} />
            {apart(tierLines(fees).map(([rate, names]) => ({ rate, names, at: y(rate) }))).map(
              ({ rate, names, at }) => (
                <g key={rate}>
                  <line className={styles.tier} x1={LEFT} x2={width - RIGHT} y1={y(rate)} y2={y(rate)} />
                  <text className={styles.name} x={width - RIGHT + 6} y={at} dy="0.32em">
                    {names}
                  </text>
                </g>
              ),
            )}
          </>
        )
      }}
    </Chart>
  )
}

/** The points of all blocks in order, each from its highest to its lowest rate. */
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

const LABEL_HEIGHT = 13

/** Labels from the lowest rate up, each at least a line above the one before. */
function apart<Label extends { readonly at: number }>(labels: readonly Label[]): readonly Label[] {
  let below = Number.POSITIVE_INFINITY
  return labels.map((label) => {
    below = Math.min(label.at, below - LABEL_HEIGHT)
    return { ...label, at: below }
  })
}

/** One line for each rate. Tiers with the same rate share a line. */
function tierLines(fees: Fees): [rate: number, names: string][] {
  const byRate = Map.groupBy(['low', 'medium', 'high', 'urgent'] as const, (tier) => fees[tier])
  return [...byRate].map(([rate, tiers]) => [
    rate,
    [tiers[0], tiers.at(-1)].filter((tier, i, all) => all.indexOf(tier) === i).join(' – '),
  ])
}
