import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import {
  feeHistory,
  longTermRate,
  rateForTarget,
  tiersOfBlocks,
  tiersOfEstimates,
  tiersOfHistory,
} from './fee-tiers.ts'
import { miningOrder, type PendingTx } from './mining-order.ts'
import { BLOCK_VSIZE, type Chunk, chunksOfDiagram, projectBlocks, ratePercentile } from './projected-blocks.ts'

const tx = (txid: string, rate: number, parents: readonly string[] = [], vsize = 100): PendingTx => ({
  txid,
  fee: rate * vsize,
  vsize,
  parents,
})
const orderOf = (pending: readonly PendingTx[]): string[] =>
  Array.from(miningOrder(pending), ({ txids }) => txids.join('+'))

test('unrelated transactions are ordered by fee rate', () => {
  assert.deepEqual(orderOf([tx('a', 1), tx('b', 5), tx('c', 3)]), ['b', 'c', 'a'])
})

test('a child pays for its parent, and the pair is ordered by its common rate', () => {
  assert.deepEqual(orderOf([tx('parent', 1), tx('child', 9, ['parent']), tx('alone', 4)]), ['parent+child', 'alone'])
  assert.deepEqual(orderOf([tx('parent', 1), tx('child', 6, ['parent']), tx('alone', 4)]), ['alone', 'parent+child'])
})

test('a child with a lower rate than its parent comes later', () => {
  assert.deepEqual(orderOf([tx('parent', 9), tx('child', 1, ['parent']), tx('alone', 4)]), ['parent', 'alone', 'child'])
})

test('of two children the one with the higher rate pays for the parent', () => {
  const family = [tx('parent', 1), tx('poor', 3, ['parent']), tx('rich', 9, ['parent']), tx('alone', 4)]
  assert.deepEqual(orderOf(family), ['parent+rich', 'alone', 'poor'])
})

test('diamonds and chains are ordered parents first, each transaction once', () => {
  const diamond = [
    tx('bottom', 20, ['left', 'right']),
    tx('left', 1, ['top']),
    tx('right', 1, ['top']),
    tx('top', 1),
    tx('elsewhere', 2, ['confirmed']),
  ]
  assert.deepEqual(orderOf(diamond), ['top+left+right+bottom', 'elsewhere'])
})

function randomMempool(random: Random, count: number): PendingTx[] {
  return Array.from({ length: count }, (_, i) => {
    const parents = Array.from({ length: i === 0 ? 0 : random.below(3) }, () => String(random.below(i)))
    const near = parents.filter((parent) => i - Number(parent) < 12)
    return { txid: String(i), fee: 100 + random.below(20_000), vsize: 100 + random.below(400), parents: near }
  })
}

test('random mempools: every transaction once, parents before children, correct sums', () => {
  const random = seededRandom(8)
  for (let round = 0; round < 50; round++) {
    const pending = randomMempool(random, 200)
    const byId = new Map(pending.map((item) => [item.txid, item]))
    const position = new Map<string, number>()
    for (const chunk of miningOrder(pending)) {
      const members = chunk.txids.map((txid) => byId.get(txid) ?? assert.fail())
      assert.equal(
        chunk.fee,
        members.reduce((sum, { fee }) => sum + fee, 0),
      )
      assert.equal(
        chunk.vsize,
        members.reduce((sum, { vsize }) => sum + vsize, 0),
      )
      for (const txid of chunk.txids) {
        assert.ok(!position.has(txid))
        position.set(txid, position.size)
      }
    }
    assert.equal(position.size, pending.length)
    for (const { txid, parents } of pending) {
      for (const parent of parents) assert.ok((position.get(parent) ?? 0) < (position.get(txid) ?? 0))
    }
  }
})

const chunksAt = (rate: number, vsize: number): Chunk[] =>
  Array.from({ length: vsize / 1000 }, () => ({ fee: rate * 1000, vsize: 1000 }))

test('a block is closed when it is full, and at most eight blocks are projected', () => {
  const blocks = projectBlocks([...chunksAt(50, 999_000), ...chunksAt(20, 999_000), ...chunksAt(5, 9_990_000)])
  assert.equal(blocks.length, 8)
  assert.deepEqual(
    blocks.slice(0, 3).map(({ vsize, chunks }) => [vsize, ratePercentile(chunks, 0.5)]),
    [
      [999_000, 50],
      [999_000, 20],
      [999_000, 5],
    ],
  )
  assert.deepEqual(projectBlocks([]), [])
  assert.equal(ratePercentile([], 0.5), 0)
})

test("the node's diagram gives the same blocks as its chunks", () => {
  const chunks = [...chunksAt(50, 600_000), ...chunksAt(20, 700_000)]
  let sum = { weight: 0, fee: 0 }
  const points = [
    sum,
    ...chunks.map(({ fee, vsize }) => (sum = { weight: sum.weight + vsize * 4, fee: sum.fee + fee })),
  ]
  assert.deepEqual(projectBlocks(chunksOfDiagram(points)), projectBlocks(chunks))
})

