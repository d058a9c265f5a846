/** Other coin selection libraries, with their defaults: P2PKH coins to a P2PKH address at a fee rate. */
import { createRequire } from 'node:module'
import { p2pkh, selectUTXO } from '@scure/btc-signer'
import type { Coin } from '../server/src/coins/select/spend.ts'

/** The number and total value of the selected coins; undefined if the library found no selection. */
type Choice = { readonly count: number; readonly value: number }
const choiceOf = (values: readonly number[]): Choice | undefined =>
  values.length === 0 ? undefined : { count: values.length, value: values.reduce((sum, value) => sum + value, 0) }

/** Converts the coins to the library's own form first, so that only its selection is timed. */
export type Peer = (coins: readonly Coin[], amount: number, feeRate: number) => () => Choice | undefined

/** coinselect has no types. */
const coinselect = createRequire(import.meta.url)('coinselect') as (
  coins: readonly { readonly value: number }[],
  outputs: readonly { readonly value: number }[],
  feeRate: number,
) => { readonly inputs?: readonly { readonly value: number }[] }

/** One key for all coins: only the script type affects sizes. Change below 546 is dust, as in ours. */
const own = p2pkh(Buffer.concat([Buffer.of(2), Buffer.alloc(31), Buffer.of(1)]))

export const PEERS: Readonly<Record<string, Peer>> = {
  coinselect: (coins, amount, feeRate) => () =>
    choiceOf(coinselect(coins, [{ value: amount }], feeRate).inputs?.map(({ value }) => value) ?? []),
  '@scure/btc-signer': (coins, amount, feeRate) => {
    const inputs = coins.map(({ value, order }) => {
      const txid = Buffer.alloc(32, 1)
      txid.writeUInt32LE(order)
      return { txid, index: 0, witnessUtxo: { amount: BigInt(value), script: own.script } }
    })
    const outputs = [{ address: own.address ?? '', amount: BigInt(amount) }]
    // Without previous transactions, which only signing needs.
    const options = { feePerByte: BigInt(feeRate), changeAddress: own.address ?? '', allowLegacyWitnessUtxo: true }
    return () => choiceOf(selectUTXO(inputs, outputs, 'default', options)?.inputs.map(valueOfInput) ?? [])
  },
}

const valueOfInput = ({ witnessUtxo }: { readonly witnessUtxo?: { readonly amount: bigint } | undefined }): number =>
  Number(witnessUtxo?.amount ?? 0n)
