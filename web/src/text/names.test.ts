import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeName, decodeSegment, scriptTypeName, shortName } from './names.ts'

test('a long name is cut between graphemes, and an emoji counts as one', () => {
  assert.equal(shortName('Harbor Pool', 22), 'Harbor Pool')
  assert.equal(shortName('Harbor Lending Timelock', 10), 'Harbor Le…')
  assert.equal(shortName('🐻🐻🐻', 3), '🐻🐻🐻')
  assert.equal(shortName('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2), '👩‍👩‍👧‍👦…')
})

test('a code becomes words in sentence case', () => {
  assert.equal(codeName('ADDRESS_REUSE'), 'Address reuse')
  assert.equal(codeName('DUST_UTXOS'), 'Dust UTXOs')
  assert.equal(codeName('UTXO_COUNT'), 'UTXO count')
})

test('a script type has the name that wallets give it', () => {
  assert.equal(scriptTypeName('p2wpkh'), 'P2WPKH')
  assert.equal(scriptTypeName('witness_v2'), 'Witness v2')
  assert.equal(scriptTypeName('nulldata'), 'OP_RETURN')
})

test('every name survives a path segment', () => {
  for (const name of ['aave', '100% Finance', 'a/b?c#d', 'Großbank 🐻', 'שלום'])
    assert.equal(decodeSegment(decodeURI(encodeURIComponent(name))), name)
})
