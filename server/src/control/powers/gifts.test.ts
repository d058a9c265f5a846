import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import { toBytes } from '../../lib/hex.ts'
import { followCode } from '../code/dataflow.ts'
import { powersOfCode } from './code-powers.ts'
import { selectorOf } from './names.ts'

test('votes that move without an allowance in any case are a gift, those that move with one or by their owner are not', () => {
  const { gifts = [] } = powersOfCode(followCode(toBytes(deployedCode('TakenVotes'))))
  const isGift = (name: string): boolean =>
    gifts.some(
      ({ selector, readBy }) =>
        selector === selectorOf(`${name}(address,address,uint96)`) && readBy.includes(selectorOf('getVotes(address)')),
    )
  for (const name of ['aaa', 'bbb', 'ccc', 'ddd', 'eee']) assert.equal(isGift(name), true, name)
  for (const name of ['own', 'either', 'later']) assert.equal(isGift(name), false, name)
})
