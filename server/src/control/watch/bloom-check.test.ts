import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak256, stringToHex } from 'viem'
import { seededRandom } from '../../../../testing/support/random.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import { bloomBits, bloomOf, coversBloom, isSuspicious, mayContain, saturationOf } from './bloom-check.ts'

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const log = (address: number, ...topics: number[]): Log =>
  ({ address: `0x${address.toString(16).padStart(40, '0')}`, topics: topics.map(hash) }) as unknown as Log

const logs = [log(1, 10, 11), log(2, 12)]
const bloom = bloomOf(logs)

function withItems(items: readonly Hex[]): Hex {
  const digits = `0x${'0'.repeat(512)}`.split('')
  for (const { at, mask } of items.flatMap(bloomBits)) {
    digits[at] = (Number.parseInt(digits[at] ?? '0', 16) | mask).toString(16)
  }
  return digits.join('') as Hex
}

test('the bloom filter equals that of go-ethereum for a hundred strings', () => {
  // core/types/bloom9_test.go, TestBloomExtensively
  const items = Array.from({ length: 100 }, (_, index) => stringToHex(`xxxxxxxxxx data ${index} yyyyyyyyyyyyyy`))
  assert.equal(keccak256(withItems(items)), '0xc8d3ca65cdb4874300a9e39475508f23ed6da09fdbc487f89a2dcf50b09eb263')
})

test('added items always match, others rarely', () => {
  const random = seededRandom(7)
  const added = Array.from({ length: 60 }, () => random.hex(32))
  const filter = withItems(added)
  for (const item of added) assert.ok(mayContain(filter, bloomBits(item)))
  const others = Array.from({ length: 1_000 }, () => random.hex(32))
  const found = others.filter((item) => mayContain(filter, bloomBits(item))).length
  assert.ok(found < 10, `${found} of 1,000 false positives with 180 of 2,048 bits set`)
})

test('logs that cover every bit of the bloom filter are complete', () => {
  assert.ok(coversBloom(logs, bloom))
  assert.ok(coversBloom([...logs, log(3, 13)], bloom), 'additional logs are allowed')
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
  const dense: Hex = `0x${'f'.repeat(512)}`
  assert.equal(saturationOf(dense), 1)
  assert.ok(!isSuspicious(dense, [hash(10), hash(12)], logs.slice(0, 1)))
  assert.ok(isSuspicious(dense, [hash(10), hash(12)], []))
})
