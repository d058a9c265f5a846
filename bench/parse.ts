/**
 * `npm run bench:parse -- [megabytes]`: where the time of reading a block goes.
 *
 * Hashing of short inputs in JavaScript against the native one decides from which length on the native one is used
 * (`parse/sha256.ts`).
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RawTx } from '@scure/btc-signer'
import { Block } from 'bitcoinjs-lib'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { openBlockFiles } from '../server/src/coins/node/block-files.ts'
import { parseBlock } from '../server/src/coins/parse/block.ts'
import { sha256Into } from '../server/src/coins/parse/sha256.ts'
import { recordedBlocks } from '../server/test/coins/fixtures.ts'
import { makeChain } from './make-chain.ts'
import { report } from './result.ts'

function nanoseconds(times: number, work: () => void): number {
  for (let i = 0; i < times / 10; i++) work()
  const started = performance.now()
  for (let i = 0; i < times; i++) work()
  return ((performance.now() - started) * 1e6) / times
}

const bytes = randomBytes(4096)
const out = Buffer.alloc(32)
console.log('SHA-256 of so many bytes: as used here, native')
for (const length of [25, 34, 64, 200, 400, 800, 1_000, 1_200, 2_000, 4_000]) {
  const own = nanoseconds(50_000, () => sha256Into(bytes, 0, length, out, 0))
  const native = nanoseconds(50_000, () => {
    createHash('sha256').update(bytes.subarray(0, length)).digest()
  })
  console.log(`  ${String(length).padStart(5)}  ${own.toFixed(0).padStart(6)} ns  ${native.toFixed(0).padStart(6)} ns`)
}

/**
 * The recorded blocks, read by each. We and bitcoinjs-lib also hash every transaction; we alone check merkle roots; what
 * is given to @scure/btc-signer is cut into transactions beforehand and hashed by nobody, so it does the least.
 */
function comparePeers(): void {
  const blocks = recordedBlocks()
  const cut = blocks.flatMap((block) => {
    const { txs } = parseBlock(block, { mweb: false })
    return Array.from({ length: txs.count }, (_, n) => block.subarray(txs.start[n], txs.end[n]))
  })
  const own = () => blocks.map((block) => parseBlock(block, { mweb: false }))
  const peers: readonly (readonly [string, () => unknown])[] = [
    ['bitcoinjs-lib', () => blocks.map((block) => Block.fromBuffer(block).transactions?.map((tx) => tx.getHash()))],
    ['@scure/btc-signer', () => cut.map((tx) => RawTx.decode(tx))],
  ]
  const ours = nanoseconds(10, own)
  for (const [name, read] of peers) {
    const theirs = nanoseconds(10, read)
    report({
      name: `recorded blocks read, beside ${name}`,
      value: theirs / ours,
      unit: 'times as fast',
      atLeast: 1,
      peer: `${name}, ${(theirs / 1e6).toFixed(1)} ms; here ${(ours / 1e6).toFixed(1)} ms`,
    })
  }
}
comparePeers()

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
try {
  const made = makeChain(bitcoinRegtest, folder, { megabytes: Number(process.argv[2] ?? 20) })
  const files = await openBlockFiles(bitcoinRegtest, folder)
  const started = performance.now()
  for (let height = 0; height < made.blocks; height++) {
    parseBlock(await files.getBlock((await files.findHash(height)) ?? ''), { mweb: false })
  }
  const seconds = (performance.now() - started) / 1000
  console.log(
    `blocks read, parsed, hashed and checked by their merkle roots: ${(made.bytes / 1e6 / seconds).toFixed(1)} MB/s`,
  )
  await files.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
