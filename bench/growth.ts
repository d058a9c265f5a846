/**
 * `npm run bench -- growth [transactions per batch]`: how the cost of the coin index grows with the chain.
 *
 * Feeds 8,000 batches, as many as all of Bitcoin has in an initial sync, to the code that writes, merges and loads them.
 * The batches are small (default 250 transactions instead of about 170,000) and their commits are not flushed to disk, so
 * the figures are counts, sizes and ratios of CPU time, not speeds. Then blocks are connected one by one until every page
 * of coins has changed many times. At last one thread connects blocks to a second index and another merges its large runs,
 * while this thread answers queries.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  beginBatch,
  type CoinIndex,
  commitBatch,
  mergeIndexStep,
  openCoinIndex,
} from '../server/src/coins/index/coin-index.ts'
import { CoinLog } from '../server/src/coins/index/coin-log.ts'
import { withSnapshot } from '../server/src/coins/index/kv.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { loadCoins } from '../server/src/coins/index/load-coins.ts'
import { readRuns } from '../server/src/coins/index/run-list.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'
import { answerAtTip } from './answer-at-tip.ts'
import { SyntheticBlocks } from './synthetic-blocks.ts'
import { usedBytes } from './used-bytes.ts'

const BATCHES = 8_000
const START = BATCHES / 100
/** Transactions per block on mainnet: 1.35 billion in 950,000 blocks. Blocks are smaller here, so their rows count less. */
const MAINNET_BLOCK = 1_400
const BLOCK_TABLES: readonly string[] = ['blocks', 'hashes']
/** Blocks that are connected at the tip. */
const TIP_BLOCKS = 1_000
const txsPerBatch = Number(process.argv[2] ?? 250)

/** Limits in proportion to the size of a batch, so that runs have the levels that they have in a real sync. */
const limits = {
  maxRecentEntries: Math.ceil(txsPerBatch / 5),
  minRunEntries: 1,
  mergeWidth: 16,
  mergeBytes: 8_000_000,
}
/** A batch has one block here and about a hundred in a real sync, so fewer can be disconnected. */
const network = { ...bitcoinRegtest, undoDepth: 4 }
const LAST_HEIGHT = 10_000_000

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

type Written = {
  readonly seconds: number
  readonly startSeconds: number
  readonly entries: number
  readonly merged: number
}

/** Writes all batches, and counts the CPU time of the index and the entries that merges rewrite. */
function writeBatches(index: CoinIndex, blocks: SyntheticBlocks, batches: number): Written {
  const log = new CoinLog(index.kv, limits.mergeWidth)
  let seconds = 0
  let startSeconds = 0
  let merged = 0
  for (let i = 1; i <= batches; i++) {
    const block = blocks.next(txsPerBatch)
    const started = cpuSeconds()
    const snapshot = index.kv.snapshot()
    const batch = beginBatch(index, snapshot, LAST_HEIGHT, log)
    batch.add(block)
    snapshot.close()
    commitBatch(index, batch, log)
    merged += mergeAll(index)
    seconds += cpuSeconds() - started
    if (i === START) startSeconds = seconds
    if (i % 1_000 === 0) console.log(`${i} batches, ${blocks.coins} coins, ${seconds.toFixed(1)} s of CPU time`)
  }
  return { seconds, startSeconds, entries: entriesOf(index), merged }
}

/** Connects blocks one by one, as at the tip. */
function connectAtTip(index: CoinIndex, blocks: SyntheticBlocks): void {
  for (let i = 0; i < TIP_BLOCKS; i++) {
    const snapshot = index.kv.snapshot()
    const batch = beginBatch(index, snapshot, 0)
    batch.add(blocks.next(txsPerBatch))
    snapshot.close()
    commitBatch(index, batch)
    mergeAll(index)
  }
}

/** Prints the size of each table, and returns the bytes of all of them per transaction. */
async function printSizes(when: string, transactions: number): Promise<number> {
  const used = await usedBytes(folder)
  console.log(`${when}:`)
  for (const [table, size] of used)
    console.log(`  ${table.padEnd(14)} ${(size / transactions).toFixed(1)} bytes per transaction`)
  const file = statSync(join(folder, 'data.mdb')).size
  console.log(`  file           ${(file / transactions).toFixed(1)} bytes per transaction, with free pages`)
  const counted = [...used].map(([table, bytes]) =>
    BLOCK_TABLES.includes(table) ? (bytes * txsPerBatch) / MAINNET_BLOCK : bytes,
  )
  return counted.reduce((sum, bytes) => sum + bytes, 0) / transactions
}

