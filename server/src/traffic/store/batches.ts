/** SQL of the log's writing side: a batch with its sums, all of it once or nothing. */

import { randomUUID } from 'node:crypto'
import { copyIn } from '../../platform/copy.ts'
import { type Database, type DatabaseClient, inTransaction } from '../../platform/database.ts'
import { identifier, sql } from '../../platform/sql.ts'
import { clientNetworkOf } from '../client-network.ts'
import type { RequestRecord } from '../request-record.ts'
import { DAY_MS, type RollupRow, sumByDay, sumByHour } from '../rollup.ts'
import { makePartitions } from './partitions.ts'

/** Numbered from 1 in the order of writing; one that failed is sent again before the next. */
export type Batch = { readonly number: number; readonly records: readonly RequestRecord[] }

export type WriteBatch = (batch: Batch) => Promise<void>

/** The writer of this process. A batch may be handed over again: it is applied once. */
export function createBatchWriter(database: Database): WriteBatch {
  const writer = randomUUID()
  const daysMade = new Set<number>()
  return async ({ number, records }) => {
    const days = new Set(records.map(({ at }) => at - (at % DAY_MS)))
    try {
      if (!days.isSubsetOf(daysMade)) await makePartitions(database, [...days])
      for (const day of days) daysMade.add(day)
      await inTransaction(database, async (client) => {
        if (!(await isNew(client, writer, number))) return
        await copyIn(client, COPY, linesOf(records))
        const hours = sumByHour(records)
        await addUp(client, 'request_hour', hours)
        await addUp(client, 'request_day', sumByDay(hours))
      })
    } catch (error) {
      daysMade.clear() // one of them may have been dropped since
      throw error
    }
  }
}

/** Waits for an earlier attempt that the server may still be working on: both want the writer's row. */
async function isNew(client: DatabaseClient, writer: string, number: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'begin_request_log_batch',
    text: sql`insert into request_log_writer as known values ($1, $2, now())
           on conflict (id) do update set last_batch = excluded.last_batch, last_at = excluded.last_at
           where known.last_batch < excluded.last_batch`,
    values: [writer, number],
  })
  return rowCount === 1
}

const COPY = sql`copy request_log
  (at, request_id, account_id, key_id, endpoint, chain, status, code, latency_us, bytes, network) from stdin`
const NULL = '\\N'

/** Nothing in them was written by a client, so nothing in them needs escaping. */
function linesOf(records: readonly RequestRecord[]): readonly string[] {
  const networks = new Map<string | undefined, string>()
  const networkOf = (address: string | undefined): string => {
    const known = networks.get(address)
    if (known !== undefined) return known
    const network = clientNetworkOf(address) ?? NULL
    networks.set(address, network)
    return network
  }
  return records.map(
    ({ at, requestId, accountId, keyId, endpoint, chain = NULL, status, code = NULL, latencyUs, bytes, address }) =>
      `${new Date(at).toISOString()}\t${requestId}\t${accountId}\t${keyId}\t${endpoint}\t${chain}\t${status}\t${code}\t${latencyUs}\t${bytes}\t${networkOf(address)}\n`,
  )
}

/** Sorted, because two processes that lock rows in opposite order would wait for each other for ever. */
async function addUp(
  client: DatabaseClient,
  table: 'request_hour' | 'request_day',
  rows: readonly RollupRow[],
): Promise<void> {
  const column = <T>(read: (row: RollupRow) => T) => rows.map(read)
  await client.query({
    name: `add_up_${table}`,
    text: sql`insert into ${identifier(table)} as kept
           select * from unnest(
             $1::timestamptz[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::smallint[],
             $9::bigint[], $10::bigint[], $11::bigint[])
             as fresh (starts_at, account_id, key_id, endpoint, chain, status, code, latency_bucket, requests, bytes, latency_us)
           order by account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket
           on conflict (account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket) do update
             set requests = kept.requests + excluded.requests, bytes = kept.bytes + excluded.bytes,
                 latency_us = kept.latency_us + excluded.latency_us`,
    values: [
      column(({ startsAt }) => new Date(startsAt).toISOString()),
      column(({ accountId }) => accountId),
      column(({ keyId }) => keyId),
      column(({ endpoint }) => endpoint),
      column(({ chain }) => chain),
      column(({ status }) => status),
      column(({ code }) => code),
      column(({ latencyBucket }) => latencyBucket),
      column(({ requests }) => requests),
      column(({ bytes }) => bytes),
      column(({ latencyUs }) => latencyUs),
    ],
  })
}
