/** Answers about one address: totals, coins, history. */
import { ApiError } from '../../lib/api-error.ts'
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { readHistory, readTotals, scriptCoins } from '../index/history.ts'
import type { HistoryRow } from '../index/history-row.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import { findTxPlace } from '../index/tx-rows.ts'
import { flowOf, scriptName } from '../mempool/mempool-view.ts'
import { type Address, AddressError, decodeAddress } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import { formatAmount } from './amounts.ts'
import { describeParts, feeOf, loadPrevouts, unconfirmedTx } from './describe-tx.ts'
import type { ServedChain } from './served-chain.ts'
import type { PlacedTx } from './tx-loader.ts'

/** Refuses what is no address of this chain, with the reason. */
export function readAddress(chain: ServedChain, text: string): Address {
  try {
    return decodeAddress(chain.network, text)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    throw new ApiError({ status: 400, code: 'INVALID_ADDRESS', message: error.message })
  }
}

export function getAddress(chain: ServedChain, text: string) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const { txCount, received, sent } = withSnapshot(chain.index.kv, (reader) => readTotals(reader, key))
  const balance = received - sent
  return {
    address,
    chain: chain.network.chain,
    balance,
    balanceFormatted: formatAmount(balance),
    totalReceived: received,
    totalSent: sent,
    txCount,
    unconfirmedBalance: chain.mempool.balanceChange(scriptName(key)),
    // Sums are kept as blocks arrive: there is never a part still to be computed.
    calculating: false,
  }
}

type Coin = { readonly txid: string; readonly vout: number; readonly value: number; readonly confirmations: number }

const byValue = (a: Coin, b: Coin): number =>
  b.value - a.value || (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : 0) || a.vout - b.vout

/** Equal amounts are put in order by id; an address full of equal ones is cut in the order of the chain instead. */
const MOST_EQUAL = 20_000

/** The most valuable coins that nothing unconfirmed spends: one more than `limit`, so that a cut shows. */
function confirmedCoins(chain: ServedChain, reader: KvReader, key: Buffer, limit: number): Coin[] {
  const tip = findTip(reader)?.height ?? 0
  const coins: Coin[] = []
  for (const { value, txnum, vout } of scriptCoins(reader, key)) {
    const last = coins.at(-1)
    const isEnough = coins.length > limit && (last?.value !== value || coins.length > limit + MOST_EQUAL)
    if (isEnough) break
    const place = findTxPlace(reader, txnum)
    if (place === undefined) continue
    const txid = hashHex(place.txid)
    if (chain.mempool.findSpender(txid, vout) !== undefined) continue
    coins.push({ txid, vout, value, confirmations: tip - place.height + 1 })
  }
  return coins
}

/** `limit` undefined: all. */
export function getUtxos(chain: ServedChain, text: string, limit: number | undefined) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const most = limit ?? Number.MAX_SAFE_INTEGER - MOST_EQUAL
  const confirmed = withSnapshot(chain.index.kv, (reader) => confirmedCoins(chain, reader, key, most))
  const unconfirmed = chain.mempool.coinsOf(scriptName(key)).map((coin) => ({ ...coin, confirmations: 0 }))
  const coins = [...confirmed, ...unconfirmed].sort(byValue)
  const utxos = coins.slice(0, most).map(({ txid, vout, value, confirmations }) => ({
    txid,
    vout,
    value,
    valueFormatted: formatAmount(value),
    confirmations,
  }))
  return { address, chain: chain.network.chain, utxos, count: utxos.length, limited: coins.length > utxos.length }
}

type Line = {
  readonly txid: string
  readonly received: number
  readonly sent: number
  /** Undefined while unconfirmed. */
  readonly place: PlacedTx | undefined
  readonly time: number
  readonly confirmations: number
}

export type HistoryQuery = { readonly page: number; readonly pageSize: number; readonly cursor?: string | undefined }

