import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Receipt } from '../node/parse.ts'
import { creatorAmong, existedBefore, learn, merge, undo } from './creation.ts'

const address = '0x00000000000000000000000000000000000000aa'

test('one answer settles every later event', () => {
  const fact = learn(undefined, address, 100, true)
  assert.equal(existedBefore(fact, 100), 'before')
  assert.equal(existedBefore(fact, 5_000), 'before')
  assert.equal(existedBefore(fact, 99), 'unknown')
})

test('a birth is seen from both sides', () => {
  const fact = merge(learn(undefined, address, 100, true), learn(undefined, address, 40, false))
  assert.equal(existedBefore(fact, 40), 'born')
  assert.equal(existedBefore(fact, 41), 'before')
})

test('a rewind takes back what the undone blocks told, and no more', () => {
  const born = { ...learn(undefined, address, 40, false), txHash: '0x01' } as const
  assert.deepEqual(undo(born, 39), { address, absentUntil: 39, presentFrom: undefined, txHash: undefined })
  assert.deepEqual(undo(born, 20), { address, absentUntil: 20, presentFrom: undefined, txHash: undefined })
  assert.deepEqual(undo(born, 40), born)
  assert.equal(undo(learn(undefined, address, 100, true), 50), undefined)
})

const receipt = (txIndex: number, facts: Partial<Receipt> = {}): Receipt => ({
  txHash: `0x${txIndex}`,
  txIndex,
  blockHash: '0xb',
  contractAddress: undefined,
  logs: [],
  ...facts,
})
const log = (changes: object) =>
  ({ address: '0x01', topics: [], data: '0x', ...changes }) as unknown as Receipt['logs'][number]

test('the maker is the transaction whose receipt says so, before any that merely names the contract', () => {
  const named = receipt(1, { logs: [log({ data: `0x${'0'.repeat(24)}${address.slice(2)}` })] })
  assert.equal(creatorAmong([named, receipt(2, { contractAddress: address })], address), '0x2')
  assert.equal(creatorAmong([receipt(3, { logs: [log({ address })] }), named], address), '0x1')
  assert.equal(creatorAmong([receipt(0)], address), undefined)
})
