/** Writes batches of the request log with their rollups: each batch once, or not at all. */

import { randomUUID } from 'node:crypto'
import { copyText } from '../platform/copy.ts'
import { type Database, type DatabaseClient, inTransaction } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { LogRows } from './log-rows.ts'
import { createPartitions } from './partitions.ts'
import { addRollups, rollUpByDay } from './rollups.ts'

/** Batches are numbered from 1. A failed batch is written again before the next one. */
export type Batch = { readonly number: number; readonly rows: LogRows }

export type WriteBatch = (batch: Batch) => Promise<void>

/** Creates the writer of this process. It applies a batch once, even if it is called with it again. */
export function createBatchWriter(database: Database): WriteBatch {
  const writer = randomUUID()
  const daysCreated = new Set<number>()
  return async ({ number, rows }) => {
    const { text, hours, days } = rows.formatted()
    try {
      if (!days.isSubsetOf(daysCreated)) await createPartitions(database, [...days])
      for (const day of days) daysCreated.add(day)
      await inTransaction(database, async (client) => {
        if (!(await isNew(client, writer, number))) return
        await copyText(client, COPY, text)
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
