import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byTransaction } from './by-transaction.ts'

const event = (id: number, txHash: string, severity: 'info' | 'high' | 'critical' = 'info', category = 'multisig') => ({
  id,
  chainSlug: 'base',
  txHash,
  severity,
  category,
})

test('the gravest event of a transaction leads, and none is lost', () => {
  const [ok, granted, sent, other] = [event(4, '0xa'), event(3, '0xa', 'high'), event(2, '0xa'), event(1, '0xb')]
  assert.deepEqual(byTransaction([ok, granted, sent, other]), [
    { key: 'base 0xa', main: granted, others: [sent, ok] },
    { key: 'base 0xb', main: other, others: [] },
  ])
})

test('of events as grave as each other the first one leads', () => {
  const [second, first] = [event(2, '0xa'), event(1, '0xa')]
  assert.equal(byTransaction([second, first])[0]?.main, first)
})

test('what a Safe did leads over that it did something, unless that is graver', () => {
  const [sent, did] = [event(1, '0xa'), event(2, '0xa', 'info', 'token_admin')]
  assert.equal(byTransaction([did, sent])[0]?.main, did)
  const grave = event(3, '0xa', 'high')
  assert.equal(byTransaction([grave, did, sent])[0]?.main, grave)
})

test('the same hash on another chain is another transaction', () => {
  assert.equal(byTransaction([event(2, '0xa'), { ...event(1, '0xa'), chainSlug: 'ethereum' }]).length, 2)
})
