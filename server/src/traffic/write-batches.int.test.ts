/** Batches are applied exactly once, and rollups equal a recount. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testClock } from '../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog } from '../../../testing/support/log.ts'
import { assertSumsEqualLog, logRowsOf } from '../../../testing/support/request-log.ts'
import { sql } from '../platform/sql.ts'
import type { NewLogEntry } from './log-entry.ts'
import { createPartitions, getPartitions, maintainRequestLog } from './partitions.ts'
import { DAY_MS } from './time-range.ts'
import { createBatchWriter } from './write-batches.ts'

const { database } = await createTestDatabase()
const NOON = Date.UTC(2026, 2, 10, 12)
const keys = [randomUUID(), randomUUID(), randomUUID()]

let made = 0
const entries = (count: number, at: number): readonly NewLogEntry[] =>
  Array.from({ length: count }, () => {
    const n = made++
    const status = n % 7 === 0 ? 404 : 200
    return {
      at: at + (n % 50) * 1_000,
      requestId: `test-${n}`,
      accountId: `account${n % 2}`,
      keyId: keys[n % 3] ?? '',
      endpoint: n % 5 === 0 ? '/api/v2/tx/{txid}' : '/v1/events',
      chain: n % 4 === 0 ? undefined : 'btc',
      status,
      code: status === 404 ? 'TX_NOT_FOUND' : undefined,
      latencyUs: 1 + ((n * 7_919) % 90_000),
      bytes: n % 1_000,
      address: n % 2 === 0 ? '192.0.2.1' : '2001:db8::1',
    }
  })
const rows = async () => (await database.query(sql`select 1 from request_log`)).rowCount

test('a batch that is written again, later or concurrently, is applied once', async () => {
  const write = createBatchWriter(database)
  const batch = { number: 1, rows: logRowsOf(entries(500, NOON)) }
  await Promise.all([write(batch), write(batch)])
  await write(batch)
  assert.equal(await rows(), 500)
  await write({ number: 2, rows: logRowsOf(entries(100, NOON)) })
  await write(batch)
  assert.equal(await rows(), 600)
  await assertSumsEqualLog(database)
})

test('several processes write the same keys and hours concurrently and late', async () => {
  const before = (await rows()) ?? 0
  const writers = Array.from({ length: 4 }, () => createBatchWriter(database))
  const write = async (writer: (typeof writers)[number]) => {
    for (let number = 1; number <= 5; number++)
      await writer({ number, rows: logRowsOf([...entries(100, NOON), ...entries(50, NOON - 30 * DAY_MS)]) })
  }
  await Promise.all(writers.map(write))
  assert.equal(await rows(), before + 4 * 5 * 150)
  await assertSumsEqualLog(database)
})

test('partitions are created ahead, and old days are dropped while their rollups stay', async () => {
  const clock = testClock(new Date(NOON).toISOString())
  const maintain = () => maintainRequestLog({ database, clock, log: testLog, days: 30 })
  await Promise.all([maintain(), maintain()])
  const daysFrom = async () => (await getPartitions(database)).map(({ day }) => (day - (NOON - DAY_MS / 2)) / DAY_MS)
  assert.deepEqual(await daysFrom(), [0, 1, 2, 3])
  const sums = async () =>
    (await database.query<{ n: number }>(sql`select sum(requests)::bigint as n from request_day`)).rows[0]?.n
  assert.equal(await sums(), made)
  const oldHours = async () =>
    (await database.query(sql`select 1 from request_hour where starts_at < $1`, [new Date(NOON - 20 * DAY_MS)]))
      .rowCount
  assert.notEqual(await oldHours(), 0)
  clock.advance(70 * DAY_MS)
  await maintain()
  assert.deepEqual(await daysFrom(), [70, 71, 72, 73])
  assert.equal(await oldHours(), 0)
  assert.equal(await sums(), made)
})

test('a partition that another process dropped is created again', async () => {
  const write = createBatchWriter(database)
  await write({ number: 1, rows: logRowsOf(entries(10, NOON)) })
  await database.query(sql`drop table request_log_20260310`)
  const late = { number: 2, rows: logRowsOf(entries(10, NOON)) }
  await assert.rejects(write(late), /no partition/)
  await write(late)
  assert.equal(await rows(), 10)
})

test('two processes can create the same partitions concurrently', async () => {
  const days = Array.from({ length: 10 }, (_, n) => NOON - DAY_MS / 2 + (200 + n) * DAY_MS)
  await Promise.all([1, 2, 3, 4].map(() => createPartitions(database, days)))
})
