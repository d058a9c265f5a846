/**
 * Collects the facts about an address that its analysis uses.
 *
 * Coins and history are read from the index. Examining a transaction can cost calls to the node, so only the newest
 * transactions are examined, and those that created unspent dust.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { mayBeCoinJoin } from '../analyze/coinjoin.ts'
import type { AddressFacts, ExaminedTx, HistoryFact, Utxo } from '../analyze/facts.ts'
import { readHistory, readTotals } from '../index/history.ts'
import { type HistoryEntry, RECEIVED, type ScriptTotals, SENT } from '../index/history-entry.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import type { Address } from '../parse/address.ts'
import { classifyScript, scriptKey } from '../parse/script.ts'
import type { Transaction } from '../parse/transaction.ts'
import {
  dustThreshold,
  type InputSize,
  inputSize,
  MAX_STANDARD_WEIGHT,
  outputBytes,
  virtualSize,
} from '../select/weights.ts'
import type { FeeQuote } from './fee-service.ts'
import { estimateInputSize } from './input-size.ts'
import type { ServedChain } from './served-chain.ts'
import { readSpendableCoins, type SpendableCoins, unconfirmedFigures } from './spendable-coins.ts'
import { type LocatedTx, locateTx } from './transaction-loader.ts'
import { loadPrevouts, outpointKey, type Prevouts } from './transaction-view.ts'

const MAX_ENTRIES = 5_000
/** Newest transactions examined, and further ones that created dust. */
const MAX_TXS = 100
const MAX_DUST_TXS = 50
/** Inputs loaded for one transaction and for all: each can cost a call to the node. */
const MAX_INPUTS_PER_TX = 200
const MAX_INPUTS = 2_000
/** For scripts whose spending is not standard: the size of a P2WPKH input. */
const FALLBACK_INPUT = inputSize(0, 108)
/** Values below this count as dust-sized at Bitcoin Core's dust relay rate; it scales with the rate of the network. */
const DUST_SIZED_BELOW = 1_000
const CORE_DUST_RATE = 3_000

export type CollectedFacts = {
  readonly facts: AddressFacts
  readonly totals: ScriptTotals
  /** Confirmed coins, also those that an unconfirmed transaction spends. Their sum is the balance. */
  readonly utxoCount: number
  readonly unconfirmed: ReturnType<typeof unconfirmedFigures>
  readonly tip: { readonly height: number; readonly hash: string }
}

/** Whether transactions are examined too. */
export type Depth = 'coins' | 'transactions'

/** What both addresses and wallets have, besides what they own. */
export function sizeFacts(
  { network }: ServedChain,
  script: Buffer,
  { size, quote }: { readonly size: InputSize | undefined; readonly quote: FeeQuote },
) {
  const input = size ?? FALLBACK_INPUT
  const threshold = dustThreshold(script, network.dustRelayRate)
  return {
    input,
    inputVsize: virtualSize(input.weight),
    outputBytes: outputBytes(script),
    maxInputs: Math.floor(MAX_STANDARD_WEIGHT / input.weight) - 1,
    dustThreshold: threshold,
    dustSizedBelow: Math.max((DUST_SIZED_BELOW * network.dustRelayRate) / CORE_DUST_RATE, 2 * threshold),
    tiers: quote.tiers,
    feeHistory: quote.feeHistory,
  }
}

export async function collectFacts(
  chain: ServedChain,
  address: Address,
  quote: FeeQuote,
  depth: Depth,
): Promise<CollectedFacts> {
  const key = scriptKey(address.script)
  const size = (await estimateInputSize(chain, address))?.size
  const sizes = sizeFacts(chain, address.script, { size, quote })

  const read = await withSnapshotAsync(chain.index.kv, async (reader) => {
    const unconfirmed = unconfirmedFigures(chain, key)
    const coins = await readSpendableCoins(chain, reader, key)
    const utxos = utxosOf(coins)
    const { entries } = readHistory(reader, key, { limit: MAX_ENTRIES })
    const history = entries.map(historyFact)
    return {
      totals: readTotals(reader, key),
      tip: coins.tip,
      utxoCount: coins.mature.length + coins.immature.length + coins.leaving.length,
      unconfirmed,
      utxos,
      history,
      candidates: depth === 'coins' ? [] : findCandidates(reader, history, dustOf(utxos, sizes.dustSizedBelow)),
    }
  })
  const facts: AddressFacts = {
    scriptType: address.type,
    utxos: read.utxos,
    history: read.history.toReversed(),
    txs: await examineTxs(chain, (script) => script.equals(address.script), read.candidates),
    txCount: read.totals.txCount,
    ...sizes,
  }
  const { totals, utxoCount, unconfirmed, tip } = read
  return { facts, totals, utxoCount, unconfirmed, tip }
}

