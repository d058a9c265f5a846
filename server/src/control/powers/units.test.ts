import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const TRANSFER = 'transfer(address,uint256)'
const TRANSFER_FROM = 'transferFrom(address,address,uint256)'
const APPROVE = 'approve(address,uint256)'
const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'

/** Whether a function gives a critical power to accounts that are not known, or to all. */
const isSuspected = (contract: string, signature: string): boolean =>
  powersIn(contract, signature).some((power) => /^(mint|move_funds):(open|payment|condition)/.test(power))

test('a transfer that creates units is no transfer', () => {
  for (const contract of [
    'UnitsBelowZero',
    'UnitsToOneself',
    'UnitsOfFewerBits',
    'UnitsTimesThree',
    'UnitsForKey',
    'UnitsWithoutBranch',
    'UnitsTwice',
  ])
    assert.ok(isSuspected(contract, TRANSFER), contract)
  assert.ok(isSuspected('UnitsOfBefore', 'aaa(address,address,uint256,uint256)'))
})

test('an allowance that the owner of the units has not given allows nothing', () => {
  for (const [contract, signature] of [
    ['AllowanceBelowZero', TRANSFER_FROM],
    ['AllowanceOfRecipient', TRANSFER_FROM],
    ['AllowanceOfCaller', APPROVE],
    ['AllowanceIfEnough', TRANSFER_FROM],
    ['AllowanceOfAny', 'aaa(address,address,uint256)'],
    ['AllowanceForKey', TRANSFER],
    ['AllowanceForKey', APPROVE],
    ['AllowanceForNeighbor', APPROVE],
  ] as const)
    assert.ok(isSuspected(contract, signature), `${contract} ${signature}`)
})

test('an owner who signs for one allowance has not given another', () => {
  assert.ok(isSuspected('PermitForKey', PERMIT))
  for (const contract of ['PermitOfOwner', 'PermitOfSigner'])
    assert.ok(!powersIn(contract, PERMIT).some((power) => /^(mint|move_funds)/.test(power)), contract)
})

test('ether or points that an amount is not bounded by do not pay for it', () => {
  for (const name of ['sum', 'either', 'share', 'times', 'less', 'wrapped', 'bit', 'part', 'rest', 'upper', 'lower'])
    assert.ok(isSuspected('UnitsForNothing', `${name}(uint256)`), name)
  assert.ok(isSuspected('UnitsForNothing', 'refunded()'))
  assert.ok(isSuspected('UnitsForNothing', 'twice(address,address)'))
})

test('units of the caller, or of an account that has allowed it, and paid units are no power', () => {
  for (const signature of [
    TRANSFER,
    TRANSFER_FROM,
    APPROVE,
    'deposit()',
    'rate()',
    'buy(uint256)',
    'earn()',
    'swap(uint256)',
    'unstake()',
    'burnFrom(address,uint256)',
    'withdrawFrom(address,address,uint256)',
  ])
    assert.deepEqual(powersIn('HonestUnits', signature), [], signature)
  for (const signature of [TRANSFER, TRANSFER_FROM]) assert.deepEqual(powersIn('HonestFees', signature), [], signature)
})

test('an account that changes units or items of others, or its own without a limit, has a critical power', () => {
  for (const [contract, signature, expected] of [
    ['KeyUnits', 'lower(address,uint256)', 'move_funds:slot'],
    ['KeyUnits', 'below(address,uint256)', 'mint:slot'],
    ['KeyFactors', 'word(address,uint256)', 'mint:constant'],
    ['KeyFactors', 'factor(address,uint256)', 'mint:constant'],
    ['KeyItems', 'owner(uint256,address)', 'move_funds:constant'],
    ['KeyItems', 'spender(uint256,address)', 'move_funds:constant'],
  ] as const)
    assert.ok(powersIn(contract, signature).includes(expected), `${contract} ${signature}`)
  for (const [contract, signature] of [
    ['KeyUnits', 'own(address,uint256)'],
    ['KeyItems', 'clear(uint256)'],
  ] as const)
    assert.ok(!powersIn(contract, signature).some((power) => /^(mint|move_funds)/.test(power)), signature)
})

test('assets are moved by the functions of other standards too, and to the account that signed the transaction', () => {
  for (const signature of ['push(address,uint256)', 'operator(address)', 'withdraw(address,uint256)'])
    assert.deepEqual(powersIn('KeyAssets', signature), ['move_funds:constant'], signature)
  assert.ok(isSuspected('KeyAssets', 'signer(uint256)'))
})
