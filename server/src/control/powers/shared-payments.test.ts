import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const KEY = 1n << 150n
const isGiven = (contract: string, signature: string): boolean =>
  powersIn(contract, signature, KEY).some((power) => /^(mint|move_funds):/.test(power))

test('a payment that counts for several things is not understood', () => {
  assert.deepEqual(powersIn('CreditedTwice', 'aaa(address)'), ['mint:payment'])
  assert.deepEqual(powersIn('TwoLedgers', 'aaa()'), ['mint:payment'])
  assert.deepEqual(powersIn('Referrals', 'aaa(uint256,address)', KEY), ['mint:payment'])
  for (const signature of ['aaa(uint256)', 'bbb(uint256)', 'ccc(uint256)', 'ddd(uint256,address)'])
    assert.ok(isGiven('GivenBack', signature), signature)
  assert.ok(isGiven('SentBack', 'aaa(address,uint256)'))
})

test('parts of a payment, and what is given back where a call has failed, are paid for', () => {
  assert.deepEqual(powersIn('CreditedParts', 'join(address)'), [])
  assert.deepEqual(powersIn('PaidReferrals', 'join(uint256,address)', KEY), [])
  for (const signature of ['split(uint256,address)', 'swap(uint256)'])
    assert.deepEqual(powersIn('GivenBack', signature, KEY), [], signature)
  assert.deepEqual(powersIn('SentBack', 'attempt(address,uint256)'), [])
  for (const signature of ['lock(uint256)', 'unlock(uint256)', 'leave(uint256)'])
    assert.deepEqual(powersIn('Locks', signature), [], signature)
})

test('one payment for all rounds of a loop is not understood', () => {
  assert.deepEqual(powersIn('SentBack', 'bbb(address[],uint256)'), ['move_funds:payment'])
})

test('change is no more than the ether that was sent', () => {
  assert.deepEqual(powersIn('LoweredChange', 'aaa(uint256)'), ['move_funds:open'])
  assert.deepEqual(powersIn('LoweredChange', 'buy(uint256)'), [])
})

test('a payment in an asset that the caller names pays for what is counted in that asset', () => {
  assert.deepEqual(powersIn('AnyAsset', 'aaa(address,uint256)', KEY), ['mint:payment'])
  assert.deepEqual(powersIn('AnyMinter', 'aaa(address,uint256)'), ['mint:payment'])
  assert.deepEqual(powersIn('OtherCredit', 'aaa(address,address,uint256)'), ['mint:payment'])
  assert.deepEqual(powersIn('OtherPayment', 'aaa(address,address,uint256)'), ['move_funds:payment'])
  for (const signature of ['put(address,uint256)', 'out(address,uint256)', 'pass(address,address,uint256)'])
    assert.deepEqual(powersIn('PassedAssets', signature), [], signature)
})

test('a payment that may fail pays for nothing', () => {
  for (const signature of ['aaa(uint256)', 'bbb(uint256)'])
    assert.deepEqual(powersIn('FailedCalls', signature, KEY), ['mint:payment'], signature)
  for (const signature of ['call(uint256)', 'attempt(uint256)'])
    assert.deepEqual(powersIn('TriedCalls', signature, KEY), [], signature)
})

test('a transfer to oneself that doubles is not understood', () => {
  assert.deepEqual(powersIn('DoubledTransfers', 'aaa(address,uint256)', KEY), ['mint:payment'])
  assert.deepEqual(powersIn('Buckets', 'aaa(uint256,uint256,uint256)'), ['mint:payment'])
  assert.deepEqual(powersIn('OtherTransfers', 'give(address,uint256)', KEY), [])
  assert.deepEqual(powersIn('Buckets', 'move(uint256,uint256,uint256)'), [])
})

test('a slot that every caller names is a power of every caller', () => {
  assert.deepEqual(powersIn('NamedSlots', 'aaa(bytes32,uint256)', KEY), ['move_funds:open'])
})

test('what listed accounts get for nothing is not understood', () => {
  assert.deepEqual(powersIn('Exemptions', 'aaa(uint256)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('Exemptions', 'bbb(uint256)', KEY), ['mint:payment'])
  assert.deepEqual(powersIn('Exemptions', 'leave(uint256)', KEY), [])
})

test('a contract that the caller names sets no rate', () => {
  assert.deepEqual(powersIn('AnyRate', 'aaa(address,uint256)', KEY), ['mint:payment'])
})

test('fees that are sent to one account and not cleared are the power of that account', () => {
  assert.deepEqual(powersIn('RepeatedFees', 'aaa()', KEY), ['move_funds:constant'])
  for (const signature of ['collect()', 'leave(uint256)'])
    assert.deepEqual(powersIn('RepeatedFees', signature, KEY), [], signature)
})
