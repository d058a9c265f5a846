import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Timing } from '../../lib/clock.ts'
import type { EndpointReport } from './endpoint-log.ts'
import { ResponseTooLargeError } from './json-reader.ts'
import { createRpcPool, type PoolOptions, RangeRefusedError, type RpcPool } from './pool.ts'
import {
  ethCall,
  getBlockHeader,
  getBlockNumber,
  getBlockReceipts,
  getLogs,
  hasCode,
  type RpcRequest,
} from './requests.ts'
import { NoEndpointError, RpcError } from './rpc-error.ts'
import type { TransportResponse } from './transport.ts'

type Call = { id: number; method: string; params: unknown[] }
type Script = (calls: readonly Call[]) => TransportResponse | Promise<TransportResponse>

/** Time advances only during sleep. */
function fakeTiming(): Timing & { pass: (ms: number) => void } {
  let now = 1_000_000
  return {
    now: () => now,
    pass: (ms) => (now += ms),
    // Calls never time out: the scripts respond at once.
    sleep: (ms) => (ms >= 5_000 ? new Promise(() => {}) : Promise.resolve().then(() => void (now += ms))),
  }
}

const ok = (calls: readonly Call[], result: (call: Call) => unknown): TransportResponse => {
  const results = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: result(call) }))
  return { status: 200, body: results.length === 1 ? results[0] : results }
}

const chainThen =
  (script: Script, chainId = '0x1'): Script =>
  (calls) =>
    calls[0]?.method === 'eth_chainId' ? ok(calls, () => chainId) : script(calls)

