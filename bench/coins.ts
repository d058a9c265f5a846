/**
 * `npm run bench -- coins [seconds per query]`: measures response times of light and heavy addresses.
 *
 * Builds a chain with addresses of 3, 1,000 and 200,000 transactions, indexes it, and sends requests over loopback HTTP,
 * with ten connections for the rate and with one for the response time. The server is a bare one around the same
 * handlers; `npm run bench -- http` measures keys and limits. The limit is 10 ms for 99 of 100 responses. Finally the
 * light address is requested while another client analyzes or lists the heavy one: the heavy one must not slow it down.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { syncIndex } from '../server/src/coins/index/initial-sync.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { MempoolView } from '../server/src/coins/mempool/mempool-view.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { openBlockFiles } from '../server/src/coins/node/block-files.ts'
import { describeScript } from '../server/src/coins/parse/address.ts'
import { getAddress, getUtxos } from '../server/src/coins/serve/address-view.ts'
import { getAnalysis } from '../server/src/coins/serve/analysis-view.ts'
import { createFeeService } from '../server/src/coins/serve/fee-service.ts'
import { getHistory } from '../server/src/coins/serve/history-view.ts'
import type { ServedChain } from '../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../server/src/coins/serve/transaction-loader.ts'
import { systemClock } from '../server/src/lib/clock.ts'
import {
  type BuiltInput,
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  buildTx,
  outputScriptOf,
  regtestGenesis,
  witnessScriptOf,
} from '../testing/coins/block-builder.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'

/** Address number to the number of its transactions. */
const ADDRESSES = new Map([
  [1, 3],
  [2, 1_000],
  [3, 200_000],
])
const TXS_PER_BLOCK = 2_000
const FILLER = 1_000_000
const MOST_MS = 10

type Coin = { readonly txid: Buffer; readonly vout: number; readonly nonce: number; readonly value: number }

/** Every other transaction of an address spends its oldest coin. */
function heavyChain(): Buffer {
  const left = new Map(ADDRESSES)
  const held = new Map<number, Coin[]>([...ADDRESSES.keys()].map((nonce) => [nonce, []]))
  const funds: Coin[] = []
  const frames: Buffer[] = []
  let last = regtestGenesis(bitcoinRegtest)
  let filler = FILLER
  const write = (bytes: Buffer): void => {
    const frame = Buffer.from(`${bitcoinRegtest.magic}00000000`, 'hex')
    frame.writeUInt32LE(bytes.length, 4)
    frames.push(frame, bytes)
  }
  const pay = (coin: Coin, to: number): BuiltTx => {
    const input: BuiltInput = { txid: coin.txid, vout: coin.vout, witness: witnessScriptOf(coin.nonce) }
    const change = ++filler
    const value = 10_000 + (filler % 5_000)
    const tx = buildTx(
      [input],
      [
        { value, script: outputScriptOf(to) },
        { value: coin.value - value - 100, script: outputScriptOf(change) },
      ],
    )
    held.get(to)?.push({ txid: tx.txid, vout: 0, nonce: to, value })
    funds.push({ txid: tx.txid, vout: 1, nonce: change, value: coin.value - value - 100 })
    return tx
  }
  const sweep = (coin: Coin): BuiltTx =>
    buildTx(
      [{ txid: coin.txid, vout: coin.vout, witness: witnessScriptOf(coin.nonce) }],
      [{ value: coin.value - 100, script: outputScriptOf(++filler) }],
    )
  write(last.bytes)
  for (let height = 1; [...left.values()].some((count) => count > 0); height++) {
    const outputs = Array.from({ length: 100 }, () => ({ value: 4e9, script: outputScriptOf(++filler) }))
    const coinbase = buildCoinbase(height, outputs)
    const first = filler - outputs.length + 1
    const txs = [coinbase]
    if (height > 1) {
      for (let i = 0; i < TXS_PER_BLOCK; i++) {
        const nonce = [...left.keys()].findLast((key) => (left.get(key) ?? 0) > 0)
        const light = i < 20 ? [...left.keys()].find((key) => (left.get(key) ?? 0) > 0) : nonce
        if (light === undefined) break
        const coins = held.get(light) ?? []
        const coin = funds.shift()
        if (coin === undefined) break
        const isSweep = i % 2 === 1 && coins.length > 0
        const spent = isSweep ? coins.shift() : undefined
        if (spent === undefined) txs.push(pay(coin, light))
        else {
          funds.unshift(coin)
          txs.push(sweep(spent))
        }
        left.set(light, (left.get(light) ?? 0) - 1)
      }
    }
    for (const [vout, output] of outputs.entries()) {
      funds.push({ txid: coinbase.txid, vout, nonce: first + vout, value: output.value })
    }
    last = buildBlock(last.hash, 1_700_000_000 + height * 600, txs)
    write(last.bytes)
  }
  return Buffer.concat(frames)
}

