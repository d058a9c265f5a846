import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256 } from 'viem'
import { type SafeVersion, safeContract } from '../../../../testing/evm/compile.ts'
import { safeHandlerOf, safeLibraryOf } from './safe-libraries.ts'

const ADDRESS: Hex = '0x1234567890123456789012345678901234567890'
const VERSIONS: readonly SafeVersion[] = ['1.3.0', '1.4.1', '1.5.0']

const codeOf = (version: SafeVersion, path: string): Hex => safeContract(version, path).deployedBytecode
/** A library that checks how it is called has its own address in its code. */
const at = (code: Hex): Hex => code.replaceAll(`7f${'0'.repeat(64)}`, `7f${'0'.repeat(24)}${ADDRESS.slice(2)}`) as Hex

test('published libraries are recognized at any address', () => {
  for (const version of VERSIONS)
    for (const name of ['MultiSend', 'MultiSendCallOnly', 'CreateCall'])
      assert.equal(safeLibraryOf(ADDRESS, at(codeOf(version, `libraries/${name}`))), `${name} ${version}`)
  assert.equal(safeLibraryOf(ADDRESS, codeOf('1.5.0', 'libraries/SignMessageLib')), 'SignMessageLib 1.5.0')
  for (const version of VERSIONS)
    assert.equal(
      safeHandlerOf(ADDRESS, codeOf(version, 'handler/CompatibilityFallbackHandler')),
      `CompatibilityFallbackHandler ${version}`,
    )
})

test('other code is not a library, however little it differs', () => {
  const code = at(codeOf('1.4.1', 'libraries/MultiSend'))
  assert.equal(safeLibraryOf('0x00000000000000000000000000000000000000ff', code), undefined)
  assert.equal(safeLibraryOf(ADDRESS, `${code}00`), undefined)
  assert.equal(safeLibraryOf(ADDRESS, '0x'), undefined)
  assert.equal(safeLibraryOf(ADDRESS, codeOf('1.4.1', 'handler/CompatibilityFallbackHandler')), undefined)
  assert.notEqual(keccak256(code), keccak256('0x'))
})
