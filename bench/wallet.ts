/**
 * `npm run bench -- wallet [addresses]`: response times of a wallet with many used addresses (default 10,000).
 *
 * Builds a chain that pays every address of a descriptor once and spends every third coin back to the wallet, and indexes
 * it. The first request derives all keys and reads all histories; the following ones have them in memory. During the
 * first one, the longest time that no other request could be served is measured too.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readDescriptor } from '../server/src/coins/descriptors/descriptor.ts'
import { walletPaymentBody } from '../server/src/coins/http/params.ts'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { syncIndex } from '../server/src/coins/index/initial-sync.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { MempoolView } from '../server/src/coins/mempool/mempool-view.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { openBlockFiles } from '../server/src/coins/node/block-files.ts'
import { createFeeService } from '../server/src/coins/serve/fee-service.ts'
import type { ServedChain } from '../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../server/src/coins/serve/transaction-loader.ts'
import { createWallets } from '../server/src/coins/serve/wallet-scan.ts'
import { getWalletHealth, getWalletSimulation } from '../server/src/coins/serve/wallet-spending.ts'
import { getWallet, getWalletHistory, getWalletUtxos } from '../server/src/coins/serve/wallet-view.ts'
import { systemClock } from '../server/src/lib/clock.ts'
import { type BuiltTx, buildBlock, buildCoinbase, buildTx, regtestGenesis } from '../testing/coins/block-builder.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'

/** A key of BIP 32's test vectors. */
const DESCRIPTOR =
  'wpkh(tpubD8eQVK4Kdxg3gHrF62jGP7dKVCoYiEB8dFSpuTawkL5YxTus5j5pf83vaKnii4bc6v2NVEy81P2gYrJczYne3QNNwMTS53p5uzDyHvnw2jm/<0;1>/*)'
/** An address of another party, on the test network. */
const TO = 'bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9'
const REQUESTS = 100
const MOST_MS = 100

/** Half of the addresses are receive and half change addresses. */
function walletChain(addresses: number): Buffer {
  const [receive, change] = readDescriptor(bitcoinRegtest, DESCRIPTOR).branches
  const frames: Buffer[] = []
  let last = regtestGenesis(bitcoinRegtest)
  const write = (bytes: Buffer): void => {
    const frame = Buffer.from(`${bitcoinRegtest.magic}00000000`, 'hex')
    frame.writeUInt32LE(bytes.length, 4)
    frames.push(frame, bytes)
  }
  write(last.bytes)
  const perBlock = 100
  let spendable: { readonly txid: Buffer; readonly vout: number; readonly value: number }[] = []
  for (let height = 1; (height - 1) * perBlock < addresses / 2; height++) {
    const indexes = Array.from({ length: perBlock }, (_, i) => (height - 1) * perBlock + i)
    const pays = indexes.map((index) => ({
      value: 10_000 + index,
      script: receive?.scriptsAt(index)[0] ?? Buffer.alloc(0),
    }))
    const coinbase = buildCoinbase(height, pays)
    const changes = indexes.map((index) => change?.scriptsAt(index)[0] ?? Buffer.alloc(0))
    const txs: BuiltTx[] = spendable
      .slice(0, perBlock)
      .map(({ txid, vout, value }, i) =>
        buildTx([{ txid, vout }], [{ value: value - 100, script: changes[i] ?? Buffer.alloc(0) }]),
      )
    spendable = pays.map(({ value }, vout) => ({ txid: coinbase.txid, vout, value }))
    last = buildBlock(last.hash, 1_700_000_000 + height * 600, [coinbase, ...txs])
    write(last.bytes)
  }
  return Buffer.concat(frames)
}

/** Milliseconds of CPU time of this thread, which do not depend on other programs. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1_000
}

const addresses = Number(process.argv[2] ?? 10_000)
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  console.log(`${cpus().length} cores, Node ${process.version}, ${addresses} addresses`)
  reportVersions(packageVersions(['lmdb', '@noble/curves']))
  writeFileSync(join(folder, 'blk00000.dat'), walletChain(addresses))
  const source = await openBlockFiles(bitcoinRegtest, folder)
  const kv = openLmdbKv({ path: join(folder, 'index') })
  const index = openCoinIndex(kv, bitcoinRegtest, folder)
  await syncIndex({ index, source, clock: systemClock }, { batchBytes: 500_000 })
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
  const wallets = createWallets()
  // The first branch has addresses / 2, the second one block less. The gap is as long as that difference.
  const request = { descriptor: DESCRIPTOR, gapLimit: 200, accountId: '1' }
  const blocked = monitorEventLoopDelay({ resolution: 1 })
  blocked.enable()
  const first = await timeOf(() => getWallet(wallets, chain, request))
  blocked.disable()
  const { branches, txCount, utxoCount } = await getWallet(wallets, chain, request)
  const used = branches.reduce((sum, branch) => sum + branch.used, 0)
  console.log(
    `${used} used addresses, ${txCount} transactions, ${utxoCount} coins; first request ${first.toFixed(0)} ms`,
  )
  report({
    name: 'first request of a wallet',
    value: first,
    unit: 'ms of CPU time',
    peer: `${used} used addresses; longest time without serving others ${(blocked.max / 1e6).toFixed(1)} ms`,
  })
  const feeService = createFeeService({ clock: systemClock })
  const payment = walletPaymentBody.parse({ toAddress: TO, amount: 100_000, feeRate: 1, psbt: true })
  const endpoints: Readonly<Record<string, () => Promise<unknown>>> = {
    'balance and totals': () => getWallet(wallets, chain, request),
    '100 coins with their paths': () => getWalletUtxos(wallets, chain, request, 100),
    'newest 25 transactions': () => getWalletHistory(wallets, chain, request, { page: 1, pageSize: 25 }),
    health: () => getWalletHealth(wallets, { feeService }, chain, request),
    'a payment with PSBT': () => getWalletSimulation(wallets, feeService, chain, { ...payment, ...request }),
  }
  for (const [name, call] of Object.entries(endpoints)) {
    const times: number[] = []
    for (let i = 0; i < REQUESTS; i++) times.push(await timeOf(call))
    const sorted = Float64Array.from(times).sort()
    report({
      name: `${name} of a wallet with ${addresses} addresses, p99`,
      value: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      unit: 'ms of CPU time',
      atMost: MOST_MS,
      peer: `p50 ${(sorted[sorted.length >> 1] ?? 0).toFixed(1)} ms`,
    })
  }
  await kv.close()
  await source.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
