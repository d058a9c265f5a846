/**
 * Bytes of confirmed transactions, from wherever the blocks are, remembered for a while.
 *
 * The index knows where in a block a transaction lies; the source hands the bytes out. They are checked against the id:
 * a node that leaves extension data out cuts the last transaction of a block differently than block files do.
 */
import type { TxLocation } from '../index/tx-locations.ts'
import type { BlockSource } from '../node/block-source.ts'
import { hashHex, type ParseRules, parseBlock } from '../parse/block.ts'
import { decodeTransaction, parseTransaction, type Transaction } from '../parse/transaction.ts'

export type PlacedTx = { readonly place: TxLocation; readonly blockHash: string }

export type TxLoader = {
  readonly load: (placed: readonly PlacedTx[]) => Promise<Transaction[]>
  /** One that was loaded a while ago. An id stands for its bytes for ever, whatever happens to its block. */
  readonly findKnown: (txid: string) => Transaction | undefined
}

/** Bytes of transactions kept at most. */
const MOST_BYTES = 32_000_000

export function createTxLoader(source: BlockSource, rules: ParseRules, mostBytes = MOST_BYTES): TxLoader {
  // A Map keeps the order of insertion: what was used last goes to the end, and the front is dropped.
  const known = new Map<string, Transaction>()
  let bytes = 0

  function remember(tx: Transaction): void {
    // Who asks at the same time loads the same: it counts once.
    bytes += tx.size - (known.get(tx.txid)?.size ?? 0)
    known.delete(tx.txid)
    known.set(tx.txid, tx)
    for (const [txid, oldest] of known) {
      if (bytes <= mostBytes) break
      known.delete(txid)
      bytes -= oldest.size
    }
  }

  async function fromBlock({ place, blockHash }: PlacedTx): Promise<Transaction> {
    const block = parseBlock(await source.getBlock(blockHash), rules)
    return decodeTransaction(block.txs, place.index)
  }

  async function read(placed: PlacedTx, raw: Buffer | undefined): Promise<Transaction> {
    const txid = hashHex(placed.place.txid)
    if (raw !== undefined) {
      try {
        const tx = parseTransaction(raw, rules)
        if (tx.txid === txid) return tx
      } catch {
        // Cut in the wrong place; the whole block tells.
      }
    }
    return fromBlock(placed)
  }

  return {
    findKnown: (txid) => known.get(txid),
    load: async (placed) => {
      const missing = new Map<string, PlacedTx>()
      for (const wanted of placed) {
        const txid = hashHex(wanted.place.txid)
        if (!known.has(txid)) missing.set(txid, wanted)
      }
      const refs = Array.from(missing, ([txid, { place, blockHash }]) => ({
        txid,
        blockHash,
        offset: place.offset,
        size: place.size,
      }))
      const raw = refs.length === 0 ? [] : await source.getTxs(refs)
      const fetched = new Map<string, Transaction>()
      for (const [i, ref] of refs.entries()) {
        const wanted = missing.get(ref.txid)
        if (wanted !== undefined) fetched.set(ref.txid, await read(wanted, raw[i]))
      }
      const answer: Transaction[] = []
      for (const wanted of placed) {
        const txid = hashHex(wanted.place.txid)
        const tx = fetched.get(txid) ?? known.get(txid) ?? (await fromBlock(wanted))
        answer.push(tx)
      }
      for (const tx of fetched.values()) remember(tx)
      return answer
    },
  }
}
