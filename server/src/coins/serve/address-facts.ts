/**
 * Gathers what is judged about an address: coins, lines of history, and the transactions that say most.
 *
 * Owns how much is looked at. Coins and lines are cheap and read in bulk; a transaction looked at whole costs questions
 * to the node, so the newest are taken, and those that paid something dust-sized that is still there.
 */

import { setImmediate as letOthersIn } from 'node:timers/promises'
import { mostEqual } from '../analyze/coinjoin.ts'
import type { AddressFacts, Line, SeenTx, Utxo } from '../analyze/facts.ts'
import { findBlockRow } from '../index/coin-index.ts'
import { readHistory, readTotals } from '../index/history.ts'
import type { ScriptTotals } from '../index/history-entry.ts'
import { type HistoryEntry, RECEIVED, SENT } from '../index/history-entry.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import type { Address } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { classifyScript, scriptKey } from '../parse/script.ts'
import type { Transaction } from '../parse/transaction.ts'
import { dustThreshold } from '../select/dust.ts'
import { inputSize, MAX_STANDARD_WEIGHT, outputBytes, virtualSize } from '../select/weights.ts'
import type { FeeQuote } from './fee-service.ts'
import { findSpendSize } from './input-size.ts'
import type { ServedChain } from './served-chain.ts'
import { readScriptCoins } from './spendable-coins.ts'
import type { PlacedTx } from './transaction-loader.ts'
import { loadPrevouts, type Prevouts } from './transaction-view.ts'

/** Lines of history read. */
const MOST_LINES = 5_000
/** Newest transactions looked at whole, and further ones that paid dust. */
const MOST_TXS = 100
const MOST_DUST_TXS = 50
/** Inputs looked up of one transaction, and of all together: each may cost a question to the node. */
const MOST_INPUTS = 200
const MOST_LOOKUPS = 2_000
/** An input of a script nobody spends in a standard way. */
const UNKNOWN_INPUT = inputSize(0, 108)
/** On a network whose dust rate is Core's own; others in proportion. */
const DUST_SIZED = 1_000
const CORE_DUST_RATE = 3_000

export type GatheredFacts = {
  readonly facts: AddressFacts
  readonly totals: ScriptTotals
  readonly tip: { readonly height: number; readonly hash: string }
}

export type Depth = 'coins' | 'transactions'

export async function gatherFacts(
  chain: ServedChain,
  address: Address,
  quote: FeeQuote,
  depth: Depth,
): Promise<GatheredFacts> {
  const { network, index } = chain
  const key = scriptKey(address.script)
  const size = (await findSpendSize(chain, address))?.size ?? UNKNOWN_INPUT
  const dust = dustThreshold(address.script, network.dustRelayRate)
  const dustSized = Math.max((DUST_SIZED * network.dustRelayRate) / CORE_DUST_RATE, 2 * dust)

  const read = await withSnapshotAsync(index.kv, async (reader) => {
    const coins = await readScriptCoins(chain, reader, key)
    const settled = coins.free.map((coin): Utxo => ({ ...coin, isSettled: true }))
    const unsettled = [...coins.immature, ...coins.unconfirmed].map((coin): Utxo => ({ ...coin, isSettled: false }))
    const utxos = [...settled, ...unsettled]
    const { entries: lines } = readHistory(reader, key, { limit: MOST_LINES })
    const dusty = utxos.filter(({ value }) => value < dustSized).map(({ order }) => order)
    return {
      totals: readTotals(reader, key),
      tip: coins.tip,
      utxos,
      lines,
      wanted: depth === 'coins' ? [] : placesToSee(reader, lines, dusty),
    }
  })
  const facts: AddressFacts = {
    scriptType: address.type,
    utxos: read.utxos,
    lines: read.lines.map(lineOf).toReversed(),
    txs: await seeTxs(chain, address, read.wanted),
    txCount: read.totals.txCount,
    input: size,
    inputVsize: virtualSize(size.weight),
    outputBytes: outputBytes(address.script),
    maxInputs: Math.floor(MAX_STANDARD_WEIGHT / size.weight) - 1,
    dust,
    dustSized,
    tiers: quote.tiers,
    climate: quote.climate,
  }
  return { facts, totals: read.totals, tip: read.tip }
}

