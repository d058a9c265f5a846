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
  const [found] = executionsOf(
    [
      { eventKey: 'safe.added_owner', address: safe, args: { owner: other } },
      { eventKey: 'safe.exec_ok', address: safe, args: { calls, moreCalls: 3 } },
    ],
    () => undefined,
  )
  assert.equal(found?.by, safe)
  assert.equal(found?.isComplete, false)
  assert.equal(found?.calls[0], `Change the threshold of ${target} to 2`)
  assert.equal(found?.calls[1], `Grant Default admin role of ${target} to ${other}`)
  assert.match(found?.calls[2] ?? '', /0x12345678.*, as a delegatecall$/)
})

test('events without calls execute nothing', () => {
  assert.deepEqual(
    executionsOf(
      [
        { eventKey: 'safe.exec_ok', address: safe, args: { calls: [] } },
        { eventKey: 'safe.exec_ok', address: safe, args: { calls: 'x' } },
      ],
      () => undefined,
    ),
    [],
  )
})

test('the calls of a timelock are decoded, with the decimals of a token', () => {
  const word = (text: string) => text.replace('0x', '').padStart(64, '0')
  const executed = (data: string) => ({
    eventKey: 'timelock.executed',
    address: safe,
    args: { id: '0x01', target, value: '0', data },
  })
  const calls = [
    `0x3659cfe6${word(other)}`,
    `0xa9059cbb${word(other)}${word(1_500_000n.toString(16))}`,
    '0x12345678',
    '0x',
    '0x3659cfe6',
  ]
  const found = executionsOf(calls.map(executed), () => ({ symbol: 'USDC', decimals: 6 }))
  assert.deepEqual(found, [
    {
      by: safe,
      calls: [
        `Upgrade ${target} to ${other}`,
        `Transfer 1.5 USDC of the token ${target} to ${other}`,
        `Call function 0x12345678 of ${target}`,
        `Send nothing to ${target}`,
        `Call upgradeTo(address) of ${target}`,
      ],
      isComplete: true,
    },
  ])
})
