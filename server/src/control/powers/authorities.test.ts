import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const KEY = 1n << 150n

test('who says for others who may use their entries, or where they are paid, moves their funds', () => {
  assert.deepEqual(powersIn('OpenOperators', 'aaa(address,address)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('Recoveries', 'aaa(address)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('OpenWallets', 'aaa(address,address)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('OpenOwners', 'aaa(uint256,address)', KEY), ['move_funds:payment'])
  assert.deepEqual(powersIn('TakenOwners', 'aaa(uint256)', KEY), ['move_funds:payment'])
  for (const contract of ['KeptDelegates', 'KeptWallets'])
    assert.ok(powersIn(contract, 'aaa(address,address)', KEY).includes('move_funds:constant'), contract)
  assert.ok(powersIn('KeptOwners', 'aaa(uint256,address)', KEY).includes('move_funds:constant'))
})

test('an account that says it for itself, and an owner that passes on what it owns, have no power', () => {
  for (const signature of [
    'allow(address,bool)',
    'delegate(address)',
    'wallet(address)',
    'outFrom(address,uint256)',
    'leave(uint256)',
  ])
    assert.deepEqual(powersIn('Operators', signature, KEY), [], signature)
  for (const signature of ['pass(uint256,address)', 'out(uint256)'])
    assert.deepEqual(powersIn('PassedDeposits', signature, KEY), [], signature)
})
