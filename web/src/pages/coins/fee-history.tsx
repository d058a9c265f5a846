/** The fee rates of the last blocks: the median, and the range of the middle half and of most transactions. */
import { scaleLinear, scaleSymlog } from 'd3-scale'
import { area, line } from 'd3-shape'
import { type ListedBlock, useLatestBlocks } from '../../api/use-coins.ts'
import { BottomAxis, LeftAxis } from '../../charts/axis.tsx'
import { Chart, LegendEntry } from '../../charts/chart.tsx'
import { Card } from '../../components/card.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { feeRate, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { feeTicks } from './chart-math.ts'
import styles from './fee-history.module.css'

/** A day of Bitcoin. */
export const HISTORY_COUNT = 144
const LEFT = 44
const RIGHT = 12
const BOTTOM = 36
const TOP = 12

/** Blocks with a transaction that pays a fee, oldest first. */
const paying = (blocks: readonly ListedBlock[]): readonly ListedBlock[] =>
  blocks.filter(({ txCount }) => txCount > 1).toReversed()

export function FeeHistory({ chain }: { readonly chain: CoinChain }) {
  const blocks = useLatestBlocks(chain, HISTORY_COUNT)
  return (
    <Card title="Fee rates of the last blocks" aside={`${HISTORY_COUNT} blocks`}>
      <QueryView query={blocks} loading={<SkeletonRows count={3} />}>
        {(latest) => {
          const shown = paying(latest)
          return shown.length < 2 ? (
            <StateMessage title="No fees yet">The last blocks have no transaction that pays a fee.</StateMessage>
          ) : (
            <HistoryChart blocks={shown} />
          )
        }}
      </QueryView>
    </Card>
  )
}

function HistoryChart({ blocks }: { readonly blocks: readonly ListedBlock[] }) {
  const [first, last] = [blocks[0]?.height ?? 0, blocks.at(-1)?.height ?? 0]
  const highest = Math.max(...blocks.map(({ feeRates }) => feeRates.p90))
  const medians = blocks.map(({ feeRates }) => feeRates.p50)
  const scales = (width: number, height: number) => ({
    x: scaleLinear([first, last], [LEFT, width - RIGHT]),
    y: scaleSymlog([0, highest * 1.1], [height - BOTTOM, TOP]),
  })
  return (
    <Chart
      title="Fee rates of the last blocks"
      summary={`Median fee rates of blocks ${wholeNumber(first)} to ${wholeNumber(last)}: ${feeRate(Math.min(...medians))} to ${feeRate(Math.max(...medians))} sat/vB.`}
      height={220}
      head={['Block', 'Mined', 'Transactions', '10 %, sat/vB', 'Median, sat/vB', '90 %, sat/vB']}
      textColumns={['Mined']}
      rows={blocks
        .toReversed()
        .map(({ height, timestamp, txCount, feeRates }) => [
          wholeNumber(height),
          <RelativeTime key="time" at={timestamp} isPast />,
          wholeNumber(txCount),
          feeRate(feeRates.p10),
          feeRate(feeRates.p50),
          feeRate(feeRates.p90),
        ])}
      pointsOf={(width, height) => {
        const { x, y } = scales(width, height)
        return blocks.map(({ height: block, feeRates: { p10, p50, p90 } }) => ({
          x: x(block),
          y: y(p50),
          text: `Block ${wholeNumber(block)}: median ${feeRate(p50)} sat/vB, most pay ${feeRate(p10)} to ${feeRate(p90)}`,
        }))
      }}
      legend={
        <>
          <LegendEntry mark={styles.medianKey} text="Median, sat/vB" />
          <LegendEntry mark={styles.middleKey} text="Middle half" />
          <LegendEntry mark={styles.mostKey} text="10 % to 90 %" />
        </>
      }
    >
      {(width, height) => {
        const { x, y } = scales(width, height)
        const band = (low: 'p10' | 'p25', high: 'p75' | 'p90') =>
          area<ListedBlock>(
            (block) => x(block.height),
            ({ feeRates }) => y(feeRates[low]),
            ({ feeRates }) => y(feeRates[high]),
          )([...blocks]) ?? ''
        const median = line<ListedBlock>(
          (block) => x(block.height),
          ({ feeRates }) => y(feeRates.p50),
        )
        return (
          <>
            <LeftAxis ticks={feeTicks(highest)} at={y} text={feeRate} from={LEFT} to={width - RIGHT} />
            <BottomAxis
              ticks={x.ticks(Math.max(2, Math.floor(width / 120))).filter(Number.isInteger)}
              at={x}
              text={wholeNumber}
              y={height - BOTTOM}
              name="block"
              end={width - RIGHT}
            />
            <path className={styles.most} d={band('p10', 'p90')} />
            <path className={styles.middle} d={band('p25', 'p75')} />
            <path className={styles.median} d={median([...blocks]) ?? ''} />
          </>
        )
      }}
    </Chart>
  )
}
