/**
 * The first synchronisation: many blocks per commit.
 *
 * Also the way to catch up after a pause. Reads ahead while the index works, so that source and index are busy at the
 * same time. Each commit is whole, so stopping it at any point loses at most one stretch of work.
 */
import type { Clock } from '../../lib/clock.ts'
import type { BlockSource } from '../node/block-source.ts'
import { type BlockReader, readInThisThread, readWithThreads } from './block-reader.ts'
import { beginBatch, type CoinIndex, commit, compactIndex, findTip, follows, type Tip } from './coin-index.ts'
import { withSnapshot } from './kv.ts'
import { putRecentCount, readRecentCount } from './sorted-runs.ts'

/** Memory while it works is a small multiple of this. */
export const BATCH_BYTES = 96_000_000

/** Blocks to go from which on threads help. */
const FAR = 64

export type SyncProgress = {
  readonly height: number
  readonly target: number
  /** Block bytes read since the start of this synchronisation. */
  readonly bytes: number
  readonly bytesPerSecond: number
  /** At the present speed, by height. Blocks grow along a chain, so early guesses are too good. */
  readonly secondsLeft: number
}

export type SyncDeps = {
  readonly index: CoinIndex
  readonly source: BlockSource
  readonly clock: Clock
  readonly readBlocks?: BlockReader
  readonly onProgress?: (progress: SyncProgress) => void
}

/**
 * Brings the index up to the source's tip as it was at the start, as far as the source's chain continues ours.
 * Answers the tip reached; the caller follows from there.
 */
export async function syncIndex(
  deps: SyncDeps,
  options: { readonly batchBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<Tip | undefined> {
  const { index, source } = deps
  const batchBytes = options.batchBytes ?? BATCH_BYTES
  const target = (await source.getTip()).height
  const rules = { mweb: index.network.mweb !== undefined }
  // Starting a thread costs more than reading a few blocks.
  const isFar = target - (withSnapshot(index.kv, findTip)?.height ?? -1) > FAR
  const readBlocks = deps.readBlocks ?? (isFar ? readWithThreads : readInThisThread)(source, rules)
  let snapshot = index.kv.snapshot()
  try {
    let tip = findTip(snapshot)
    let stretch = beginBatch(index, snapshot, target)
    const report = progressReporter(deps, stretch.nextHeight, target)
    for await (const block of readBlocks(stretch.nextHeight, target)) {
      if (options.signal?.aborted === true || !follows(index.network, tip, block)) break
      tip = { height: stretch.nextHeight, hash: block.hash }
      stretch.add(block)
      if (stretch.bytes < batchBytes) continue
      snapshot.close()
      commit(index, stretch)
      compactIndex(index)
      report(stretch.nextHeight - 1, stretch.bytes)
      releasePages(index)
      snapshot = index.kv.snapshot()
      stretch = beginBatch(index, snapshot, target)
    }
    commit(index, stretch)
    if (stretch.bytes > 0) report(stretch.nextHeight - 1, stretch.bytes)
  } finally {
    snapshot.close()
  }
  compactIndex(index)
  return withSnapshot(index.kv, findTip)
}

/**
 * A store that copies on write may reuse the pages of a commit only when no reader can see the state before it. One
 * small commit more puts the next reader behind it, and the next stretch into the freed pages.
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