/** Merges what is due. Returns how many entries the finished merges contain. */
function mergeAll(index: CoinIndex): number {
  let merged = 0
  for (;;) {
    const before = withSnapshot(index.kv, readRuns).runs
    if (!mergeIndexStep(index)) return merged
    const unfinished = new Set(before.filter(({ merge }) => merge !== undefined).map(({ id }) => id))
    for (const run of withSnapshot(index.kv, readRuns).runs)
      if (run.merge === undefined && unfinished.has(run.id)) merged += run.entries
  }
}

const entriesOf = ({ kv }: CoinIndex): number =>
  withSnapshot(kv, readRuns).runs.reduce((sum, { entries }) => sum + entries, 0)

/** Runs the same code before it is measured, so that the first batches do not include its compilation. */
async function warmUp(path: string): Promise<void> {
  const kv = openLmdbKv({ path, noSync: true })
  writeBatches(openCoinIndex(kv, network, path, limits), new SyntheticBlocks(), 5 * START)
  await kv.close()
}

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  console.log(`${cpus().length} cores, Node ${process.version}, ${BATCHES} batches of ${txsPerBatch} transactions`)
  reportVersions(packageVersions(['lmdb']))
  await warmUp(join(folder, 'first'))
  const kv = openLmdbKv({ path: folder, noSync: true })
  const index = openCoinIndex(kv, network, folder, limits)
  const blocks = new SyntheticBlocks()
  const { seconds, startSeconds, entries, merged } = writeBatches(index, blocks, BATCHES)
  const { transactions, coins } = blocks
  const runs = withSnapshot(kv, readRuns).runs.length

  const loadStarted = cpuSeconds()
  await loadCoins(index)
  const loadSeconds = cpuSeconds() - loadStarted
  const memory = process.resourceUsage().maxRSS / 1_000
  console.log(`${transactions} transactions, ${entries} entries, ${coins} coins, ${runs} runs`)
  // Closing the file in `usedBytes` closes it for the whole process.
  await kv.close()
  const size = await printSizes('after the sync', transactions)
  console.log(
    `CPU time              ${seconds.toFixed(1)} s for all batches, ${startSeconds.toFixed(2)} s for the first ${START}`,
  )
  console.log(`loading the coins     ${loadSeconds.toFixed(1)} s`)

  const tipKv = openLmdbKv({ path: folder, noSync: true })
  connectAtTip(openCoinIndex(tipKv, network, folder, limits), blocks)
  await tipKv.close()
  const settledSize = await printSizes(`after ${TIP_BLOCKS} blocks at the tip`, blocks.transactions)

  const { times, blocks: connected, steps } = await answerAtTip(join(folder, 'tip'))
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  console.log(
    `${times.length} answers during ${steps} merge steps and ${connected} blocks, slowest ${(times.at(-1) ?? 0).toFixed(1)} ms`,
  )

  report({ name: 'rewrites per history line over 8,000 batches', value: merged / entries, unit: 'times', atMost: 3 })
  report({ name: 'sorted runs after 8,000 batches', value: runs, unit: 'runs', atMost: 64 })
  report({
    name: 'cost per MB at a hundred times the size',
    value: seconds / BATCHES / (startSeconds / START),
    unit: 'times that at the start, in CPU time',
    atMost: 1.3,
  })
  report({ name: 'index size after the sync', value: size, unit: 'bytes per transaction', atMost: 100 })
  report({
    name: `index size after ${TIP_BLOCKS} blocks at the tip`,
    value: settledSize,
    unit: 'bytes per transaction',
    atMost: 100,
    peer: 'every page of coins has changed',
  })
  report({ name: 'memory of the growth benchmark', value: memory, unit: 'MB', atMost: 1_500 })
  report({
    name: 'totals, a page of history and coins of an address during merges at the tip, p99',
    value: p99,
    unit: 'ms',
    atMost: 50,
    peer: `${connected} blocks and ${steps} merge steps meanwhile; slowest ${(times.at(-1) ?? 0).toFixed(1)} ms`,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
