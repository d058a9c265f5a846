import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewLogEntry } from './log-entry.ts'
import { createHours, rollUpByDay } from './rollups.ts'
import { HOUR_MS } from './time-range.ts'

const NOON = Date.UTC(2026, 2, 10, 12)
const entry = (other: Partial<NewLogEntry> = {}): NewLogEntry => ({
  at: NOON,
  requestId: 'r',
  accountId: 'a',
  keyId: 'k',
  endpoint: '/v1/events',
  chain: undefined,
  status: 200,
  code: undefined,
  latencyUs: 1_000,
  bytes: 10,
  address: undefined,
  ...other,
})

const rollUpByHour = (entries: readonly NewLogEntry[]) => {
  const { add, rows } = createHours()
  for (const one of entries) add(one)
  return rows()
}

test('requests that agree are one row, also if others are between them', () => {
  const others: readonly Partial<NewLogEntry>[] = [
    { accountId: 'b' },
    { keyId: 'l' },
    { endpoint: '/v1/pending' },
    { chain: 'btc' },
    { status: 404 },
    { code: 'not_found' },
    { latencyUs: 9_000 },
    { at: NOON + HOUR_MS },
    { at: NOON - 1 },
  ]
  const entries = others.flatMap((other) => [entry(), entry({ requestId: 's' }), entry(other), entry(other), entry()])
  const rows = rollUpByHour(entries)
  assert.deepEqual(
    rows.map(({ requests, bytes }) => [requests, bytes]),
    [[3 * others.length, 30 * others.length], ...others.map(() => [2, 20])],
  )
  assert.deepEqual(rows[0], {
    startsAt: NOON,
    accountId: 'a',
    keyId: 'k',
    endpoint: '/v1/events',
    chain: '',
    status: 200,
    code: '',
    latencyBucket: 40,
    requests: 27,
    bytes: 270,
    latencyUs: 27_000,
  })
})

test('the hours of a day are added up, and stay as they are', () => {
  const hours = rollUpByHour([entry(), entry({ at: NOON + HOUR_MS }), entry({ at: NOON + 12 * HOUR_MS })])
  assert.deepEqual(
    rollUpByDay(hours).map(({ startsAt, requests, latencyUs }) => [startsAt, requests, latencyUs]),
    [
      [Date.UTC(2026, 2, 10), 2, 2_000],
      [Date.UTC(2026, 2, 11), 1, 1_000],
    ],
  )
  assert.deepEqual(
    hours.map(({ requests }) => requests),
    [1, 1, 1],
  )
})
