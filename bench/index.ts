/**
 * `npm run bench -- index [megabytes]`: compares the initial sync with plain reading of the same blocks.
 *
 * Builds a chain (default 300 MB) and one of a tenth, then prints for both: MB/s of reading, parsing and hashing in one
 * thread, MB/s of the initial sync, and bytes of the index per byte of blocks. The cost per MB at full size relative to a
 * tenth shows growth. Both sizes are measured alternately, three times each, and the median counts.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
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

type Figures = { readonly chain: MadeChain; readonly plain: number; readonly sync: number; readonly indexBytes: number }

/** Seconds to read, parse and hash every block: txids, merkle roots and script keys. */
async function readPlainly(files: BlockFiles): Promise<number> {
  const started = performance.now()
  const key = Buffer.alloc(SCRIPT_KEY_SIZE)
  const tip = await files.getTip()
  for (let height = 0; height <= tip.height; height++) {
    const { txs, bytes } = parseBlock(await files.getBlock((await files.findHash(height)) ?? ''), { mweb: false })
    for (let i = 0; i < txs.value.length; i++) scriptKeyInto(bytes, at(txs.script, i), at(txs.scriptEnd, i), key, 0)
  }
  return (performance.now() - started) / 1000
}

async function synchronise(files: BlockFiles, path: string): Promise<{ seconds: number; bytes: number }> {
  const kv = openLmdbKv({ path })
  const started = performance.now()
  // Threads at both sizes, so that the costs per MB are comparable.
  const readBlocks = readWithThreads(files, { mweb: false })
  await syncIndex({ index: openCoinIndex(kv, bitcoinRegtest, path), source: files, clock: systemClock, readBlocks })
  const seconds = (performance.now() - started) / 1000
  await kv.close()
  return { seconds, bytes: statSync(join(path, 'data.mdb')).size }
}

type Subject = { readonly chain: MadeChain; readonly files: BlockFiles; readonly index: string }
type Round = Omit<Figures, 'chain'>

async function prepare(folder: string, megabytes: number): Promise<Subject> {
  const blocks = join(folder, `blocks-${megabytes}`)
  const chain = makeChain(bitcoinRegtest, blocks, { megabytes })
  return { chain, files: await openBlockFiles(bitcoinRegtest, blocks), index: join(folder, `index-${megabytes}`) }
}

async function measure({ files, index }: Subject): Promise<Round> {
  const plain = await readPlainly(files)
  const { seconds, bytes } = await synchronise(files, index)
  rmSync(index, { recursive: true })
  return { plain, sync: seconds, indexBytes: bytes }
}

function figuresOf({ chain }: Subject, rounds: readonly Round[]): Figures {
  const of = (field: keyof Round): number => medianOf(rounds.map((round) => round[field]))
  return { chain, plain: of('plain'), sync: of('sync'), indexBytes: of('indexBytes') }
}

function print(name: string, { chain, plain, sync, indexBytes }: Figures): void {
  const mb = chain.bytes / 1e6
  console.log(`${name}: ${mb.toFixed(0)} MB, ${chain.blocks} blocks, ${chain.transactions} transactions`)
  console.log(`  read, parse and hash, one thread  ${(mb / plain).toFixed(1)} MB/s  (${plain.toFixed(1)} s)`)
  console.log(`initial sync                      ${(mb / sync).toFixed(1)} MB/s  (${sync.toFixed(1)} s)`)
  console.log(`  ratio                             ${(sync / plain).toFixed(2)}  (target: at most 4)`)
  console.log(`  index bytes per block byte        ${(indexBytes / chain.bytes).toFixed(2)}  (target: at most 1)`)
}

const ROUNDS = 3
const megabytes = Number(process.argv[2] ?? 300)
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  console.log(`${cpus().length} cores, Node ${process.version}`)
  reportVersions(packageVersions(['lmdb']))
  const subjects = [await prepare(folder, megabytes / 10), await prepare(folder, megabytes)] as const
  const rounds: (readonly [Round, Round])[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push([await measure(subjects[0]), await measure(subjects[1])])
  const tenth = figuresOf(
    subjects[0],
    rounds.map(([small]) => small),
  )
  const whole = figuresOf(
    subjects[1],
    rounds.map(([, large]) => large),
  )
  print('a tenth', tenth)
  print('whole', whole)
  for (const { files } of subjects) await files.close()
  const perMb = ({ sync, chain }: Figures): number => sync / chain.bytes
  const growth = perMb(whole) / perMb(tenth)
  const relative = whole.sync / whole.plain / (tenth.sync / tenth.plain)
  report({
    name: 'initial sync relative to reading, parsing and hashing',
    value: whole.sync / whole.plain,
    unit: 'times',
    atMost: 4,
    peer: 'plain reading in one thread',
  })
  report({
    name: 'size of the index',
    value: whole.indexBytes / whole.chain.bytes,
    unit: 'bytes per block byte',
    atMost: 1,
  })
  report({ name: 'growth of the cost per MB at ten times the size', value: growth, unit: 'times', atMost: 1.3 })
  console.log(`growth of the cost per MB           ${growth.toFixed(2)}  (target: at most 1.3)`)
  console.log(`relative to plain reading         ${relative.toFixed(2)}`)
  console.log(`highest memory                      ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
