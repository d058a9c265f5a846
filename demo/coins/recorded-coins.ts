/** The UTXO set of a recorded chain, computed from its blocks. */
import { isUnspendable } from '../../server/src/coins/parse/script.ts'
import { parseTransaction } from '../../server/src/coins/parse/transaction.ts'
import { RECORDED_RULES, type Recording } from './recording.ts'

type Coin = {
  readonly txid: string
  readonly vout: number
  readonly script: string
  readonly value: number
  readonly height: number
}

/** The genesis coinbase is unspendable and not in the UTXO set. */
const FIRST = 1

function coinsOf(recording: Recording): ReadonlyMap<string, Coin> {
  const coins = new Map<string, Coin>()
  for (let height = FIRST; height <= recording.height(); height += 1)
    for (const { bytes } of recording.block(height)?.txs ?? []) {
      const { txid, inputs, outputs } = parseTransaction(bytes, RECORDED_RULES)
      for (const { prevout } of inputs) if (prevout !== undefined) coins.delete(`${prevout.txid}:${prevout.vout}`)
      for (const [vout, { value, script }] of outputs.entries())
        if (!isUnspendable(script, 0, script.length))
          coins.set(`${txid}:${vout}`, { txid, vout, script: script.toString('hex'), value, height })
    }
  return coins
}

const inCoins = (units: number): string => (units / 1e8).toFixed(8)
const sumOf = (coins: readonly Coin[]): string => inCoins(coins.reduce((sum, { value }) => sum + value, 0))
const tipOf = (recording: Recording) => ({
  height: recording.height(),
  bestblock: recording.block(recording.height())?.hash,
})

/** The fields of `gettxoutsetinfo` that Gatewatch uses. */
export function txOutSetInfo(recording: Recording): object {
  const coins = [...coinsOf(recording).values()]
  return { ...tipOf(recording), txouts: coins.length, total_amount: sumOf(coins) }
}

/** `wanted` contains descriptors of the form `raw(SCRIPT)`, the only one Gatewatch uses. */
export function scanTxOutSet(recording: Recording, wanted: readonly string[]): object {
  const scripts = new Set(wanted.map((descriptor) => /^raw\((.*)\)$/.exec(descriptor)?.[1]))
  const found = [...coinsOf(recording).values()].filter(({ script }) => scripts.has(script))
  return {
    ...tipOf(recording),
    total_amount: sumOf(found),
    unspents: found.map(({ txid, vout, script, value, height }) => ({
      txid,
      vout,
      scriptPubKey: script,
      amount: inCoins(value),
      height,
    })),
  }
}
