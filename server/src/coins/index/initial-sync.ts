/**
 * The initial sync: connects many blocks per commit. Also used to catch up after a downtime.
 *
 * Reads ahead, so that source and index work at the same time. Stopping it loses at most one batch of work.
 */
import { totalmem } from 'node:os'
import type { Clock } from '../../lib/clock.ts'
import type { BlockSource } from '../node/block-source.ts'
import { type BlockReader, readInThisThread, readWithThreads } from './block-reader.ts'
import { beginBatch, type CoinIndex, commitBatch, findTip, follows, type Tip } from './coin-index.ts'
import { CoinLog, hasCoinLog } from './coin-log.ts'
import { withSnapshot } from './kv.ts'
import { isLoadingCoins, loadCoins } from './load-coins.ts'
import { type Merger, mergeInThisThread } from './merger.ts'
import { putRecentCount, readRecentCount } from './sorted-runs.ts'

/** Block bytes per commit: more on a machine with more memory. Memory use is a small multiple of this. */
const LEAST_BATCH_BYTES = 24_000_000
const MOST_BATCH_BYTES = 96_000_000
const BATCH_SHARE = 40

/** Returns the block bytes per commit for a machine or container with this much memory. */
export function batchBytesFor(memory: number): number {
  return Math.min(MOST_BATCH_BYTES, Math.max(LEAST_BATCH_BYTES, Math.floor(memory / BATCH_SHARE)))
}

/** The memory of the machine, or of the container if that is less. 0 and huge values mean no limit. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** With more blocks than this to connect, parse threads pay off. */
const MIN_BLOCKS_FOR_THREADS = 64

export type SyncProgress = {
  readonly height: number
  readonly target: number
  /** Block bytes read since the sync started. */
  readonly bytes: number
  readonly bytesPerSecond: number
  /** Estimate by height at the current speed. Later blocks are larger, so early estimates are too low. */
  readonly secondsLeft: number
}

export type SyncDeps = {
  readonly index: CoinIndex
  readonly source: BlockSource
  readonly clock: Clock
  readonly readBlocks?: BlockReader
  /** By default, runs are merged in this thread. */
  readonly merger?: Merger
  readonly onProgress?: (progress: SyncProgress) => void
}

export type SyncOptions = {
  readonly batchBytes?: number
  /** Coins that are sorted by script at a time, at the end of a first sync. */
  readonly coinsPerPass?: number
  readonly signal?: AbortSignal
}

/**
 * Connects blocks up to the source's tip at the start, as long as they extend the index. Returns the tip reached; the
 * caller follows the source from there.
 *
 * An empty index gets its coins as a log first. At the source's tip they are loaded into their tables.
 */
export async function syncIndex(deps: SyncDeps, options: SyncOptions = {}): Promise<Tip | undefined> {
  const { index, source } = deps
  const { kv, network, limits } = index
  const target = (await source.getTip()).height
  // Further blocks would spend coins that are loaded already.
  if (withSnapshot(kv, isLoadingCoins)) await loadCoins(index, options)
  const isFirst = withSnapshot(kv, findTip) === undefined && target > network.undoDepth
  const log = isFirst || withSnapshot(kv, hasCoinLog) ? new CoinLog(kv, limits.mergeWidth) : undefined
  if (options.signal?.aborted !== true) await connectUpTo(deps, options, target, log)
  const tip = withSnapshot(kv, findTip)
  if (log !== undefined && (tip?.height ?? -1) >= target) await loadCoins(index, options)
  return tip
}

async function connectUpTo(deps: SyncDeps, options: SyncOptions, target: number, log?: CoinLog): Promise<void> {
  const { index, source } = deps
  const merger = deps.merger ?? mergeInThisThread(index)
  const batchBytes = options.batchBytes ?? batchBytesFor(availableMemory())
  const rules = { mweb: index.network.mweb !== undefined }
  const useThreads = target - (withSnapshot(index.kv, findTip)?.height ?? -1) > MIN_BLOCKS_FOR_THREADS
  const readBlocks = deps.readBlocks ?? (useThreads ? readWithThreads : readInThisThread)(source, rules)
  let snapshot = index.kv.snapshot()
  try {
    let tip = findTip(snapshot)
    let batch = beginBatch(index, snapshot, target, log)
    const report = progressReporter(deps, batch.nextHeight, target)
    for await (const block of readBlocks(batch.nextHeight, target)) {
      if (options.signal?.aborted === true || !follows(index.network, tip, block)) break
      tip = { height: batch.nextHeight, hash: block.hash }
      batch.add(block)
      if (batch.bytes < batchBytes) continue
      snapshot.close()
      commitBatch(index, batch, log)
      await merger.onCommit()
      report(batch.nextHeight - 1, batch.bytes)
      releasePages(index)
      snapshot = index.kv.snapshot()
      batch = beginBatch(index, snapshot, target, log)
    }
    snapshot.close()
    commitBatch(index, batch, log)
    if (batch.bytes > 0) report(batch.nextHeight - 1, batch.bytes)
  } finally {
    snapshot.close()
  }
  await merger.onCommit()
}

/**
 * Makes a small second commit before the next snapshot. LMDB reuses the pages that a commit freed only when no reader
 * sees the state before that commit.
 */
function releasePages(index: CoinIndex): void {
  index.kv.write((writer) => putRecentCount(writer, readRecentCount(writer)))
}

function progressReporter(deps: SyncDeps, from: number, target: number): (height: number, bytes: number) => void {
  const started = deps.clock.now()
  let total = 0
  return (height, bytes) => {
    total += bytes
    const seconds = Math.max(0.001, (deps.clock.now() - started) / 1000)
    deps.onProgress?.({
      height,
      target,
      bytes: total,
      bytesPerSecond: total / seconds,
      secondsLeft: ((target - height) / (height - from + 1)) * seconds,
    })
  }
}
