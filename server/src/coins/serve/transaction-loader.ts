/**
 * Loads confirmed transactions from the block source and caches them.
 *
 * The index stores the location of each transaction in its block, and the source reads the bytes there. They are
 * checked against the txid, because the location can be wrong for this source: a node that omits MWEB data serves a
 * shorter HogEx than the one that was indexed.
 */
import { LRUCache } from 'lru-cache'
import { findBlockRow } from '../index/coin-index.ts'
import type { KvReader } from '../index/kv.ts'
import type { TxLocation } from '../index/tx-locations.ts'
import type { BlockSource } from '../node/block-source.ts'
import { hashHex, type ParsedBlock, type ParseRules, parseBlock } from '../parse/block.ts'
import { decodeTransaction, parseTransaction, type Transaction } from '../parse/transaction.ts'
import { at } from '../parse/tx-table.ts'

/** A confirmed transaction with the block that contains it. */
export type LocatedTx = { readonly location: TxLocation; readonly blockHash: string }

export type TransactionLoader = {
  /** Returns the transactions in the order of their locations. */
  readonly load: (located: readonly LocatedTx[]) => Promise<Transaction[]>
  /** Returns the bytes of a transaction. */
  readonly loadBytes: (located: LocatedTx) => Promise<Buffer>
  /** A cached transaction stays valid after a reorg, because its txid determines its content. */
  readonly findCached: (txid: string) => Transaction | undefined
}

const CACHE_BYTES = 32_000_000

/** Adds the block hash to a location; undefined if the location is. */
export function locateTx(reader: KvReader, location: TxLocation | undefined): LocatedTx | undefined {
  const row = location === undefined ? undefined : findBlockRow(reader, location.height)
  return location === undefined || row === undefined ? undefined : { location, blockHash: hashHex(row.hash) }
}

export function createTransactionLoader(
  source: BlockSource,
  rules: ParseRules,
  cacheBytes = CACHE_BYTES,
): TransactionLoader {
  const cache = new LRUCache<string, Transaction>({ maxSize: cacheBytes, sizeCalculation: ({ size }) => size })

  const loadBlock = async ({ blockHash }: LocatedTx): Promise<ParsedBlock> =>
    parseBlock(await source.getBlock(blockHash), rules)

  /** Undefined if the location is wrong for this source. The block is read instead then. */
  function findParsed({ location }: LocatedTx, bytes: Buffer | undefined): Transaction | undefined {
    if (bytes === undefined) return undefined
    try {
      const tx = parseTransaction(bytes, rules)
      return tx.txid === hashHex(location.txid) ? tx : undefined
    } catch {
      return undefined
    }
  }

  const parse = async (located: LocatedTx, bytes: Buffer | undefined): Promise<Transaction> =>
    findParsed(located, bytes) ?? decodeTransaction((await loadBlock(located)).txs, located.location.index)

  const refOf = ({ location: { txid, offset, size }, blockHash }: LocatedTx) => ({
    txid: hashHex(txid),
    blockHash,
    offset,
    size,
  })

  return {
    findCached: (txid) => cache.get(txid),
    loadBytes: async (located) => {
      const [bytes] = await source.getTxs([refOf(located)])
      if (bytes !== undefined && findParsed(located, bytes) !== undefined) return bytes
      const { txs } = await loadBlock(located)
      const { index } = located.location
      return txs.bytes.subarray(at(txs.start, index), at(txs.end, index))
    },
    load: async (located) => {
      const found = new Map<string, Transaction>()
      const missing = new Map<string, LocatedTx>()
      for (const tx of located) {
        const txid = hashHex(tx.location.txid)
        const cached = cache.get(txid)
        if (cached === undefined) missing.set(txid, tx)
        else found.set(txid, cached)
      }
      const refs = Array.from(missing.values(), refOf)
      const bytes = refs.length === 0 ? [] : await source.getTxs(refs)
      for (const [i, { txid }] of refs.entries()) {
        const tx = await parse(missing.get(txid) as LocatedTx, bytes[i])
        found.set(txid, tx)
        cache.set(txid, tx)
      }
      return located.map(({ location }) => found.get(hashHex(location.txid)) as Transaction)
    },
  }
}