const historyFact = ({ txnum, flags, received }: HistoryEntry): HistoryFact => ({
  order: txnum,
  isReceipt: (flags & RECEIVED) !== 0,
  isSpend: (flags & SENT) !== 0,
  received,
})

/** All coins that are not spent by an unconfirmed transaction. */
export function utxosOf({ mature, immature, unconfirmed }: SpendableCoins): Utxo[] {
  const unsettled = [...immature, ...unconfirmed].map((coin): Utxo => ({ ...coin, isSettled: false }))
  return [...mature.map((coin): Utxo => ({ ...coin, isSettled: true })), ...unsettled]
}

export const dustOf = (utxos: readonly Utxo[], below: number): number[] =>
  utxos.filter(({ value }) => value < below).map(({ order }) => order)

type Candidate = LocatedTx & { readonly order: number; readonly isSpend: boolean }

/** The newest transactions, then those that created unspent dust, newest first. `history` is newest first. */
export function findCandidates(
  reader: KvReader,
  history: readonly HistoryFact[],
  dustOrders: readonly number[],
): Candidate[] {
  const newest = history.slice(0, MAX_TXS)
  const included = new Set(newest.map(({ order }) => order))
  const byNumber = new Map(history.map((entry) => [entry.order, entry]))
  // Unconfirmed dust has no history entry, so it does not displace confirmed dust.
  const further = [...new Set(dustOrders)]
    .flatMap((order) => (included.has(order) ? [] : (byNumber.get(order) ?? [])))
    .sort((a, b) => b.order - a.order)
    .slice(0, MAX_DUST_TXS)
  return [...newest, ...further].flatMap(({ order, isSpend }) => {
    const located = locateTx(reader, findTxLocation(reader, order))
    return located === undefined ? [] : [{ ...located, order, isSpend }]
  })
}

/** The inputs of a receipt reveal something about the address only if it may be a CoinJoin. */
const needsInputs = (tx: Transaction, isSpend: boolean): boolean =>
  tx.inputs.length <= MAX_INPUTS_PER_TX &&
  (isSpend ||
    mayBeCoinJoin(
      tx.inputs.length,
      tx.outputs.map(({ value }) => value),
    ))

export async function examineTxs(
  chain: ServedChain,
  owns: (script: Buffer) => boolean,
  candidates: readonly Candidate[],
): Promise<ExaminedTx[]> {
  const txs = await chain.loader.load(candidates)
  const pairs = txs.flatMap((tx, i) => {
    const candidate = candidates[i]
    return candidate === undefined ? [] : [{ tx, candidate }]
  })
  let left = MAX_INPUTS
  const withInputs: Transaction[] = []
  for (const { tx, candidate } of pairs) {
    if (!needsInputs(tx, candidate.isSpend) || tx.inputs.length > left) continue
    left -= tx.inputs.length
    withInputs.push(tx)
  }
  const prevouts = await loadPrevouts(chain, withInputs)
  const hasInputs = new Set(withInputs.map(({ txid }) => txid))
  const examined: ExaminedTx[] = []
  for (const { tx, candidate } of pairs) {
    // A spend with too many inputs is left out: without its inputs the findings about it would be wrong.
    if (candidate.isSpend && !hasInputs.has(tx.txid)) continue
    examined.push(examine(chain, owns, tx, candidate, hasInputs.has(tx.txid) ? prevouts : undefined))
    // A transaction with thousands of outputs takes a while.
    await yieldToEventLoop()
  }
  return examined
}

function examine(
  { network }: ServedChain,
  owns: (script: Buffer) => boolean,
  tx: Transaction,
  { order, isSpend }: Candidate,
  prevouts: Prevouts | undefined,
): ExaminedTx {
  const examineOutput = ({ script, value }: { readonly script: Buffer; readonly value: number }) => ({
    script: script.toString('hex'),
    type: classifyScript(script, { mweb: network.mweb !== undefined }).type,
    value,
    isOwn: owns(script),
  })
  const inputs = tx.inputs.flatMap(({ prevout }) => {
    const output = prevout === undefined ? undefined : prevouts?.get(outpointKey(prevout))
    return output === undefined ? [] : [examineOutput(output)]
  })
  return { txid: tx.txid, order, isSpend, inputCount: tx.inputs.length, inputs, outputs: tx.outputs.map(examineOutput) }
}
