import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import type { Header } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { createHeadBlocks } from './head-blocks.ts'
import type { Scope } from './scope.ts'
import type { WatchStore } from './watch-store.ts'

const hash = (number: number, branch = 0xa): Hex => `0x${branch.toString(16)}${number.toString(16).padStart(63, '0')}`
const header = (number: number, branch = 0xa, parent = branch): Header => ({
  number,
  hash: hash(number, branch),
  parentHash: hash(number - 1, parent),
  time: 0,
  logsBloom: undefined,
  transactions: 0,
})
const cursor = { number: 7, hash: hash(7) }

/** A node that serves the blocks of `branchOf`, and a store that counts what it is given. */
function setUp(branchOf: (number: number) => number = () => 0xa) {
  let watched = 0
  let open = 0
  let isLost = false
  const steps: { readonly blocks: readonly Hex[]; readonly events: number }[] = []
  const pool = {
    request: async <T>({ method, params, parse }: RpcRequest<T>) => {
      if (method !== 'eth_getBlockByNumber') return { value: parse([]), from: 0 }
      const { number, hash, parentHash } = header(Number(params[0]), branchOf(Number(params[0])))
      return { value: parse({ number: `0x${number.toString(16)}`, hash, parentHash, timestamp: '0x0' }), from: 0 }
    },
  } as unknown as RpcPool
  const alertAtHead: WatchStore['alertAtHead'] = async (_, { blocks, events }) => {
    steps.push({ blocks: blocks.map((block) => block.hash), events: events.length })
    if (isLost) throw new Error('the connection is lost')
    return open
  }
  const blocks = createHeadBlocks(
    {
      pool,
      store: { alertAtHead } as WatchStore,
      scope: { allTopics: [] } as unknown as Scope,
      fence: () => ({ name: 'watch', holder: 'me', fence: 1 }),
      eventsOf: async () => Array.from({ length: watched }, () => ({}) as EventRecord),
    },
    { readTransactions: false, maxBlocks: 10 },
  )
  return {
    steps,
    reinterpret: blocks.reinterpret,
    alert: (head: Header, from = cursor) => blocks.alert(from, head, undefined),
    watch: (contracts: number) => (watched = contracts),
    keepOpen: (alerts: number) => (open = alerts),
    loseResults: (lost: boolean) => (isLost = lost),
  }
}

test('all blocks above the cursor up to the head are read, in order', async () => {
  const { alert, steps } = setUp()
  await alert(header(10))
  assert.deepEqual(steps, [{ blocks: [hash(8), hash(9), hash(10)], events: 0 }])
})

test('a branch that does not start at the cursor is not alerted', async () => {
  const { alert, steps } = setUp()
  await alert(header(10), { number: 7, hash: hash(7, 0xb) })
  await alert(header(8, 0xb))
  assert.deepEqual(steps, [])
})

test('blocks that do not link are not alerted: a reorg happens', async () => {
  const { alert, steps } = setUp((number) => (number === 9 ? 0xb : 0xa))
  await alert(header(10))
  assert.deepEqual(steps, [])
})

test('a contract that is added is alerted without a new head', async () => {
  const { alert, steps, watch, reinterpret } = setUp()
  await alert(header(9))
  watch(1)
  reinterpret()
  await alert(header(9))
  assert.deepEqual(
    steps.map(({ events }) => events),
    [0, 2],
  )
})

test('the store is asked without events only while alerts may be open', async () => {
  const { alert, steps, keepOpen } = setUp()
  keepOpen(1)
  await alert(header(8))
  assert.equal(steps.length, 1, 'at first: another process may have queued alerts')
  keepOpen(0)
  await alert(header(9))
  assert.equal(steps.length, 2, 'an alert was open')
  await alert(header(10))
  assert.equal(steps.length, 2, 'no alert is open')
})

test('after a lost result alerts may be open', async () => {
  const { alert, steps, watch, loseResults } = setUp()
  await alert(header(8))
  watch(1)
  loseResults(true)
  await assert.rejects(alert(header(9)))
  watch(0)
  loseResults(false)
  await alert(header(9, 0xc, 0xa))
  assert.deepEqual(
    steps.map(({ events }) => events),
    [0, 1, 0],
  )
})

test('the same head is alerted once, another head at its height again', async () => {
  const { alert, steps, keepOpen } = setUp()
  keepOpen(1)
  await alert(header(8))
  await alert(header(8))
  await alert(header(8, 0xc, 0xa))
  assert.deepEqual(
    steps.map(({ blocks }) => blocks),
    [[hash(8)], [hash(8, 0xc)]],
  )
})
