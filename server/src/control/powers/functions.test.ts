import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import { toBytes } from '../../lib/hex.ts'
import { followCode } from '../code/dataflow.ts'
import { type CodeFunction, functionsOf } from './functions.ts'
import { selectorOf } from './names.ts'

function functionOf(contract: string, signature: string): CodeFunction {
  const functions = functionsOf(followCode(toBytes(deployedCode(contract))))
  const found = functions.find(({ selector }) => selector === selectorOf(signature))
  assert.ok(found !== undefined)
  return found
}

test('of two answers about the caller that suffice, both are guards', () => {
  const { access } = functionOf('AnsweredGuards', 'setCap(uint256)')
  assert.ok(access.type === 'guarded')
  assert.deepEqual(
    new Set(access.guards.map((guard) => guard.type === 'answer' && guard.selector)),
    new Set([selectorOf('isRiskAdmin(address)'), selectorOf('isPoolAdmin(address)')]),
  )
})

test('that an answer about the caller is a truth value is no guard', () => {
  assert.deepEqual(functionOf('AnsweredGuards', 'borrow(uint256)').access, { type: 'open' })
})
