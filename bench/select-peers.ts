/** Others that choose coins, each asked in its own form: P2PKH coins to a P2PKH address, at a rate, with their defaults. */
import { createRequire } from 'node:module'
import { p2pkh, selectUTXO } from '@scure/btc-signer'
import type { Coin } from '../server/src/coins/select/spend.ts'

/** What the measure of a choice asks for: how many coins, and what they hold. Undefined: nothing was found. */
type Choice = { readonly count: number; readonly value: number }
const choiceOf = (values: readonly number[]): Choice | undefined =>
  values.length === 0 ? undefined : { count: values.length, value: values.reduce((sum, value) => sum + value, 0) }

/** Hands over the coins in the peer's own form, so that only its choosing is timed. */
export type Peer = (coins: readonly Coin[], amount: number, feeRate: number) => () => Choice | undefined

/** It has no types of its own. */
const coinselect = createRequire(import.meta.url)('coinselect') as (
  coins: readonly { readonly value: number }[],
  outputs: readonly { readonly value: number }[],
  feeRate: number,
) => { readonly inputs?: readonly { readonly value: number }[] }

/** The same key for all: only the kind of script matters to a size. Its change is dust below 546, as in ours. */
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
    // Without the transactions that the coins come from, which signing would ask for and choosing does not.
    const options = { feePerByte: BigInt(feeRate), changeAddress: own.address ?? '', allowLegacyWitnessUtxo: true }
    return () => choiceOf(selectUTXO(inputs, outputs, 'default', options)?.inputs.map(valueOfInput) ?? [])
  },
}

const valueOfInput = ({ witnessUtxo }: { readonly witnessUtxo?: { readonly amount: bigint } | undefined }): number =>
  Number(witnessUtxo?.amount ?? 0n)
