/** The routes of the coin pages return the data of `/api/v2`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'

const recorded = recordedOracle()
const chain = await recordedChain()
const { app, key } = await startV2App({ plan: () => 'basic', btc: () => chain })
const [from, to] = recorded.addresses.filter(({ utxos }) => utxos.length > 3).toSorted((a, b) => b.balance - a.balance)
const address = from?.address ?? ''

async function send(url: string, payload?: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const { statusCode, body } = await app.inject({
    url,
    method: payload === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key },
    ...(payload !== undefined && { payload }),
  })
  // Two responses have different timestamps.
  const timeless = body.replaceAll(/"(timestamp|analyzedAt)":"[^"]+"/g, '"$1":""')
  return { status: statusCode, body: JSON.parse(timeless) as Record<string, unknown> }
}

const { body: history } = await send(`/api/v2/address/${address}/txs`)
const { txid } = (history.data as { txs: { txid: string }[] }).txs[0] ?? { txid: '' }
const PATHS = [
  '/status',
  '/fees',
  `/address/${address}`,
  `/address/${address}/utxos`,
  `/address/${address}/txs`,
  `/tx/${txid}`,
  '/block/100',
  '/block/100000000',
  '/blocks',
  '/blocks?to=100&count=5',
  '/blocks?count=145',
  `/health/${address}`,
  `/analyze/${address}`,
  '/address/nonsense',
]

for (const path of PATHS) {
  test(`the public ${path.replaceAll(/\w{20,}/g, '…')} returns the data of /api/v2`, async () => {
    const [open, keyed] = [await send(`/public/coins/btc${path}`), await send(`/api/v2${path}`)]
    assert.deepEqual(open, keyed)
  })
}

test('a list of blocks has the fields of each block', async () => {
  type Listed = Record<string, unknown> & { readonly height: number }
  const { body } = await send('/api/v2/blocks?to=110&count=3')
  const { blocks } = body.data as { blocks: readonly Listed[] }
  assert.deepEqual(
    blocks.map(({ height }) => height),
    [110, 109, 108],
  )
  for (const listed of blocks) {
    const { body: whole } = await send(`/api/v2/block/${listed.height}`)
    assert.partialDeepStrictEqual(whole.data, listed)
  }
})

test('a simulation returns the data of /api/v2', async () => {
  const spend = { fromAddress: address, toAddress: to?.address, amount: 100_000, feeRate: 3, compareStrategies: true }
  const [open, keyed] = [await send('/public/coins/btc/simulate', spend), await send('/api/v2/simulate', spend)]
  assert.deepEqual(open, keyed)
  assert.equal(open.status, 200)
})

test('a chain without index is NODE_NOT_SYNCED, an unknown chain is INVALID_CHAIN', async () => {
  assert.partialDeepStrictEqual(await send('/public/coins/ltc/fees'), {
    status: 503,
    body: { code: 'NODE_NOT_SYNCED' },
  })
  assert.partialDeepStrictEqual(await send('/public/coins/doge/fees'), { status: 400, body: { code: 'INVALID_CHAIN' } })
})

test("sizes from the node's fee rate diagram are rounded up to virtual bytes", async () => {
  const node = {
    getMempoolInfo: () => Promise.reject(new Error('not called')),
    findFeeEstimate: () => Promise.resolve(undefined),
    findFeeDiagram: () =>
      Promise.resolve([
        { weight: 0, fee: 0 },
        { weight: 561, fee: 1_000 },
        { weight: 1_123, fee: 1_500 },
      ]),
  }
  const modern = await startV2App({ plan: () => 'basic', btc: () => ({ ...chain, node }) })
  const { statusCode, body } = await modern.app.inject({ url: '/public/coins/btc/projected-blocks' })
  assert.equal(statusCode, 200, body)
  const { data } = JSON.parse(body) as { data: object }
  assert.deepEqual(data, {
    source: 'mempool-diagram',
    blocks: [{ vsize: 281, totalFee: 1_500, rates: [3.56, 3.56, 3.56, 3.56, 7.13, 7.13, 7.13] }],
  })
})

test('projected blocks contain the whole mempool, with rates in ascending order', async () => {
  const { body } = await send('/public/coins/btc/projected-blocks')
  const { blocks } = body.data as { blocks: { vsize: number; totalFee: number; rates: number[] }[] }
  const unconfirmed = [...chain.mempool.txids()].map((id) => chain.mempool.find(id))
  assert.equal(
    blocks.reduce((sum, { totalFee }) => sum + totalFee, 0),
    unconfirmed.reduce((sum, tx) => sum + (tx?.fee ?? 0), 0),
  )
  for (const { rates } of blocks) {
    assert.equal(rates.length, 7)
    assert.deepEqual(
      rates,
      rates.toSorted((a, b) => a - b),
    )
  }
})
