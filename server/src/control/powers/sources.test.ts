import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

test('a contract that is asked how much a function gives, or at what price, sets the price', () => {
  for (const signature of ['aaa(uint256)', 'bbb(uint256)', 'ccc()', 'eee(uint256)'])
    assert.deepEqual(powersIn('RatedPayments', signature), ['set_price:source'], signature)
  assert.ok(powersIn('RatedSale', 'aaa(uint256)').includes('set_price:source'))
  for (const signature of ['put(uint256)', 'out(uint256)'])
    assert.deepEqual(powersIn('RatedPayments', signature), [], signature)
})

test('a contract that names the account to which a function pays moves the funds', () => {
  for (const signature of ['aaa()', 'bbb()'])
    assert.deepEqual(powersIn('NamedPayments', signature), ['move_funds:source'], signature)
})

test('to choose the contract that is asked is to set the price', () => {
  assert.ok(powersIn('ChosenRates', 'aaa(address)').includes('set_price:slot'))
})

test('a contract that a transfer asks or calls may refuse it', () => {
  assert.ok(powersIn('ListedToken', 'transfer(address,uint256)').includes('freeze:source'))
})
