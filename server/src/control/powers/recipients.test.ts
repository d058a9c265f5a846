import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

test('a key moves the funds with a fixed account to which it may send them', () => {
  for (const signature of ['bbb(uint256)', 'ccc()'])
    assert.deepEqual(powersIn('KeyedToFixed', signature), ['move_funds:slot to constant'], signature)
  assert.deepEqual(powersIn('KeyedToFixed', 'aaa(uint256)'), ['move_funds:slot to slot'])
  for (const signature of ['burn(uint256)', 'collect()'])
    assert.deepEqual(powersIn('KeyedToFixed', signature), ['other:slot'], signature)
})

test('a key that takes from the entries of others moves the funds, to any account', () => {
  for (const signature of ['ddd(address,uint256)', 'eee(address)'])
    assert.deepEqual(powersIn('KeyedToFixed', signature), ['move_funds:slot'], signature)
})

test('a key moves the funds that chooses who of several accounts is paid', () => {
  for (const signature of ['aaa(uint256,uint256)', 'bbb(uint256)', 'ccc(uint256,uint256)', 'ddd(uint256)'])
    assert.deepEqual(powersIn('KeyedToEntry', signature), ['move_funds:slot'], signature)
  assert.deepEqual(powersIn('KeyedToEntry', 'eee(uint256,uint256,uint256)'), ['move_funds:slot'])
  assert.deepEqual(powersIn('KeyedToEntry', 'pay(uint256)'), ['other:slot'])
})

test('every caller moves the funds who chooses which of several accounts is paid', () => {
  for (const signature of ['aaa(uint256)', 'bbb(uint256,uint256)'])
    assert.deepEqual(powersIn('OpenToEntry', signature), ['move_funds:payment'], signature)
})

test('who is paid for an entry is for its owner to say', () => {
  assert.deepEqual(powersIn('NamedPayees', 'aaa(uint256,address)'), ['move_funds:payment'])
  assert.ok(powersIn('NamedPayees', 'bbb(uint256,address)').includes('move_funds:slot'))
  for (const name of ['make(address,uint256)', 'open(uint256,address)', 'take(uint256)', 'redirect(uint256,address)'])
    assert.deepEqual(powersIn('NamedPayees', name), [], name)
})

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

test('a key moves the funds that trades or lends them for an account of its choice', () => {
  for (const name of ['aaa', 'bbb'])
    assert.deepEqual(powersIn('KeyedTrades', `${name}(uint256,address)`), ['move_funds:slot'], name)
  assert.deepEqual(powersIn('KeyedTrades', 'trade(uint256)'), ['other:slot'])
})

test('what accounts have deposited by asset is judged like other entries', () => {
  assert.deepEqual(powersIn('AssetShares', 'aaa(address,uint256)'), ['mint:open'])
  for (const name of ['bbb', 'ccc', 'ddd'])
    assert.deepEqual(powersIn('AssetShares', `${name}(address,address,uint256)`), ['move_funds:slot'], name)
  for (const name of ['put', 'take']) assert.deepEqual(powersIn('AssetShares', `${name}(address,uint256)`), [], name)
})

test('an account that says who needs no allowance appoints them', () => {
  assert.deepEqual(powersIn('ExemptAccounts', 'aaa(address)'), ['grant:slot'])
  assert.ok(powersIn('ExemptAccounts', 'bbb(address,bool)').includes('grant:slot'))
})
