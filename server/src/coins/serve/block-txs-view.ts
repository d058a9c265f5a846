/** The transactions of a block, a page at a time, with what each paid. */
import { withSnapshot } from '../index/kv.ts'
import { readBlockTxids } from '../index/tx-locations.ts'
import { hashHex } from '../parse/block.ts'
import { blockNotFound, findBlock } from './block-view.ts'
import type { ServedChain } from './served-chain.ts'
import { feeOf, loadPrevouts, loadTransactions } from './transaction-view.ts'

const PAGE_SIZE = 25

/** In the order of the block: the coinbase is first. */
export async function getBlockTxs(chain: ServedChain, hashOrHeight: string, page: number) {
  const { height, txCount, txids } = withSnapshot(chain.index.kv, (reader) => {
    const found = findBlock(reader, hashOrHeight)
    if (found === undefined) throw blockNotFound(chain, hashOrHeight)
    const { row } = found
    const all = readBlockTxids(reader, row.firstTxnum, row.txCount)
    const first = (page - 1) * PAGE_SIZE
    const count = Math.max(0, Math.min(PAGE_SIZE, row.txCount - first))
    return {
      height: found.height,
      txCount: row.txCount,
      txids: Array.from({ length: count }, (_, index) =>
        hashHex(all.subarray((first + index) * 32, (first + index + 1) * 32)),
      ),
    }
  })
  const loaded = await loadTransactions(chain, txids)
  const txs = txids.flatMap((txid) => loaded.get(txid) ?? [])
  const prevouts = await loadPrevouts(chain, txs)
  return {
    chain: chain.network.chain,
    height,
    txCount,
    page,
    pageSize: PAGE_SIZE,
    txs: txs.map((tx) => ({
      txid: tx.txid,
      vsize: tx.vsize,
      fee: feeOf(tx, prevouts),
      inputs: tx.inputs.length,
      outputs: tx.outputs.length,
      value: tx.outputs.reduce((sum, { value }) => sum + value, 0),
      isCoinbase: tx.inputs.some(({ prevout }) => prevout === undefined),
    })),
  }
}
