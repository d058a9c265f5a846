/**
 * Compares the index with the node's UTXO set: the number and amount of all coins (`gettxoutsetinfo`), and the coins of
 * random scripts of random blocks (`scantxoutset`).
 *
 * Both calls take minutes on a large chain, and blocks arrive meanwhile. So the totals are compared at the block that the
 * node names, and the scripts in a snapshot of the index that is taken just before the scan.
 */
import type { Timing } from '../../lib/clock.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashFromHex, hashHex, parseBlock } from '../parse/block.ts'
import { isUnspendable, scriptKey } from '../parse/script.ts'
import { at } from '../parse/tx-table.ts'
import { type CoinIndex, findBlockRow, findHeight, findTip } from './coin-index.ts'
import { scriptCoins } from './history.ts'
import { type KvReader, withSnapshot, withSnapshotAsync } from './kv.ts'
import type { BlockRow } from './layout.ts'
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
  readonly node: Pick<CoreNode, 'getTip' | 'getTxOutSetInfo' | 'scanTxOutSet' | 'findHash' | 'getBlock'>
  readonly timing: Timing
  /** Returns a random integer from 0 to `bound` - 1. */
  readonly randomBelow: (bound: number) => number
}

export type VerifyLimits = {
  /** Scripts that are compared coin by coin. */
  readonly samples?: number | undefined
  /** How long to wait for the index to reach the block of the node. */
  readonly waitMs?: number | undefined
}

const POLL_MS = 100

/** Undefined if the index does not reach the block of the node in time, because the two cannot be compared then. */
export async function verifyIndex(
  deps: VerifyDeps,
  { samples = 200, waitMs = 30_000 }: VerifyLimits = {},
): Promise<Verification | undefined> {
  const { index, node, timing } = deps
  const started = timing.now()
  const set = await node.getTxOutSetInfo()
  const block = await untilDefined(timing, waitMs, async () => findBlock(index, set.bestblock))
  if (block === undefined) return undefined
  const scripts = await sampleScripts(deps, block.height, samples)
  const differing = await untilDefined(timing, waitMs, () => findDiffering(deps, scripts))
  if (differing === undefined) return undefined
  const coins = { index: block.row.coins, node: set.txouts }
  const amount = { index: block.row.amount, node: set.total_amount }
  return {
    height: block.height,
    coins,
    amount,
    scripts: scripts.length,
    differing,
    isSame: coins.index === coins.node && amount.index === amount.node && differing.length === 0,
    seconds: (timing.now() - started) / 1000,
  }
}

async function untilDefined<T>(
  timing: Timing,
  waitMs: number,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = timing.now() + waitMs
  for (;;) {
    const found = await find()
    if (found !== undefined || timing.now() >= deadline) return found
    await timing.sleep(POLL_MS)
  }
}

/** A block with the size and amount of the UTXO set after it; undefined if the index does not contain it. */
function findBlock({ kv }: CoinIndex, hash: string): { height: number; row: BlockRow } | undefined {
  return withSnapshot(kv, (reader) => {
    const height = findHeight(reader, hashFromHex(hash))
    const row = height === undefined ? undefined : findBlockRow(reader, height)
    return height === undefined || row === undefined ? undefined : { height, row }
  })
}

/** Returns the scripts whose coins differ; undefined if index and node are at different blocks. */
async function findDiffering({ index, node }: VerifyDeps, scripts: readonly string[]): Promise<string[] | undefined> {
  return withSnapshotAsync(index.kv, async (reader) => {
    const tip = findTip(reader)
    if (tip === undefined || (await node.getTip()).hash !== hashHex(tip.hash)) return undefined
    const scan = await node.scanTxOutSet(scripts.map((script) => `raw(${script})`))
    if (scan.bestblock !== hashHex(tip.hash)) return undefined
    const expected = new Map<string, string[]>(scripts.map((script) => [script, []]))
    for (const { scriptPubKey, txid, vout, amount } of scan.unspents)
      expected.get(scriptPubKey)?.push(`${txid}:${vout} ${amount}`)
    return scripts.filter((script) => coinsOf(reader, script).join() !== (expected.get(script) ?? []).sort().join())
  })
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
    // An empty script can be spent, but no descriptor names it. The totals include its coins.
    const isScannable = end > start && !isUnspendable(bytes, start, end)
    if (isScannable) scripts.add(bytes.toString('hex', start, end))
  }
  return [...scripts]
}

function coinsOf(reader: KvReader, script: string): string[] {
  return Array.from(scriptCoins(reader, scriptKey(Buffer.from(script, 'hex'))), ({ txnum, vout, value }) => {
    const location = findTxLocation(reader, txnum)
    return `${hashHex(location?.txid ?? Buffer.alloc(32))}:${vout} ${value}`
  }).sort()
}
