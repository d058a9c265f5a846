/**
 * Compares the index with the node's UTXO set: the number and amount of all coins (`gettxoutsetinfo`), and the coins of
 * random scripts of random blocks (`scantxoutset`).
 */
import type { Clock } from '../../lib/clock.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashHex, parseBlock } from '../parse/block.ts'
import { isUnspendable, scriptKey } from '../parse/script.ts'
import { at } from '../parse/tx-table.ts'
import { type CoinIndex, findBlockRow } from './coin-index.ts'
import { indexTip } from './follow.ts'
import { scriptCoins } from './history.ts'
import { withSnapshot } from './kv.ts'
import { findTxLocation } from './tx-locations.ts'

export type Verification = {
  readonly height: number
  readonly coins: { readonly index: number; readonly node: number }
  readonly amount: { readonly index: number; readonly node: number }
  /** How many scripts were compared coin by coin, and those that differ, in hexadecimal. */
  readonly scripts: number
  readonly differing: readonly string[]
  readonly isSame: boolean
  readonly seconds: number
}

export type VerifyDeps = {
  readonly index: CoinIndex
  readonly node: Pick<CoreNode, 'getTxOutSetInfo' | 'scanTxOutSet' | 'findHash' | 'getBlock'>
  readonly clock: Clock
  /** Returns a random integer from 0 to `bound` - 1. */
  readonly randomBelow: (bound: number) => number
}

/** Undefined if the node is at another block than the index, because the two cannot be compared then. */
export async function verifyIndex(deps: VerifyDeps, samples = 200): Promise<Verification | undefined> {
  const { index, node, clock } = deps
  const started = clock.now()
  const tip = indexTip(index)
  const set = await node.getTxOutSetInfo()
  if (tip === undefined || set.bestblock !== tip.hash) return undefined
  const row = withSnapshot(index.kv, (reader) => findBlockRow(reader, tip.height))
  const scripts = await sampleScripts(deps, tip.height, samples)
  const scan = await node.scanTxOutSet(scripts.map((script) => `raw(${script})`))
  if (scan.bestblock !== tip.hash || indexTip(index)?.hash !== tip.hash) return undefined
  const expected = new Map<string, string[]>(scripts.map((script) => [script, []]))
  for (const { scriptPubKey, txid, vout, amount } of scan.unspents) {
    expected.get(scriptPubKey)?.push(`${txid}:${vout} ${amount}`)
  }
  const differing = scripts.filter(
    (script) => coinsOf(index, script).join() !== (expected.get(script) ?? []).sort().join(),
  )
  const coins = { index: row?.coins ?? 0, node: set.txouts }
  const amount = { index: row?.amount ?? 0, node: set.total_amount }
  return {
    height: tip.height,
    coins,
    amount,
    scripts: scripts.length,
    differing,
    isSame: coins.index === coins.node && amount.index === amount.node && differing.length === 0,
    seconds: (clock.now() - started) / 1000,
  }
}

/** Chooses scripts of random outputs of random blocks. */
async function sampleScripts(
  { index, node, randomBelow }: VerifyDeps,
  height: number,
  samples: number,
): Promise<string[]> {
  const scripts = new Set<string>()
  for (let tries = 0; tries < samples * 4 && scripts.size < samples; tries++) {
    const hash = await node.findHash(1 + randomBelow(Math.max(1, height)))
    if (hash === undefined) continue
    const { txs, bytes } = parseBlock(await node.getBlock(hash), { mweb: index.network.mweb !== undefined })
    const output = randomBelow(txs.value.length)
    const [start, end] = [at(txs.script, output), at(txs.scriptEnd, output)]
    if (!isUnspendable(bytes, start, end)) scripts.add(bytes.toString('hex', start, end))
  }
  return [...scripts]
}

function coinsOf(index: CoinIndex, script: string): string[] {
  return withSnapshot(index.kv, (reader) =>
    Array.from(scriptCoins(reader, scriptKey(Buffer.from(script, 'hex'))), ({ txnum, vout, value }) => {
      const location = findTxLocation(reader, txnum)
      return `${hashHex(location?.txid ?? Buffer.alloc(32))}:${vout} ${value}`
    }).sort(),
  )
}
