/**
 * The history of one address, by page or by cursor: what waits first, then what is confirmed, newest first.
 *
 * A page is cut out of one state of index and mempool. Going on by cursor neither repeats nor skips a line: where blocks
 * came or went so that this cannot be promised, the cursor is refused and the caller begins again.
 */
import { ApiError } from '../../lib/api-error.ts'
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
import type { PlacedTx } from './transaction-loader.ts'
import { describeParts, feeOf, loadPrevouts, type Prevouts, parseWaiting } from './transaction-view.ts'

type Line = {
  readonly txid: string
  readonly received: number
  readonly sent: number
  /** Where it is confirmed, or the transaction as it waits. */
  readonly at: { readonly place: PlacedTx } | { readonly waiting: MempoolTx }
  readonly time: number
  readonly confirmations: number
}

export type HistoryQuery = { readonly page: number; readonly pageSize: number; readonly cursor?: string | undefined }

/** The last line of the page before. */
type Cursor =
  | {
      readonly kind: 'waiting'
      readonly time: number
      readonly txid: string
      readonly tip: number
      readonly hash: string
    }
  | { readonly kind: 'confirmed'; readonly txnum: number; readonly txid: string }

const WAITING = /^m(\d{1,12})\.([0-9a-f]{64})\.(\d{1,9})\.([0-9a-f]{64})$/
/** Twelve digits: more would not fit into the five bytes of a transaction's number. */
const CONFIRMED = /^c(\d{1,12})\.([0-9a-f]{64})$/

function readCursor(cursor: string): Cursor {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, time, waiting, tip, hash] = WAITING.exec(text) ?? []
  if (waiting !== undefined && hash !== undefined)
    return { kind: 'waiting', time: Number(time), txid: waiting, tip: Number(tip), hash }
  const [, txnum, confirmed] = CONFIRMED.exec(text) ?? []
  if (confirmed !== undefined) return { kind: 'confirmed', txnum: Number(txnum), txid: confirmed }
  throw new ApiError({ status: 400, code: 'INVALID_PARAMETER', message: 'cursor: is not one of ours' })
}

function writeCursor(cursor: Cursor): string {
  const text =
    cursor.kind === 'waiting'
      ? `m${cursor.time}.${cursor.txid}.${cursor.tip}.${cursor.hash}`
      : `c${cursor.txnum}.${cursor.txid}`
  return Buffer.from(text, 'latin1').toString('base64url')
}

/** Where a page begins: among what waits, and among what is confirmed. */
type Start = { readonly waiting: number; readonly confirmed: { readonly skip?: number; readonly before?: number } }

function startAt(reader: KvReader, key: Buffer, pending: readonly MempoolTx[], cursor: Cursor): Start {
  if (cursor.kind === 'confirmed') {
    // The same transaction under the same number means the same chain below it.
    const place = findTxLocation(reader, cursor.txnum)
    if (place === undefined || hashHex(place.txid) !== cursor.txid) throw expired()
    return { waiting: pending.length, confirmed: { before: cursor.txnum } }
  }
  const basis = findBlockRow(reader, cursor.tip)
  if (basis === undefined || hashHex(basis.hash) !== cursor.hash) throw expired()
  // What confirmed since was on an earlier page, or on none: its new place does not tell.
  const [newest] = readHistory(reader, key, { limit: 1 }).entries
  if (newest !== undefined && newest.txnum >= basis.firstTxnum + basis.txCount) throw expired()
  const next = pending.findIndex((tx) => newestFirst(cursor, tx) < 0)
  return { waiting: next < 0 ? pending.length : next, confirmed: {} }
}

const expired = (): ApiError =>
  new ApiError({
    status: 400,
    code: 'CURSOR_EXPIRED',
    message: 'cursor: blocks came or went since this page was made; begin again without it',
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
    txs: await describeLines(chain, page.lines),
    nextCursor: page.next === undefined ? null : writeCursor(page.next),
  }
}

