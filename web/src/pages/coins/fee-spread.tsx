/** A box plot of the fee rates of a block: the line from p10 to p90, the box from p25 to p75. */
import { scaleLinear } from 'd3-scale'
import type { Block } from '../../api/use-coins.ts'
import { BottomAxis } from '../../charts/axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { feeRate } from '../../text/amounts.ts'
import styles from './fee-spread.module.css'

const EDGE = 20
const MIDDLE = 52

export function FeeSpread({ rates, isEmpty }: { readonly rates: Block['feeRates']; readonly isEmpty: boolean }) {
  const { p10, p25, p50, p75, p90 } = rates
  if (isEmpty) return <StateMessage title="No fees">The block has only its coinbase transaction.</StateMessage>
  return (
    <Chart
      title="Fee rates of the block"
      summary={`Half of the block paid between ${feeRate(p25)} and ${feeRate(p75)} sat/vB. The median is ${feeRate(p50)}.`}
      height={116}
      head={['Percentile', 'sat/vB']}
      rows={[
        ['10th', feeRate(p10)],
        ['25th', feeRate(p25)],
        ['50th', feeRate(p50)],
        ['75th', feeRate(p75)],
        ['90th', feeRate(p90)],
      ]}
    >
      {(width) => {
        const x = scaleLinear([0, Math.max(1, p90 * 1.1)], [EDGE, width - EDGE])
        return (
          <>
            <line className={styles.reach} x1={x(p10)} x2={x(p90)} y1={MIDDLE} y2={MIDDLE} />
            <rect
              className={styles.box}
              x={x(p25)}
              y={MIDDLE - 16}
              width={Math.max(2, x(p75) - x(p25))}
              height={32}
              rx={3}
            />
            <line className={styles.median} x1={x(p50)} x2={x(p50)} y1={MIDDLE - 20} y2={MIDDLE + 20} />
            <text className={styles.text} x={x(p50)} y={MIDDLE - 28} textAnchor="middle">
              {feeRate(p50)}
            </text>
            <BottomAxis ticks={x.ticks(5)} at={x} text={feeRate} y={MIDDLE + 20} name="sat/vB" end={width - EDGE} />
          </>
        )
      }}
    </Chart>
  )
}
