import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { Header } from '../rpc/parse.ts'
import { type FollowState, newFollowState, onFollowEvent, type Window } from './follower-state.ts'
import { ReorgTooDeepError } from './reorg.ts'

const settings = { chain: 'test', confirmations: 2, reorgLimit: 100, blocksPerStep: 4, maxLag: 50 }
const hash = (number: number, branch = 'a'): Hex => `0x${branch}${number}`
const block = (number: number, branch = 'a') => ({ number, hash: hash(number, branch), time: number })
const header = (number: number, branch = 'a', parent = branch): Header => ({
  ...block(number, branch),
  parentHash: hash(number - 1, parent),
  logsBloom: '0x',
  transactions: 0,
})
const at = (...numbers: number[]): FollowState =>
  newFollowState(settings, numbers.map((number) => block(number)) as unknown as Window)
const head = (number: number, branch = 'a') => ({ type: 'head', head: { number, hash: hash(number, branch) } }) as const

test('a block is read once it has enough confirmations', () => {
  assert.deepEqual(onFollowEvent(at(5), head(8))[1], [{ type: 'fetchHeaders', from: 6, to: 6 }])
  assert.deepEqual(onFollowEvent(at(5), head(20))[1], [{ type: 'fetchHeaders', from: 6, to: 9 }])
})

test('a new head at the same height checks that the cursor block is still on the chain', () => {
  const [seen, effects] = onFollowEvent(at(5), head(7))
  assert.deepEqual(effects, [{ type: 'checkBlock', number: 5 }])
  assert.deepEqual(onFollowEvent(seen, head(7))[1], [])
  assert.deepEqual(onFollowEvent(seen, head(7, 'b'))[1], [{ type: 'checkBlock', number: 5 }])
})

test('a lower head is ignored unless it is on another branch', () => {
  assert.deepEqual(onFollowEvent(at(3, 4, 5), head(4))[1], [])
  assert.deepEqual(onFollowEvent(at(3, 4, 5), head(4, 'b'))[1], [{ type: 'compareViews' }])
  assert.deepEqual(onFollowEvent(at(3, 5), head(4, 'b'))[1], [], 'a height outside the window decides nothing')
})

test('only headers that continue the stored chain are read', () => {
  const [state] = onFollowEvent(at(5), head(20))
  const [, effects] = onFollowEvent(state, { type: 'headers', headers: [header(6), header(7), header(8, 'b', 'b')] })
  assert.deepEqual(effects, [{ type: 'readBlocks', headers: [header(6), header(7)] }])
  assert.deepEqual(onFollowEvent(state, { type: 'headers', headers: [header(6, 'b', 'b')] })[1], [
    { type: 'compareViews' },
  ])
})

test('a fork is found, and the chain rolled back to the last shared block', () => {
  const views = [{ endpoint: 1, head: 30, number: 8, hash: hash(8, 'b') }]
  let [state, [effect]] = onFollowEvent(at(5, 6, 7, 8), { type: 'views', views })
  assert.deepEqual(effect, { type: 'probe', endpoint: 1, numbers: [8, 7, 6, 5] })
  const hashes = new Map([5, 6, 7, 8].map((number) => [number, hash(number, number > 6 ? 'b' : 'a')]))
  ;[state, [effect]] = onFollowEvent(state, { type: 'probed', hashes })
  assert.deepEqual(effect, { type: 'rollBack', from: block(8), to: block(6) })
  ;[state] = onFollowEvent(state, { type: 'rolledBack', to: block(6) })
  assert.deepEqual(state.window, [block(5), block(6)])
})

test('nothing is rolled back if the endpoint returns to the stored branch during the search', () => {
  const views = [{ endpoint: 1, head: 30, number: 8, hash: hash(8, 'b') }]
  const [state] = onFollowEvent(at(5, 6, 7, 8), { type: 'views', views })
  const hashes = new Map([5, 6, 7, 8].map((number) => [number, hash(number)]))
  assert.deepEqual(onFollowEvent(state, { type: 'probed', hashes })[1], [])
})

test('a fork below the unfinalized blocks is an error for the operator', () => {
  const views = [{ endpoint: 0, head: 30, number: 6, hash: hash(6, 'b') }]
  const [state] = onFollowEvent(at(5, 6), { type: 'views', views })
  assert.throws(() => onFollowEvent(state, { type: 'probed', hashes: new Map() }), ReorgTooDeepError)
})

test('a long lag becomes a job once the cursor block is confirmed', () => {
  const [state] = onFollowEvent(at(5), head(500))
  const [, effects] = onFollowEvent(state, { type: 'headers', headers: [header(6)] })
  assert.deepEqual(effects, [{ type: 'handOver', after: block(5), to: 400 }])
})

const numbers = (state: FollowState): readonly number[] => state.window.map(({ number }) => number)

test('finalized blocks leave the window', () => {
  const [state] = onFollowEvent(at(5, 6, 7, 106, 107), head(109))
  const [next] = onFollowEvent(state, { type: 'advanced', blocks: [block(108), block(109)] })
  assert.deepEqual(numbers(next), [7, 106, 107, 108, 109])
})

test('a head far ahead does not shorten the window: it may be on another branch', () => {
  const [state] = onFollowEvent(at(5, 6, 7), head(150))
  const [next] = onFollowEvent(state, { type: 'advanced', blocks: [block(8), block(9)] })
  assert.deepEqual(numbers(next), [5, 6, 7, 8, 9])
})

test('in a sparse window the newest finalized block stays: a fork may start just above it', () => {
  const [state] = onFollowEvent(at(1, 5, 109), head(111))
  const [next] = onFollowEvent(state, { type: 'advanced', blocks: [block(110)] })
  assert.deepEqual(numbers(next), [5, 109, 110])
})