test('tiers are based on the first, third and sixth block', () => {
  const chunks = [
    ...chunksAt(90, 300_000),
    ...chunksAt(40, 699_000),
    ...chunksAt(20, 999_000),
    ...chunksAt(10, 999_000),
    ...chunksAt(8, 999_000),
    ...chunksAt(6, 999_000),
    ...chunksAt(1.5, 999_000),
  ]
  assert.deepEqual(tiersOfBlocks(projectBlocks(chunks), 1), { urgent: 90, high: 40, medium: 10, low: 1.5 })
  assert.deepEqual(tiersOfBlocks(projectBlocks(chunks), 12), { urgent: 90, high: 40, medium: 12, low: 12 })
})

test('a target has the rate of its projected block, and a later one never a higher rate', () => {
  const rates = [90, 40, 20, 10, 8, 6, 1.5, 1.2, 1.1]
  const blocks = projectBlocks(rates.flatMap((rate) => chunksAt(rate, 999_000)))
  const quote = { blocks, tiers: tiersOfBlocks(blocks, 1), min: 1 }
  const at = (target: number): number => rateForTarget(target, quote)
  assert.deepEqual([1, 2, 3, 4, 7, 8, 144, 1_008].map(at), [90, 40, 20, 10, 1.5, 1.2, 1.2, 1.2])
  const short = { ...quote, blocks: blocks.slice(0, 3) }
  assert.deepEqual(
    [2, 3, 4].map((target) => rateForTarget(target, short)),
    [40, 20, 1],
  )
  const unknown = { blocks: [], tiers: { urgent: 9, high: 7, medium: 5, low: 2 }, min: 1 }
  const targets = [1, 2, 3, 4, 143, 144]
  assert.deepEqual(
    targets.map((target) => rateForTarget(target, unknown)),
    [9, 9, 7, 5, 5, 2],
  )
})

test('an empty mempool or half-empty block gives the minimum, and the fast tiers are at least one', () => {
  assert.deepEqual(tiersOfBlocks([], 0.1), { low: 0.1, medium: 0.1, high: 1, urgent: 1 })
  assert.deepEqual(tiersOfBlocks([], 1), { low: 1, medium: 1, high: 1, urgent: 1 })
  assert.deepEqual(tiersOfBlocks(projectBlocks(chunksAt(70, 499_000)), 1), { low: 1, medium: 1, high: 1, urgent: 1 })
  const scaled = tiersOfBlocks(projectBlocks(chunksAt(70, 749_000)), 1)
  assert.ok(scaled.high > 30 && scaled.high < 40, String(scaled.high))
  assert.equal(tiersOfBlocks(projectBlocks(chunksAt(70, 990_000)), 1).high, 70)
  assert.equal(BLOCK_VSIZE, 999_000)
})

test('tiers never fall from low to urgent', () => {
  const random = seededRandom(9)
  for (let i = 0; i < 100; i++) {
    const chunks = Array.from({ length: random.below(9_000) }, () => ({ fee: random.below(100_000), vsize: 1000 }))
    chunks.sort((a, b) => b.fee - a.fee)
    const min = random.below(3_000) / 1000
    const { low, medium, high, urgent } = tiersOfBlocks(projectBlocks(chunks), min)
    assert.ok(min <= low && low <= medium && medium <= high && high <= urgent && high >= 1)
  }
})

test('estimates are bounded by the relay minimum and the maximum', () => {
  const bounds = { min: 1, max: 100 }
  assert.deepEqual(tiersOfEstimates([19_000, 12, 5, 0.999], bounds), { urgent: 100, high: 12, medium: 5, low: 1 })
  assert.deepEqual(tiersOfEstimates([8, undefined, undefined, 2], bounds), { urgent: 8, high: 8, medium: 8, low: 2 })
  assert.deepEqual(tiersOfEstimates([3, 5, 9, 4], bounds), { urgent: 9, high: 9, medium: 9, low: 4 })
  assert.equal(tiersOfEstimates([undefined, 3], bounds), undefined)
})

test('the fee history gives percentiles, the long-term rate and tiers', () => {
  const history = feeHistory(
    Array.from({ length: 100 }, (_, i) => 100 - i),
    1,
  )
  assert.deepEqual(history, { p25: 26, p50: 51, p75: 76, p90: 91 })
  assert.deepEqual(feeHistory([], 0.1), { p25: 0.1, p50: 0.1, p75: 0.1, p90: 0.1 })
  assert.deepEqual(
    [longTermRate(history), longTermRate(feeHistory([], 0.1)), longTermRate(feeHistory([4], 1))],
    [10, 1, 4],
  )
  assert.deepEqual(tiersOfHistory(history, 1), { urgent: 91, high: 76, medium: 51, low: 26 })
})

test('a mempool of 50,000 transactions is projected', () => {
  assert.ok(projectBlocks(miningOrder(randomMempool(seededRandom(10), 50_000))).length > 5)
})
