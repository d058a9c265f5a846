import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisCoinAmount, coinAmount, parseCoinAmount, satoshiAmount } from './amounts.ts'

test('amounts are exact to the last satoshi, and marked where they are rounded', () => {
  assert.equal(coinAmount(0), '0.00000000')
  assert.equal(coinAmount(1), '0.00000001')
  assert.equal(coinAmount(-150_000_000), '−1.50000000')
  assert.equal(coinAmount(2_100_000_000_000_001), '21,000,000.00000001')
  assert.equal(coinAmount(2 ** 53), '≈ 90,071,993')
})

test('a typed amount is parsed exactly or rejected', () => {
  assert.equal(parseCoinAmount('0.1'), 10_000_000)
  assert.equal(parseCoinAmount('20999999.99999999'), 2_099_999_999_999_999)
  assert.equal(parseCoinAmount('.5'), 50_000_000)
  assert.equal(parseCoinAmount('1,25'), 125_000_000)
  assert.equal(parseCoinAmount('0,125'), 12_500_000)
  assert.equal(parseCoinAmount('1,000.5'), 100_050_000_000)
  assert.equal(parseCoinAmount('1,778.61691145'), 177_861_691_145)
  assert.equal(parseCoinAmount('1,000,000'), 100_000_000_000_000)
  for (const text of ['', '.', '1.123456789', '1e3', '-1', 'all', '1,00.5', '1,0000,000', '99999999'])
    assert.equal(parseCoinAmount(text), undefined, text)
})

test('an amount that could be thousands or decimals is refused', () => {
  for (const text of ['1,694', '21,000', '999,000']) assert.equal(parseCoinAmount(text), undefined, text)
})

test('axes show small amounts in satoshi', () => {
  assert.equal(axisCoinAmount(546), '550 sat')
  assert.equal(axisCoinAmount(100_000), '0.001')
  assert.equal(axisCoinAmount(2_500_000_000), '25')
})

test('satoshi are whole numbers with a minus sign', () => {
  assert.equal(satoshiAmount(123_456_780_000), '123,456,780,000')
  assert.equal(satoshiAmount(-1_000), '−1,000')
})
