import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const MINT = '(address,uint256)'

test('that every caller can write another role, or another member of an entry, opens no guard', () => {
  assert.deepEqual(powersIn('SharedRoles', `aaa${MINT}`), ['mint:member'])
  assert.deepEqual(powersIn('SharedElement', `aaa${MINT}`), ['mint:member'])
})

test('an entry of the caller that is compared with a slot is a check', () => {
  assert.deepEqual(powersIn('StoredLevels', `aaa${MINT}`), ['mint:condition'])
  assert.deepEqual(powersIn('StoredLevels', `bbb${MINT}`), ['mint:condition'])
})

test('the owner of one fixed item is privileged, of owners of items that the caller names it is not known', () => {
  assert.deepEqual(powersIn('ItemAccount', 'aaa(address,bytes)'), ['execute:answer'])
  assert.deepEqual(powersIn('ItemAccount', 'bbb(address,bytes)'), ['execute:condition'])
  assert.deepEqual(powersIn('ItemAccount', 'ccc(uint256,address,bytes)'), ['execute:payment'])
})

test('a caller that is compared in another form is a check that is not understood', () => {
  for (const name of ['aaa', 'bbb', 'ccc', 'ddd', 'eee', 'fff'])
    assert.deepEqual(powersIn('DisguisedCaller', name + MINT), ['mint:condition'], name)
})

test('a value that the caller decides on may be a check', () => {
  for (const name of ['aaa', 'bbb', 'ccc'])
    assert.deepEqual(powersIn('ChosenByCaller', name + MINT), ['mint:condition'], name)
})

test('signatures that are checked in a loop, or by another precompiled contract, leave the guard unknown', () => {
  const looped = powersIn('SignedMints', 'aaa(address,uint256,uint8[],bytes32[],bytes32[])')
  assert.deepEqual(looped, ['mint:signature'])
  assert.deepEqual(powersIn('SignedMints', 'bbb(address,uint256,bytes)'), ['mint:signature'])
})

test('ether for the account that the caller must be, or for a new contract, moves funds', () => {
  assert.deepEqual(powersIn('OwnPayments', 'aaa()'), ['move_funds:constant'])
  assert.deepEqual(powersIn('OwnPayments', 'bbb()'), ['move_funds:answer'])
  assert.deepEqual(powersIn('OwnPayments', 'ccc(bytes)'), ['move_funds:slot'])
  assert.deepEqual(powersIn('OwnPayments', 'ddd()'), ['set_dependency:slot'], 'it sends no ether')
  assert.deepEqual(powersIn('OwnPayments', 'eee(address)'), ['move_funds:slot'])
})

test('a balance that grows without a log is minted, and one that the caller gives is not', () => {
  for (const signature of ['aaa()', `bbb${MINT}`, `ccc${MINT}`])
    assert.deepEqual(powersIn('SilentMints', signature), ['mint:slot'], signature)
  assert.deepEqual(powersIn('SilentMints', `ddd${MINT}`), ['move_funds:slot'])
  assert.ok(!powersIn('SilentMints', `eee${MINT}`).some((power) => /mint|move_funds/.test(power)))
})

test('what the fallback function reserves is a power', () => {
  assert.deepEqual(powersIn('FallbackMint', 'fallback'), ['mint:slot'])
})

test('a store of one of two constants is reserved to the account that reaches it', () => {
  assert.deepEqual(powersIn('TwoPrices', 'aaa(bool)'), ['set_price:slot'])
})

test('an account that is known counts next to a check that is not understood', () => {
  const [power, ...others] = powersIn('OwnerOrListed', `aaa${MINT}`)
  assert.match(power ?? '', /^mint:slot\+.*condition$/)
  assert.deepEqual(others, [])
})

test('the name of a harmful function counts where the check of the caller is not understood', () => {
  assert.match(powersIn('ListedMint', `mint${MINT}`)[0] ?? '', /^mint:.*condition$/)
})

test('what another contract answers about the caller may refuse all but one', () => {
  for (const name of ['aaa', 'bbb', 'ccc', 'ddd', 'eee'])
    assert.deepEqual(powersIn('OutsideAnswers', name + MINT), ['mint:condition'], name)
})

test('what has a fixed hash may be known to one account alone', () => {
  assert.deepEqual(powersIn('Passwords', 'aaa(address,uint256,bytes32)'), ['mint:condition'])
  assert.deepEqual(powersIn('Passwords', 'bbb(address,uint256,bytes)'), ['mint:condition'])
  assert.deepEqual(powersIn('Passwords', 'ccc(address,uint256,bytes32)'), ['mint:condition'])
  assert.deepEqual(powersIn('Passwords', 'ddd(bytes32)'), [])
})

