import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

test('an account that sets elements of a table appoints those under constant keys', () => {
  for (const signature of ['setAccount(bytes32,address)', 'setListed(uint256,address)', 'setFew(uint256,address)'])
    assert.deepEqual(powersIn('Registry', signature), ['grant:slot'], signature)
  assert.deepEqual(powersIn('PaidRegistry', 'setAccount(bytes32,address)'), ['move_funds:slot'])
})

test('a signature that allows a transfer pays for no entry of another account', () => {
  for (const name of ['aaa', 'bbb'])
    assert.deepEqual(powersIn('PermittedShares', `${name}(address,uint256,uint8,bytes32,bytes32)`), ['mint:payment'])
  assert.deepEqual(powersIn('PermittedShares', 'putSigned(uint256,uint8,bytes32,bytes32)'), [])
})

test('a key creates units that changes what balances are computed from', () => {
  for (const [contract, ...signatures] of [
    ['HiddenUnits', 'aaa(uint256)', 'bbb()'],
    ['VyperUnits', 'aaa(address,uint256)', 'bbb(uint256)'],
  ] as const)
    for (const signature of signatures) assert.ok(powersIn(contract, signature).includes('mint:slot'), signature)
  assert.deepEqual(powersIn('HiddenUnits', 'setCap(uint256)'), ['set_terms:slot'])
  assert.deepEqual(powersIn('VyperUnits', 'limit(address,uint256)'), ['set_terms:slot'])
})

test('an account that says who needs no allowance appoints them', () => {
  assert.deepEqual(powersIn('ExemptAccounts', 'aaa(address)'), ['grant:slot'])
  assert.ok(powersIn('ExemptAccounts', 'bbb(address,bool)').includes('grant:slot'))
})
