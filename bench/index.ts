/**
 * `npm run bench -- index [megabytes]`: the speed, size and memory of an initial sync.
 *
 * Builds a chain that is shaped like Bitcoin mainnet (default 300 MB) and one of a tenth, and indexes both alternately,
 * three times each; the median counts. Speeds are transactions per second of CPU time, which does not depend on other
 * programs, and are also compared with plain reading of the same blocks in one thread.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWithThreads } from '../server/src/coins/index/block-reader.ts'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { syncIndex } from '../server/src/coins/index/initial-sync.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { type BlockFiles, openBlockFiles } from '../server/src/coins/node/block-files.ts'
import { parseBlock } from '../server/src/coins/parse/block.ts'
import { SCRIPT_KEY_SIZE, scriptKeyInto } from '../server/src/coins/parse/script.ts'
import { at } from '../server/src/coins/parse/tx-table.ts'
import { systemClock } from '../server/src/lib/clock.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'
import { type MadeChain, makeChain } from './make-chain.ts'
import { medianOf } from './median.ts'
import { usedBytes } from './used-bytes.ts'

/** Fewer blocks can be disconnected than on mainnet, so that writing undo data is as small a part of the work. */
const network = { ...bitcoinRegtest, undoDepth: 10 }

/** In seconds of CPU time. */
type Round = {
  readonly plain: number
  /** Of all threads, and of the busiest one, which commits. */
  readonly sync: number
  readonly writer: number
  readonly wall: number
  readonly indexBytes: number
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6

/** Reads, parses and hashes every block: txids, merkle roots and script keys. */
async function readPlainly(files: BlockFiles): Promise<number> {
  const started = process.cpuUsage()
  const key = Buffer.alloc(SCRIPT_KEY_SIZE)
  const tip = await files.getTip()
  for (let height = 0; height <= tip.height; height++) {
    const { txs, bytes } = parseBlock(await files.getBlock((await files.findHash(height)) ?? ''), { mweb: false })
    for (let i = 0; i < txs.value.length; i++) scriptKeyInto(bytes, at(txs.script, i), at(txs.scriptEnd, i), key, 0)
  }
  return secondsOf(process.cpuUsage(started))
}

async function synchronize(files: BlockFiles, path: string): Promise<Omit<Round, 'plain'>> {
  const kv = openLmdbKv({ path })
  const all = process.cpuUsage()
  const own = process.threadCpuUsage()
  const started = performance.now()
  // One parse thread at both sizes and on every machine, so that the figures are comparable.
  const readBlocks = readWithThreads(files, { mweb: false }, 1)
  await syncIndex({ index: openCoinIndex(kv, network, path), source: files, clock: systemClock, readBlocks })
  const wall = (performance.now() - started) / 1000
  const [sync, writer] = [secondsOf(process.cpuUsage(all)), secondsOf(process.threadCpuUsage(own))]
  await kv.close()
  const used = await usedBytes(path)
  // Undo data covers the last blocks of any chain, which are a part of this one and nothing of mainnet.
  const indexBytes = [...used].reduce((sum, [table, bytes]) => (table === 'undo' ? sum : sum + bytes), 0)
  return { sync, writer, wall, indexBytes }
}

type Subject = { readonly chain: MadeChain; readonly files: BlockFiles; readonly index: string }

async function prepare(folder: string, megabytes: number): Promise<Subject> {
  const blocks = join(folder, `blocks-${megabytes}`)
  const chain = makeChain(network, blocks, { megabytes })
  return { chain, files: await openBlockFiles(network, blocks), index: join(folder, `index-${megabytes}`) }
}

async function measure({ files, index }: Subject): Promise<Round> {
  const plain = await readPlainly(files)
  const synced = await synchronize(files, index)
  rmSync(index, { recursive: true })
  return { plain, ...synced }
}

function medians(rounds: readonly Round[]): Round {
  const of = (field: keyof Round): number => medianOf(rounds.map((round) => round[field]))
  return {
    plain: of('plain'),
    sync: of('sync'),
    writer: of('writer'),
    wall: of('wall'),
    indexBytes: of('indexBytes'),
  }
}

function print(name: string, { chain }: Subject, { plain, sync, writer, wall, indexBytes }: Round): void {
  const { bytes, blocks, transactions, coins } = chain
  console.log(`${name}: ${(bytes / 1e6).toFixed(0)} MB, ${blocks} blocks, ${transactions} transactions, ${coins} coins`)
  console.log(`  read, parse and hash   ${plain.toFixed(2)} s of CPU time`)
  console.log(`  initial sync           ${sync.toFixed(2)} s of CPU time, ${writer.toFixed(2)} s of them in the thread`)
  console.log(`                         that commits; ${wall.toFixed(1)} s on the clock`)
  console.log(`  index                  ${(indexBytes / transactions).toFixed(1)} bytes per transaction`)
}

const ROUNDS = 3
const megabytes = Number(process.argv[2] ?? 300)
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  console.log(`${cpus().length} cores, Node ${process.version}`)
  reportVersions(packageVersions(['lmdb']))
  const [small, large] = [await prepare(folder, megabytes / 10), await prepare(folder, megabytes)] as const
  const rounds: (readonly [Round, Round])[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push([await measure(small), await measure(large)])
  const tenth = medians(rounds.map(([first]) => first))
  const whole = medians(rounds.map(([, second]) => second))
  print('a tenth', small, tenth)
  print('whole', large, whole)
  for (const { files } of [small, large]) await files.close()
  const { transactions } = large.chain
  report({
    name: 'initial sync',
    value: transactions / whole.sync,
    unit: 'transactions a second and core, by CPU time of all threads',
    atLeast: 45_000,
    peer: `plain reading of the same blocks, ${Math.round(transactions / whole.plain)}`,
  })
  report({
    name: 'scaling from one to two cores',
    value: whole.sync / (2 * whole.writer),
    unit: 'of the ideal: CPU time of all threads over twice that of the busiest',
    atLeast: 0.8,
  })
  report({
    name: 'initial sync relative to reading, parsing and hashing',
    value: whole.sync / whole.plain,
    unit: 'times, in CPU time',
    atMost: 4,
    peer: 'plain reading in one thread',
  })
  report({
    name: 'size of the index without undo data',
    value: whole.indexBytes / transactions,
    unit: 'bytes per transaction',
    atMost: 100,
  })
  report({
    name: 'growth of the cost per MB at ten times the size',
    value: whole.sync / large.chain.bytes / (tenth.sync / small.chain.bytes),
    unit: 'times, in CPU time',
    atMost: 1.3,
  })
  report({
    name: 'memory of the initial sync',
    value: process.resourceUsage().maxRSS / 1_000,
    unit: 'MB',
    atMost: 1_500,
    peer: 'all threads, with the pages of the index that are in memory',
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
