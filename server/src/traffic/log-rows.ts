/**
 * Entries of the request log as they are written: their rows as text, and their rollups. Entries are formatted soon, so
 * that few stay in memory until they are written, because the garbage collector copies what stays.
 */
import { anonymousNetwork } from '../lib/http/client-address.ts'
import type { NewLogEntry } from './log-entry.ts'
import { createHours, isAlike, type RollupRow } from './rollups.ts'
import { DAY_MS } from './time-range.ts'

export type LogRows = {
  readonly add: (entry: NewLogEntry) => void
  /** The number of entries. */
  readonly count: () => number
  readonly formatted: () => FormattedRows
}

export type FormattedRows = {
  /** The rows in COPY's text format, in several parts. */
  readonly text: readonly Buffer[]
  readonly hours: readonly RollupRow[]
  /** The start of each UTC day that has an entry. */
  readonly days: ReadonlySet<number>
}

/** Entries are formatted together: one by one, between the other work of each request, takes several times as long. */
const PART_ENTRIES = 128
const NULL = '\\N'

export function createLogRows(): LogRows {
  const hours = createHours()
  const days = new Set<number>()
  const parts: Buffer[] = []
  const added: NewLogEntry[] = []
  let count = 0
  // Requests that arrive together are often alike. To compare them costs less than to format their columns again.
  let [lastAt, time] = [Number.NaN, '']
  let [alike, columns] = [undefined as NewLogEntry | undefined, '']
  const format = (): void => {
    let text = ''
    for (const entry of added) {
      const { at, requestId, latencyUs, bytes } = entry
      if (at !== lastAt) {
        ;[lastAt, time] = [at, new Date(at).toISOString()]
        days.add(at - (at % DAY_MS))
      }
      if (alike === undefined || !isAlike(alike, entry) || alike.address !== entry.address)
        [alike, columns] = [entry, columnsOf(entry)]
      text += `${time}\t${requestId}\t${latencyUs}\t${bytes}\t${columns}`
      hours.add(entry)
    }
    if (text !== '') parts.push(Buffer.from(text))
    added.length = 0
  }
  return {
    add: (entry) => {
      added.push(entry)
      count += 1
      if (added.length === PART_ENTRIES) format()
    },
    count: () => count,
    formatted: () => {
      format()
      return { text: parts, hours: hours.rows(), days }
    },
  }
}

/** Formats the columns that alike requests share. No value is client input, so none needs escaping. */
const columnsOf = ({ accountId, keyId, endpoint, chain = NULL, status, code = NULL, address }: NewLogEntry): string =>
  `${accountId}\t${keyId}\t${endpoint}\t${chain}\t${status}\t${code}\t${anonymousNetwork(address) ?? NULL}\n`