const judges = { feeService: createFeeService({ clock: systemClock }), clock: systemClock }

const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item))

function serve(chain: ServedChain): Server {
  return createServer((request, response) => {
    const [, kind, address = '', page = '1'] = (request.url ?? '').split('/')
    const respond = (): unknown => {
      if (kind === 'address') return getAddress(chain, address)
      if (kind === 'utxos') return getUtxos(chain, address, 100)
      if (kind === 'all-utxos') return getUtxos(chain, address, undefined)
      if (kind === 'analyze') return getAnalysis(judges, chain, address, 100)
      return getHistory(chain, address, { page: Number(page), pageSize: 25 })
    }
    Promise.resolve()
      .then(respond)
      .then(
        (data) => response.end(toJson({ success: true, data })),
        (error: unknown) => {
          response.statusCode = 500
          response.end(String(error))
        },
      )
  })
}

async function load(url: string, connections: number, duration: number): Promise<autocannon.Result> {
  // In a separate thread, so that the server's thread does not send requests.
  const result = await autocannon({ url, connections, duration, workers: 1 })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx + result.errors} failures`)
  return result
}

/** Measures requests a second with ten connections, and the response time with one. */
async function measure(name: string, url: string, duration: number): Promise<string> {
  const many = await load(url, 10, duration)
  const one = await load(url, 1, duration)
  report({ name: `${name}, p99`, value: one.latency.p99, unit: 'ms', atMost: MOST_MS })
  const rate = many.requests.average.toFixed(0).padStart(6)
  return `${rate} requests/s   alone: p50 ${one.latency.p50} ms, p99 ${one.latency.p99} ms`
}

/** Measures the response time of the light address while one connection requests `busy` without a pause. */
async function measureNextTo(url: string, busy: string, duration: number): Promise<string> {
  const [light, heavy] = await Promise.all([load(url, 1, duration), load(busy, 1, duration)])
  const { p50, p99, max } = light.latency
  report({
    name: `a light address next to ${busy.split('/').at(-2)} of a heavy one, p99`,
    value: p99,
    unit: 'ms',
    atMost: MOST_MS,
  })
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms (the heavy request: p50 ${heavy.latency.p50} ms)`
}

const duration = Number(process.argv[2] ?? 5)
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  console.log(`${cpus().length} cores, Node ${process.version}, ${duration} s each`)
  reportVersions(packageVersions(['lmdb', 'autocannon']))
  writeFileSync(join(folder, 'blk00000.dat'), heavyChain())
  const source = await openBlockFiles(bitcoinRegtest, folder)
  const kv = openLmdbKv({ path: join(folder, 'index') })
  const index = openCoinIndex(kv, bitcoinRegtest, folder)
  await syncIndex({ index, source, clock: systemClock }, { batchBytes: 8_000_000 })
  const tip = await source.getTip()
  const chain: ServedChain = {
    network: bitcoinRegtest,
    index,
    mempool: new MempoolView(),
    source,
    sourceName: 'block files',
    loader: createTransactionLoader(source, { mweb: false }),
    state: () => ({ tip, isDownloading: false, hasSameChain: true, mempoolSize: 0 }),
  }
  const server = serve(chain)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const bound = server.address()
  const base = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
  for (const [nonce, count] of ADDRESSES) {
    const { address } = describeScript(bitcoinRegtest, outputScriptOf(nonce))
    const { txCount } = getAddress(chain, address ?? '')
    if (txCount !== count) throw new Error(`the address has ${txCount} transactions instead of ${count}`)
    console.log(`an address with ${count} transactions`)
    console.log(
      `  balance and totals   ${await measure(`balance and totals of ${count} transactions`, `${base}/address/${address}`, duration)}`,
    )
    console.log(
      `  100 coins            ${await measure(`100 coins of ${count} transactions`, `${base}/utxos/${address}`, duration)}`,
    )
    console.log(
      `  newest 25 lines      ${await measure(`newest 25 lines of ${count} transactions`, `${base}/txs/${address}/1`, duration)}`,
    )
    const lastPage = Math.ceil(count / 25)
    console.log(
      `  oldest lines         ${await measure(`oldest lines of ${count} transactions`, `${base}/txs/${address}/${lastPage}`, duration)}`,
    )
  }
  const [light = '', heavy = ''] = [1, 3].map(
    (nonce) => describeScript(bitcoinRegtest, outputScriptOf(nonce)).address ?? '',
  )
  console.log('the light address while another client requests the heavy one')
  for (const [name, busy] of [
    ['its analysis', 'analyze'],
    ['all its coins', 'all-utxos'],
  ] as const) {
    const times = await measureNextTo(`${base}/address/${light}`, `${base}/${busy}/${heavy}`, duration)
    console.log(`  ${name.padEnd(20)} ${times}`)
  }
  server.close()
  server.closeAllConnections()
  await kv.close()
  await source.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