function poolOf(
  scripts: readonly Script[],
  options: Pick<PoolOptions, 'fillsBatches'> = {},
): {
  pool: RpcPool
  reports: EndpointReport[]
  timing: ReturnType<typeof fakeTiming>
  sent: (readonly Call[])[]
} {
  const reports: EndpointReport[] = []
  const sent: (readonly Call[])[] = []
  const timing = fakeTiming()
  const pool = createRpcPool(
    { timing, report: (report) => reports.push(report) },
    {
      chain: 'ethereum',
      chainId: 1,
      ...options,
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

test('requests made together are sent as one batch and matched in any order', async () => {
  const { pool, sent } = poolOf([
    chainThen((calls) => {
      const reply = ok(calls, (call) => `0x${call.id.toString(16)}`)
      return { ...reply, body: Array.isArray(reply.body) ? reply.body.toReversed() : reply.body }
    }),
  ])
  await pool.request(getBlockNumber)
  const results = await Promise.all([1, 2, 3].map(() => pool.request(getBlockNumber)))
  assert.deepEqual(
    results.map(({ value }) => value),
    [3, 4, 5],
  )
  assert.deepEqual(
    sent.map((calls) => calls.length),
    [1, 1, 3],
  )
})

test('with filled batches, requests wait for the pending response and join its follow-ups', async () => {
  const responded = Promise.withResolvers<void>()
  const { pool, sent } = poolOf(
    [
      chainThen(async (calls) => {
        if (sent.length === 3) await responded.promise
        return ok(calls, () => '0x1')
      }),
    ],
    { fillsBatches: true },
  )
  await pool.request(getBlockNumber) // preceded by the chain id
  const askInBulk = () => pool.request(getBlockNumber, { priority: 'bulk' })
  const turns = async () => {
    for (let count = 0; count < 5; count += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const chained = askInBulk().then(askInBulk)
  await turns()
  const meanwhile = [askInBulk(), turns().then(askInBulk)]
  await turns()
  await pool.request(getBlockNumber) // live requests do not wait
  assert.deepEqual(
    sent.map((calls) => calls.length),
    [1, 1, 1, 1],
  )
  await turns()
  responded.resolve()
  await Promise.all([chained, ...meanwhile])
  assert.deepEqual(
    sent.map((calls) => calls.length),
    [1, 1, 1, 1, 3],
  )
})

test('small requests share a batch, whatever large ones wait between them', async () => {
  const block = `0x${'11'.repeat(32)}` as const
  const respond = chainThen((calls) => ok(calls, ({ method }) => (method === 'eth_blockNumber' ? '0x1' : [])))
  const methodsWith = async (options: Pick<PoolOptions, 'fillsBatches'>) => {
    const { pool, sent } = poolOf([respond], options)
    await pool.request(getBlockNumber)
    const logs = getLogs(1, 2, { topics: [] })
    const mixed = [getBlockNumber, logs, getBlockNumber, getBlockReceipts(block), logs, getBlockNumber]
    await Promise.all(mixed.map((request: RpcRequest<unknown>) => pool.request(request, { priority: 'bulk' })))
    return sent.slice(2).map((calls) => calls.map(({ method }) => method.slice('eth_'.length)).join(' '))
  }
  const numbers = 'blockNumber blockNumber blockNumber'
  assert.deepEqual(await methodsWith({}), [numbers, 'getLogs', 'getBlockReceipts', 'getLogs'])
  // With filled batches, requests of logs share batches too: no caller waits for the small ones alone.
  assert.deepEqual(await methodsWith({ fillsBatches: true }), [numbers, 'getLogs getLogs', 'getBlockReceipts'])
})

test('requests of logs share a batch as long as their results are bounded', async () => {
  const { pool, sent } = poolOf(
    [chainThen((calls) => ok(calls, ({ method }) => (method === 'eth_getLogs' ? [] : '0x1')))],
    {
      fillsBatches: true,
    },
  )
  await pool.request(getBlockNumber)
  const ranges = Array.from({ length: 10 }, (_, n) => getLogs(n, n + 5, { topics: [] }))
  // The logs of one block cannot be requested in parts and may be many.
  const requests = [...ranges, getLogs(7, 7, { topics: [] })]
  await Promise.all(requests.map((request) => pool.request(request, { priority: 'bulk' })))
  assert.deepEqual(
    sent.slice(2).map((calls) => calls.length),
    [8, 2, 1],
  )
})

test('a batch has at most a megabyte, and a larger request is sent alone', async () => {
  const { pool, sent } = poolOf([chainThen((calls) => ok(calls, () => '0x1'))], { fillsBatches: true })
  await pool.request(getBlockNumber)
  const to = `0x${'22'.repeat(20)}` as const
  const sizes = [300_000, 300_000, 300_000, 2_000_000, 300_000, 2]
  await Promise.all(
    sizes.map((size) =>
      pool.request(ethCall({ to, data: `0x${'00'.repeat(size / 2)}` }, { number: 1 }), { priority: 'bulk' }),
    ),
  )
  assert.deepEqual(
    sent.slice(2).map((calls) => calls.map(({ params: [call] }) => (call as { data: string }).data.length - 2)),
    [[300_000, 300_000, 300_000, 2], [2_000_000], [300_000]],
  )
})

test('the chain id is verified first, and an endpoint of another chain gets no request', async () => {
  const { pool, reports, sent } = poolOf([
    chainThen(() => assert.fail('sent to another chain'), '0x5'),
    chainThen((calls) => ok(calls, () => '0x10')),
  ])
  assert.deepEqual(await pool.request(getBlockNumber), { value: 16, from: 1 })
  await pool.request(getBlockNumber)
  assert.equal(sent.filter((calls) => calls[0]?.method === 'eth_chainId').length, 2)
  assert.deepEqual(
    reports.map((report) => report.type === 'error' && report.detail),
    ['serves chain 5, not 1 (ethereum)'],
  )
})

test('a rate-limited endpoint is suspended for its Retry-After while the next one serves', async () => {
  let refusing = true
  const { pool, timing } = poolOf([
    chainThen((calls) => (refusing ? { status: 429, retryAfter: '9', body: undefined } : ok(calls, () => '0x1'))),
    chainThen((calls) => ok(calls, () => '0x2')),
  ])
  assert.equal((await pool.request(getBlockNumber)).from, 1)
  refusing = false
  assert.equal((await pool.request(getBlockNumber)).from, 1)
  assert.deepEqual(pool.available(), [1])
  timing.pass(9_001)
  assert.equal((await pool.request(getBlockNumber)).from, 0)
})

test('calls that a contract makes too long do not suspend the endpoint', async () => {
  const error = { code: -32000, message: 'execution aborted (timeout = 5s)' }
  const { pool } = poolOf([chainThen(([call]) => ({ status: 200, body: { jsonrpc: '2.0', id: call?.id, error } }))])
  const slow = ethCall({ to: `0x${'22'.repeat(20)}`, data: '0x' }, { number: 1 })
  for (let tries = 0; tries < 6; tries += 1)
    await assert.rejects(
      pool.request(slow),
      (thrown) => thrown instanceof NoEndpointError && thrown.isUnanimous('aborted'),
    )
  assert.deepEqual(pool.available(), [0])
})

test('after a malformed response the next endpoint is tried', async () => {
  const { pool, reports } = poolOf([
    chainThen((calls) => ok(calls, () => 'sixteen')),
    chainThen((calls) => ok(calls, () => '0x10')),
  ])
  assert.deepEqual(await pool.request(getBlockNumber), { value: 16, from: 1 })
  assert.deepEqual(
    reports.map((report) => report.type === 'error' && report.kind),
    ['shape'],
  )
})

test('a range that is too wide goes to the caller with the hint', async () => {
  const error = { code: -32600, message: 'eth_getLogs is limited to a 100 block range' }
  const { pool } = poolOf([chainThen(([call]) => ({ status: 200, body: { jsonrpc: '2.0', id: call?.id, error } }))])
  await assert.rejects(pool.request(getLogs(1, 500, {})), (thrown) => {
    assert.ok(thrown instanceof RangeRefusedError)
    assert.deepEqual(thrown.hint, { blocks: 100, isLimit: true })
    assert.equal(thrown.endpoint, 0)
    return true
  })
})

test('every request states the size and depth of its response, and one beyond it is named with its method', async () => {
  const limits: Record<string, number> = {}
  const pool = createRpcPool(
    { timing: fakeTiming(), report: () => {} },
    {
      chain: 'ethereum',
      chainId: 1,
      urls: ['https://node.example'],
      transport: () => ({
        send: async ({ payload, maxBytes, maxDepth }) => {
          const { id, method } = JSON.parse(payload) as Call
          limits[method] = maxBytes
          assert.ok(maxDepth <= 9, method)
          if (method === 'eth_chainId') return { status: 200, body: { id, result: '0x1' } }
          throw new ResponseTooLargeError(maxBytes)
        },
        close: () => {},
      }),
    },
  )
  const kindAndText = (request: RpcRequest<unknown>) =>
    pool.request(request).then(
      () => assert.fail('it was refused'),
      (error: unknown) => {
        const { kind, message } = error instanceof NoEndpointError ? (error.errors[0] as RpcError) : (error as RpcError)
        return [kind, message]
      },
    )
  assert.deepEqual(await kindAndText(getBlockNumber), [
    'shape',
    'node.example: eth_blockNumber: the response is larger than 16 kB',
  ])
  const hash = `0x${'11'.repeat(32)}` as const
  assert.equal((await kindAndText(getLogs(1, 2, {})))[0], 'range')
  assert.equal((await kindAndText(ethCall({ to: `0x${'22'.repeat(20)}`, data: '0x' }, { number: 1 })))[0], 'reverted')
  assert.equal((await kindAndText(getBlockReceipts(hash)))[0], 'range')
  assert.equal(limits.eth_chainId, 16 * 1_024)
})

test('error messages name only the host of a URL', async () => {
  const { pool, reports } = poolOf([() => Promise.reject(new Error('connect refused'))])
  await assert.rejects(pool.request(getBlockNumber), (thrown) => {
    assert.ok(thrown instanceof NoEndpointError)
    assert.ok(thrown.errors[0] instanceof RpcError)
    assert.match(thrown.message, /node0\.example: cannot be reached: connect refused/)
    return true
  })
  assert.doesNotMatch(JSON.stringify(reports), /secret|key-0|token/)
})

test('after consecutive errors nothing is sent until the suspension ends', async () => {
  const { pool, sent, timing } = poolOf([() => Promise.reject(new Error('down'))])
  for (let n = 0; n < 8; n += 1) await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  assert.equal(sent.length, 4)
  timing.pass(1_001)
  await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  assert.equal(sent.length, 5)
})

const refusal = (calls: readonly Call[], message: string, code = -32000): TransportResponse => {
  const results = calls.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } }))
  return { status: 200, body: results.length === 1 ? results[0] : results }
}

test('JSON-RPC errors in a 200 response open the circuit too', async () => {
  const { pool, sent } = poolOf([chainThen((calls) => refusal(calls, 'internal error'))])
  for (let n = 0; n < 8; n += 1) await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  assert.equal(sent.filter(([call]) => call?.method !== 'eth_chainId').length, 4)
})

test('rate limit errors in a 200 response extend the suspension and do not count as recovery', async () => {
  const { pool, reports, timing } = poolOf([chainThen((calls) => refusal(calls, 'over rate limit', -32016))])
  await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  timing.pass(1_001)
  await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  timing.pass(1_001)
  assert.deepEqual(pool.available(), [])
  assert.ok(reports.every((report) => report.type === 'error'))
})

test('a rate limit error in a 200 response honors Retry-After', async () => {
  const { pool, timing } = poolOf([chainThen((calls) => ({ ...refusal(calls, 'over rate limit'), retryAfter: '9' }))])
  await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  timing.pass(8_000)
  assert.deepEqual(pool.available(), [])
  timing.pass(1_001)
  assert.deepEqual(pool.available(), [0])
})

/** More than `most` at once is refused. */
const REFUSALS: Readonly<Record<string, (most: number) => Script>> = {
  'with one error for all': (most) => () => ({
    status: 200,
    body: { jsonrpc: '2.0', id: null, error: { code: -32600, message: `batch of more than ${most} not allowed` } },
  }),
  'with a code that means "slow down" elsewhere': () => () => ({
    status: 200,
    body: { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'batch size is too large' } },
  }),
  'with the same error for each': () => (calls) => refusal(calls, 'batch limit exceeded', -32005),
  'as too large': () => () => ({ status: 413, body: undefined }),
  'by its status': () => () => ({ status: 400, body: undefined }),
  'without a list': () => () => ({ status: 200, body: 'no' }),
  'by omitting the responses beyond it': (most) => (calls) => {
    const { body } = ok(calls, ({ id }) => `0x${id.toString(16)}`)
    return { status: 200, body: Array.isArray(body) ? body.slice(0, most) : body }
  },
}

