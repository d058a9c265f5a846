/** Writes batches of the request log with their rollups: each batch once, or not at all. */

import { randomUUID } from 'node:crypto'
import { anonymousNetwork } from '../lib/http/client-address.ts'
import { copyIn } from '../platform/copy.ts'
import { type Database, type DatabaseClient, inTransaction } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { NewLogEntry } from './log-entry.ts'
import { createPartitions } from './partitions.ts'
import { addRollups, isAlike, rollUpByDay, rollUpByHour } from './rollups.ts'
import { DAY_MS } from './time-range.ts'

/** Batches are numbered from 1. A failed batch is written again before the next one. */
export type Batch = { readonly number: number; readonly entries: readonly NewLogEntry[] }

export type WriteBatch = (batch: Batch) => Promise<void>

/** Creates the writer of this process. It applies a batch once, even if it is called with it again. */
export function createBatchWriter(database: Database): WriteBatch {
  const writer = randomUUID()
  const daysCreated = new Set<number>()
  return async ({ number, entries }) => {
    const days = new Set(entries.map(({ at }) => at - (at % DAY_MS)))
    try {
      if (!days.isSubsetOf(daysCreated)) await createPartitions(database, [...days])
      for (const day of days) daysCreated.add(day)
      await inTransaction(database, async (client) => {
        if (!(await isNew(client, writer, number))) return
        await copyIn(client, COPY, copyRows(entries))
        const hours = rollUpByHour(entries)
        await addRollups(client, 'request_hour', hours)
        await addRollups(client, 'request_day', rollUpByDay(hours))
      })
    } catch (error) {
      daysCreated.clear() // a partition may have been dropped in the meantime
      throw error
    }
  }
}

/** Reports whether the batch is new. The row lock makes this wait for an earlier attempt that still runs in the database. */
async function isNew(client: DatabaseClient, writer: string, number: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'begin_request_log_batch',
    text: sql`insert into request_log_writer as writer values ($1, $2, now())
           on conflict (id) do update set last_batch = excluded.last_batch, last_at = excluded.last_at
           where writer.last_batch < excluded.last_batch`,
    values: [writer, number],
  })
  return rowCount === 1
}

const COPY = sql`copy request_log
  (at, request_id, latency_us, bytes, account_id, key_id, endpoint, chain, status, code, network) from stdin`
const NULL = '\\N'

/** Formats rows for COPY. No value is client input, so none needs escaping. */
function copyRows(entries: readonly NewLogEntry[]): readonly string[] {
  // Requests that arrive together are often alike. To compare them costs less than to format their columns again.
  let [lastAt, time] = [Number.NaN, '']
  let [alike, columns] = [undefined as NewLogEntry | undefined, '']
  return entries.map((entry) => {
    const { at, requestId, latencyUs, bytes } = entry
    if (at !== lastAt) [lastAt, time] = [at, new Date(at).toISOString()]
    if (alike === undefined || !isAlike(alike, entry) || alike.address !== entry.address)
      [alike, columns] = [entry, columnsOf(entry)]
    return `${time}\t${requestId}\t${latencyUs}\t${bytes}\t${columns}`
  })
}

const columnsOf = ({ accountId, keyId, endpoint, chain = NULL, status, code = NULL, address }: NewLogEntry): string =>
  `${accountId}\t${keyId}\t${endpoint}\t${chain}\t${status}\t${code}\t${anonymousNetwork(address) ?? NULL}\n`
