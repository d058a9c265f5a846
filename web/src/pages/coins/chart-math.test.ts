import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandsOf, netSaving } from './chart-math.ts'

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

test('a consolidation saves its cost at the break-even rate', () => {
  const advice = { cost: { medium: 4_000 }, breakEvenFeeRate: 2 }
  assert.deepEqual(
    [0, 2, 4].map((rate) => netSaving(advice, rate)),
    [-4_000, 0, 4_000],
  )
})
