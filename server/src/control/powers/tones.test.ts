import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

const MINT = '(address,uint256)'

/** Whether a function gives a critical power to accounts that are not known, or to all. */
const isSuspected = (contract: string, signature: string): boolean =>
  powersIn(contract, signature).some((power) => /^(mint|move_funds):(open|.*(payment|condition|signature))/.test(power))

test('a function that seems to run once, and does not, is judged like others', () => {
  for (const name of ['logged', 'unmarked', 'cleared', 'otherMark', 'weak', 'sometimes', 'either'])
    assert.ok(isSuspected('FalseInitializers', name + MINT), name)
  assert.ok(isSuspected('FalseInitializers', 'chosen(address,uint256,uint64)'))
  assert.ok(isSuspected('FalseInitializers', 'given(address,uint256,address)'))
  for (const contract of ['RemovedMark', 'OpenedInitializer']) assert.ok(isSuspected(contract, `aaa${MINT}`), contract)
})

test('what a function gives that is proven to run once is there at the start', () => {
  for (const contract of ['RunsOnce5', 'RunsOnce4', 'RunsOnceInWord'])
    for (const name of ['first', 'second']) assert.deepEqual(powersIn(contract, name + MINT), [], `${contract} ${name}`)
  assert.deepEqual(powersIn('RunsOnce3', `first${MINT}`), [])
  for (const name of ['flag', 'number', 'version', 'own'])
    assert.deepEqual(powersIn('RunsOnceByMark', name + MINT), [], name)
  assert.deepEqual(powersIn('RunsOnceByMark', 'given(address,uint256,address)'), [])
})

test('a signature of a word that the caller computes is not one of the owner', () => {
  for (const name of ['xor', 'mask', 'either', 'word'])
    assert.ok(isSuspected('ForgedPermits', `${name}(address,address,uint256,bytes32,uint8,bytes32,bytes32)`), name)
  for (const name of ['sum', 'mod', 'shift'])
    assert.ok(isSuspected('ForgedPermits', `${name}(address,address,uint256,uint256,uint8,bytes32,bytes32)`), name)
  assert.ok(!isSuspected('SignedPermits', 'permit(address,address,uint256,uint8,bytes32,bytes32)'))
})

test('an account that changes what transfers require stops them', () => {
  for (const [contract, signature, effect] of [
    ['StoppedByName', 'aaa(bytes32)', 'pause:slot'],
    ['StoppedByCopy', 'aaa(address,address)', 'freeze:slot'],
    ['StoppedByRemoval', 'aaa(address)', 'freeze:slot'],
    ['StoppedByList', 'aaa()', 'pause:slot'],
    ['StoppedByEpoch', 'aaa()', 'pause:slot'],
    ['StoppedByElement', 'aaa(uint256)', 'pause:slot'],
    ['Counted', 'aaa()', 'other:slot'],
    ['Counted', 'bbb(address)', 'other:slot'],
    ['Counted', 'ccc()', 'other:slot'],
  ] as const)
    assert.deepEqual(powersIn(contract, signature), [effect], contract)
})

test('items and numbered units that every caller moves, or lets others move, are a power', () => {
  for (const [contract, ...signatures] of [
    [
      'TakenItems',
      'move(address,address,uint256)',
      'claim(address,uint256)',
      'take(uint256)',
      'after_(uint256,address)',
      'other(uint256,uint256)',
      'operator(address,address,uint256)',
      'spender(uint256,address)',
      'operators(address,address)',
      'setApprovalForKey(address,bool)',
    ],
    ['JoinedItems', ...['either', 'same', 'late', 'none'].map((name) => `${name}(address,address,uint256)`)],
    ['TakenItems5', 'move(address,uint256)', 'spender(address,uint256)', 'operators(address,address)'],
    ['TakenItems4', 'move(address,address,uint256)'],
    ['TakenNumbered5', 'move(address,address,uint256,uint256)', 'burn(address,uint256,uint256)'],
    ['TakenNumbered5', 'operators(address,address)'],
    ['TakenNumbered4', 'move(address,address,uint256,uint256)'],
    ['TakenNumbered6909', 'move(address,address,uint256,uint256)', 'spender(address,address,uint256)'],
    ['TakenNumbered6909', 'operators(address,address)'],
    ['TakenNumbered', 'move(address,address,uint256,uint256)', 'by(address,address,uint256,uint256)'],
    ['TakenNumbered', 'clear(address,uint256)'],
  ] as const)
    for (const signature of signatures) assert.ok(isSuspected(contract, signature), `${contract} ${signature}`)
})

test('items that their owner, or an account that it has allowed, moves are no power', () => {
  const transfers = ['transferFrom(address,address,uint256)', 'approve(address,uint256)']
  const numbered = 'safeTransferFrom(address,address,uint256,uint256,bytes)'
  for (const [contract, ...signatures] of [
    ['HonestItems', ...transfers, 'setApprovalForAll(address,bool)', 'mint(uint256)', 'burn(uint256)'],
    ['JoinedItems', 'send(address,address,uint256)', 'pass(address,address,uint256)'],
    ['HonestItems5', ...transfers, 'setApprovalForAll(address,bool)', 'mint()', 'burn(uint256)'],
    ['HonestItems4', ...transfers, 'setApprovalForAll(address,bool)', 'mint()', 'burn(uint256)'],
    ['HonestNumbered', numbered, 'setApprovalForAll(address,bool)'],
    ['HonestNumbered5', 'burn(address,uint256,uint256)', 'setApprovalForAll(address,bool)'],
    ['HonestNumbered4', numbered, 'burn(address,uint256,uint256)', 'setApprovalForAll(address,bool)'],
    ['HonestNumbered6909', 'transferFrom(address,address,uint256,uint256)', 'setOperator(address,bool)'],
    ['HonestNumbered6909', 'approve(address,uint256,uint256)', 'burn(uint256,uint256)'],
  ] as const)
    for (const signature of signatures) assert.ok(!isSuspected(contract, signature), `${contract} ${signature}`)
})
