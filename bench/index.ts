/**
 * `npm run bench:index -- [megabytes]`: the first synchronisation against a plain reading of the same blocks.
 *
 * Makes its own chain (default 300 MB) and a tenth of it, then prints for both, from one run: MB/s of reading, parsing
 * and hashing alone in one thread; MB/s of the first synchronisation; bytes of the index per byte of blocks. The cost
 * per MB at full size against that at a tenth shows growth. Machine and load change all speeds alike: read the ratios.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWithThreads } from '../server/src/coins/index/block-reader.ts'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { syncIndex } from '../server/src/coins/index/first-sync.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { type BlockFiles, openBlockFiles } from '../server/src/coins/node/block-files.ts'
import { parseBlock } from '../server/src/coins/parse/block.ts'
import { SCRIPT_KEY_SIZE, scriptKeyInto } from '../server/src/coins/parse/script.ts'
import { at } from '../server/src/coins/parse/tx-table.ts'
import { systemClock } from '../server/src/lib/clock.ts'
import { type MadeChain, makeChain } from './make-chain.ts'

type Figures = { readonly chain: MadeChain; readonly plain: number; readonly sync: number; readonly indexBytes: number }

/** Seconds to read, parse and hash every block: ids, merkle roots and script keys. */
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
  // Threads at both sizes, so that the cost per MB can be compared.
  const readBlocks = readWithThreads(files, { mweb: false })
  await syncIndex({ index: openCoinIndex(kv, bitcoinRegtest, path), source: files, clock: systemClock, readBlocks })
  const seconds = (performance.now() - started) / 1000
  await kv.close()
  return { seconds, bytes: statSync(join(path, 'data.mdb')).size }
}

async function measure(folder: string, megabytes: number): Promise<Figures> {
  const blocks = join(folder, `blocks-${megabytes}`)
  const chain = makeChain(bitcoinRegtest, blocks, { megabytes })
  const files = await openBlockFiles(bitcoinRegtest, blocks)
  const plain = await readPlainly(files)
  const { seconds, bytes } = await synchronise(files, join(folder, `index-${megabytes}`))
  await files.close()
  return { chain, plain, sync: seconds, indexBytes: bytes }
}

function print(name: string, { chain, plain, sync, indexBytes }: Figures): void {
  const mb = chain.bytes / 1e6
  console.log(`${name}: ${mb.toFixed(0)} MB, ${chain.blocks} blocks, ${chain.transactions} transactions`)
  console.log(`  read, parse and hash, one thread  ${(mb / plain).toFixed(1)} MB/s  (${plain.toFixed(1)} s)`)
  console.log(`  first synchronisation             ${(mb / sync).toFixed(1)} MB/s  (${sync.toFixed(1)} s)`)
  console.log(`  ratio                             ${(sync / plain).toFixed(2)}  (target: at most 4)`)
  console.log(`  index bytes per block byte        ${(indexBytes / chain.bytes).toFixed(2)}  (target: at most 1)`)
}

const megabytes = Number(process.argv[2] ?? 300)
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  console.log(`${cpus().length} cores, Node ${process.version}`)
  const tenth = await measure(folder, megabytes / 10)
  print('a tenth', tenth)
  const whole = await measure(folder, megabytes)
  print('whole', whole)
  const perMb = ({ sync, chain }: Figures): number => sync / chain.bytes
  const growth = perMb(whole) / perMb(tenth)
  const relative = whole.sync / whole.plain / (tenth.sync / tenth.plain)
  console.log(`growth of the cost per MB           ${growth.toFixed(2)}  (target: at most 1.3)`)
  console.log(`  against the plain reading's own   ${relative.toFixed(2)}`)
  console.log(`highest memory                      ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
