/**
 * The confirmed balance of an address or a wallet over time, by block or by day.
 *
 * A day ends with the last block whose time is in it or before it, as in `getBlockAtTime`. Times of blocks can go back:
 * a block with a time of the next day belongs to this day if a later block does.
 */
import { ApiError } from '../../lib/http/api-error.ts'
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { historyChunks, readTotals } from '../index/history.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { scriptKey } from '../parse/script.ts'
import { readAddress } from './address-view.ts'
import { timeOf } from './block-view.ts'
import type { ServedChain } from './served-chain.ts'
import { Turns } from './turns.ts'

export type BalanceQuery = {
  readonly by: 'block' | 'day'
  /** A height or a date. */
  readonly from?: string | undefined
  readonly limit: number
}

/** What one transaction paid and spent. */
type Entry = { readonly txnum: number; readonly received: number; readonly sent: number }

type Point = {
  date: string
  height: number
  balance: bigint
  received: bigint
  sent: bigint
  txCount: number
}

const MAX_ENTRIES = 200_000
const DAY = 86_400
/** Work in units of a turn: finding the block of an entry, and reading the time of a block. */
const UNITS_PER_ENTRY = 5
const UNITS_PER_BLOCK = 10

const dateOf = (day: number): string => new Date(day * DAY * 1_000).toISOString().slice(0, 10)
const dayOf = (date: string): number => Math.floor(Date.parse(date) / 1_000 / DAY)

/** Days of blocks. Times are cached, because adjacent blocks are read several times. */
class BlockDays {
  readonly #reader: KvReader
  readonly #tip: number
  readonly #times = new Map<number, number>()

  constructor(reader: KvReader) {
    this.#reader = reader
    this.#tip = findTip(reader)?.height ?? 0
  }

  #time(height: number): number {
    const known = this.#times.get(height)
    if (known !== undefined) return known
    const row = findBlockRow(this.#reader, height)
    const time = row === undefined ? Number.POSITIVE_INFINITY : timeOf(row)
    this.#times.set(height, time)
    return time
  }

  #medianTime(height: number): number {
    const times: number[] = []
    for (let at = height; at >= 0 && times.length < 11; at--) times.push(this.#time(at))
    return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
  }

  /** The first day that ends with this block or a later one. */
  at(height: number): number {
    let day = Math.floor(this.#time(height) / DAY)
    // A block is later than the median time before it, so no block after that can be of an earlier day.
    for (let later = height + 1; later <= this.#tip && this.#medianTime(later - 1) < day * DAY; later++)
      day = Math.min(day, Math.floor(this.#time(later) / DAY))
    return day
  }
}

/** Sums up entries, which are sorted newest first, to points, oldest first. */
export async function balancePoints(reader: KvReader, entries: readonly Entry[], { by, from, limit }: BalanceQuery) {
  if (from !== undefined && from.includes('-') !== (by === 'day'))
    throw new ApiError({
      status: 400,
      code: 'INVALID_PARAMETER',
      message: `from: must be ${by === 'day' ? 'a date such as 2024-04-20' : 'a height'} with by=${by}.`,
    })
  const start = from === undefined ? Number.NEGATIVE_INFINITY : by === 'day' ? dayOf(from) : Number(from)
  const turns = new Turns()
  const findTxid = txidFinder(reader)
  const days = new BlockDays(reader)
  const points: Point[] = []
  let balance = 0n
  let last: { readonly height: number; readonly day: number } | undefined
  let key = Number.NaN
  let next: string | null = null
  for (let i = entries.length - 1; i >= 0; i--) {
    const { txnum, received, sent } = entries[i] ?? { txnum: 0, received: 0, sent: 0 }
    await turns.take(UNITS_PER_ENTRY)
    const height = findTxid(txnum)?.height ?? 0
    if (last?.height !== height) {
      await turns.take(UNITS_PER_BLOCK)
      last = { height, day: days.at(height) }
    }
    const place = by === 'day' ? last.day : height
    balance += BigInt(received) - BigInt(sent)
    if (place < start) continue
    if (place !== key) {
      if (points.length === limit) {
        next = by === 'day' ? dateOf(place) : String(place)
        break
      }
      key = place
      points.push({ date: dateOf(last.day), height, balance, received: 0n, sent: 0n, txCount: 0 })
    }
    const point = points.at(-1)
    if (point === undefined) continue
    point.height = height
    point.balance = balance
    point.received += BigInt(received)
    point.sent += BigInt(sent)
    point.txCount++
  }
  return { by, points, next }
}

export async function getBalanceHistory(chain: ServedChain, text: string, query: BalanceQuery) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  return withSnapshotAsync(chain.index.kv, async (reader) => {
    if (readTotals(reader, key).txCount > MAX_ENTRIES)
      throw new ApiError({
        status: 400,
        code: 'HISTORY_TOO_LONG',
        message: `This address has more than ${MAX_ENTRIES} transactions. Export its history instead.`,
      })
    const turns = new Turns()
    const entries: Entry[] = []
    for (const chunk of historyChunks(reader, key)) {
      await turns.take(chunk.length)
      for (const entry of chunk) entries.push(entry)
    }
    return { address, chain: chain.network.chain, ...(await balancePoints(reader, entries, query)) }
  })
}
