import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import { bloomOf, explains, isDoubtful, saturationOf } from './log-proof.ts'

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const log = (address: number, ...topics: number[]): Log =>
  ({ address: `0x${address.toString(16).padStart(40, '0')}`, topics: topics.map(hash) }) as unknown as Log

const logs = [log(1, 10, 11), log(2, 12)]
const bloom = bloomOf(logs)

test('an answer that explains every bit is complete', () => {
  assert.ok(explains(logs, bloom))
  assert.ok(explains([...logs, log(3, 13)], bloom), 'logs outside the bloom are no harm')
  assert.ok(!explains(logs.slice(1), bloom))
  assert.ok(!explains([], bloom))
})

test('an empty answer is doubted where a topic is admitted, believed where none is', () => {
  assert.ok(isDoubtful(bloom, [hash(10)], []))
  assert.ok(!isDoubtful(bloom, [hash(99)], []))
  assert.ok(!isDoubtful(bloomOf([]), [hash(10)], []))
})

test('a partial answer is doubted while the bloom still tells something', () => {
  assert.ok(isDoubtful(bloom, [hash(10), hash(12)], logs.slice(0, 1)))
  const crowded: Hex = `0x${'f'.repeat(512)}`
  assert.equal(saturationOf(crowded), 1)
  assert.ok(!isDoubtful(crowded, [hash(10), hash(12)], logs.slice(0, 1)))
  assert.ok(isDoubtful(crowded, [hash(10), hash(12)], []))
})