function readPage(chain: ServedChain, reader: KvReader, key: Buffer, query: HistoryQuery, cursor: Cursor | undefined) {
  const { pageSize } = query
  const name = scriptMapKey(key)
  const pending = chain.mempool.ofScript(name)
  const skip = (query.page - 1) * pageSize
  const start: Start =
    cursor === undefined
      ? { waiting: Math.min(skip, pending.length), confirmed: { skip: Math.max(0, skip - pending.length) } }
      : startAt(reader, key, pending, cursor)
  const first = pending.slice(start.waiting, start.waiting + pageSize)
  const rest = readHistory(reader, key, { limit: pageSize - first.length, ...start.confirmed })
  const lines = [...first.map((tx) => waitingLine(tx, name)), ...confirmedLines(reader, rest.entries)]
  const isLast = start.waiting + first.length >= pending.length && rest.next === undefined
  return {
    lines,
    total: pending.length + readTotals(reader, key).txCount,
    next: isLast ? undefined : cursorBehind(reader, first.at(-1), rest.entries.at(-1)),
  }
}

/** Undefined behind an empty page. */
function cursorBehind(
  reader: KvReader,
  waiting: MempoolTx | undefined,
  confirmed: HistoryEntry | undefined,
): Cursor | undefined {
  if (confirmed !== undefined) {
    const txid = hashHex(findTxLocation(reader, confirmed.txnum)?.txid ?? Buffer.alloc(32))
    return { kind: 'confirmed', txnum: confirmed.txnum, txid }
  }
  const tip = findTip(reader)
  if (waiting === undefined || tip === undefined) return undefined
  return { kind: 'waiting', time: waiting.time, txid: waiting.txid, tip: tip.height, hash: hashHex(tip.hash) }
}

const waitingLine = (tx: MempoolTx, name: string): Line => ({
  txid: tx.txid,
  ...flowOf(tx, name),
  at: { waiting: tx },
  time: tx.time,
  confirmations: 0,
})

/** Lines of a page are often neighbours: what they share is read once. */
function confirmedLines(reader: KvReader, rows: readonly HistoryEntry[]): Line[] {
  const tip = findTip(reader)?.height ?? 0
  const findPlace = locationFinder(reader)
  const blocks = new Map<number, { readonly hash: string; readonly time: number }>()
  const blockAt = (height: number) => {
    const known = blocks.get(height)
    if (known !== undefined) return known
    const row = findBlockRow(reader, height)
    if (row === undefined) throw new RangeError(`no block at ${height}`)
    const block = { hash: hashHex(row.hash), time: row.header.readUInt32LE(68) }
    blocks.set(height, block)
    return block
  }
  return rows.map(({ txnum, received, sent }) => {
    const place = findPlace(txnum)
    if (place === undefined) throw new RangeError(`no transaction ${txnum}`)
    const { hash, time } = blockAt(place.height)
    return {
      txid: hashHex(place.txid),
      received,
      sent,
      at: { place: { place, blockHash: hash } },
      time,
      confirmations: tip - place.height + 1,
    }
  })
}

async function describeLines(chain: ServedChain, lines: readonly Line[]) {
  // What waits first, before anything pauses: it may be gone a moment later, and is on this page all the same.
  const waiting = lines.flatMap(({ at }) => ('waiting' in at ? [parseWaiting(chain, at.waiting)] : []))
  const waitingPrevouts = await loadPrevouts(chain, waiting)
  const confirmed = await chain.loader.load(lines.flatMap(({ at }) => ('place' in at ? [at.place] : [])))
  const prevouts = new Map([...waitingPrevouts, ...(await loadPrevouts(chain, confirmed))])
  const byId = new Map([...waiting, ...confirmed].map((tx) => [tx.txid, tx]))
  return lines.flatMap((line) => {
    const tx = byId.get(line.txid)
    return tx === undefined ? [] : [describeLine(chain, line, tx, prevouts)]
  })
}

function describeLine(chain: ServedChain, line: Line, tx: Transaction, prevouts: Prevouts) {
  const place = 'place' in line.at ? line.at.place : undefined
  return {
    txid: line.txid,
    blockHash: place?.blockHash ?? null,
    blockHeight: place?.place.height ?? null,
    confirmations: line.confirmations,
    timestamp: new Date(line.time * 1000).toISOString(),
    fee: 'waiting' in line.at ? line.at.waiting.fee : feeOf(tx, prevouts),
    vsize: tx.vsize,
    received: line.received,
    sent: line.sent,
    net: line.received - line.sent,
    direction: line.sent === 0 ? ('in' as const) : line.received === 0 ? ('out' as const) : ('self' as const),
    ...describeParts(chain, tx, prevouts),
  }
}
