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
