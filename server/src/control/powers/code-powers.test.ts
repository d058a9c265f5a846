import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { toBytes } from '../../lib/hex.ts'
import { followCode } from '../code/dataflow.ts'
import { powersOfCode } from './code-powers.ts'
import { selectorOf } from './names.ts'

function effectsOf(contract: string, signature: string): readonly PowerEffect[] {
  const { powers } = powersOfCode(followCode(toBytes(deployedCode(contract))))
  return powers.filter(({ selector }) => selector === selectorOf(signature)).map(({ effect }) => effect)
}

test('a store that leaves the bits of a holder as they are appoints no holder', () => {
  assert.deepEqual(effectsOf('AllowanceToken', 'pause()'), ['pause'])
  assert.deepEqual(effectsOf('AllowanceToken', 'transferOwnership(address)'), ['grant'])
})

test('a holder who uses up its own entry appoints no holder', () => {
  assert.deepEqual(effectsOf('AllowanceToken', 'mint(address,uint256)'), ['mint'])
  assert.deepEqual(effectsOf('AllowanceToken', 'configureMinter(address,uint256)'), ['grant'])
})

test('a call of one function of a chosen token moves funds, whose data is copied before it is passed', () => {
  assert.deepEqual(effectsOf('CallingOwner', 'rescue(address,address,uint256)'), ['move_funds'])
})

test('only a call whose data the caller chooses executes', () => {
  assert.deepEqual(effectsOf('CallingOwner', 'notify(address[],bytes)'), ['other'])
  assert.deepEqual(effectsOf('CallingOwner', 'run(address,bytes)'), ['execute'])
})

test('a call passes on the power over another contract', () => {
  assert.deepEqual(effectsOf('CallingOwner', 'setCap(address,uint256)'), ['set_terms'])
  assert.deepEqual(effectsOf('CallingOwner', 'handOver(address)'), ['grant'])
})
