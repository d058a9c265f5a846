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

test('the event with the highest severity leads, and no event is lost', () => {
  const [ok, granted, sent, other] = [event(4, '0xa'), event(3, '0xa', 'high'), event(2, '0xa'), event(1, '0xb')]
  assert.deepEqual(byTransaction([ok, granted, sent, other]), [
    { key: 'base 0xa', main: granted, others: [sent, ok] },
    { key: 'base 0xb', main: other, others: [] },
  ])
})

test('among events of equal severity the first one leads', () => {
  const [second, first] = [event(2, '0xa'), event(1, '0xa')]
  assert.equal(byTransaction([second, first])[0]?.main, first)
})

test('the event of the called contract leads over the Safe execution, unless the latter is more severe', () => {
  const [executed, called] = [event(1, '0xa'), event(2, '0xa', 'info', 'token_admin')]
  assert.equal(byTransaction([called, executed])[0]?.main, called)
  const severe = event(3, '0xa', 'high')
  assert.equal(byTransaction([severe, called, executed])[0]?.main, severe)
})

test('the same hash on another chain is another transaction', () => {
  assert.equal(byTransaction([event(2, '0xa'), { ...event(1, '0xa'), chainSlug: 'ethereum' }]).length, 2)
})
