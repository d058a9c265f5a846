/**
 * Brings the view to what the node's mempool holds: by difference, so a quiet mempool costs one question.
 *
 * The view belongs to one block: it counts as complete only when the node stood on the index's last block before and
 * after it was read. A transaction whose inputs are not all known stays out until they are.
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
  /** Start from nothing, because blocks left the chain and with them coins that the view knows. */
  readonly anew?: boolean
  /** Called in the same breath as the view changes: whoever pairs it with a state of the index does so here. */
  readonly onChange?: () => void
}

/**
 * `tip`: hash of the index's last block. Answers whether the view is now complete for it; when it is not, because node
 * and index stand on different blocks, the view stays as it was.
 */
export async function refreshMempool(deps: MempoolDeps, tip: string, options: RefreshOptions = {}): Promise<boolean> {
  const { index, node, view } = deps
  // A node that has just started answers from a mempool it has not loaded yet.
  if (!(await node.getMempoolInfo()).loaded || (await node.getTip()).hash !== tip) return false
  const { txids } = await node.getMempool()
  const isAnew = options.anew ?? false
  const arrived = await fetchTxs(
    deps,
    txids.filter((txid) => isAnew || view.find(txid) === undefined),
  )
  if ((await node.getTip()).hash !== tip || indexTip(index)?.hash !== tip) return false

  // From here on nothing waits: no question sees the view half changed.
  if (isAnew) view.clear()
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
    // Without inputs it lives in the extension block alone, and no script is touched.
    return table.outpoint.length === 0 ? [] : [{ txid, table, time: entry.time }]
  })
}

/** Parents come before their children whatever the order they are listed in: what waits is tried again. */
function addAll(reader: KvReader, view: MempoolView, arrived: readonly Arrived[], rules: ParseRules): boolean {
  let waiting = arrived
  for (;;) {
    const still = waiting.filter(({ txid, table, time }) => {
      const inputs = resolveInputs(reader, view, table)
      if (inputs === undefined) return true
      view.add({ ...readMempoolTx(txid, table, inputs, rules), time })
      return false
    })
    if (still.length === 0 || still.length === waiting.length) return still.length === 0
    waiting = still
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

/** Weight of an input without a script, as the last transaction of a block has one for every peg-in. */
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
