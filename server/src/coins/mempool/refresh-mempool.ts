/**
 * Updates the mempool view from the node's mempool. Fetches only new transactions, and lists the mempool only if the
 * node's notifications do not say what changed, so a quiet mempool costs few calls.
 *
 * The view belongs to one block: it is complete only if the node was at the index's tip before and after the mempool was
 * read. A transaction is added only when all its prevouts are known.
 */
import { type CoinIndex, findBlockRow, findHeight } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import { findCoin } from '../index/lookup.ts'
import { readBlockTxids } from '../index/tx-locations.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashFromHex, hashHex, type ParseRules } from '../parse/block.ts'
import { classifyScript, isUnspendable, SCRIPT_KEY_SIZE, scriptKeyInto } from '../parse/script.ts'
import { scanTransaction } from '../parse/transaction.ts'
import { at, type TxTable, weightOf } from '../parse/tx-table.ts'
import { type MempoolTx, type MempoolView, type PaidOutput, type SpentCoin, scriptMapKey } from './mempool-view.ts'
import type { MempoolChanges, SequenceFeed } from './sequence-feed.ts'

export type MempoolDeps = {
  readonly index: CoinIndex
  readonly node: Pick<CoreNode, 'getTip' | 'getMempoolInfo' | 'getMempool' | 'getMempoolTxs' | 'getMempoolEntries'>
  readonly view: MempoolView
}

export type RefreshOptions = {
  /** Knows the changes of the mempool without listing it. */
  readonly feed?: SequenceFeed | undefined
  /** Start from an empty view, because blocks were disconnected whose coins the view refers to. */
  readonly rebuild?: boolean
  /** Called synchronously after the view changes, so that the caller can pin the matching state of the index. */
  readonly onChange?: () => void
}

/**
 * Updates the view for `tip`, the hash of the index's tip. Returns whether the view is complete for it. While node and
 * index are at different blocks the view stays unchanged.
 */
export async function refreshMempool(deps: MempoolDeps, tip: string, options: RefreshOptions = {}): Promise<boolean> {
  const { index, node, view } = deps
  // A node that has just started may not have loaded its mempool yet.
  const { loaded, size } = await node.getMempoolInfo()
  if (!loaded || (await node.getTip()).hash !== tip) return false
  options.feed?.compare(size)
  const rebuild = options.rebuild ?? false
  const { feed } = options
  if (rebuild) feed?.lose()
  const changes = feed?.changes(tip, (hash) => withSnapshot(index.kv, (reader) => findBlockTxids(reader, hash)))
  if (changes === 'wait') return false
  const { added, removed } = changes ?? (await listMempool(deps, tip, options))
  const arrived = await fetchTxs(
    deps,
    added.filter((txid) => rebuild || view.find(txid) === undefined),
  )
  if ((await node.getTip()).hash !== tip || indexTip(index)?.hash !== tip) return false

  // Synchronous from here on, so that no request sees a partly updated view.
  if (rebuild) view.clear()
  for (const txid of removed) view.remove(txid)
  const isComplete = withSnapshot(index.kv, (reader) => addAll(reader, view, arrived, rulesOf(index)))
  view.blockHash = isComplete ? tip : undefined
  if (isComplete) feed?.accept(tip)
  options.onChange?.()
  return isComplete
}

/** Lists the whole mempool and compares it with the view. */
async function listMempool(
  { node, view }: MempoolDeps,
  tip: string,
  { feed }: RefreshOptions,
): Promise<MempoolChanges> {
  const { txids, mempool_sequence: sequence } = await node.getMempool()
  if ((await node.getTip()).hash === tip) feed?.list(txids, sequence, tip)
  const present = new Set(txids)
  return { added: txids, removed: Array.from(view.txids()).filter((txid) => !present.has(txid)) }
}