const lineOf = ({ txnum, flags, received }: HistoryEntry): Line => ({
  order: txnum,
  isReceipt: (flags & RECEIVED) !== 0,
  isSpend: (flags & SENT) !== 0,
  received,
})

type Wanted = PlacedTx & { readonly order: number; readonly isSpend: boolean }

/** The newest lines, then the dust that is left; newest first. */
function placesToSee(reader: KvReader, lines: readonly HistoryEntry[], dusty: readonly number[]): Wanted[] {
  const newest = lines.slice(0, MOST_TXS)
  const seen = new Set(newest.map(({ txnum }) => txnum))
  const byNumber = new Map(lines.map((line) => [line.txnum, line]))
  // What waits has no line: it takes no place of what is confirmed.
  const further = [...new Set(dusty)]
    .flatMap((txnum) => (seen.has(txnum) ? [] : (byNumber.get(txnum) ?? [])))
    .sort((a, b) => b.txnum - a.txnum)
    .slice(0, MOST_DUST_TXS)
  return [...newest, ...further].flatMap(({ txnum, flags }) => {
    const place = findTxLocation(reader, txnum)
    const row = place === undefined ? undefined : findBlockRow(reader, place.height)
    if (place === undefined || row === undefined) return []
    return [{ place, blockHash: hashHex(row.hash), order: txnum, isSpend: (flags & SENT) !== 0 }]
  })
}

/** Of receipts only those are looked into that may be CoinJoins: who else paid tells nothing about the address. */
const looksInside = (tx: Transaction, isSpend: boolean): boolean =>
  tx.inputs.length <= MOST_INPUTS &&
  (isSpend || (tx.inputs.length >= 3 && mostEqual(tx.outputs.map(({ value }) => value)) >= 3))

async function seeTxs(chain: ServedChain, address: Address, wanted: readonly Wanted[]): Promise<SeenTx[]> {
  const txs = await chain.loader.load(wanted)
  const pairs = txs.flatMap((tx, i) => {
    const line = wanted[i]
    return line === undefined ? [] : [{ tx, line }]
  })
  let left = MOST_LOOKUPS
  const inside: Transaction[] = []
  for (const { tx, line } of pairs) {
    if (!looksInside(tx, line.isSpend) || tx.inputs.length > left) continue
    left -= tx.inputs.length
    inside.push(tx)
  }
  const prevouts = await loadPrevouts(chain, inside)
  const isSeen = new Set(inside.map(({ txid }) => txid))
  // A payment too large to look into is left out: half of what it tells would be wrong.
  const told: SeenTx[] = []
  for (const { tx, line } of pairs) {
    if (line.isSpend && !isSeen.has(tx.txid)) continue
    told.push(seen(chain, address, tx, line, isSeen.has(tx.txid) ? prevouts : undefined))
    // One with thousands of outputs takes a while.
    await letOthersIn()
  }
  return told
}

function seen(
  { network }: ServedChain,
  address: Address,
  tx: Transaction,
  { order, isSpend }: Wanted,
  prevouts: Prevouts | undefined,
): SeenTx {
  const side = ({ script, value }: { readonly script: Buffer; readonly value: number }) => ({
    script: script.toString('hex'),
    type: classifyScript(script, { mweb: network.mweb !== undefined }).type,
    value,
    isOwn: script.equals(address.script),
  })
  const inputs = tx.inputs.flatMap(({ prevout }) => {
    const output = prevout === undefined ? undefined : prevouts?.get(`${prevout.txid}:${prevout.vout}`)
    return output === undefined ? [] : [side(output)]
  })
  return { txid: tx.txid, order, isSpend, inputCount: tx.inputs.length, inputs, outputs: tx.outputs.map(side) }
}
