/** `npm run bench -- parse [megabytes]`: measures hashing and block parsing, relative to other libraries. */
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
import { recordedBlocks } from '../testing/coins/fixtures.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'
import { makeChain } from './make-chain.ts'
import { medianOf } from './median.ts'

function nanoseconds(times: number, work: () => void): number {
  for (let i = 0; i < times / 10; i++) work()
  const started = performance.now()
  for (let i = 0; i < times; i++) work()
  return ((performance.now() - started) * 1e6) / times
}

const bytes = randomBytes(4096)
const out = Buffer.alloc(32)
console.log('SHA-256 by input size in bytes: parse/sha256.ts, createHash')
for (const length of [25, 34, 64, 200, 400, 800, 1_000, 1_200, 2_000, 4_000]) {
  const own = nanoseconds(50_000, () => sha256Into(bytes, 0, length, out, 0))
  const native = nanoseconds(50_000, () => {
    createHash('sha256').update(bytes.subarray(0, length)).digest()
  })
  console.log(`  ${String(length).padStart(5)}  ${own.toFixed(0).padStart(6)} ns  ${native.toFixed(0).padStart(6)} ns`)
}

const [WARM_UP, ROUNDS] = [5, 15]

/**
 * Parses the recorded blocks with each library. Ours and bitcoinjs-lib also hash every transaction; only ours checks merkle
 * roots. @scure/btc-signer gets separate transactions and hashes none, so it does the least work.
 *
 * After an equal warm-up they alternate in a different order every time, and the median counts.
 */
function comparePeers(): void {
  const blocks = recordedBlocks()
  const cut = blocks.flatMap((block) => {
    const { txs } = parseBlock(block, { mweb: false })
    return Array.from({ length: txs.count }, (_, n) => block.subarray(txs.start[n], txs.end[n]))
  })
  const peers = ['bitcoinjs-lib', '@scure/btc-signer']
  reportVersions(packageVersions(peers))
  const readers: readonly (() => unknown)[] = [
    () => blocks.map((block) => parseBlock(block, { mweb: false })),
    () => blocks.map((block) => Block.fromBuffer(block).transactions?.map((tx) => tx.getHash())),
    () => cut.map((tx) => RawTx.decode(tx)),
  ]
  const [ours = Number.NaN, ...theirs] = timesInTurns(readers)
  for (const [n, name] of peers.entries()) {
    const ms = theirs[n] ?? Number.NaN
    report({
      name: `recorded blocks parsed, relative to ${name}`,
      value: ms / ours,
      unit: 'times as fast',
      atLeast: 1,
      peer: `${name}, ${ms.toFixed(1)} ms; here ${ours.toFixed(1)} ms; medians of ${ROUNDS} rounds in turns, ${WARM_UP} before them`,
    })
  }
}

/** Milliseconds of each. */
function timesInTurns(readers: readonly (() => unknown)[]): readonly number[] {
  const times = readers.map((): number[] => [])
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (let turn = 0; turn < readers.length; turn++) {
      const n = (WARM_UP + round + turn) % readers.length
      const started = performance.now()
      readers[n]?.()
      if (round >= 0) times[n]?.push(performance.now() - started)
    }
  return times.map(medianOf)
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