for (const [how, refuse] of Object.entries(REFUSALS))
  for (const most of [1, 4])
    test(`a batch of more than ${most}, refused ${how}, is sent again in smaller ones without an error to the callers`, async () => {
      const { pool, sent } = poolOf([
        chainThen((calls) =>
          calls.length > most ? refuse(most)(calls) : ok(calls, ({ id }) => `0x${id.toString(16)}`),
        ),
      ])
      const requestTwenty = () => Promise.all(Array.from({ length: 20 }, () => pool.request(getBlockNumber)))
      await pool.request(getBlockNumber)
      const results = await requestTwenty()
      assert.equal(new Set(results.map(({ value }) => value)).size, 20, 'every request gets its own result')
      assert.deepEqual(pool.available(), [0], 'a small batch limit does not suspend the endpoint')
      sent.length = 0
      await requestTwenty()
      assert.ok(sent.every((calls) => calls.length <= most))
    })

test('requests refused as a batch and singly fail and open the circuit', async () => {
  const { pool } = poolOf([chainThen(() => ({ status: 500, body: undefined }))])
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => pool.request(getBlockNumber)))
  assert.ok(results.every(({ status }) => status === 'rejected'))
  assert.deepEqual(pool.available(), [])
})

test('after many successful responses larger batches are tried again', async () => {
  let isCut = true
  const { pool, sent } = poolOf([
    chainThen((calls) => {
      const reply = ok(calls, () => '0x1')
      return isCut && Array.isArray(reply.body) ? { ...reply, body: reply.body.slice(0, 3) } : reply
    }),
  ])
  const askTen = (): Promise<unknown> => Promise.all(Array.from({ length: 10 }, () => pool.request(getBlockNumber)))
  const largest = (): number => Math.max(...sent.map((calls) => calls.length))
  await pool.request(getBlockNumber)
  await askTen()
  sent.length = 0
  await askTen()
  assert.equal(largest(), 3)
  isCut = false
  for (let n = 0; n < 1_000; n += 1) await pool.request(getBlockNumber)
  sent.length = 0
  await askTen()
  assert.equal(largest(), 6)
})

