/** The number of log entries from rollups equals a count of the rows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { logRowsOf } from '../../../testing/support/request-log.ts'
import type { NewLogEntry } from './log-entry.ts'
import { dropPartitions } from './partitions.ts'
import { countLogEntries, getLogEntries, type LogFilter } from './query-log.ts'
import { DAY_MS, HOUR_MS } from './time-range.ts'
import { createBatchWriter } from './write-batches.ts'

const { database } = await createTestDatabase()
const NOW = Date.UTC(2026, 2, 10, 12, 34, 56)
const keys = [randomUUID(), randomUUID()]
const entry = (n: number): NewLogEntry => ({
  // Some are exactly at the start of an hour or a day.
  at: n % 10 === 0 ? NOW - (NOW % HOUR_MS) - n * HOUR_MS : NOW - n * 977_777,
  requestId: `test-${n}`,
  accountId: `account${n % 2}`,
  keyId: keys[n % 2] ?? '',
  endpoint: n % 3 === 0 ? '/v1/events' : '/api/v2/chains',
  chain: n % 4 === 0 ? undefined : 'btc',
  status: n % 5 === 0 ? 404 : 200,
  code: undefined,
  latencyUs: 1_000 + n,
  bytes: n,
  address: undefined,
})
await createBatchWriter(database)({ number: 1, rows: logRowsOf(Array.from({ length: 400 }, (_, n) => entry(n))) })

const RANGES = [
  [NOW - 5 * DAY_MS, NOW + 1],
  [NOW - 20 * DAY_MS, NOW + DAY_MS],
  [NOW - 2 * DAY_MS - 1, NOW - DAY_MS],
  [NOW - 90 * 60_000, NOW - 10 * 60_000],
  [NOW - (NOW % HOUR_MS) - 10 * HOUR_MS, NOW - (NOW % HOUR_MS)],
] as const
const FILTERS: readonly Partial<LogFilter>[] = [
  {},
  { accountId: 'account1' },
  { keyId: keys[0] },
  { endpoint: '/v1/events', statuses: [400, 499] },
  { chain: 'btc' },
]

async function assertCounts(): Promise<number> {
  let most = 0
  for (const [from, to] of RANGES)
    for (const wanted of FILTERS) {
      const filter = { accountId: undefined, keyId: undefined, from, to, ...wanted }
      const rows = await getLogEntries(database, filter, { skip: 0, limit: 1_000 })
      assert.equal(await countLogEntries(database, filter, NOW), rows.length, JSON.stringify(filter))
      most = Math.max(most, rows.length)
    }
  return most
}

test('the count equals the number of rows for every filter', async () => {
  assert.equal(await assertCounts(), 400)
})

test('days that the log has dropped are not counted, although their rollups exist', async () => {
  await dropPartitions(database, NOW - (NOW % DAY_MS) - DAY_MS)
  const left = await assertCounts()
  assert.ok(left > 0 && left < 400, String(left))
})
