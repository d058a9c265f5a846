import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import { bloomOf, coversBloom, isSuspicious, saturationOf } from './bloom-check.ts'

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const log = (address: number, ...topics: number[]): Log =>
  ({ address: `0x${address.toString(16).padStart(40, '0')}`, topics: topics.map(hash) }) as unknown as Log

const logs = [log(1, 10, 11), log(2, 12)]
const bloom = bloomOf(logs)

test('logs that cover every bit of the bloom filter are complete', () => {
  assert.ok(coversBloom(logs, bloom))
  assert.ok(coversBloom([...logs, log(3, 13)], bloom), 'logs outside the bloom are no harm')
  assert.ok(!coversBloom(logs.slice(1), bloom))
  assert.ok(!coversBloom([], bloom))
})

test('an empty result is suspicious only if a topic matches the bloom filter', () => {
  assert.ok(isSuspicious(bloom, [hash(10)], []))
  assert.ok(!isSuspicious(bloom, [hash(99)], []))
  assert.ok(!isSuspicious(bloomOf([]), [hash(10)], []))
})

test('a partial result is suspicious unless the bloom filter is dense', () => {
  assert.ok(isSuspicious(bloom, [hash(10), hash(12)], logs.slice(0, 1)))
  const crowded: Hex = `0x${'f'.repeat(512)}`
  assert.equal(saturationOf(crowded), 1)
  assert.ok(!isSuspicious(crowded, [hash(10), hash(12)], logs.slice(0, 1)))
  assert.ok(isSuspicious(crowded, [hash(10), hash(12)], []))
})
