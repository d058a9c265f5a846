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
import { hashHex, type ParseRules, parseBlock } from '../parse/block.ts'
import { decodeTransaction, parseTransaction, type Transaction } from '../parse/transaction.ts'

/** A confirmed transaction with the block that contains it. */
export type LocatedTx = { readonly location: TxLocation; readonly blockHash: string }

export type TransactionLoader = {
  /** Returns the transactions in the order of their locations. */
  readonly load: (located: readonly LocatedTx[]) => Promise<Transaction[]>
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

  async function loadFromBlock({ location, blockHash }: LocatedTx): Promise<Transaction> {
    const block = parseBlock(await source.getBlock(blockHash), rules)
    return decodeTransaction(block.txs, location.index)
  }

  async function parse(located: LocatedTx, bytes: Buffer | undefined): Promise<Transaction> {
    if (bytes !== undefined) {
      try {
        const tx = parseTransaction(bytes, rules)
        if (tx.txid === hashHex(located.location.txid)) return tx
      } catch {
        // The location is wrong for this source, so the block is read instead.
      }
    }
    return loadFromBlock(located)
  }

  return {
    findCached: (txid) => cache.get(txid),
    load: async (located) => {
      const found = new Map<string, Transaction>()
      const missing = new Map<string, LocatedTx>()
      for (const tx of located) {
        const txid = hashHex(tx.location.txid)
        const cached = cache.get(txid)
        if (cached === undefined) missing.set(txid, tx)
        else found.set(txid, cached)
      }
      const refs = Array.from(missing, ([txid, { location, blockHash }]) => ({
        txid,
        blockHash,
        offset: location.offset,
        size: location.size,
      }))
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
