import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { decodeCall } from '../catalog/inner-calls.ts'
import { MAX_CALLS, MAX_TARGETS, operationOf, type Step, storedCalls, targetsOf } from './steps.ts'

const addressOf = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`
const call = (to: Hex, data: Hex = '0x') => decodeCall({ from: addressOf(1), to, value: 0n, data })

test('other calls of an operation do not displace the targets of a control function', () => {
  const [proxy, code] = [addressOf(0xa0000), addressOf(0xb0000)]
  const upgrade = encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), args: [code] })
  const others = Array.from({ length: MAX_TARGETS + 10 }, (_, n) => call(addressOf(0x1000 + n)))
  const targets = targetsOf([...others, call(proxy, upgrade)])
  assert.equal(targets.length, MAX_TARGETS)
  assert.deepEqual(targets.slice(0, 3), [
    { address: proxy, isAffected: true, isSerious: true },
    { address: code, isAffected: false, isSerious: true },
    { address: addressOf(0x1000), isAffected: true, isSerious: false },
  ])
})

const upgradeOf = (code: Hex): Hex =>
  encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), args: [code] })

test('code that an operation delegates to is watched before all else', () => {
  const controls = Array.from({ length: MAX_TARGETS + 10 }, (_, n) =>
    call(addressOf(0x1000 + n), upgradeOf(addressOf(7))),
  )
  const spell = decodeCall({
    from: addressOf(1),
    to: addressOf(0xc0de),
    value: 0n,
    data: '0x',
    operation: 'delegatecall',
  })
  assert.deepEqual(targetsOf([...controls, spell])[0], {
    address: addressOf(0xc0de),
    isAffected: true,
    isSerious: true,
  })
})

test('of many calls those that change control are stored, in one step and in one step each', () => {
  const others = Array.from({ length: MAX_CALLS + 50 }, (_, n) => call(addressOf(0x1000 + n)))
  const upgrade = call(addressOf(0xa0000), upgradeOf(addressOf(7)))
  const batch = parseAbi(['function executeBatch((address,uint256,bytes)[])'])
  const entries = [
    ...others.map(({ target }) => [target, 0n, '0x'] as const),
    [upgrade.target, 0n, upgradeOf(addressOf(7))] as const,
  ]
  const nested = call(addressOf(2), encodeFunctionData({ abi: batch, args: [entries] }))
  const [first] = storedCalls([...others, upgrade])
  assert.equal(first?.target, upgrade.target)
  assert.equal(storedCalls([nested])[0]?.calls?.[0]?.target, upgrade.target)
  assert.equal(storedCalls([...others, upgrade]).length, MAX_CALLS)
  const step = (one: (typeof others)[number], logIndex: number): Step => ({
    phase: 'queued',
    severity: 'high',
    blockNumber: 1,
    blockTime: 0,
    logIndex,
    txHash: '0x',
    queuedBy: undefined,
    readyAt: undefined,
    calls: storedCalls([one]),
    callCount: 1,
    digests: [],
  })
  const operation = operationOf([...others, upgrade].map(step))
  assert.deepEqual([operation?.calls[0]?.target, operation?.callCount], [upgrade.target, MAX_CALLS + 51])
})