/** The txids of a block of the index, by its hash in display order; undefined if the index does not contain it. */
function findBlockTxids(reader: KvReader, hash: string): string[] | undefined {
  const height = findHeight(reader, hashFromHex(hash))
  const row = height === undefined ? undefined : findBlockRow(reader, height)
  if (row === undefined) return undefined
  const txids = readBlockTxids(reader, row.firstTxnum, row.txCount)
  return Array.from({ length: row.txCount }, (_, i) => hashHex(txids.subarray(i * 32, (i + 1) * 32)))
}

const rulesOf = ({ network }: CoinIndex): ParseRules => ({ mweb: network.mweb !== undefined })

type Arrived = { readonly txid: string; readonly table: TxTable; readonly time: number }

async function fetchTxs({ index, node }: MempoolDeps, txids: readonly string[]): Promise<Arrived[]> {
  if (txids.length === 0) return []
  const [bodies, entries] = await Promise.all([node.getMempoolTxs(txids), node.getMempoolEntries(txids)])
  return txids.flatMap((txid, i) => {
    const [bytes, entry] = [bodies[i], entries[i]]
    if (bytes === undefined || entry === undefined) return []
    const table = scanTransaction(bytes, rulesOf(index))
    // A transaction without inputs is wholly in the extension block and affects no script.
    return table.outpoint.length === 0 ? [] : [{ txid, table, time: entry.time }]
  })
}

/** Adds transactions in any order: a child whose parents are missing is tried again after them. */
function addAll(reader: KvReader, view: MempoolView, arrived: readonly Arrived[], rules: ParseRules): boolean {
  let remaining = arrived
  for (;;) {
    const unresolved = remaining.filter(({ txid, table, time }) => {
      const inputs = resolveInputs(reader, view, table)
      if (inputs === undefined) return true
      view.add({ ...readMempoolTx(txid, table, inputs, rules), time })
      return false
    })
    if (unresolved.length === 0 || unresolved.length === remaining.length) return unresolved.length === 0
    remaining = unresolved
  }
}

function resolveInputs(reader: KvReader, view: MempoolView, table: TxTable): SpentCoin[] | undefined {
  const inputs: SpentCoin[] = []
  for (const outpoint of table.outpoint) {
    const id = table.bytes.subarray(outpoint, outpoint + 32)
    const txid = hashHex(id)
    const vout = table.bytes.readUInt32LE(outpoint + 32)
    const parent = view.find(txid)?.outputs[vout]
    if (parent !== undefined) {
      inputs.push({ txid, vout, ...parent })
      continue
    }
    const coin = findCoin(reader, Buffer.from(id), vout)
    if (coin === undefined) return undefined
    inputs.push({ txid, vout, script: scriptMapKey(coin.script), value: coin.value })
  }
  return inputs
}

/** Weight of an input without a script. The HogEx has one for every peg-in. */
const HOGEX_INPUT_WEIGHT = 41 * 4

function readMempoolTx(
  txid: string,
  table: TxTable,
  inputs: readonly SpentCoin[],
  rules: ParseRules,
): Omit<MempoolTx, 'time'> {
  let fee = inputs.reduce((sum, { value }) => sum + value, 0)
  let minedWeight = weightOf(table, 0)
  const key = Buffer.allocUnsafe(SCRIPT_KEY_SIZE)
  const outputs = table.value.map((value, i): PaidOutput | undefined => {
    const start = at(table.script, i)
    const end = at(table.scriptEnd, i)
    fee -= value
    if (classifyScript(table.bytes.subarray(start, end), rules).type === 'mweb_pegin') minedWeight += HOGEX_INPUT_WEIGHT
    if (isUnspendable(table.bytes, start, end)) return undefined
    scriptKeyInto(table.bytes, start, end, key, 0)
    return { script: scriptMapKey(key), value }
  })
  const vsize = Math.ceil(weightOf(table, 0) / 4)
  return { txid, bytes: table.bytes, inputs, outputs, fee, vsize, minedVsize: Math.ceil(minedWeight / 4) }
}
