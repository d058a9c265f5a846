import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dustErrorOf, faultOf, fieldErrorOf, isComplete, readSpend, spendOf, writeSpend } from './spend-form.ts'

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
    recipients: [],
    sendAll: false,
    mustUse: [],
    mustNotUse: [],
    feeRate: 9.001,
    utxoSelection: 'oldest',
  })
})

test('several recipients, everything, and chosen UTXOs', () => {
  const [used, spared] = [`${'a'.repeat(64)}:0`, `${'b'.repeat(64)}:1`]
  const query = `?from=a1&to=b2&amount=&to=c3&amount=0.2&sendAll=true&use=${used}&use=${used}&use=nonsense&spare=${spared}&spare=${used}`
  const form = readSpend(query)
  assert.deepEqual(readSpend(writeSpend(form)), form)
  assert.partialDeepStrictEqual(spendOf(form, fees), {
    toAddress: 'b2',
    recipients: [{ address: 'c3', amount: 20_000_000 }],
    sendAll: true,
    mustUse: [used],
    mustNotUse: [spared],
  })
  assert.ok(!('amount' in (spendOf(form, fees) ?? {})))
  assert.equal(faultOf(readSpend('?from=a1&to=b2&amount=1&to=b2&amount=2'), 1), 'repeated')
  assert.equal(faultOf(readSpend('?from=a1&to=b2&amount=1&to=&amount=2'), 1), 'address')
  assert.equal(faultOf(readSpend('?from=a1&to=b2&amount=1&to=c3'), 1), 'amount')
  assert.equal(spendOf(readSpend('?from=a1&to=b2&amount=1&to=c3'), fees), undefined)
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

test('a refusal of the service belongs to the field that it names', () => {
  assert.deepEqual(fieldErrorOf('fromAddress: This is not an address.'), {
    field: 'from',
    text: 'This is not an address.',
  })
  assert.deepEqual(fieldErrorOf('toAddress: This is not an address.'), {
    field: 'to',
    recipient: 0,
    text: 'This is not an address.',
  })
  assert.deepEqual(fieldErrorOf('recipients.1.amount: must be at most 5'), {
    field: 'amount',
    recipient: 2,
    text: 'Must be at most 5.',
  })
  assert.equal(fieldErrorOf('feeRate: Too small')?.field, 'rate')
  assert.equal(fieldErrorOf('The node does not respond.'), undefined)
  assert.equal(fieldErrorOf('locktime: must be a block height'), undefined, 'the form has no such field')
})

test('an amount below the dust limit is marked at its recipient', () => {
  const recipients = [
    { address: 'a', amount: 1_000, dustThreshold: 546 },
    { address: 'b', amount: 100, dustThreshold: 294 },
  ]
  assert.deepEqual(dustErrorOf({ reason: 'AMOUNT_BELOW_DUST', recipients }), {
    field: 'amount',
    recipient: 1,
    text: 'Nodes do not relay less than 294 sat to this address.',
  })
  assert.equal(dustErrorOf({ reason: 'INSUFFICIENT_FUNDS', recipients }), undefined)
})
