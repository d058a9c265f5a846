import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, stringToHex } from 'viem'
import { hexBytes, seededRandom } from '../../../../testing/evm/sample-log.ts'
import { bloomBits, bloomTest, mayHold } from './bloom.ts'
import { buildCatalog } from './catalog.ts'
import { catalogRows } from './events/rows.ts'

const EMPTY = `0x${'0'.repeat(512)}`

function withItems(items: readonly Hex[]): Hex {
  const digits = EMPTY.split('')
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
  const added = Array.from({ length: 60 }, () => hexBytes(32, random))
  const bloom = withItems(added)
  for (const item of added) assert.ok(mayHold(bloom, bloomBits(item)))
  const strangers = Array.from({ length: 1_000 }, () => hexBytes(32, random))
  const found = strangers.filter((item) => mayHold(bloom, bloomBits(item))).length
  assert.ok(found < 10, `${found} of 1,000 false positives at a fill of 180 bits in 2,048`)
})

test('a block matches by one of the topics together with one of the addresses', () => {
  const [topicA, topicB] = [keccak256('0x01'), keccak256('0x02')]
  const alice: Hex = `0x${'a1'.repeat(20)}`
  const bob: Hex = `0x${'b0'.repeat(20)}`
  const passes = bloomTest([topicA, topicB], [alice])
  assert.ok(passes(withItems([topicB, alice])))
  assert.ok(!passes(withItems([topicB, bob])))
  assert.ok(!passes(withItems([alice])))
  assert.ok(bloomTest([topicA])(withItems([topicA, bob])))
  assert.ok(!bloomTest([])(withItems([topicA])))
})

test('an empty block matches no event; a header without a filter matches all', () => {
  const passes = bloomTest(buildCatalog(catalogRows).topicsFor('watched'))
  assert.ok(!passes(EMPTY))
  assert.ok(passes('0x'))
  assert.ok(passes(`0x${'f'.repeat(512)}`))
})