test('a list that every caller could join is open only while nothing closes it', () => {
  assert.deepEqual(powersIn('ClosedLists', `aaa${MINT}`, 1n << 40n), ['mint:condition'])
  assert.deepEqual(powersIn('ClosedLists', `bbb${MINT}`), ['mint:condition'])
  // Every caller has the entry, but the units are for nothing.
  assert.deepEqual(powersIn('ClosedLists', `ccc${MINT}`), ['mint:condition'])
})

test('to choose the account that funds are sent to is to move them', () => {
  assert.deepEqual(powersIn('TwoSteps', 'aaa(address)'), ['move_funds:slot'])
  assert.deepEqual(powersIn('TwoSteps', 'bbb(address)'), ['move_funds:slot', 'set_dependency:slot'])
  assert.deepEqual(powersIn('TwoSteps', 'ccc(address)'), ['move_funds:slot'], 'the account has what is sent')
})

test('a setter of a number whose guard is not known is shown, one of an own record is not', () => {
  assert.deepEqual(powersIn('AnsweredTerms', 'aaa(uint256)'), ['set_terms:condition'])
  assert.deepEqual(powersIn('AnsweredTerms', 'bbb(uint256)'), [])
})

test('units that no caller pays for are not open to every caller because no account is compared', () => {
  assert.deepEqual(powersIn('ListedSecret', 'aaa(bytes,uint256)'), ['mint:condition'])
  assert.deepEqual(powersIn('Puzzle', 'aaa(uint256,uint256)'), ['mint:condition'])
  assert.deepEqual(powersIn('MajorityMint', 'aaa(uint256)'), ['mint:condition'])
  for (const signature of ['deposit()', 'wrap(uint256)', 'withdraw(uint256)'])
    assert.deepEqual(powersIn('HonestDeposits', signature), [], signature)
})

test('a list whose last member takes the place of one that leaves is no list that every caller joins', () => {
  assert.deepEqual(powersIn('ListedMinters', 'aaa(uint256)'), ['mint:member'])
})

test('an account that chooses the slot of a store, or calls a function in a slot, has everything', () => {
  assert.deepEqual(powersIn('AnySlot', 'aaa(bytes32,bytes32)'), ['move_funds:constant'])
  assert.deepEqual(powersIn('StoredFunction', 'aaa(address,uint256)'), ['execute:constant'])
})

test('units for nothing in one case, or at a price that does not depend on them, are minted', () => {
  const magic = powersIn('MagicAmount', 'transferFrom(address,address,uint256)')
  assert.deepEqual(magic, ['mint:condition', 'move_funds:condition'])
  assert.deepEqual(powersIn('FixedPrice', 'aaa(uint256)'), ['mint:condition'])
  for (const signature of ['transferFrom(address,address,uint256)', 'buy(uint256)', 'buyPack()'])
    assert.deepEqual(powersIn('HonestCases', signature), [], signature)
})

test('an account whose signatures a contract accepts as its own moves what the contract has approved', () => {
  const isValidSignature = 'isValidSignature(bytes32,bytes)'
  assert.deepEqual(powersIn('KeySignatures', isValidSignature), ['move_funds:signature'])
  assert.deepEqual(powersIn('ListedSignatures', isValidSignature), ['move_funds:condition'])
  assert.deepEqual(powersIn('ListedSignatures', 'aaa(bytes32)'), ['move_funds:constant'])
  assert.deepEqual(powersIn('HonestSignatures', isValidSignature), [])
})

test('a permit by another account than the owner moves the units of others', () => {
  const permit = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
  assert.deepEqual(powersIn('SecondSigner', permit), ['move_funds:slot'])
  assert.deepEqual(powersIn('OtherOwner', permit), ['move_funds:condition'])
  assert.deepEqual(powersIn('ReplacedOwner', permit), ['set_terms:signature', 'move_funds:signature'])
  assert.deepEqual(powersIn('HonestPermit', permit), [])
  assert.deepEqual(powersIn('HonestPermit', 'approveFor(address,address,uint256)'), [])
})

test('units for an account in a call that names no function are minted, and a balance that it clears is taken', () => {
  assert.deepEqual(powersIn('ShortInput', 'fallback'), ['mint:slot'])
  assert.deepEqual(powersIn('ShortInput', 'aaa(address)'), ['move_funds:slot'])
  assert.deepEqual(powersIn('ShortInput', 'bbb()'), [])
})
