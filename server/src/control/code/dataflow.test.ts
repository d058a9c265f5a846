import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBytes } from '../../lib/hex.ts'
import { followCode } from './dataflow.ts'

test('functions that only revert are found', () => {
  // PUSH0 CALLDATALOAD PUSH1 224 SHR; twice DUP1 PUSH4 EQ PUSH1 28 JUMPI; PUSH0 PUSH0 REVERT; 28: JUMPDEST PUSH0 PUSH0 REVERT
  const code = toBytes('0x5f3560e01c80631111111114601c5780632222222214601c575f5ffd5b5f5ffd')
  const { functions, effects, settled } = followCode(code)
  assert.deepEqual([...functions.keys()], [0x11111111n, 0x22222222n])
  assert.deepEqual([effects, settled], [[], true])
})
