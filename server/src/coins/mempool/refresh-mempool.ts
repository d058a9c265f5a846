/**
 * Updates the mempool view from the node's mempool. Fetches only new transactions, so a quiet mempool costs few calls.
 *
 * The view belongs to one block: it is complete only if the node was at the index's tip before and after the mempool was
 * read. A transaction is added only when all its prevouts are known.
 */
import type { CoinIndex } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import { findCoin } from '../index/lookup.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashHex, type ParseRules } from '../parse/block.ts'
import { classifyScript, isUnspendable, SCRIPT_KEY_SIZE, scriptKeyInto } from '../parse/script.ts'
import { scanTransaction } from '../parse/transaction.ts'
import { at, type TxTable, weightOf } from '../parse/tx-table.ts'
import { type MempoolTx, type MempoolView, type PaidOutput, type SpentCoin, scriptMapKey } from './mempool-view.ts'

export type MempoolDeps = {
  readonly index: CoinIndex
  readonly node: Pick<CoreNode, 'getTip' | 'getMempoolInfo' | 'getMempool' | 'getMempoolTxs' | 'getMempoolEntries'>
  readonly view: MempoolView
}

export type RefreshOptions = {
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
  if (!(await node.getMempoolInfo()).loaded || (await node.getTip()).hash !== tip) return false
  const { txids } = await node.getMempool()
  const rebuild = options.rebuild ?? false
  const arrived = await fetchTxs(
    deps,
    txids.filter((txid) => rebuild || view.find(txid) === undefined),
  )
  if ((await node.getTip()).hash !== tip || indexTip(index)?.hash !== tip) return false

  // Synchronous from here on, so that no request sees a partly updated view.
  if (rebuild) view.clear()
  const present = new Set(txids)
  for (const txid of Array.from(view.txids())) if (!present.has(txid)) view.remove(txid)
  const isComplete = withSnapshot(index.kv, (reader) => addAll(reader, view, arrived, rulesOf(index)))
  view.blockHash = isComplete ? tip : undefined
  options.onChange?.()
  return isComplete
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
