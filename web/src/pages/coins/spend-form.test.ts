import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isComplete, readSpend, spendOf, writeSpend } from './spend-form.ts'

const fees = {
  low: 1,
  medium: 2.2,
  high: 5,
  urgent: 9.001,
  unit: 'sat/vB',
  source: 'mempool',
  mempoolSize: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
} as const

test('the form survives a round trip through the address bar', () => {
  const form = readSpend('?from=a1&to=b2&amount=0.5&tier=urgent&strategy=oldest')
  assert.deepEqual(readSpend(writeSpend(form)), form)
  assert.deepEqual(spendOf(form, fees), {
    fromAddress: 'a1',
    toAddress: 'b2',
    amount: 50_000_000,
    feeRate: 9.001,
    utxoSelection: 'oldest',
  })
})

test('invalid values in the address bar yield no request or the defaults', () => {
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=lots'), fees), undefined)
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=0'), fees), undefined)
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=1&tier=custom&rate=99999'), fees), undefined)
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=1'), undefined), undefined)
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=1&tier=fast&strategy=luck'), fees)?.feeRate, 2.2)
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=1&tier=custom&rate=0.1'), fees)?.feeRate, 0.1)
})

test('a form that lacks only the fee rate is complete', () => {
  assert.equal(isComplete(readSpend('?from=a1&to=b2&amount=1')), true)
  for (const query of [
    '?from=a1&to=b2',
    '?from=a1&amount=1',
    '?from=a1&to=b2&amount=0',
    '?from=a1&to=b2&amount=1&tier=custom',
  ])
    assert.equal(isComplete(readSpend(query)), false, query)
})