test('a gateway error does not shrink batches', async () => {
  let isAway = true
  const { pool, sent } = poolOf([
    chainThen((calls) => (isAway && calls.length > 1 ? { status: 502, body: undefined } : ok(calls, () => '0x1'))),
  ])
  await pool.request(getBlockNumber)
  await Promise.allSettled([pool.request(getBlockNumber), pool.request(getBlockNumber)])
  isAway = false
  sent.length = 0
  await Promise.all([pool.request(getBlockNumber), pool.request(getBlockNumber)])
  assert.deepEqual(
    sent.map((calls) => calls.length),
    [2],
  )
})

test('an indivisible request that is too large for one endpoint goes to the next', async () => {
  const { pool } = poolOf([
    chainThen(() => ({ status: 413, body: { error: 'payload too large' } })),
    chainThen((calls) => ok(calls, () => [])),
  ])
  assert.equal((await pool.request(getBlockReceipts(`0x${'0'.repeat(64)}`))).from, 1)
})

test('responses with string ids or an error status are accepted', async () => {
  const { pool } = poolOf([
    chainThen((calls) => {
      const results = calls.map(({ id }) => ({ jsonrpc: '2.0', id: String(id), result: '0x5' }))
      return results.length === 1 ? { status: 200, body: results[0] } : { status: 400, body: results }
    }),
  ])
  assert.equal((await pool.request(getBlockNumber)).value, 5)
  const both = await Promise.all([pool.request(getBlockNumber), pool.request(getBlockNumber)])
  assert.deepEqual(
    both.map(({ value }) => value),
    [5, 5],
  )
})

