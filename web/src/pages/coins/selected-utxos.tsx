/** Draws the selected UTXOs and the outputs of the payment to the same scale. */

import { scaleLinear } from 'd3-scale'
import type { Simulation } from '../../api/use-coins.ts'
import { Chart, LegendEntry } from '../../charts/chart.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { Hash } from '../../components/hash.tsx'
import { plural } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './selected-utxos.module.css'

const BAR = 32

export function SelectedUtxos({ chain, result }: { readonly chain: CoinChain; readonly result: Simulation }) {
  const { amountOf, symbolOf } = useCoinUnit()
  const symbol = symbolOf(chain)
  const { selectedUtxos: utxos, totalInput, amount, change, estimatedFee } = result
  const parts = [
    { name: 'Payment', value: amount, style: styles.payment },
    { name: 'Change', value: change, style: styles.change },
    { name: 'Fee', value: estimatedFee, style: styles.fee },
  ].filter(({ value }) => value > 0)
  return (
    <Chart
      title="Selected UTXOs and outputs"
      summary={`${plural(utxos.length, 'UTXO')} with ${amountOf(totalInput)} ${symbol}: payment ${amountOf(amount)}, fee ${amountOf(estimatedFee)}, change ${amountOf(change)}.`}
      height={128}
      head={['UTXO', symbol]}
      rows={utxos.map(({ txid, vout, value }) => [
        <span key="utxo">
          <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />:{vout}
        </span>,
        amountOf(value),
      ])}
      legend={parts.map(({ name, style }) => <LegendEntry key={name} mark={style} text={name} />)}
    >
      {(width) => {
        const x = scaleLinear([0, Math.max(1, totalInput)], [0, width])
        return (
          <>
            <text className={styles.text} y={12}>
              {plural(utxos.length, 'input')}
            </text>
            {stacked(utxos).map(({ value, from }, index) => (
              <rect key={index} className={styles.utxo} x={x(from)} y={20} width={Math.max(1, x(value))} height={BAR}>
                <title>{`${amountOf(value)} ${symbol}`}</title>
              </rect>
            ))}
            <text className={styles.text} y={80}>
              Outputs
            </text>
            {stacked(parts).map(({ name, value, from, style }) => (
              <rect key={name} className={style} x={x(from)} y={88} width={Math.max(1, x(value))} height={BAR}>
                <title>{`${name}: ${amountOf(value)} ${symbol}`}</title>
              </rect>
            ))}
          </>
        )
      }}
    </Chart>
  )
}

function stacked<Part extends { readonly value: number }>(
  parts: readonly Part[],
): (Part & { readonly from: number })[] {
  let before = 0
  return parts.map((part) => {
    const from = before
    before += part.value
    return { ...part, from }
  })
}
