/** A node that accepts connections and never answers: every endpoint of `/api/v2` answers in time and names the reason. */
import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { startFakeCore } from '../../../../testing/coins/fake-core.ts'
import { recordedBlocks, recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedMempool } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { connectBlocks, openCoinIndex } from '../index/coin-index.ts'
import { markIndex } from '../index/index-marker.ts'
import { indexPath } from '../index/index-writer.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { FEES_TIMEOUT_MS } from '../node/connect-source.ts'
import { parseBlock } from '../parse/block.ts'
import { startChainService } from '../serve/chain-service.ts'
import { isSynced } from '../serve/served-chain.ts'

const oracle = recordedOracle()
const rich = oracle.addresses.toSorted((a, b) => b.utxos.length - a.utxos.length)
const [from = '', to = ''] = rich.map(({ address }) => address)
const txid = oracle.addresses.flatMap(({ utxos }) => utxos)[0]?.txid ?? ''
const payment = { fromAddress: from, toAddress: to, amount: 10_000, psbt: true }
/** The endpoints, those for POST with their body. */
const ENDPOINTS: readonly (readonly [path: string, body?: object])[] = [
  ['/status'],
  ['/chains'],
  ['/usage'],
  ['/fees'],
  [`/address/${from}`],
  [`/address/${from}/utxos`],
  [`/address/${from}/txs`],
  [`/tx/${txid}`],
  ['/block/5'],
  ['/simulate', payment],
  [`/health/${from}`],
  [`/analyze/${from}`],
  ['/analyze/batch', { addresses: [from] }],
]

/** Forwards connections to a port until it hangs: then it accepts bytes and sends none. */
async function startHangingProxy(port: number) {
  const sockets = new Set<Socket>()
  let isHanging = false
  const server = createServer((socket) => {
    sockets.add(socket)
    const upstream = connect(port, '127.0.0.1')
    sockets.add(upstream)
    for (const each of [socket, upstream]) each.on('error', () => undefined)
    socket.on('data', (bytes) => isHanging || upstream.write(bytes))
    upstream.on('data', (bytes) => isHanging || socket.write(bytes))
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => isHanging || socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    url: `http://user:pass@127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    hang: () => {
      isHanging = true
    },
  }
}

const core = await startFakeCore()
after(core.stop)
core.chain = recordedBlocks().map((bytes) => parseBlock(bytes, { mweb: false }))
core.mempool = recordedMempool()
const proxy = await startHangingProxy(Number(new URL(core.url).port))
const dataDir = temporaryFolder()
const path = indexPath(dataDir, bitcoinRegtest)
const kv = openLmdbKv({ path, noSync: true })
connectBlocks(
  openCoinIndex(kv, bitcoinRegtest, path),
  recordedBlocks().map((bytes) => parseBlock(bytes, { mweb: false })),
)
markIndex(path)
after(() => kv.close())

/** Shorter than in service, so that the test does not wait as long. */
const TIMEOUT_MS = 3_000

async function serve(rpcUrl: string) {
  const options = { chain: 'btc', rpcUrl, dataDir, pollMs: 20, readOnly: true, timeoutMs: TIMEOUT_MS } as const
  const service = startChainService(options)
  after(service.stop)
  const { app, key } = await startV2App({
    plan: () => 'pro',
    btc: service.find,
    btcFault: () => service.findFault('reader'),
  })
  const ask = async ([url, body]: (typeof ENDPOINTS)[number]) => {
    const started = performance.now()
    const response = await app.inject({
      url: `/api/v2${url}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key },
      ...(body !== undefined && { payload: body }),
    })
    const { error } = response.json<{ error?: string }>()
    return { url, status: response.statusCode, error, ms: performance.now() - started }
  }
  return { service, ask }
}

test('a node that stops answering: what needs it gets 503 in time, the rest is served from the index', async () => {
  const { service, ask } = await serve(proxy.url)
  await eventually(() => {
    const chain = service.find()
    return chain !== undefined && isSynced(chain) ? chain : undefined
  })
  proxy.hang()
  const responses = await Promise.all(ENDPOINTS.map(ask))
  // A request waits for the fee rates and for one more response, not for two.
  const longest = FEES_TIMEOUT_MS + 2 * TIMEOUT_MS
  for (const { url, ms } of responses) assert.ok(ms < longest, `${url} took ${ms} ms`)
  const refused = responses.filter(({ status }) => status === 503)
  assert.deepEqual(
    responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 503),
    [],
  )
  const reasons = refused.filter(({ url }) => url !== '/analyze/batch').map(({ error }) => error)
  assert.ok(reasons.length > 0)
  for (const reason of reasons) assert.match(reason ?? '', /^The node of .* does not answer/)
  assert.equal(responses.find(({ url }) => url === '/fees')?.status, 200)
})

test('a service that starts with such a node names it as the reason', async () => {
  const { service, ask } = await serve(proxy.url)
  await service.firstAttempt
  const responses = await Promise.all(ENDPOINTS.map(ask))
  for (const { url, ms, status, error } of responses) {
    assert.ok(ms < 1_000, `${url} took ${ms} ms`)
    if (['/status', '/chains', '/usage'].includes(url)) assert.equal(status, 200)
    else if (url !== '/analyze/batch')
      assert.deepEqual(
        [status, error],
        [503, 'The node of btc does not answer. Try again later; /status shows its state.'],
      )
  }
})
