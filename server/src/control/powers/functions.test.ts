import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import { toBytes } from '../../lib/hex.ts'
import { followCode } from '../code/dataflow.ts'
import { type CodeFunction, functionsOf } from './functions.ts'
import { selectorOf } from './names.ts'

function functionOf(contract: string, signature: string): CodeFunction {
  const functions = functionsOf(followCode(toBytes(deployedCode(contract))))
  const found = functions.find(({ selector }) => selector === selectorOf(signature))
  assert.ok(found !== undefined)
  return found
}

test('of two answers about the caller that suffice, both are guards', () => {
  const { access } = functionOf('AnsweredGuards', 'setCap(uint256)')
  assert.ok(access.type === 'guarded')
  assert.deepEqual(
    new Set(access.guards.map((guard) => guard.type === 'answer' && guard.selector)),
    new Set([selectorOf('isRiskAdmin(address)'), selectorOf('isPoolAdmin(address)')]),
  )
})

test('that an answer about the caller is a truth value is no guard', () => {
  assert.deepEqual(functionOf('AnsweredGuards', 'borrow(uint256)').access, { type: 'open' })
})

test('that an entry of the caller is not too large, or what the caller answers itself, is no guard', () => {
  assert.deepEqual(functionOf('NoGuards', 'unlock(address,uint256)').access, { type: 'open' })
  assert.deepEqual(functionOf('NoGuards', 'register(uint256)').access, { type: 'open' })
})

test('that an amount of the caller suffices is no guard, unless another account sets it', () => {
  for (const signature of [
    'withdrawFee(address,uint256)',
    'withdrawReward(address,uint256)',
    'withdrawPacked(address,uint128)',
  ])
    assert.deepEqual(functionOf('EarnedFees', signature).access, { type: 'unknown', why: 'condition' }, signature)
  for (const signature of ['withdrawLimited(address,uint256)', 'withdrawPackedLimited(address,uint128)']) {
    const { access } = functionOf('EarnedFees', signature)
    assert.ok(access.type === 'guarded', signature)
    assert.deepEqual(
      access.guards.map(({ type }) => type),
      ['member'],
    )
  }
})

test('an amount that the caller adds itself, under a condition that is not understood, is no guard', () => {
  assert.deepEqual(functionOf('LockedStakes', 'withdraw()').access, { type: 'unknown', why: 'condition' })
})

test('a list is a guard, whether an error in words or a struct in memory tells that the caller is in it', () => {
  for (const signature of ['submit(int256)', 'perform(uint256)']) {
    const { access } = functionOf('ListedAccounts', signature)
    assert.ok(access.type === 'guarded', signature)
    assert.deepEqual(
      access.guards.map((guard) => guard.type === 'member' && guard.table.keys),
      [['caller']],
    )
  }
})

test('balances at the hash of an account and a seed are no list of privileged accounts', () => {
  assert.deepEqual(functionOf('PackedBalances', 'transfer(address,uint256)').access, { type: 'open' })
})

test('a role at the hash of a role, a seed and an account is a guard', () => {
  const { access } = functionOf('PackedRoles', 'setLimit(uint256)')
  assert.ok(access.type === 'guarded')
  assert.deepEqual(
    access.guards.map((guard) => guard.type === 'member' && guard.table.keys),
    [['caller']],
  )
})

test('a role has one holder or several, as storage decides', () => {
  const { access } = functionOf('KindsOfRoles', 'setFee(uint256)')
  assert.ok(access.type === 'guarded')
  assert.deepEqual(new Set(access.guards.map(({ type }) => type)), new Set(['slot', 'member']))
})

test('a function that cannot be followed leaves the others known', () => {
  assert.equal(functionOf('StoredJump', 'setFee(uint256)').access.type, 'guarded')
  assert.deepEqual(functionOf('StoredJump', 'run()').access, { type: 'unknown', why: 'unsettled' })
})

test('a loop that checks storage again in each round is followed once', () => {
  const flow = followCode(toBytes(deployedCode('LoopedChecks')))
  assert.equal(flow.settled, true)
  assert.ok(flow.steps < 20_000, `${flow.steps} steps`)
})

test('a loop over signers guards what follows it, or is not understood; it is never open', () => {
  assert.notEqual(functionOf('LoopedChecks', 'setFee(uint256)').access.type, 'open')
  assert.notEqual(functionOf('SignerFlag', 'setFee(uint256)').access.type, 'open')
})

test('a function that calls itself several times is given up, and the others are known', () => {
  const flow = followCode(toBytes(deployedCode('TwoRecursions')))
  assert.ok(flow.steps < 400_000, `${flow.steps} steps`)
  assert.equal(functionOf('TwoRecursions', 'setFee(uint256)').access.type, 'guarded')
  assert.deepEqual(functionOf('TwoRecursions', 'walk(uint256)').access, { type: 'unknown', why: 'unsettled' })
})

test('a function that needs an unset mark, or a mark that an initialization is in progress, is an initializer', () => {
  const isInitializer = (contract: string, signature: string) => functionOf(contract, signature).isInitializer
  assert.equal(isInitializer('CollidingGovernance', 'initialize(address)'), true)
  assert.equal(isInitializer('NestedInitializers', 'initialize(address)'), true)
  assert.equal(isInitializer('NestedInitializers', 'first(address)'), false, 'both values of the mark lead to an end')
  assert.equal(isInitializer('CollidingGovernance', 'guardianExecute(address,uint256,bytes)'), false)
})

test('an entry that every caller gets by a payment is no guard, unless nothing may be paid', () => {
  assert.deepEqual(functionOf('Stakes', 'stake()').access, { type: 'open' })
  assert.deepEqual(functionOf('Stakes', 'leave(address)').access, { type: 'open' })
  for (const signature of ['aaa(uint256)', 'bbb(uint256)'])
    assert.deepEqual(functionOf('Stakes', signature).access, { type: 'unknown', why: 'condition' }, signature)
})
