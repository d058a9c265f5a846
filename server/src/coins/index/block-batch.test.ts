import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeeRates } from './block-batch.ts'

test('percentiles are weighted: a large transaction with a low rate counts more than a small one with a high rate', () => {
  const rates = new FeeRates()
  rates.add(100, 400) // 1 per virtual byte
  rates.add(20_000, 8_000) // 10
  rates.add(10_000, 400) // 100
  assert.deepEqual(rates.percentiles(), [10, 10, 10, 10, 10])
  const even = new FeeRates()
  for (let rate = 1; rate <= 100; rate++) even.add(rate * 100, 400)
  assert.deepEqual(even.percentiles(), [10, 25, 50, 75, 90])
})

test('an empty block has rates of zero, and rates are rounded to thousandths', () => {
  assert.deepEqual(new FeeRates().percentiles(), [0, 0, 0, 0, 0])
  const rates = new FeeRates()
  rates.add(141, 561)
  assert.equal(rates.percentiles()[2], 1.005)
})
