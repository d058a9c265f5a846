import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemTiming } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createChainReads } from './chain-reads.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Said = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

const HASH: Hex = `0x${'11'.repeat(32)}`
const TO: Hex = `0x${'22'.repeat(20)}`

/** Endpoints that return this for every call. */
function readsFrom(...endpoints: readonly ((call: Call) => Said)[]) {
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    {
      chain: 'ethereum',
      chainId: 1,
      urls: endpoints.map((_, at) => `http://node${at}.example`),
      transport: (url) => ({
        send: async ({ payload }) => {
          const say = endpoints[Number(/node(\d)/.exec(url)?.[1])]
          const parsed = JSON.parse(payload) as Call | Call[]
          const responses = [parsed].flat().map((call) => ({
            jsonrpc: '2.0',
            id: call.id,
            ...(call.method === 'eth_chainId' ? { result: '0x1' } : say?.(call)),
          }))
          return { status: 200, body: Array.isArray(parsed) ? responses : responses[0] }
        },
        close: () => {},
      }),
    },
  )
  return createChainReads({ pool, multicall: TO, codes: createCodeAnalyzer(), positions: [] }, 1, {
    number: 9,
    hash: HASH,
  })
}

const refuses = (): Said => ({ error: { code: 3, message: 'execution reverted' } })
const lags = (): Said => ({ error: { code: -32_000, message: 'header not found' } })
const answers = (): Said => ({ result: '0x01' })
const isGone = (): never => {
  throw new Error('connect refused')
}

test('a call reverts if one endpoint reports it and none returns a value, however the others fail', async () => {
  for (const [name, endpoints, type] of [
    ['all refuse', [refuses, refuses], 'absent'],
    ['the second lags', [refuses, lags], 'absent'],
    ['the first lags', [lags, refuses], 'absent'],
    ['the second is gone', [refuses, isGone], 'absent'],
    ['one has a value', [refuses, answers], 'value'],
    ['no endpoint responds', [lags, isGone], 'unread'],
  ] as const) {
    assert.equal((await readsFrom(...endpoints).call(TO, '0x00000001')).type, type, name)
  }
})

test('a revert is not a failed read while the second endpoint is paused', async () => {
  const reads = readsFrom(refuses, isGone)
  for (let n = 0; n < 12; n += 1)
    assert.equal((await reads.call(TO, `0x${n.toString(16).padStart(8, '0')}`)).type, 'absent', `call ${n}`)
})

test('an endpoint that accepts no block hash is called with the block number', async () => {
  const reads = readsFrom(({ params }) =>
    params[1] === '0x9' ? { result: '0x02' } : { error: { code: -32_602, message: 'invalid argument 1' } },
  )
  assert.deepEqual(await reads.call(TO, '0x00000001', TO), { type: 'value', value: '0x02' })
})

test('a module cannot be tried without state overrides; a failure where they worked before is a failed read', async () => {
  const drive = (reads: ReturnType<typeof readsFrom>) => reads.drive(TO, TO, ['0x00000001'])
  const ONE: Hex = `0x${'1'.padStart(64, '0')}`
  assert.deepEqual(await drive(readsFrom(() => ({ result: ONE }))), { type: 'value', value: ONE })
  assert.equal((await drive(readsFrom(() => ({ result: '0x' })))).type, 'absent', 'overrides are ignored')
  assert.equal((await drive(readsFrom(isGone))).type, 'unread')
  const without = readsFrom(({ method, params }) =>
    method === 'eth_call' && params.length > 2
      ? { error: { code: -32_602, message: 'too many arguments, want at most 2' } }
      : { result: '0x' },
  )
  await without.code(TO)
  assert.equal((await drive(without)).type, 'absent', 'overrides are refused')
})
