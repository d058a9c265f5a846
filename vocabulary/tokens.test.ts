import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalText, tokenText } from './tokens.ts'

test('an amount has the decimals and the symbol of its token', () => {
  const token = { symbol: 'USDC', decimals: 6 }
  assert.equal(tokenText('5000000000000', token), '5,000,000 USDC')
  assert.equal(tokenText('1500500', token), '1.5005 USDC')
  assert.equal(tokenText('1', token), '0.000001 USDC')
  assert.equal(tokenText('0', token), '0 USDC')
  assert.equal(tokenText(String(2n ** 256n - 1n), token), 'an unlimited amount of USDC')
  assert.equal(tokenText('0x12', token), undefined)
  assert.equal(tokenText('7', { symbol: 'TICKET', decimals: 0 }), '7 TICKET')
})

test('a number that is not whole has no decimal text', () => {
  assert.equal(decimalText('1.5', 18), undefined)
  assert.equal(decimalText('', 18), undefined)
})
