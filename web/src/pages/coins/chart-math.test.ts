import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandsOf, blockOf, groupNear, logTicks, netSaving } from './chart-math.ts'

test('bands are as thick as their value, touch at the waist and are apart at the edge', () => {
  const bands = bandsOf(
    [
      { name: 'a', value: 300 },
      { name: 'b', value: 100 },
    ],
    100,
    40,
  )
  assert.deepEqual(
    bands.map(({ inner }) => inner),
    [
      [30, 60],
      [60, 70],
    ],
  )
  const [first, second] = bands
  assert.ok((second?.outer[0] ?? 0) > (first?.outer[1] ?? 0))
  assert.ok((second?.outer[1] ?? 101) <= 100)
})

test('an empty flow has no bands, and a band without value is visible', () => {
  assert.deepEqual(bandsOf([], 100, 40), [])
  const [data] = bandsOf([{ name: 'data', value: 0 }], 100, 40)
  assert.equal((data?.inner[1] ?? 0) - (data?.inner[0] ?? 0), 1)
})

test('a fee rate is taken by the first projected block that pays as little, or has room', () => {
  const block = (vsize: number, lowest: number) => ({ vsize, totalFee: 0, rates: [lowest, 9] })
  const blocks = [block(999_000, 6), block(999_000, 3)]
  assert.deepEqual(
    [7, 6, 4, 1].map((rate) => blockOf(blocks, rate)),
    [0, 0, 1, undefined],
  )
  assert.equal(blockOf([...blocks, block(100, 1)], 1), 2)
})

test('a consolidation saves its cost at the break-even rate', () => {
  const advice = { cost: { medium: 4_000 }, breakEvenFeeRate: 2 }
  assert.deepEqual(
    [0, 2, 4].map((rate) => netSaving(advice, rate)),
    [-4_000, 0, 4_000],
  )
})

test('a logarithmic axis has several ticks, whatever its range', () => {
  assert.deepEqual(logTicks(1, 10_000), [1, 10, 100, 1_000, 10_000])
  assert.deepEqual(logTicks(1, 1e9), [1, 100, 1e4, 1e6, 1e8])
  assert.deepEqual(logTicks(8, 75), [10, 20, 50])
  assert.deepEqual(logTicks(1, 10), [1, 2, 5, 10])
  assert.deepEqual(logTicks(21, 49), [32])
})

test('points that would overlap share a circle at their middle, and each point is in one', () => {
  const points: readonly (readonly [number, number])[] = [
    [1, 1],
    [3, 5],
    [100, 1],
  ]
  const groups = groupNear(
    points,
    ([x]) => x,
    ([, y]) => y,
  )
  assert.deepEqual(groups, [
    { x: 2, y: 3, members: [points[0], points[1]] },
    { x: 100, y: 1, members: [points[2]] },
  ])
  const many = Array.from({ length: 50_000 }, (_, n): readonly [number, number] => [n % 600, (n * 7) % 280])
  const crowded = groupNear(
    many,
    ([x]) => x,
    ([, y]) => y,
  )
  assert.ok(crowded.length <= 25 * 12)
  for (const [index, a] of crowded.entries())
    for (const b of crowded.slice(index + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= 8, 'circles overlap')
  assert.equal(
    crowded.reduce((sum, { members }) => sum + members.length, 0),
    many.length,
  )
})
