/** The request log when writing fails, is slow, or ends. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLog } from '../../../testing/support/log.ts'
import { createMetrics, type Metrics } from '../lib/metrics.ts'
import type { NewLogEntry } from './log-entry.ts'
import type { LogRows } from './log-rows.ts'
import { openRequestLog, type RequestLogOptions } from './request-log.ts'
import type { Batch } from './write-batches.ts'

const entry = (name: number): NewLogEntry => ({
  at: 1_700_000_000_000,
  requestId: String(name),
  accountId: 'a',
  keyId: 'k',
  endpoint: '/v1/events',
  chain: undefined,
  status: 200,
  code: undefined,
  latencyUs: 1,
  bytes: 1,
  address: '192.0.2.1',
})

const idsOf = (rows: LogRows) =>
  String(Buffer.concat(rows.formatted().text))
    .trim()
    .split('\n')
    .map((row) => row.split('\t')[1])

/** Creates a log whose writer records its batches and fails as `faults` says, one entry per attempt. */
function over(faults: readonly (Error | undefined)[], options: Partial<RequestLogOptions> = {}) {
  const attempts: Batch[] = []
  const metrics = createMetrics()
  const requestLog = openRequestLog({
    write: async (batch) => {
      const fault = faults[attempts.length]
      attempts.push(batch)
      if (fault !== undefined) throw fault
    },
    log: testLog,
    metrics,
    closeTimeoutMs: 0,
    ...options,
  })
  const push = (from: number, to: number) => {
    for (let name = from; name <= to; name++) requestLog.push(entry(name))
  }
  const shown = () => attempts.map(({ number, rows }) => `${number}: ${idsOf(rows).join(' ')}`)
  return { requestLog, push, shown, attempts, metrics }
}
const figure = async (metrics: Metrics, name: string) =>
  (await metrics.getSingleMetric(`gatewatch_request_log_${name}`)?.get())?.values[0]?.value
const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test('a failed batch is written again with its number before later entries', async () => {
  const { requestLog, push, shown } = over([away(), away(), undefined, undefined])
  push(1, 2)
  await requestLog.flush()
  push(3, 4)
  await requestLog.flush()
  await requestLog.flush()
  assert.deepEqual(shown(), ['1: 1 2', '1: 1 2', '1: 1 2', '2: 3 4'])
  await requestLog.close()
})

test('the buffer is bounded, and dropped entries are counted', async () => {
  const { requestLog, push, attempts, metrics } = over([away(), undefined], { maxBuffered: 10 })
  push(1, 14)
  await requestLog.flush()
  assert.equal(await figure(metrics, 'dropped_total'), 4)
  assert.equal(await figure(metrics, 'waiting'), 10)
  await requestLog.flush()
  assert.equal(attempts.at(-1)?.rows.count(), 10)
  assert.equal(await figure(metrics, 'written_total'), 10)
  assert.equal(await figure(metrics, 'waiting'), 0)
  await requestLog.close()
})

test('entries that the database rejects are dropped and counted, and later ones are written', async () => {
  const { requestLog, push, shown, metrics } = over([Object.assign(new Error('bad'), { code: '22003' })])
  push(1, 2)
  await requestLog.flush()
  push(3, 3)
  await requestLog.flush()
  assert.deepEqual(shown(), ['1: 1 2', '2: 3'])
  assert.equal(await figure(metrics, 'dropped_total'), 2)
  await requestLog.close()
})

test('a flush writes all entries pushed before, also during a write', async () => {
  const gate = Promise.withResolvers<void>()
  const written: unknown[] = []
  const { requestLog, push } = over([], {
    write: async ({ rows }) => {
      if (written.length === 0) await gate.promise
      written.push(...idsOf(rows))
    },
  })
  push(1, 1)
  const first = requestLog.flush()
  await new Promise(setImmediate) // the first write is under way
  push(2, 2)
  const second = requestLog.flush()
  gate.resolve()
  await second
  assert.deepEqual(written, ['1', '2'])
  await first
  await requestLog.close()
})

test('a close writes the buffered entries in batches of limited size', async () => {
  const { requestLog, push, attempts } = over([])
  push(1, 12_000)
  await requestLog.close()
  assert.deepEqual(
    attempts.map(({ rows }) => rows.count()),
    [5_000, 5_000, 2_000],
  )
})
