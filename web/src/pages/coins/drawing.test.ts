/** The arithmetic behind what the coin pages draw. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinPath } from './coin-path.ts'
import { netSaving } from './net-saving.ts'
import { bandsOf } from './tx-bands.ts'

test('bands are as thick as what they carry, touch at the waist and are apart at the edge', () => {
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

test('nothing is divided by nothing, and a band without value is still seen', () => {
  assert.deepEqual(bandsOf([], 100, 40), [])
  const [data] = bandsOf([{ name: 'data', value: 0 }], 100, 40)
  assert.equal((data?.inner[1] ?? 0) - (data?.inner[0] ?? 0), 1)
})

test('joining earns its cost exactly at break-even', () => {
  const advice = { cost: { medium: 4_000 }, breakEvenFeeRate: 2 }
  assert.deepEqual(
    [0, 2, 4].map((rate) => netSaving(advice, rate)),
    [-4_000, 0, 4_000],
  )
})

test('what is typed leads to the page of what it names', () => {
  assert.equal(coinPath('btc', ' 840000 '), '/coins/btc/block/840000')
  assert.equal(
    coinPath('btc', `${'0'.repeat(10)}${'AB'.repeat(27)}`),
    `/coins/btc/block/${'0'.repeat(10)}${'ab'.repeat(27)}`,
  )
  assert.equal(coinPath('ltc', 'ab'.repeat(32)), `/coins/ltc/tx/${'ab'.repeat(32)}`)
  assert.equal(
    coinPath('btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'),
    '/coins/btc/address/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  )
  for (const text of ['', 'what?', '../../etc', '1234567890']) assert.equal(coinPath('btc', text), undefined, text)
})