test('an API key quoted by the endpoint is removed from the message', async () => {
  const { pool, reports } = poolOf([
    () => ({ status: 401, body: { error: { code: -32001, message: 'secret refused: POST //user:secret@node0' } } }),
  ])
  await assert.rejects(pool.request(getBlockNumber), (thrown) => {
    assert.match(String(thrown), /HTTP 401/)
    assert.doesNotMatch(String(thrown), /secret/)
    return true
  })
  assert.deepEqual(
    reports.map((report) => report.type === 'error' && report.kind),
    ['auth'],
  )
})

test('control characters of an endpoint are not in the message', async () => {
  const message = 'boom \0 \x1b[31m\r\nfake line \ud800'
  const { pool } = poolOf([() => ({ status: 200, body: { id: 1, error: { code: -32_000, message } } })])
  await assert.rejects(pool.request(getBlockNumber), (thrown) => {
    assert.match(String(thrown), /boom +\[31m fake line \ufffd \(-32000\)/)
    return true
  })
})

test('the chain id is verified again after an outage', async () => {
  let chainId = '0x1'
  let isDown = false
  const { pool, timing } = poolOf([
    (calls) => {
      if (isDown) throw new Error('down')
      return ok(calls, (call) => (call.method === 'eth_chainId' ? chainId : '0x7'))
    },
  ])
  await pool.request(getBlockNumber)
  isDown = true
  for (let n = 0; n < 4; n += 1) await assert.rejects(pool.request(getBlockNumber), NoEndpointError)
  isDown = false
  chainId = '0x89'
  timing.pass(1_001)
  await assert.rejects(pool.request(getBlockNumber), /serves chain 137, not 1/)
})

test('an endpoint that does not accept a block hash gets the block number', async () => {
  const { pool, sent } = poolOf([
    chainThen((calls) =>
      calls.some(({ params }) => typeof params[1] === 'object')
        ? refusal(calls, 'invalid argument 1: json: cannot unmarshal object', -32602)
        : ok(calls, () => '0x6001'),
    ),
  ])
  const block = { number: 9, hash: `0x${'1'.repeat(64)}` } as const
  assert.equal((await pool.request(hasCode(`0x${'2'.repeat(40)}`, block))).value, true)
  assert.equal(sent.at(-1)?.[0]?.params[1], '0x9')
})

test('an endpoint that returns headers without logsBloom is reported', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const header = { number: '0x1', hash, parentHash: hash, timestamp: '0x5', transactions: [] }
  const { pool, reports } = poolOf([
    chainThen((calls) => ok(calls, () => header)),
    chainThen((calls) => ok(calls, () => ({ ...header, logsBloom: `0x${'0'.repeat(512)}` }))),
  ])
  for (const only of pool.all) await pool.request(getBlockHeader(1), { only })
  assert.deepEqual(
    reports.map((report) => [report.type, report.host]),
    [['warning', 'node0.example']],
  )
})
