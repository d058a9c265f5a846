import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, stringToHex } from 'viem'
import { readQueue } from './families.ts'

const QUEUE = {
  operation: '7',
  queuedAt: 1_000,
  earliestAt: 2_000,
  now: 1_500,
  block: 90_000,
  blockTime: 12,
  parentBlockTime: undefined,
}
const selectorOf = (name: string): Hex => keccak256(stringToHex(name)).slice(0, 10) as Hex

/** A contract that returns these words by the signature of the getter, and nothing for other calls. */
const contract = (results: Readonly<Record<string, readonly bigint[]>>) => (data: Hex) =>
  Promise.resolve(Object.entries(results).find(([name]) => data.startsWith(selectorOf(name)))?.[1])

test('a Compound timelock adds its grace period to the earliest execution', async () => {
  const read = contract({ 'GRACE_PERIOD()': [1_209_600n] })
  assert.deepEqual(await readQueue('compound_timelock', QUEUE, read), { expiresAt: 1_211_600 })
  assert.deepEqual(await readQueue('compound_timelock', QUEUE, contract({})), { expiresAt: undefined })
  const absurd = contract({ 'GRACE_PERIOD()': [2n ** 255n] })
  assert.deepEqual(await readQueue('compound_timelock', QUEUE, absurd), { expiresAt: undefined })
})

test('a governor reports states without an event', async () => {
  const stateOf = async (word: bigint) =>
    (await readQueue('governor', QUEUE, contract({ 'state(uint256)': [word] }))).state
  assert.deepEqual(await Promise.all([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 2n ** 200n].map(stateOf)), [
    undefined,
    undefined,
    'canceled',
    'defeated',
    undefined,
    'queued',
    'expired',
    'executed',
    'canceled', // vetoed, in the governor of Nouns
    undefined,
  ])
  const queued = contract({ 'state(uint256)': [5n], 'proposalEta(uint256)': [3_000n] })
  assert.deepEqual(await readQueue('governor', { ...QUEUE, earliestAt: undefined }, queued), {
    state: 'queued',
    earliestAt: 3_000,
  })
})

test('a proposal has an earliest execution during the vote, by a clock in blocks or in seconds', async () => {
  const NOW = 1_700_000_000
  const queue = { ...QUEUE, earliestAt: undefined, now: NOW }
  const timelock = { 'timelock()': [0xabn], 'getMinDelay()': [86_400n] }
  const earliest = async (results: Readonly<Record<string, readonly bigint[]>>, more = {}) =>
    await readQueue('governor', { ...queue, ...more }, contract({ 'state(uint256)': [1n], ...results }))
  const inBlocks = { ...timelock, 'proposalDeadline(uint256)': [90_100n] }
  assert.deepEqual(await earliest(inBlocks), { earliestAt: NOW + 1_200 + 86_400 })
  assert.deepEqual(await earliest({ ...inBlocks, 'clock()': [90_000n] }), { earliestAt: NOW + 1_200 + 86_400 })
  const inSeconds = { ...timelock, 'clock()': [BigInt(NOW)], 'proposalDeadline(uint256)': [BigInt(NOW + 500)] }
  assert.deepEqual(await earliest(inSeconds), { earliestAt: NOW + 500 + 86_400 })
  // A rollup whose contracts see the blocks of the chain that it settles on.
  const ofParent = { ...timelock, 'clock()': [20_000_000n], 'proposalDeadline(uint256)': [20_000_010n] }
  assert.deepEqual(await earliest(ofParent, { parentBlockTime: 12 }), { earliestAt: NOW + 120 + 86_400 })
  assert.deepEqual(await earliest(ofParent), { earliestAt: undefined })
  assert.deepEqual(await earliest({ ...timelock, 'proposalDeadline(uint256)': [2n ** 200n] }), {
    earliestAt: undefined,
  })
  // A governor of Compound.
  const bravo = { 'timelock()': [0xabn], 'delay()': [60n], 'proposals(uint256)': [7n, 0n, 0n, 89_000n, 90_010n, 0n] }
  assert.deepEqual(await earliest(bravo), { earliestAt: NOW + 120 + 60 })
})

test('a proposal that passed waits for the queue, or is ready if there is none', async () => {
  const queue = { ...QUEUE, earliestAt: undefined, now: 10_000 }
  const passed = async (results: Readonly<Record<string, readonly bigint[]>>) =>
    await readQueue('governor', queue, contract({ 'state(uint256)': [4n], ...results }))
  assert.deepEqual(await passed({ 'timelock()': [0xabn], 'delay()': [60n] }), { earliestAt: 10_060 })
  const clock = { 'clock()': [10_000n], 'proposalDeadline(uint256)': [9_000n] }
  assert.deepEqual(await passed({ ...clock, 'proposalNeedsQueuing(uint256)': [0n] }), {
    state: 'queued',
    earliestAt: 9_000,
  })
  assert.deepEqual(await passed({}), { earliestAt: undefined })
})

test('an Aave payload has its delay and grace period in the controller', async () => {
  const payload = [32n, 0xabn, 1n, 2n, 900n, 1_000n, 0n, 0n, 5_000n, 86_400n, 604_800n, 352n]
  assert.deepEqual(await readQueue('aave_payloads', QUEUE, contract({ 'getPayloadById(uint40)': payload })), {
    state: 'queued',
    earliestAt: 87_400,
    expiresAt: 692_200,
  })
  assert.deepEqual(await readQueue('aave_payloads', QUEUE, contract({ 'getPayloadById(uint40)': [1n, 2n] })), {})
})

test('a delay module passes transactions by their number', async () => {
  const delay = { 'txCooldown()': [3_600n], 'txExpiration()': [0n] }
  assert.deepEqual(await readQueue('zodiac_delay', QUEUE, contract({ ...delay, 'txNonce()': [7n] })), {
    earliestAt: 4_600,
    expiresAt: undefined,
  })
  assert.deepEqual((await readQueue('zodiac_delay', QUEUE, contract({ ...delay, 'txNonce()': [8n] }))).state, 'passed')
})

test('an id that is not a number is not sent to a getter', async () => {
  const none = () => Promise.reject(new Error('called'))
  for (const family of ['governor', 'aave_governance', 'aave_payloads', 'lido_governance', 'oz_timelock'] as const)
    assert.deepEqual(await readQueue(family, { ...QUEUE, operation: '0xff' }, none), {})
})
