import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { recordedBlockFile, recordedBlocks } from '../../../../testing/coins/fixtures.ts'
import { digestIndex } from '../../../../testing/coins/index-digest.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { systemClock } from '../../lib/clock.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { openBlockFiles } from '../node/block-files.ts'
import { parseBlock } from '../parse/block.ts'
import { ParseError } from '../parse/parse-error.ts'
import { readInThisThread, readWithThreads } from './block-reader.ts'
import { beginBatch, type CoinIndex, commitBatch, connectBlocks, openCoinIndex } from './coin-index.ts'
import { indexTip } from './follow.ts'
import { NotNextBlockError } from './index-errors.ts'
import { batchBytesFor, type SyncProgress, syncIndex } from './initial-sync.ts'
import { withSnapshot } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-sync-'))
writeFileSync(join(folder, 'blk00000.dat'), recordedBlockFile())
const source = await openBlockFiles(bitcoinRegtest, folder)
after(async () => {
  await source.close()
  rmSync(folder, { recursive: true, force: true })
})

const rules = { mweb: false }
const fresh = (): CoinIndex => openCoinIndex(openMemoryKv(), bitcoinRegtest, 'memory')
const digest = (index: CoinIndex): string => withSnapshot(index.kv, digestIndex)

test('parse threads give the same index as parsing in this thread', async () => {
  const [here, threads] = [fresh(), fresh()]
  const deps = { source, clock: systemClock }
  await syncIndex({ ...deps, index: here, readBlocks: readInThisThread(source, rules) }, { batchBytes: 200_000 })
  await syncIndex({ ...deps, index: threads, readBlocks: readWithThreads(source, rules, 2) })
  assert.equal(indexTip(here)?.height, 515)
  assert.equal(digest(threads), digest(here))
})

test('a corrupted block stops the sync with its error, and earlier commits stay', async () => {
  const damaged = {
    ...source,
    getBlock: async (hash: string) => {
      const bytes = await source.getBlock(hash)
      return hash === (await source.findHash(300)) ? bytes.subarray(0, -1) : bytes
    },
  }
  for (const readBlocks of [readInThisThread(damaged, rules), readWithThreads(damaged, rules, 1)]) {
    const index = fresh()
    const syncing = syncIndex({ index, source: damaged, clock: systemClock, readBlocks }, { batchBytes: 50_000 })
    await assert.rejects(syncing, ParseError)
    const height = indexTip(index)?.height ?? -1
    assert.ok(height > 0 && height < 300)
    await syncIndex({ index, source, clock: systemClock })
    assert.equal(indexTip(index)?.height, 515)
  }
})

test('a stopped sync resumes where it stopped and reports its progress', async () => {
  const path = join(folder, 'resumed')
  const stopping = new AbortController()
  const reports: SyncProgress[] = []
  const onProgress = (progress: SyncProgress): void => {
    reports.push(progress)
    if (reports.length === 3) stopping.abort()
  }
  const first = openLmdbKv({ path })
  const options = { batchBytes: 100_000, signal: stopping.signal }
  const stopped = openCoinIndex(first, bitcoinRegtest, path)
  await syncIndex({ index: stopped, source, clock: systemClock, onProgress }, options)
  const reached = indexTip(stopped)?.height ?? -1
  assert.ok(reached > 0 && reached < 515)
  assert.equal(reports.at(-1)?.height, reached)
  await first.close()

  const second = openLmdbKv({ path })
  const resumed = openCoinIndex(second, bitcoinRegtest, path)
  await syncIndex({ index: resumed, source, clock: systemClock, onProgress }, { batchBytes: 100_000 })
  const last = reports.at(-1)
  assert.deepEqual([last?.height, last?.target, last?.secondsLeft], [515, 515, 0])
  assert.ok((last?.bytesPerSecond ?? 0) > 0)
  const uninterrupted = fresh()
  await syncIndex({ index: uninterrupted, source, clock: systemClock })
  assert.equal(digest(resumed), digest(uninterrupted))
  await second.close()
})

test('a batch that was resolved against an outdated tip is refused', () => {
  const index = fresh()
  const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, rules))
  connectBlocks(index, blocks.slice(0, 10))
  const snapshot = index.kv.snapshot()
  const batch = beginBatch(index, snapshot, 10)
  batch.add(blocks[10] ?? assert.fail())
  connectBlocks(index, blocks.slice(10, 12))
  assert.throws(() => commitBatch(index, batch), NotNextBlockError)
  snapshot.close()
  assert.equal(indexTip(index)?.height, 11)
})

test('batches are smaller on a machine with little memory', () => {
  assert.deepEqual(
    [0.5, 1, 2, 64].map((gigabytes) => batchBytesFor(gigabytes * 1e9)),
    [24e6, 25e6, 50e6, 96e6],
  )
})
