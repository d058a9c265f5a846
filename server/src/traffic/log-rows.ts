/**
 * Entries of the request log as they are written: their rows as text, and their rollups. Both are made when an entry is
 * added, so that no entry stays in memory until it is written: the garbage collector copies what stays.
 */
import { anonymousNetwork } from '../lib/http/client-address.ts'
import type { NewLogEntry } from './log-entry.ts'
import { createHours, isAlike, type RollupRow } from './rollups.ts'
import { DAY_MS } from './time-range.ts'

export type LogRows = {
  readonly add: (entry: NewLogEntry) => void
  /** The number of entries. */
  readonly count: () => number
  /** The rows in COPY's text format. */
  readonly text: () => Buffer
  readonly hours: () => readonly RollupRow[]
  /** The start of each UTC day that has an entry. */
  readonly days: ReadonlySet<number>
}

const FIRST_BYTES = 16_384
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3
const NULL = '\\N'

export function createLogRows(): LogRows {
  const hours = createHours()
  const days = new Set<number>()
  let buffer = Buffer.allocUnsafe(FIRST_BYTES)
  let [used, count] = [0, 0]
  // Requests that arrive together are often alike. To compare them costs less than to format their columns again.
  let [lastAt, time] = [Number.NaN, '']
  let [alike, columns] = [undefined as NewLogEntry | undefined, '']
  return {
    add: (entry) => {
      const { at, requestId, latencyUs, bytes } = entry
      if (at !== lastAt) {
        ;[lastAt, time] = [at, new Date(at).toISOString()]
        days.add(at - (at % DAY_MS))
      }
      if (alike === undefined || !isAlike(alike, entry) || alike.address !== entry.address)
        [alike, columns] = [entry, columnsOf(entry)]
      const row = `${time}\t${requestId}\t${latencyUs}\t${bytes}\t${columns}`
      const most = row.length * MAX_BYTES_PER_CHARACTER
      if (buffer.length - used < most) buffer = Buffer.concat([buffer], 2 * buffer.length + most)
      used += buffer.write(row, used)
      hours.add(entry)
      count += 1
    },
    count: () => count,
    text: () => buffer.subarray(0, used),
    hours: hours.rows,
    days,
  }
}

/** Formats the columns that alike requests share. No value is client input, so none needs escaping. */
const columnsOf = ({ accountId, keyId, endpoint, chain = NULL, status, code = NULL, address }: NewLogEntry): string =>
  `${accountId}\t${keyId}\t${endpoint}\t${chain}\t${status}\t${code}\t${anonymousNetwork(address) ?? NULL}\n`
