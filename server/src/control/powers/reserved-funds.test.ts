import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const none = (contract: string, ...signatures: readonly string[]): void => {
  for (const signature of signatures) assert.deepEqual(powersIn(contract, signature), [], signature)
}

test('a fixed account to which every caller may send the assets moves them', () => {
  for (const signature of ['aaa()', 'bbb(uint256)', 'ccc()', 'ddd()', 'eee(address,uint256)', 'ggg()'])
    assert.deepEqual(powersIn('FixedRecipients', signature), ['move_funds:constant'], signature)
  assert.deepEqual(powersIn('FixedRecipients', 'fff()'), ['move_funds:slot'])
  none('FixedRecipients', 'put(uint256)', 'out(uint256)', 'pay(uint256)', 'tip()', 'leave(uint256)')
})

test('to pass any input to a fixed contract is to execute', () => {
  assert.deepEqual(powersIn('FixedTargets', 'aaa(bytes)'), ['execute:open'])
  for (const signature of ['bbb(bytes)', 'ccc(bytes)'])
    assert.deepEqual(powersIn('FixedTargets', signature), ['execute:constant'], signature)
  assert.deepEqual(powersIn('FixedTargets', 'ddd(bytes)'), ['execute:payment'])
  none('FixedTargets', 'batch(bytes)')
})

test('every caller moves the funds who may name the recipient, unless it pays for that', () => {
  assert.deepEqual(powersIn('WrittenRecipients', 'aaa(address)'), ['move_funds:open'])
  assert.deepEqual(powersIn('WrittenRecipients', 'flush()'), ['move_funds:slot'])
  none('Auction', 'bid()')
})

test('an account that changes entries of others for which functions pay moves the funds', () => {
  const ofOne = ['aaa(address,uint256)', 'ccc(address,uint256)', 'fff(address)']
  for (const signature of [...ofOne, ...['bbb', 'ddd', 'eee'].map((name) => `${name}(address,address,uint256)`)])
    assert.deepEqual(powersIn('KeptShares', signature), ['move_funds:constant'], signature)
  assert.deepEqual(powersIn('KeptShares', 'putFor(address,uint256)'), ['set_terms:constant'])
  none('KeptShares', 'give(address,uint256)', 'operate(address,bool)', 'outFor(address,address,uint256)')
})

test('every caller moves the funds who may clear the entries of others', () => {
  assert.deepEqual(powersIn('LostShares', 'aaa(address)'), ['move_funds:open'])
  none('LostShares', 'leave()')
})

test('an entry that shrinks below zero, or by fewer bits than are paid, pays for nothing', () => {
  for (const signature of ['aaa(uint256)', 'bbb(uint256)'])
    assert.deepEqual(powersIn('LooseShares', signature), ['move_funds:payment'], signature)
  assert.deepEqual(powersIn('LooseShares', 'ccc(address,uint256)'), ['mint:payment'])
  none('LooseShares', 'ddd(uint256)')
})

test('tokens of an account that the caller names, or for one, pay for no entry of the caller', () => {
  for (const signature of ['aaa(address,uint256)', 'bbb(address,uint256)'])
    assert.deepEqual(powersIn('UnpaidShares', signature), ['mint:payment'], signature)
  none('UnpaidShares', 'putFor(address,uint256)')
})

test('requests that name who is paid must be paid for', () => {
  assert.deepEqual(powersIn('Requests', 'aaa(uint256)'), ['mint:payment'])
  assert.deepEqual(powersIn('Requests', 'bbb(uint256)'), ['move_funds:constant'])
  none('Requests', 'ask(uint256)', 'fund(address,uint256)', 'pay(uint256)')
})

test('every caller stops the transfers that depend on what it may store', () => {
  for (const signature of ['aaa()', 'ccc()']) assert.deepEqual(powersIn('StoppedToken', signature), ['pause:open'])
  assert.deepEqual(powersIn('EndedToken', 'aaa()'), ['pause:open'])
  assert.deepEqual(powersIn('StoppedToken', 'bbb(address)'), ['freeze:open'])
  none('StoppedToken', 'go()', 'quiet()')
})
