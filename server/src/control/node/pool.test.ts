import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoEndpointError, RpcFault } from './faults.ts'
import { createPool, type NodePool, RangeRefusedError } from './pool.ts'
import { askBlockNumber, askLogsInRange } from './questions.ts'
import type { NodeReport } from './reporter.ts'
import type { Timing } from './timing.ts'
import type { Reply } from './transport.ts'

type Call = { id: number; method: string; params: unknown[] }
type Script = (calls: readonly Call[]) => Reply | Promise<Reply>

/** Time stands still unless someone sleeps; then it is later. */
function fakeTiming(): Timing & { pass: (ms: number) => void } {
  let now = 1_000_000
  return {
    now: () => now,
    pass: (ms) => (now += ms),
    // Deadlines of calls never come: the scripts answer at once.
    sleep: (ms) => (ms >= 5_000 ? new Promise(() => {}) : Promise.resolve().then(() => void (now += ms))),
  }
}

const ok = (calls: readonly Call[], result: (call: Call) => unknown): Reply => {
  const answers = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: result(call) }))
  return { status: 200, body: answers.length === 1 ? answers[0] : answers }
}

const chainThen =
  (script: Script, chainId = '0x1'): Script =>
  (calls) =>
    calls[0]?.method === 'eth_chainId' ? ok(calls, () => chainId) : script(calls)

function poolOf(scripts: readonly Script[]): {
  pool: NodePool
  reports: NodeReport[]
  timing: ReturnType<typeof fakeTiming>
  sent: (readonly Call[])[]
} {
  const reports: NodeReport[] = []
  const sent: (readonly Call[])[] = []
  const timing = fakeTiming()
  const pool = createPool(
    { timing, report: (report) => reports.push(report) },
    {
      chain: 'ethereum',
      chainId: 1,
      urls: scripts.map((_, at) => `https://user:secret@node${at}.example/key-${at}?token=abc`),
      transport: (url) => ({
        send: async ({ payload }) => {
          const parsed = JSON.parse(payload) as Call | Call[]
          const calls = Array.isArray(parsed) ? parsed : [parsed]
          sent.push(calls)
          const script = scripts[Number(/node(\d)/.exec(url)?.[1])] as Script
          return await script(calls)
        },
        close: () => {},
      }),
    },
  )
  return { pool, reports, timing, sent }
}

test('questions put together travel as one batch and find their answers in any order', async () => {
  const { pool, sent } = poolOf([
    chainThen((calls) => {
      const reply = ok(calls, (call) => `0x${call.id.toString(16)}`)
      return { ...reply, body: Array.isArray(reply.body) ? reply.body.toReversed() : reply.body }
    }),
  ])
  await pool.ask(askBlockNumber)
  const answers = await Promise.all([1, 2, 3].map(() => pool.ask(askBlockNumber)))
  assert.deepEqual(
    answers.map(({ value }) => value),
    [3, 4, 5],
  )
  assert.deepEqual(
    sent.map((calls) => calls.length),
    [1, 1, 3],
  )
})

test('the chain is checked before the first question, and a wrong one is never asked', async () => {
  const { pool, reports, sent } = poolOf([
    chainThen(() => assert.fail('asked a stranger'), '0x5'),
    chainThen((calls) => ok(calls, () => '0x10')),
  ])
  assert.deepEqual(await pool.ask(askBlockNumber), { value: 16, from: 1 })
  await pool.ask(askBlockNumber)
  assert.equal(sent.filter((calls) => calls[0]?.method === 'eth_chainId').length, 2)
  assert.deepEqual(
    reports.map((report) => report.type === 'fault' && report.detail),
    ['serves chain 5, not 1 (ethereum)'],
  )
})

test('a refused endpoint rests as long as it asked for while the next one answers', async () => {
  let refusing = true
  const { pool, timing } = poolOf([
    chainThen((calls) => (refusing ? { status: 429, retryAfter: '9', body: undefined } : ok(calls, () => '0x1'))),
    chainThen((calls) => ok(calls, () => '0x2')),
  ])
  assert.equal((await pool.ask(askBlockNumber)).from, 1)
  refusing = false
  assert.equal((await pool.ask(askBlockNumber)).from, 1)
  assert.deepEqual(pool.awake(), [1])
  timing.pass(9_001)
  assert.equal((await pool.ask(askBlockNumber)).from, 0)
})

test('a wrong shape is the fault of its endpoint, and the next one is asked', async () => {
  const { pool, reports } = poolOf([
    chainThen((calls) => ok(calls, () => 'sixteen')),
    chainThen((calls) => ok(calls, () => '0x10')),
  ])
  assert.deepEqual(await pool.ask(askBlockNumber), { value: 16, from: 1 })
  assert.deepEqual(
    reports.map((report) => report.type === 'fault' && report.kind),
    ['shape'],
  )
})

test('a range that is too wide comes back to the asker with the hint', async () => {
  const error = { code: -32600, message: 'eth_getLogs is limited to a 100 block range' }
  const { pool } = poolOf([chainThen(([call]) => ({ status: 200, body: { jsonrpc: '2.0', id: call?.id, error } }))])
  await assert.rejects(pool.ask(askLogsInRange(1, 500, {})), (thrown) => {
    assert.ok(thrown instanceof RangeRefusedError)
    assert.equal(thrown.hintBlocks, 100)
    assert.equal(thrown.endpoint, 0)
    return true
  })
})

test('no message carries more of a URL than its host', async () => {
  const { pool, reports } = poolOf([() => Promise.reject(new Error('connect refused'))])
  await assert.rejects(pool.ask(askBlockNumber), (thrown) => {
    assert.ok(thrown instanceof NoEndpointError)
    assert.ok(thrown.faults[0] instanceof RpcFault)
    assert.match(thrown.message, /node0\.example: cannot be reached: connect refused/)
    return true
  })
  assert.doesNotMatch(JSON.stringify(reports), /secret|key-0|token/)
})

test('after faults in a row nothing is sent until the rest is over', async () => {
  const { pool, sent, timing } = poolOf([() => Promise.reject(new Error('down'))])
  for (let n = 0; n < 8; n += 1) await assert.rejects(pool.ask(askBlockNumber), NoEndpointError)
  assert.equal(sent.length, 4)
  timing.pass(1_001)
  await assert.rejects(pool.ask(askBlockNumber), NoEndpointError)
  assert.equal(sent.length, 5)
})

test('an endpoint that refuses batches is asked one by one', async () => {
  const { pool, sent } = poolOf([
    chainThen((calls) => (calls.length > 1 ? { status: 400, body: undefined } : ok(calls, () => '0x1'))),
  ])
  await pool.ask(askBlockNumber)
  await Promise.allSettled([pool.ask(askBlockNumber), pool.ask(askBlockNumber)])
  sent.length = 0
  await Promise.all([pool.ask(askBlockNumber), pool.ask(askBlockNumber)])
  assert.deepEqual(
    sent.map((calls) => calls.length),
    [1, 1],
  )
})
