/**
 * Brings the view to what the node's mempool holds: by difference, so a quiet mempool costs one question.
 *
 * The view belongs to one block: it counts as complete only when the node stood on the index's last block before and
 * after it was read. A transaction whose inputs are not all known stays out until they are.
 */
import type { CoinIndex } from '../index/coin-index.ts'
import { findCoin } from '../index/find-coin.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashHex } from '../parse/block.ts'
import { isUnspendable, SCRIPT_KEY_SIZE, scriptKeyInto } from '../parse/script.ts'
import { scanTransaction } from '../parse/transaction.ts'
import { at, type TxTable, weightOf } from '../parse/tx-table.ts'
import { type MempoolTx, type MempoolView, type PaidOutput, type SpentCoin, scriptName } from './mempool-view.ts'

export type MempoolDeps = {
  readonly index: CoinIndex
  readonly node: Pick<CoreNode, 'getTip' | 'getMempoolInfo' | 'getMempool' | 'getMempoolTxs' | 'getMempoolEntries'>
  readonly view: MempoolView
}

/** `tip`: hash of the index's last block. Answers whether the view is now complete for it. */
export async function refreshMempool(deps: MempoolDeps, tip: string): Promise<boolean> {
  const { node, view } = deps
  // A node that has just started answers from a mempool it has not loaded yet.
  if (!(await node.getMempoolInfo()).loaded || (await node.getTip()).hash !== tip) {
    view.basis = undefined
    return false
  }
  const { txids } = await node.getMempool()
  const present = new Set(txids)
  const gone = Array.from(view.txids()).filter((txid) => !present.has(txid))
  for (const txid of gone) view.remove(txid)
  const isComplete = await addNew(
    deps,
    txids.filter((txid) => view.find(txid) === undefined),
  )
  view.basis = isComplete && (await node.getTip()).hash === tip ? tip : undefined
  return view.basis === tip
}

/** Parents come before their children whatever the order they are listed in: what waits is tried again. */
async function addNew({ index, node, view }: MempoolDeps, txids: readonly string[]): Promise<boolean> {
  if (txids.length === 0) return true
  const [bodies, entries] = await Promise.all([node.getMempoolTxs(txids), node.getMempoolEntries(txids)])
  const rules = { mweb: index.network.mweb !== undefined }
  let waiting = txids.flatMap((txid, i) => {
    const [bytes, entry] = [bodies[i], entries[i]]
    return bytes === undefined || entry === undefined ? [] : [{ txid, table: scanTransaction(bytes, rules), entry }]
  })
  // Without inputs or outputs it lives in the extension block alone, and no script is touched.
  waiting = waiting.filter(({ table }) => table.outpoint.length > 0)
  return withSnapshot(index.kv, (reader) => {
    for (;;) {
      const still = waiting.filter(({ txid, table, entry }) => {
        const inputs = resolveInputs(reader, view, table)
        if (inputs === undefined) return true
        view.add({ ...readMempoolTx(txid, table, inputs), fee: entry.fees.base, time: entry.time })
        return false
      })
      if (still.length === 0 || still.length === waiting.length) return still.length === 0
      waiting = still
    }
  })
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
    inputs.push({ txid, vout, script: scriptName(coin.script), value: coin.value })
  }
  return inputs
}

function readMempoolTx(txid: string, table: TxTable, inputs: readonly SpentCoin[]): Omit<MempoolTx, 'fee' | 'time'> {
  const key = Buffer.allocUnsafe(SCRIPT_KEY_SIZE)
  const outputs = table.value.map((value, i): PaidOutput | undefined => {
    const start = at(table.script, i)
    const end = at(table.scriptEnd, i)
    if (isUnspendable(table.bytes, start, end)) return undefined
    scriptKeyInto(table.bytes, start, end, key, 0)
    return { script: scriptName(key), value }
  })
  return { txid, bytes: table.bytes, inputs, outputs, vsize: Math.ceil(weightOf(table, 0) / 4) }
}