/** `m<txid>`: go on behind this unconfirmed transaction; `c<number>`: behind this confirmed one. */
function readCursor(cursor: string): { readonly after: string } | { readonly before: number } {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  if (/^m[0-9a-f]{64}$/.test(text)) return { after: text.slice(1) }
  if (/^c\d{1,13}$/.test(text)) return { before: Number(text.slice(1)) }
  throw new ApiError({ status: 400, code: 'INVALID_PARAMETER', message: 'cursor: is not one of ours' })
}

const writeCursor = (text: string): string => Buffer.from(text, 'latin1').toString('base64url')

export async function getHistory(chain: ServedChain, text: string, query: HistoryQuery) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const name = scriptName(key)
  const pending = chain.mempool.ofScript(name)
  const from = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const { pageSize } = query

  const page = withSnapshot(chain.index.kv, (reader) => {
    const { txCount } = readTotals(reader, key)
    // Where the page begins in the list of unconfirmed, then confirmed transactions.
    const start =
      from === undefined
        ? (query.page - 1) * pageSize
        : 'before' in from
          ? pending.length
          : pending.findIndex(({ txid }) => txid === from.after) + 1
    const first = pending.slice(start, start + pageSize)
    const lines: Line[] = first.map((tx) => ({
      txid: tx.txid,
      ...flowOf(tx, name),
      place: undefined,
      time: tx.time,
      confirmations: 0,
    }))
    const rest = readHistory(reader, key, {
      limit: pageSize - lines.length,
      ...(from !== undefined && 'before' in from
        ? { before: from.before }
        : { skip: Math.max(0, start - pending.length) }),
    })
    lines.push(...rest.lines.map((line) => confirmedLine(reader, line)))
    const isLast = start + first.length >= pending.length && rest.next === undefined
    const lastLine = rest.lines.at(-1)
    const next = lastLine === undefined ? `m${first.at(-1)?.txid ?? ''}` : `c${lastLine.txnum}`
    return {
      lines,
      total: pending.length + txCount,
      nextCursor: isLast || lines.length === 0 ? null : writeCursor(next),
    }
  })

  return {
    address,
    chain: chain.network.chain,
    page: query.page,
    pageSize,
    totalPages: Math.ceil(page.total / pageSize),
    totalItems: page.total,
    txs: await describeLines(chain, page.lines),
    nextCursor: page.nextCursor,
  }
}

function confirmedLine(reader: KvReader, line: HistoryRow): Line {
  const place = findTxPlace(reader, line.txnum)
  const row = place === undefined ? undefined : findBlockRow(reader, place.height)
  if (place === undefined || row === undefined) throw new RangeError(`no transaction ${line.txnum}`)
  return {
    txid: hashHex(place.txid),
    received: line.received,
    sent: line.sent,
    place: { place, blockHash: hashHex(row.hash) },
    time: row.header.readUInt32LE(68),
    confirmations: (findTip(reader)?.height ?? 0) - place.height + 1,
  }
}

async function describeLines(chain: ServedChain, lines: readonly Line[]) {
  const confirmed = await chain.loader.load(lines.flatMap(({ place }) => (place === undefined ? [] : [place])))
  const byId = new Map(confirmed.map((tx) => [tx.txid, tx]))
  const shown = lines.flatMap((line) => {
    // An unconfirmed one may be replaced while the page is made; it is then no longer part of the history.
    const tx = byId.get(line.txid) ?? unconfirmedTx(chain, line.txid)
    return tx === undefined ? [] : [{ line, tx }]
  })
  const prevouts = await loadPrevouts(
    chain,
    shown.map(({ tx }) => tx),
  )
  return shown.map(({ line, tx }) => ({
    txid: line.txid,
    blockHash: line.place?.blockHash ?? null,
    blockHeight: line.place?.place.height ?? null,
    confirmations: line.confirmations,
    timestamp: new Date(line.time * 1000).toISOString(),
    fee: feeOf(tx, prevouts),
    vsize: tx.vsize,
    received: line.received,
    sent: line.sent,
    net: line.received - line.sent,
    direction: line.sent === 0 ? ('in' as const) : line.received === 0 ? ('out' as const) : ('self' as const),
    ...describeParts(chain, tx, prevouts),
  }))
}
