/** Draws the inputs and outputs of a transaction as bands, each as thick as its amount. */

import { area, curveBumpX } from 'd3-shape'
import type { Transaction } from '../../api/use-coins.ts'
import { Chart } from '../../charts/chart.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { plural } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { type Band, bandsOf } from './chart-math.ts'
import styles from './tx-flow.module.css'

export function TxFlow({ chain, tx }: { readonly chain: CoinChain; readonly tx: Transaction }) {
  const { amountOf, symbolOf } = useCoinUnit()
  const symbol = symbolOf(chain)
  const isCoinbase = tx.inputs.some((input) => input.isCoinbase)
  const paid = tx.outputs.reduce((sum, { value }) => sum + value, 0)
  const inputs = tx.inputs.map((input) =>
    input.isCoinbase
      ? { name: 'Block reward and fees', value: paid }
      : { name: input.address ?? 'Script without address', value: input.value },
  )
  const outputs = [
    ...tx.outputs.map(({ address, value }) => ({ name: address ?? 'Script or data without address', value })),
    ...(isCoinbase || tx.fee === 0 ? [] : [{ name: 'Fee', value: tx.fee, isFee: true }]),
  ]
  return (
    <Chart
      title="Flow of the transaction"
      summary={`${plural(inputs.length, 'input')} and ${plural(tx.outputs.length, 'output')}, ${amountOf(paid)} ${symbol} sent, fee ${amountOf(tx.fee)} ${symbol}.`}
      height={Math.min(260, Math.max(96, Math.max(inputs.length, outputs.length) * 22))}
      head={['Side', 'Address', symbol]}
      textColumns={['Address']}
      rows={[
        ...inputs.map(({ name, value }) => ['Input', name, amountOf(value)]),
        ...outputs.map(({ name, value }) => ['Output', name, amountOf(value)]),
      ]}
    >
      {(width, height) => {
        const waist = Math.min(72, height * 0.6)
        return (
          <>
            {bandsOf(inputs, height, waist).map((band, index) => (
              <path key={`in ${index}`} className={styles.band} d={pathOf(band, 0, width / 2)}>
                <title>{`${amountOf(band.value)} ${symbol} from ${band.name}`}</title>
              </path>
            ))}
            {bandsOf(outputs, height, waist).map((band, index) => (
              <path
                key={`out ${index}`}
                className={band.isFee === true ? styles.fee : styles.band}
                d={pathOf(band, width, width / 2)}
              >
                <title>{`${amountOf(band.value)} ${symbol} to ${band.name}`}</title>
              </path>
            ))}
          </>
        )
      }}
    </Chart>
  )
}

function pathOf({ outer, inner }: Band, from: number, to: number): string {
  const draw = area<readonly [x: number, top: number, bottom: number]>()
    .x(([x]) => x)
    .y0(([, top]) => top)
    .y1(([, , bottom]) => bottom)
    .curve(curveBumpX)
  return (
    draw([
      [from, outer[0], outer[1]],
      [to, inner[0], inner[1]],
    ]) ?? ''
  )
}
