/**
 * The history of an address, by page or by cursor: unconfirmed transactions first, then confirmed ones, newest first.
 *
 * A page is read from one state of index and mempool. A cursor neither repeats nor skips an entry: after a reorg, or
 * after an unconfirmed transaction of the address was mined, it expires and the caller starts again.
 */
import { ApiError } from '../../lib/http/api-error.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { readHistory, readTotals } from '../index/history.ts'
import type { HistoryEntry } from '../index/history-entry.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import { findTxLocation, locationFinder } from '../index/tx-locations.ts'
import { flowOf, type MempoolTx, newestFirst, scriptMapKey } from '../mempool/mempool-view.ts'
import { hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import type { Transaction } from '../parse/transaction.ts'
import { readAddress } from './address-view.ts'
import type { ServedChain } from './served-chain.ts'
import { unconfirmedFigures } from './spendable-coins.ts'
import type { LocatedTx } from './transaction-loader.ts'
import { feeOf, inputsAndOutputs, loadPrevouts, type Prevouts, parseUnconfirmed } from './transaction-view.ts'

export type PageEntry = {
  readonly txid: string
  readonly received: number
  readonly sent: number
  readonly tx: { readonly confirmed: LocatedTx } | { readonly unconfirmed: MempoolTx }
  readonly time: number
  readonly confirmations: number
}

export type HistoryQuery = { readonly page: number; readonly pageSize: number; readonly cursor?: string | undefined }

/** The last entry of the previous page. */
type Cursor =
  | {
      readonly kind: 'unconfirmed'
      readonly time: number
      readonly txid: string
      readonly tip: number
      readonly hash: string
    }
  | { readonly kind: 'confirmed'; readonly txnum: number; readonly txid: string }

const UNCONFIRMED = /^m\.(\d{1,12})\.([0-9a-f]{64})\.(\d{1,9})\.([0-9a-f]{64})$/
/** More than twelve digits could exceed the five bytes of a transaction number. */
const CONFIRMED = /^c\.(\d{1,12})\.([0-9a-f]{64})$/

function readCursor(text: string): Cursor {
  const unconfirmed = decodeCursor(text, UNCONFIRMED)
  if (unconfirmed !== undefined) {
    const [time = '', txid = '', tip = '', hash = ''] = unconfirmed
    return { kind: 'unconfirmed', time: Number(time), txid, tip: Number(tip), hash }
  }
  const confirmed = decodeCursor(text, CONFIRMED)
  if (confirmed === undefined) throw invalidCursor('INVALID_PARAMETER')
  const [txnum = '', txid = ''] = confirmed
  return { kind: 'confirmed', txnum: Number(txnum), txid }
}

const writeCursor = (cursor: Cursor): string =>
  cursor.kind === 'unconfirmed'
    ? encodeCursor('m', cursor.time, cursor.txid, cursor.tip, cursor.hash)
    : encodeCursor('c', cursor.txnum, cursor.txid)

/** The start of a page: an index into the unconfirmed transactions, and a position among the confirmed ones. */
type Start = { readonly unconfirmed: number; readonly confirmed: { readonly skip?: number; readonly before?: number } }

function startAt(reader: KvReader, key: Buffer, pending: readonly MempoolTx[], cursor: Cursor): Start {
  if (cursor.kind === 'confirmed') {
    // If the number still belongs to the same transaction, the chain below it is the same.
    const location = findTxLocation(reader, cursor.txnum)
    if (location === undefined || hashHex(location.txid) !== cursor.txid) throw expired()
    return { unconfirmed: pending.length, confirmed: { before: cursor.txnum } }
  }
  const tipRow = findBlockRow(reader, cursor.tip)
  if (tipRow === undefined || hashHex(tipRow.hash) !== cursor.hash) throw expired()
  // A transaction that was mined since may have been on an earlier page, or on none.
  const [newest] = readHistory(reader, key, { limit: 1 }).entries
  if (newest !== undefined && newest.txnum >= tipRow.firstTxnum + tipRow.txCount) throw expired()
  const next = pending.findIndex((tx) => newestFirst(cursor, tx) < 0)
  return { unconfirmed: next < 0 ? pending.length : next, confirmed: {} }
}

const expired = (): ApiError =>
  new ApiError({
    status: 400,
    code: 'CURSOR_EXPIRED',
    message: 'cursor: the history changed since this page was read. Start again without a cursor.',
  })

export async function getHistory(chain: ServedChain, text: string, query: HistoryQuery) {
  const { text: address, script } = readAddress(chain, text)
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const page = withSnapshot(chain.index.kv, (reader) => readPage(chain, reader, scriptKey(script), query, cursor))
  return {
    address,
    chain: chain.network.chain,
    page: query.page,
    pageSize: query.pageSize,
    totalPages: Math.ceil(page.total / query.pageSize),
    totalItems: page.total,
    txs: await entryViews(chain, page.entries),
    nextCursor: page.next === undefined ? null : writeCursor(page.next),
  }
}

/** The unconfirmed transactions of an address, newest first, at most `limit`. */
export async function getAddressMempool(chain: ServedChain, text: string, limit: number) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const mapKey = scriptMapKey(key)
  const figures = unconfirmedFigures(chain, key)
  const entries = chain.mempool
    .ofScript(mapKey)
    .slice(0, limit)
    .map((tx) => unconfirmedEntry(tx, mapKey))
  return { address, chain: chain.network.chain, ...figures, txs: await entryViews(chain, entries) }
}

