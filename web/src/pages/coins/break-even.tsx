/** The saving of a consolidation now, by the fee rate at which the coins are spent later. */

import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import type { Analysis } from '../../api/use-coins.ts'
import { BottomAxis, LeftAxis } from '../../charts/axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { feeRate } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './break-even.module.css'
import { netSaving } from './chart-math.ts'

type Advice = Analysis['consolidation'] & { readonly breakEvenFeeRate: number }

const LEFT = 64
const BOTTOM = 36
const TOP = 20
const RIGHT = 12

export function BreakEven({ chain, advice }: { readonly chain: CoinChain; readonly advice: Advice }) {
  const { breakEvenFeeRate: breakEven, feeRate: now } = advice
  const { amountOf, axisTextOf, symbolOf } = useCoinUnit()
  const symbol = symbolOf(chain)
  const saving = (rate: number) => netSaving(advice, rate)
  const most = Math.max(breakEven * 2, now * 1.5)
  const rates = Array.from({ length: 9 }, (_, index) => (most * index) / 8)
  return (
    <Chart
      title="Break-even of a consolidation now"
      summary={`A consolidation now at ${feeRate(now)} sat/vB pays off if the coins are spent later at ${feeRate(breakEven)} sat/vB or more.`}
      height={200}
      head={['Future fee rate, sat/vB', `Saved, ${symbol}`]}
      rows={rates.map((rate) => [feeRate(rate), amountOf(Math.round(saving(rate)))])}
    >
      {(width, height) => {
        const x = scaleLinear([0, most], [LEFT, width - RIGHT])
        const y = scaleLinear([saving(0), saving(most)], [height - BOTTOM, TOP])
        const draw = line<number>()
          .x((rate) => x(rate))
          .y((rate) => y(saving(rate)))
        const floor = y(saving(0))
        return (
          <>
            <LeftAxis
              ticks={[...new Set([saving(0), 0, saving(most)])]}
              at={y}
              text={(value) => (value < 0 ? `−${axisTextOf(-value)}` : axisTextOf(value))}
              from={LEFT}
              to={width - RIGHT}
            />
            <BottomAxis
              ticks={x.ticks(5)}
              at={x}
              text={feeRate}
              y={height - BOTTOM}
              name="future fee rate, sat/vB"
              end={width - RIGHT}
            />
            <path
              className={styles.gain}
              d={`M${x(breakEven)},${y(0)}L${x(most)},${y(saving(most))}L${x(most)},${y(0)}Z`}
            />
            <path className={styles.loss} d={`M${x(0)},${y(0)}L${x(breakEven)},${y(0)}L${x(0)},${floor}Z`} />
            <path className={styles.line} d={draw([0, most]) ?? ''} />
            <line className={styles.mark} x1={x(breakEven)} x2={x(breakEven)} y1={TOP} y2={height - BOTTOM} />
            <circle className={styles.point} cx={x(breakEven)} cy={y(0)} r={4} />
            <text className={styles.text} x={x(breakEven) - 8} y={TOP - 6} textAnchor="middle">
              break-even {feeRate(breakEven)}
            </text>
          </>
        )
      }}
    </Chart>
  )
}
