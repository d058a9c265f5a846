import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { decodeCall } from '../catalog/inner-calls.ts'
import { MAX_TARGETS, targetsOf } from './steps.ts'

const addressOf = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`
const call = (to: Hex, data: Hex = '0x') => decodeCall({ from: addressOf(1), to, value: 0n, data })

test('other calls of an operation do not displace the targets of a control function', () => {
  const [proxy, code] = [addressOf(0xa0000), addressOf(0xb0000)]
  const upgrade = encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), args: [code] })
  const others = Array.from({ length: MAX_TARGETS + 10 }, (_, n) => call(addressOf(0x1000 + n)))
  const targets = targetsOf([...others, call(proxy, upgrade)])
  assert.equal(targets.length, MAX_TARGETS)
  assert.deepEqual(targets.slice(0, 3), [
    { address: proxy, isAffected: true },
    { address: code, isAffected: false },
    { address: addressOf(0x1000), isAffected: true },
  ])
})
