import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import { followCode } from '../code/dataflow.ts'
import { type CodePowers, NO_POWERS, powersOfCode } from './code-powers.ts'
import { selectorOf } from './names.ts'
import { powersWithLibraries, type WithLibraries } from './with-libraries.ts'

const LIBRARY: Hex = '0x00000000000000000000000000000000000a11b5'

const powersIn = (name: string): CodePowers =>
  powersOfCode(followCode(toBytes(deployedCode(name).replaceAll(/__\$[0-9a-f]{34}\$__/g, LIBRARY.slice(2)) as Hex)))

const linked = (name: string, ...libraries: readonly CodePowers[]): WithLibraries =>
  powersWithLibraries(powersIn(name), (target) => {
    assert.deepEqual(target, { type: 'constant', address: LIBRARY })
    return libraries
  })

const effectsOf = ({ powers }: WithLibraries, signature: string): readonly string[] =>
  powers
    .filter(({ selector }) => selector === selectorOf(signature))
    .map(({ effect, guards, unknown }) => `${effect}:${unknown ?? guards.map(({ type }) => type).join()}`)

test('what a library does is a power of the accounts that may call it', () => {
  const vault = linked('LinkedVault', powersIn('Payments'))
  assert.equal(vault.isFollowed, true)
  assert.deepEqual(effectsOf(vault, 'sweep(address,address,uint256)'), ['move_funds:slot'])
  assert.deepEqual(effectsOf(vault, 'setReceiver(address)'), ['set_dependency:slot'])
  assert.deepEqual(effectsOf(vault, 'donate(address,uint256)'), [])
})

test('a check of the caller in a library reserves what the calling function does', () => {
  const token = linked('LibraryChecked', powersIn('Payments'))
  assert.deepEqual(effectsOf(token, 'mint(address,uint256)'), ['mint:delegated'])
  const accessOf = (of: WithLibraries, signature: string): string | undefined =>
    of.functions.find(({ selector }) => selector === selectorOf(signature))?.access
  assert.equal(accessOf(token, 'mint(address,uint256)'), 'not known')
  assert.equal(accessOf(token, 'transfer(address,uint256)'), 'every caller')
})

test('a library that is not known or could not be followed is stated', () => {
  assert.equal(powersWithLibraries(powersIn('LinkedVault'), () => undefined).isFollowed, false)
  assert.equal(linked('LinkedVault', { ...powersIn('Payments'), settled: false }).isFollowed, false)
  assert.equal(linked('LinkedVault', NO_POWERS).isFollowed, false, 'a clone runs other code')
  assert.equal(linked('LinkedVault').isFollowed, true, 'an account without code does nothing')
})

test('libraries that call each other in a circle end', () => {
  const calling = powersIn('LinkedVault')
  assert.equal(linked('LinkedVault', calling).isFollowed, false)
})
