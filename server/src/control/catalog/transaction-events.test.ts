import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { decodeCall } from './inner-calls.ts'
import { listedCalls } from './transaction-events.ts'

const addressOf = (n: number): Hex => numberToHex(n, { size: 20 })

test('of many calls the ones that change control are listed, and a short list keeps its order', () => {
  const upgradeTo = encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), args: [addressOf(9)] })
  const batch = parseAbi(['function executeBatch((address,uint256,bytes)[])'])
  const listed = (others: number) => {
    const transfers = Array.from({ length: others }, (_, n) => [addressOf(100 + n), 1n, '0x'] as const)
    const data = encodeFunctionData({ abi: batch, args: [[...transfers, [addressOf(7), 0n, upgradeTo] as const]] })
    const { calls, moreCalls } = listedCalls(decodeCall({ from: addressOf(1), to: addressOf(2), value: 0n, data }))
    return [(calls as readonly { readonly to: Hex }[]).map(({ to }) => to), moreCalls] as const
  }
  const [first, more] = listed(30)
  assert.deepEqual([first.length, first[0], first[1], more], [10, addressOf(7), addressOf(100), 21])
  assert.deepEqual(listed(2), [[addressOf(100), addressOf(101), addressOf(7)], undefined])
})
