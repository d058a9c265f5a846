import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBytes } from '../../lib/hex.ts'
import { blocksOf } from './blocks.ts'

test('a branch comes before the block at which it meets the other one, also where it stands behind it', () => {
  // CALLDATASIZE PUSH1 6 JUMPI; 4: JUMPDEST STOP; 6: JUMPDEST PUSH1 4 JUMP
  const { destinations, places } = blocksOf(toBytes('0x366006575b005b600456'))
  assert.deepEqual([...destinations], [4, 6])
  const order = [...places].sort(([, a], [, b]) => a - b).map(([at]) => at)
  assert.deepEqual(order, [0, 6, 4])
})

test('what a function returns to comes after what is called', () => {
  // PUSH1 6 PUSH1 8 JUMP STOP; 6: JUMPDEST STOP; 8: JUMPDEST JUMP
  const { places } = blocksOf(toBytes('0x6006600856005b005b56'))
  const placeOf = (at: number): number => places.get(at) ?? Number.NaN
  assert.ok(placeOf(0) < placeOf(8))
  assert.ok(placeOf(8) < placeOf(6))
})

test('a block only reverts if every path from it does, and it does nothing before that is recorded', () => {
  // CALLDATASIZE PUSH1 9 JUMPI CALLER PUSH1 13 JUMPI STOP
  // 9: JUMPDEST PUSH1 20 JUMP; 13: JUMPDEST PUSH0 SLOAD PUSH1 20 JUMP STOP; 20: JUMPDEST PUSH0 PUSH0 REVERT
  const { reverting } = blocksOf(toBytes('0x3660095733600d57005b6014565b5f54601456005b5f5ffd'))
  assert.deepEqual(
    [...reverting].sort((a, b) => a - b),
    [9, 20],
  )
})
