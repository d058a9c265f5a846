import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const KEY = 1n << 150n
const isGiven = (contract: string, signature: string): boolean =>
  powersIn(contract, signature, KEY).some((power) => /^(mint|move_funds):/.test(power))

test('a path on which more is paid than taken is not understood, and one that is reserved is a power', () => {
  for (const signature of [
    'aaa(uint256,bool)',
    'bbb(uint256)',
    'eee(uint256)',
    'fff(uint256,bool)',
    'ggg()',
    'hhh(uint256)',
  ])
    assert.deepEqual(powersIn('MorePaid', signature, KEY), ['move_funds:payment'], signature)
  assert.deepEqual(powersIn('MorePaid', 'ccc(uint256)', KEY), ['move_funds:constant'])
  for (const signature of ['ddd(uint256)', 'iii()']) assert.deepEqual(powersIn('MorePaid', signature, KEY), [])
})

test('entries that are credited for less than they are paid for are not understood', () => {
  assert.deepEqual(powersIn('MoreCredited', 'aaa(uint256,bool)', KEY), ['mint:payment'])
  assert.deepEqual(powersIn('MoreCredited', 'out(uint256)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('DoubleCredit', 'out(uint256)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('DoubleCredit', 'half(uint256)', KEY), [])
})

test('an account that sets the rate of payments sets a price', () => {
  assert.deepEqual(powersIn('KeptRate', 'aaa(uint256)', KEY), ['set_price:constant'])
  for (const signature of ['leave(uint256)', 'leaveEarly(uint256)', 'out(uint256)'])
    assert.deepEqual(powersIn('KeptRate', signature, KEY), [], signature)
})

test('a computed amount that is not recorded may be had again', () => {
  for (const signature of ['aaa()', 'bbb()', 'ccc()']) assert.ok(isGiven('Earnings', signature), signature)
  assert.deepEqual(powersIn('KeptRequests', 'aaa(uint256)', KEY), ['move_funds:payment'])
  for (const signature of ['ask(uint256)', 'pay(uint256)'])
    assert.deepEqual(powersIn('KeptRequests', signature, KEY), [], signature)
})

test('ether that several calls of a batch send is not understood', () => {
  assert.deepEqual(powersIn('BatchedPayouts', 'aaa(address)', KEY), ['move_funds:payment'])
})

test('shares of all that a vault has are no power', () => {
  for (const signature of [
    'deposit(uint256,address)',
    'mint(uint256,address)',
    'redeem(uint256,address,address)',
    'withdraw(uint256,address,address)',
  ])
    assert.deepEqual(powersIn('ShareVault', signature, KEY), [], signature)
  for (const signature of ['enter(uint256)', 'leave(uint256)'])
    assert.deepEqual(powersIn('PlainShareVault', signature, KEY), [], signature)
})

test('what a wallet pays with time to one account is the power of that account', () => {
  for (const signature of ['release()', 'release(address)'])
    assert.deepEqual(powersIn('TimeWallet', signature, KEY), ['move_funds:slot'], signature)
  assert.deepEqual(powersIn('FreeRecords', 'eee()', KEY), ['move_funds:constant'])
})

test('a record of what was paid does not pay for what every account may have', () => {
  for (const signature of ['aaa()', 'bbb()', 'ccc()', 'ddd()', 'fff()', 'iii()'])
    assert.deepEqual(powersIn('FreeRecords', signature, KEY), ['move_funds:payment'], signature)
  assert.deepEqual(powersIn('FreeRecords', 'point()', KEY), ['mint:payment'])
  for (const signature of ['ggg()', 'hhh()']) assert.deepEqual(powersIn('FreeRecords', signature, KEY), [], signature)
})

test('an amount that is rounded down before it is taken, or up before it is multiplied, is no payment', () => {
  for (const signature of ['aaa(uint256)', 'bbb(uint256)', 'ccc(uint256)', 'ddd(uint256)'])
    assert.deepEqual(powersIn('RoundedPayments', signature, KEY), ['move_funds:payment'], signature)
})

test('words that a loop copies are known on each path', () => {
  assert.deepEqual(powersIn('CopiedCalls', 'aaa(uint256)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('CopiedCalls', 'bbb(address)', KEY), ['move_funds:constant'])
  assert.deepEqual(powersIn('CopiedCalls', 'flush()', KEY), ['move_funds:slot'])
  for (const signature of ['leave(uint256)', 'enter(uint256)'])
    assert.deepEqual(powersIn('CopiedCalls', signature, KEY), [], signature)
  assert.deepEqual(powersIn('CopiedCalls', 'twice(address,address,uint256)', KEY), ['mint:payment'])
})

test('what a loop gives out of what it takes is not called open', () => {
  assert.deepEqual(powersIn('PaidLists', 'give(address[],uint256[])', KEY), ['mint:payment'])
})
