/** The UTXOs of an address by confirmations and value. Those that would overlap share a circle. */

import { scaleLog } from 'd3-scale'
import type { AddressUtxos, UtxoGroup } from '../../api/use-coins.ts'
import { BottomAxis, LeftAxis } from '../../charts/axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { Amount } from '../../components/amount.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { Hash } from '../../components/hash.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural, shortNumber, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { groupNear, logTicks, NEAR } from './chart-math.ts'
import styles from './utxo-chart.module.css'

const LEFT = 56
const BOTTOM = 36
const TOP = 20
const RIGHT = 16
/** Rows of the table below the chart that are always shown. */
const LISTED = 5

type UtxoChartProps = {
  readonly chain: CoinChain
  readonly data: AddressUtxos
  /** More UTXOs of the address, if `data` does not have them all. */
  readonly groups?: readonly UtxoGroup[] | undefined
}

export function UtxoChart({ chain, data: { utxos, limited }, groups }: UtxoChartProps) {
  const { amountOf, axisTextOf, symbolOf } = useCoinUnit()
  const symbol = symbolOf(chain)
  if (utxos.length === 0)
    return <StateMessage title="No UTXOs">This address has received nothing, or has spent all of it.</StateMessage>
  const drawn = groups ?? utxos.map(groupOf)
  const whole = joined(drawn)
  const [least, most, oldest] = [Math.max(1, whole.value.from), Math.max(1, whole.value.to), whole.confirmations.to]
  const describe = (group: UtxoGroup): string => {
    const { count, value, confirmations } = group
    const amount = value.from === value.to ? amountOf(value.from) : `${amountOf(value.from)} to ${amountOf(value.to)}`
    const age =
      confirmations.from === confirmations.to
        ? plural(confirmations.to, 'confirmation')
        : `${wholeNumber(confirmations.from)} to ${plural(confirmations.to, 'confirmation')}`
    return `${count === 1 ? '' : `${plural(count, 'UTXO')} of `}${amount} ${symbol}, ${age}`
  }
  const layoutOf = (width: number, height: number) => {
    const x = scaleLog([1, Math.max(10, oldest)], [LEFT + 8, width - RIGHT])
    const y = scaleLog([least / 1.5, most * 1.5], [height - BOTTOM, TOP])
    const circles = groupNear(
      drawn,
      ({ confirmations }) => x(middleOf(confirmations)),
      ({ value }) => y(middleOf(value)),
    )
    return { x, y, circles: circles.toSorted((a, b) => a.x - b.x) }
  }
  return (
    <Chart
      title="UTXOs by value and age"
      summary={`${plural(whole.count, 'UTXO')} from ${amountOf(least)} to ${amountOf(most)} ${symbol}; the oldest has ${plural(oldest, 'confirmation')}.`}
      height={280}
      shownRows={LISTED}
      reach={NEAR}
      pointsOf={(width, height) =>
        layoutOf(width, height).circles.map(({ x, y, members }) => ({ x, y, text: describe(joined(members)) }))
      }
      head={['UTXO', `Value, ${symbol}`, 'Confirmations']}
      rows={utxos.map(({ txid, vout, value, confirmations }) => [
        <span key="utxo">
          <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />:{vout}
        </span>,
        <Amount key="value" satoshi={value} />,
        wholeNumber(confirmations),
      ])}
      legend={
        <>
          <span>Logarithmic scales. A circle with a number stands for that many UTXOs.</span>
          {limited && <span>Only the {wholeNumber(utxos.length)} largest UTXOs are listed.</span>}
        </>
      }
    >
      {(width, height) => {
        const { x, y, circles } = layoutOf(width, height)
        return (
          <>
            <LeftAxis
              ticks={logTicks(least / 1.5, most * 1.5)}
              at={y}
              text={axisTextOf}
              from={LEFT}
              to={width - RIGHT}
              name={symbol}
            />
            <BottomAxis
              ticks={logTicks(1, Math.max(10, oldest))}
              at={x}
              text={shortNumber}
              y={height - BOTTOM}
              name="confirmations"
              end={width - RIGHT}
            />
            {circles.map(({ members, x: cx, y: cy }) => {
              const group = joined(members)
              return (
                <g key={`${cx} ${cy}`} transform={`translate(${cx} ${cy})`}>
                  <circle
                    className={group.confirmations.to === 0 ? styles.unconfirmed : styles.utxo}
                    r={radiusOf(group.count)}
                  />
                  {group.count > 1 && (
                    <text className={styles.count} dy="0.32em" textAnchor="middle">
                      {shortNumber(group.count)}
                    </text>
                  )}
                  <title>{describe(group)}</title>
                </g>
              )
            })}
          </>
        )
      }}
    </Chart>
  )
}

const groupOf = ({ value, confirmations }: AddressUtxos['utxos'][number]): UtxoGroup => ({
  count: 1,
  value: { from: value, to: value },
  confirmations: { from: confirmations, to: confirmations },
})

/** Several groups as one. */
const joined = (groups: readonly UtxoGroup[]): UtxoGroup => groups.reduce(joinTwo)

const joinTwo = (one: UtxoGroup, other: UtxoGroup): UtxoGroup => ({
  count: one.count + other.count,
  value: union(one.value, other.value),
  confirmations: union(one.confirmations, other.confirmations),
})

const union = (one: Range, other: Range): Range => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
})

type Range = UtxoGroup['value']

/** The middle of a range on a logarithmic scale. */
const middleOf = ({ from, to }: Range): number => Math.sqrt(Math.max(1, from) * Math.max(1, to))

/** The area grows with the logarithm: a circle of thousands stays smaller than the distance of its neighbors. */
const radiusOf = (count: number): number => (count === 1 ? 4.5 : Math.min(14, 7 + 2 * Math.log10(count)))
