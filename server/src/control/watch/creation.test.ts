import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Receipt } from '../rpc/parse.ts'
import { creatorAmong, existenceBefore, learnFromEvent, mergeFact, rollBackFact } from './creation.ts'

const address = '0x00000000000000000000000000000000000000aa'

test('one request decides every later event', () => {
  const fact = learnFromEvent(undefined, address, 100, true)
  assert.equal(existenceBefore(fact, 100), 'existed')
  assert.equal(existenceBefore(fact, 5_000), 'existed')
  assert.equal(existenceBefore(fact, 99), 'unknown')
})

test('a creation is bracketed from both sides', () => {
  const fact = mergeFact(learnFromEvent(undefined, address, 100, true), learnFromEvent(undefined, address, 40, false))
  assert.equal(existenceBefore(fact, 40), 'created')
  assert.equal(existenceBefore(fact, 41), 'existed')
})

test('a reorg removes exactly the facts of the rolled back blocks', () => {
  const created = { ...learnFromEvent(undefined, address, 40, false), txHash: '0x01' } as const
  assert.deepEqual(rollBackFact(created, 39), { address, absentUntil: 39, presentFrom: undefined, txHash: undefined })
  assert.deepEqual(rollBackFact(created, 20), { address, absentUntil: 20, presentFrom: undefined, txHash: undefined })
  assert.deepEqual(rollBackFact(created, 40), created)
  assert.equal(rollBackFact(learnFromEvent(undefined, address, 100, true), 50), undefined)
})

const receipt = (txIndex: number, facts: Partial<Receipt> = {}): Receipt => ({
  txHash: `0x${txIndex}`,
  txIndex,
  blockHash: '0xb',
  contractAddress: undefined,
  hasFailed: false,
  gasUsed: 1_000_000,
  logs: [],
  ...facts,
})
const log = (changes: object) =>
  ({ address: '0x01', topics: [], data: '0x', ...changes }) as unknown as Receipt['logs'][number]
const speaking = { logs: [log({ address })] }
const naming = { logs: [log({ data: `0x${'0'.repeat(24)}${address.slice(2)}` })] }

test('the creator is the transaction whose receipt names the contract, before any that logs its address', () => {
  assert.equal(creatorAmong([receipt(1, naming), receipt(2, { contractAddress: address })], address, 100), '0x2')
  assert.equal(creatorAmong([receipt(3, speaking), receipt(1, naming)], address, 100), '0x1')
  assert.equal(creatorAmong([], address, 100), undefined)
})

test('a contract created without a log was not created by the next transaction that uses it', () => {
  const use = { ...speaking, gasUsed: 45_000 }
  assert.equal(creatorAmong([receipt(0), receipt(1, use)], address, 1_000), '0x0')
  const failed = receipt(0, { hasFailed: true, contractAddress: address })
  assert.equal(creatorAmong([failed, receipt(1), receipt(2, use)], address, 1_000), '0x1')
})

test('a transaction that used too little gas did not create the contract it names', () => {
  const announcement = receipt(0, { ...naming, gasUsed: 60_000 })
  assert.equal(creatorAmong([announcement, receipt(1, speaking)], address, 1_000), '0x1')
})

test('with different gas costs the first transaction that logs the contract created it', () => {
  assert.equal(creatorAmong([receipt(0, { gasUsed: 5 }), receipt(1, { ...naming, gasUsed: 5 })], address, 1), '0x1')
  assert.equal(creatorAmong([receipt(0, { gasUsed: undefined, ...naming })], address, 24_000), '0x0')
})
