import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executionsOf } from './executed-calls.ts'

const [safe, target, other] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]

test('the calls of a Safe are named with their arguments', () => {
  const calls = [
    { to: target, function: 'changeThreshold(uint256)', arguments: ['2'] },
    { to: target, function: 'grantRole(bytes32,address)', arguments: [`0x${'0'.repeat(64)}`, other] },
    { to: target, function: '0x12345678', operation: 'delegatecall' },
  ]
  const [found] = executionsOf([
    { address: safe, args: { owner: other } },
    { address: safe, args: { calls, moreCalls: 3 } },
  ])
  assert.equal(found?.by, safe)
  assert.equal(found?.isComplete, false)
  assert.equal(found?.calls[0], `Change the threshold of ${target} to 2`)
  assert.equal(found?.calls[1], `Grant Default admin role of ${target} to ${other}`)
  assert.match(found?.calls[2] ?? '', /0x12345678.*, as a delegatecall$/)
})

test('events without calls execute nothing', () => {
  assert.deepEqual(
    executionsOf([
      { address: safe, args: { calls: [] } },
      { address: safe, args: { calls: 'x' } },
    ]),
    [],
  )
})
