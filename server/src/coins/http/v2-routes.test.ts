/** The JSON of the read endpoints over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import type { ServedChain } from '../serve/served-chain.ts'

const recorded = recordedOracle()
const chain = await recordedChain()
let served: ServedChain | undefined = chain
let utxoPlan: UtxoPlan = 'pro'
const { app, key } = await startV2App({ plan: () => utxoPlan, btc: () => served })

type ApiResponse = {
  readonly status: number
  readonly text: string
  readonly code?: string
  readonly data: Record<string, unknown>
}

async function get(path: string): Promise<ApiResponse> {
  const { statusCode, body } = await app.inject({ url: `/api/v2${path}`, headers: { 'x-api-key': key } })
  const { code, data = {} } = JSON.parse(body) as { code?: string; data?: Record<string, unknown> }
  return { status: statusCode, text: body, data, ...(code === undefined ? {} : { code }) }
}

const [busy] = recorded.addresses.toSorted((a, b) => b.utxos.length - a.utxos.length)
const address = busy?.address ?? ''

test('each read endpoint returns exactly the documented fields', async () => {
  const fields = async (path: string): Promise<string[]> => Object.keys((await get(path)).data).sort()
  assert.deepEqual(await fields('/status'), [
    'blockHeight',
    'chain',
    'chainName',
    'difficulty',
    'hashrate',
    'mempoolSize',
    'source',
    'symbol',
    'synced',
  ])
  assert.deepEqual(await fields(`/address/${address}`), [
    'address',
    'balance',
    'balanceFormatted',
    'calculating',
    'chain',
    'totalReceived',
    'totalSent',
    'txCount',
    'unconfirmedBalance',
    'unconfirmedTxCount',
  ])
  assert.deepEqual(await fields(`/address/${address}/utxos`), ['address', 'chain', 'count', 'limited', 'utxos'])
  const { utxos } = (await get(`/address/${address}/utxos?limit=1`)).data as { utxos: Record<string, unknown>[] }
  assert.deepEqual(Object.keys(utxos[0] ?? {}).sort(), ['confirmations', 'txid', 'value', 'valueFormatted', 'vout'])
  const { txs } = (await get(`/address/${address}/txs?pageSize=1`)).data as { txs: { txid: string }[] }
  assert.deepEqual(await fields(`/tx/${txs[0]?.txid}`), [
    'blockHash',
    'blockHeight',
    'confirmations',
    'fee',
    'hash',
    'inputs',
    'locktime',
    'outputs',
    'size',
    'txid',
    'version',
    'vsize',
    'weight',
  ])
})

test('amounts match the recorded data, as JSON integers', async () => {
  const { data } = await get(`/address/${address}`)
  assert.deepEqual(
    [data['balance'], data['totalReceived'], data['totalSent'], data['txCount']],
    [busy?.balance, busy?.totalReceived, busy?.totalSent, busy?.txCount],
  )
})

test('a sum beyond 2^53 keeps all digits', async () => {
  served = {
    ...chain,
    mempool: Object.assign(Object.create(chain.mempool), {
      balanceChange: () => 9_007_199_254_740_993n,
      ofScript: () => [],
    }),
  }
  assert.match((await get(`/address/${address}`)).text, /"unconfirmedBalance":9007199254740993[,}]/)
  served = chain
})

test('plan and limit parameter limit the list of coins', async () => {
  for (const [plan, limit, expected] of [
    ['basic', undefined, 100],
    ['basic', 7, 7],
    ['enterprise', undefined, busy?.utxos.length ?? 0],
  ] as const) {
    utxoPlan = plan
    const { data } = await get(`/address/${address}/utxos${limit === undefined ? '' : `?limit=${limit}`}`)
    const unspent = (busy?.utxos ?? []).filter(({ txid, vout }) => chain.mempool.findSpender(txid, vout) === undefined)
    const most = Math.min(expected, unspent.length)
    assert.equal(data['count'], most)
    assert.equal(data['limited'], most < unspent.length)
  }
  utxoPlan = 'pro'
})

test('errors have their codes', async () => {
  for (const [path, expected] of [
    ['/address/1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', '400 INVALID_ADDRESS'],
    ['/address/x/utxos', '400 INVALID_ADDRESS'],
    [`/tx/${'ab'.repeat(32)}`, '404 TX_NOT_FOUND'],
    ['/block/999999', '404 BLOCK_NOT_FOUND'],
    [`/address/${address}?chain=ltc`, '503 NODE_NOT_SYNCED'],
    [`/address/${address}/txs?cursor=zzz`, '400 INVALID_PARAMETER'],
  ] as const) {
    const { status, code } = await get(path)
    assert.equal(`${status} ${code}`, expected, path)
  }
})

test('a forged cursor is rejected, whatever numbers it contains', async () => {
  const id = 'ab'.repeat(32)
  for (const [text, expected] of [
    [`c.999999999999.${id}`, '400 CURSOR_EXPIRED'],
    [`c.${2 ** 40 - 1}.${id}`, '400 INVALID_PARAMETER'],
    [`c.9999999999999.${id}`, '400 INVALID_PARAMETER'],
    [`m.999999999999.${id}.999999999.${id}`, '400 CURSOR_EXPIRED'],
  ] as const) {
    const { status, code } = await get(`/address/${address}/txs?cursor=${Buffer.from(text).toString('base64url')}`)
    assert.equal(`${status} ${code}`, expected, text)
  }
})

test('while a chain is not synced or its index is not open, only /status responds', async () => {
  served = {
    ...chain,
    state: () => ({ tip: { height: 600, hash: '' }, isDownloading: false, hasSameChain: true, mempoolSize: 3 }),
  }
  assert.deepEqual([(await get('/status')).data['synced'], (await get(`/address/${address}`)).status], [false, 503])
  served = undefined
  const { data } = await get('/status')
  assert.deepEqual([data['synced'], data['chainName'], (await get('/block/1')).status], [false, 'Bitcoin', 503])
  served = chain
})

test('a time before the first block is refused with the time of that block', async () => {
  const { data } = await get('/block/0')
  const { status, text } = await get('/blocks/at?time=0')
  assert.equal(status, 404)
  assert.deepEqual(JSON.parse(text), {
    success: false,
    error: `btc has no block at or before 1970-01-01T00:00:00.000Z. Its first block is from ${String(data['timestamp'])}.`,
    code: 'BLOCK_NOT_FOUND',
  })
})
