import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

test('what the entries of others pay for, except themselves, is not understood', () => {
  for (const signature of [
    'aaa(address,uint256)',
    'bbb(address)',
    'ccc(address)',
    'ddd(address)',
    'eee(address,uint256)',
    'ggg(address,uint256)',
  ])
    assert.deepEqual(powersIn('PaidElsewhere', signature), ['move_funds:payment'], signature)
  for (const signature of ['fff(address,uint256)', 'put(uint256)', 'out(uint256)', 'see()'])
    assert.deepEqual(powersIn('PaidElsewhere', signature), [], signature)
})

test('a payment that the contract does not keep, or that the caller makes as small as it likes, pays for nothing', () => {
  for (const signature of ['aaa(uint256)', 'bbb(uint256,uint256)', 'ccc(uint256,uint256)', 'ddd()'])
    assert.deepEqual(powersIn('FalsePayments', signature), ['mint:payment'], signature)
  assert.deepEqual(powersIn('FalsePayments', 'eee()'), ['mint:payment', 'move_funds:payment'])
  for (const signature of ['fff(uint256,uint256)', 'ggg(uint256,uint256)'])
    assert.deepEqual(powersIn('FalsePayments', signature), ['move_funds:payment'], signature)
  for (const signature of ['hhh()', 'put(uint256)', 'out(uint256)'])
    assert.deepEqual(powersIn('FalsePayments', signature), [], signature)
})

test('ether that counts in several calls, and a payment that one path leaves out, are not understood', () => {
  assert.deepEqual(powersIn('BatchedPayments', 'put()'), ['mint:payment'])
  assert.deepEqual(powersIn('FalsePayments', 'iii(uint256,bool)'), ['mint:payment'])
})

test('an account whose own entry decides for others has that power', () => {
  assert.deepEqual(powersIn('ReadEntries', 'aaa(uint256)', 1n << 150n), ['set_terms:constant'])
  assert.deepEqual(powersIn('ReadEntries', 'note(uint256)', 1n << 150n), [])
})

test('calls of listed contracts, and of functions that the caller decides, are shown', () => {
  assert.deepEqual(powersIn('ListedTargets', 'aaa(address,bytes)'), ['execute:payment'])
  for (const signature of ['bbb(uint256)', 'ccc(string,uint256)'])
    assert.match(powersIn('ListedTargets', signature).join(), /^execute:/, signature)
})

test('an account that replaces the one whose signatures count has this power, whatever its function is called', () => {
  for (const contract of ['ReplacedSigner', 'ReplacedPlainSigner'])
    assert.deepEqual(powersIn(contract, 'aaa(address)'), ['set_verifier:constant'], contract)
})
