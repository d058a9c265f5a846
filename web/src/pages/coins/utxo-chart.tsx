/** The UTXOs of an address by confirmations and value. Those that would overlap share a circle. */

import { scaleLog } from 'd3-scale'
import type { AddressUtxos } from '../../api/use-coins.ts'
import { BottomAxis, LeftAxis } from '../../charts/axis.tsx'
import { Chart } from '../../charts/chart.tsx'
import { Amount } from '../../components/amount.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { Hash } from '../../components/hash.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural, shortNumber, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { groupNear, logTicks } from './chart-math.ts'
import styles from './utxo-chart.module.css'

const LEFT = 56
const BOTTOM = 36
const TOP = 8
const RIGHT = 16
/** Rows of the table below the chart that are always shown. */
const LISTED = 5

export function UtxoChart({ chain, data }: { readonly chain: CoinChain; readonly data: AddressUtxos }) {
  const { utxos, limited } = data
  const { amountOf, axisTextOf, symbolOf } = useCoinUnit()
  const symbol = symbolOf(chain)
  if (utxos.length === 0)
    return <StateMessage title="No UTXOs">This address has received nothing, or has spent all of it.</StateMessage>
  const values = utxos.map(({ value }) => Math.max(1, value))
  const ages = utxos.map(({ confirmations }) => Math.max(1, confirmations))
  const [least, most, oldest] = [Math.min(...values), Math.max(...values), Math.max(...ages)]
  const describe = (members: readonly AddressUtxos['utxos'][number][]): string => {
    const [low, high] = rangeOf(members.map(({ value }) => value))
    const [young, old] = rangeOf(members.map(({ confirmations }) => confirmations))
    const amount = low === high ? amountOf(low) : `${amountOf(low)} to ${amountOf(high)}`
    const age = young === old ? plural(old, 'confirmation') : `${wholeNumber(young)} to ${plural(old, 'confirmation')}`
    return `${members.length === 1 ? '' : `${plural(members.length, 'UTXO')} of `}${amount} ${symbol}, ${age}`
  }
  return (
    <Chart
      title="UTXOs by value and age"
      summary={`${plural(utxos.length, 'UTXO')} from ${amountOf(least)} to ${amountOf(most)} ${symbol}; the oldest has ${plural(oldest, 'confirmation')}.`}
      height={280}
      shownRows={LISTED}
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
          {limited && <span>Only the {wholeNumber(utxos.length)} largest UTXOs are shown.</span>}
        </>
      }
    >
      {(width, height) => {
        const x = scaleLog([1, Math.max(10, oldest)], [LEFT + 8, width - RIGHT])
        const y = scaleLog([least / 1.5, most * 1.5], [height - BOTTOM, TOP])
        const groups = groupNear(
          utxos,
          ({ confirmations }) => x(Math.max(1, confirmations)),
          ({ value }) => y(Math.max(1, value)),
        )
        return (
          <>
            <LeftAxis
              ticks={logTicks(least / 1.5, most * 1.5)}
              at={y}
              text={axisTextOf}
              from={LEFT}
              to={width - RIGHT}
            />
            <BottomAxis
              ticks={logTicks(1, Math.max(10, oldest))}
              at={x}
              text={shortNumber}
              y={height - BOTTOM}
              name="confirmations"
              end={width - RIGHT}
            />
            {groups.map(({ members, x: cx, y: cy }) => (
              <g key={`${cx} ${cy}`} transform={`translate(${cx} ${cy})`}>
                <circle
                  className={
                    members.every(({ confirmations }) => confirmations === 0) ? styles.unconfirmed : styles.utxo
                  }
                  r={radiusOf(members.length)}
                />
                {members.length > 1 && (
                  <text className={styles.count} dy="0.32em" textAnchor="middle">
                    {shortNumber(members.length)}
                  </text>
                )}
                <title>{describe(members)}</title>
              </g>
            ))}
          </>
        )
      }}
    </Chart>
  )
}

const rangeOf = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)]

/** The area grows with the logarithm: a circle of thousands stays smaller than the distance of its neighbors. */
const radiusOf = (count: number): number => (count === 1 ? 4.5 : Math.min(14, 7 + 2 * Math.log10(count)))
