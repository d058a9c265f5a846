import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChainStatus, describeChain } from './chain-status.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const timing = { confirmations: 12, blockTimeMs: 12_000, now: NOW }
const status: ChainStatus = {
  chainId: 1,
  head: 1_012,
  headAt: new Date(NOW - 6_000),
  headChangedAt: new Date(NOW - 12_000),
  cursor: 1_000,
  startBlock: 10,
  verifiedTo: 990,
  reorgs: 2,
  gapsRead: 1,
  openJobs: 0,
  readingJobs: 0,
  endpoints: 2,
  agreeing: 2,
  lastError: undefined,
  seenAt: new Date(NOW - 5_000),
}

test('a chain without a recent report is not watched', () => {
  assert.equal(describeChain('ethereum', undefined, timing).state, 'not_watched')
  const silent = { ...status, seenAt: new Date(NOW - 60_001) }
  assert.equal(describeChain('ethereum', silent, timing).state, 'not_watched')
})

test('confirmations do not count as lag', () => {
  const { state, lag } = describeChain('ethereum', status, timing)
  assert.deepEqual([state, lag], ['in_sync', 0])
})

test('a cursor ahead of the head has no negative lag', () => {
  assert.equal(describeChain('ethereum', { ...status, head: 900 }, timing).lag, 0)
})

test('a lag of more than a minute is behind', () => {
  assert.equal(describeChain('ethereum', { ...status, cursor: 995 }, timing).state, 'in_sync')
  assert.equal(describeChain('ethereum', { ...status, cursor: 994 }, timing).state, 'behind')
  assert.equal(describeChain('ethereum', { ...status, cursor: undefined }, timing).state, 'behind')
})

test('without a recent head a chain is unreachable, whatever its lag to the old head', () => {
  const old = { ...status, readingJobs: 1, headAt: new Date(NOW - 60_001) }
  const { state, lag, headAt } = describeChain('ethereum', old, timing)
  assert.deepEqual([state, lag, headAt], ['unreachable', 0, '2025-12-31T23:58:59.999Z'])
  assert.equal(describeChain('ethereum', { ...status, headAt: new Date(NOW - 59_999) }, timing).state, 'in_sync')
  assert.equal(describeChain('ethereum', { ...status, headAt: undefined }, timing).state, 'unreachable')
})

test('reading history is reported while the head is followed', () => {
  const reading = { ...status, openJobs: 3, readingJobs: 1 }
  assert.equal(describeChain('ethereum', reading, timing).state, 'reading_history')
})

test('history that waits for the second pass counts as read', () => {
  assert.equal(describeChain('ethereum', { ...status, openJobs: 2 }, timing).state, 'in_sync')
})