function readPage(chain: ServedChain, reader: KvReader, key: Buffer, query: HistoryQuery, cursor: Cursor | undefined) {
  const { pageSize } = query
  const mapKey = scriptMapKey(key)
  const pending = chain.mempool.ofScript(mapKey)
  const skip = (query.page - 1) * pageSize
  const start: Start =
    cursor === undefined
      ? { unconfirmed: Math.min(skip, pending.length), confirmed: { skip: Math.max(0, skip - pending.length) } }
      : startAt(reader, key, pending, cursor)
  const first = pending.slice(start.unconfirmed, start.unconfirmed + pageSize)
  const rest = readHistory(reader, key, { limit: pageSize - first.length, ...start.confirmed })
  const entries = [...first.map((tx) => unconfirmedEntry(tx, mapKey)), ...confirmedEntries(reader, rest.entries)]
  const isLast = start.unconfirmed + first.length >= pending.length && rest.next === undefined
  return {
    entries,
    total: pending.length + readTotals(reader, key).txCount,
    next: isLast ? undefined : cursorAfter(reader, first.at(-1), rest.entries.at(-1)),
  }
}

/** Undefined after an empty page. */
function cursorAfter(
  reader: KvReader,
  unconfirmed: MempoolTx | undefined,
  confirmed: HistoryEntry | undefined,
): Cursor | undefined {
  if (confirmed !== undefined) {
    const txid = hashHex(findTxLocation(reader, confirmed.txnum)?.txid ?? Buffer.alloc(32))
    return { kind: 'confirmed', txnum: confirmed.txnum, txid }
  }
  const tip = findTip(reader)
  if (unconfirmed === undefined || tip === undefined) return undefined
  return {
    kind: 'unconfirmed',
    time: unconfirmed.time,
    txid: unconfirmed.txid,
    tip: tip.height,
    hash: hashHex(tip.hash),
  }
}

const unconfirmedEntry = (tx: MempoolTx, mapKey: string): PageEntry => ({
  txid: tx.txid,
  ...flowOf(tx, mapKey),
  tx: { unconfirmed: tx },
  time: tx.time,
  confirmations: 0,
})

/** Entries of a page often share a block, so each block row is read once. */
export function confirmedEntries(
  reader: KvReader,
  entries: readonly Pick<HistoryEntry, 'txnum' | 'received' | 'sent'>[],
): PageEntry[] {
  const tip = findTip(reader)?.height ?? 0
  const findLocation = locationFinder(reader)
  const blocks = new Map<number, { readonly hash: string; readonly time: number }>()
  const blockAt = (height: number) => {
    const known = blocks.get(height)
    if (known !== undefined) return known
    const row = findBlockRow(reader, height)
    if (row === undefined) throw new RangeError(`the index has no block at height ${height}`)
    const block = { hash: hashHex(row.hash), time: row.header.readUInt32LE(68) }
    blocks.set(height, block)
    return block
  }
  return entries.map(({ txnum, received, sent }) => {
    const location = findLocation(txnum)
    if (location === undefined) throw new RangeError(`the index has no transaction number ${txnum}`)
    const { hash, time } = blockAt(location.height)
    return {
      txid: hashHex(location.txid),
      received,
      sent,
      tx: { confirmed: { location, blockHash: hash } },
      time,
      confirmations: tip - location.height + 1,
    }
  })
}

export async function entryViews(chain: ServedChain, entries: readonly PageEntry[]) {
  // Unconfirmed transactions are parsed before the first await, because the mempool can drop them meanwhile.
  const unconfirmed = entries.flatMap(({ tx }) =>
    'unconfirmed' in tx ? [parseUnconfirmed(chain, tx.unconfirmed)] : [],
  )
  const unconfirmedPrevouts = await loadPrevouts(chain, unconfirmed)
  const confirmed = await chain.loader.load(entries.flatMap(({ tx }) => ('confirmed' in tx ? [tx.confirmed] : [])))
  const prevouts = new Map([...unconfirmedPrevouts, ...(await loadPrevouts(chain, confirmed))])
  const byId = new Map([...unconfirmed, ...confirmed].map((tx) => [tx.txid, tx]))
  return entries.flatMap((entry) => {
    const tx = byId.get(entry.txid)
    return tx === undefined ? [] : [entryView(chain, entry, tx, prevouts)]
  })
}

function entryView(chain: ServedChain, entry: PageEntry, tx: Transaction, prevouts: Prevouts) {
  const { received, sent } = entry
  const located = 'confirmed' in entry.tx ? entry.tx.confirmed : undefined
  return {
    txid: entry.txid,
    blockHash: located?.blockHash ?? null,
    blockHeight: located?.location.height ?? null,
    confirmations: entry.confirmations,
    timestamp: new Date(entry.time * 1000).toISOString(),
    fee: 'unconfirmed' in entry.tx ? entry.tx.unconfirmed.fee : feeOf(tx, prevouts),
    vsize: tx.vsize,
    received,
    sent,
    net: received - sent,
    direction: sent === 0 ? ('in' as const) : received === 0 ? ('out' as const) : ('self' as const),
    ...inputsAndOutputs(chain, tx, prevouts),
  }
}
