import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersIn } from '../../../../testing/evm/code-powers.ts'

test('every caller moves the ether that an open function sends where the caller says', () => {
  for (const signature of ['aaa()', 'bbb(address,uint256)', 'ccc(bytes)'])
    assert.deepEqual(powersIn('OpenEther', signature), ['move_funds:open'], signature)
})

test('every caller moves the tokens that an open function sends or approves', () => {
  for (const signature of [
    'aaa(uint256)',
    'bbb(address)',
    'ccc(address,address,address,uint256)',
    'ddd(address,address)',
    'eee(int256,bytes)',
  ])
    assert.deepEqual(powersIn('OpenShares', signature), ['move_funds:open'], signature)
  for (const signature of ['put(uint256)', 'out(uint256)'])
    assert.deepEqual(powersIn('OpenShares', signature), [], signature)
})

test('every caller takes what goes to the sender of the transaction, a hash or the recipient of fees', () => {
  for (const signature of ['aaa()', 'ccc(bytes)', 'eee()'])
    assert.deepEqual(powersIn('OpenRecipients', signature), ['move_funds:open'], signature)
  assert.deepEqual(powersIn('OpenRecipients', 'fff()'), ['move_funds:slot'])
})

test('who takes what goes to a signer, or to an account that a contract of the caller names, is not known', () => {
  assert.deepEqual(powersIn('OpenRecipients', 'bbb(bytes32,uint8,bytes32,bytes32)'), ['move_funds:signature'])
  assert.deepEqual(powersIn('OpenRecipients', 'ddd(address)'), ['move_funds:payment'])
})

test('assets are taken by functions of fewer tokens too', () => {
  const of = (args: string, ...names: readonly string[]): readonly string[] => names.map((name) => `${name}(${args})`)
  const ofTwo = of('address,address,uint256', 'a02', 'a06')
  const ofOne = of('address,uint256', 'a01', 'a03', 'a04', 'a05', 'a07', 'a09', 'a13', 'a14')
  for (const signature of [...ofOne, ...ofTwo, 'a08(address)'])
    assert.deepEqual(powersIn('OpenAssets', signature), ['move_funds:open'], signature)
  // Without an answer of the token its code is checked first, which not every caller must meet.
  for (const signature of [...of('address,uint256', 'a10', 'a11', 'a15'), ...of('address,address,uint256', 'a12')])
    assert.deepEqual(powersIn('OpenAssets', signature), ['move_funds:payment'], signature)
})

test('every caller executes what an open function calls with its target and data', () => {
  assert.deepEqual(powersIn('OpenCalls', 'aaa(address,bytes,uint256)'), ['execute:open'])
  assert.deepEqual(powersIn('OpenCalls', 'bbb(address,bytes)'), ['execute:open'])
})

test('every caller mints where an open function sets a balance, or adds to it for nothing', () => {
  for (const signature of ['aaa(address,uint256)', 'bbb(uint256)', 'ccc(address,uint256)'])
    assert.deepEqual(powersIn('OpenToken', signature), ['mint:open'], signature)
  assert.deepEqual(powersIn('OpenToken', 'ddd(address,address,uint256)'), ['move_funds:open'])
})

test('units for an entry that every caller writes are minted by all, those for an entry that stays by accounts not known', () => {
  assert.deepEqual(powersIn('OpenClaims', 'aaa(uint256)'), ['mint:open'])
  assert.deepEqual(powersIn('OpenClaims', 'bbb()'), [])
  assert.deepEqual(powersIn('OpenClaims', 'ccc()'), ['mint:payment'])
})

test('what a caller takes for its own entry, a payment or an item of its own is no power', () => {
  for (const signature of [
    'deposit()',
    'withdraw(uint256)',
    'withdrawTo(address,uint256)',
    'put(uint256)',
    'out(address,uint256)',
    'outFor(address,address,uint256)',
    'owe(address)',
    'pull()',
    'open(uint256)',
    'close(uint256)',
    'pass(address)',
    'send(address,uint256)',
  ])
    assert.deepEqual(powersIn('HonestFunds', signature), [], signature)
})

test('what a caller takes under conditions that are not judged is not known', () => {
  assert.deepEqual(powersIn('UnclearFunds', 'drip()'), ['move_funds:payment'])
  for (const signature of ['swap(address,uint256)', 'take(address,uint256)'])
    assert.deepEqual(powersIn('UnclearFunds', signature), ['move_funds:payment'], signature)
})
