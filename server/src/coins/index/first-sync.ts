/**
 * The first synchronisation: many blocks per commit.
 *
 * Also the way to catch up after a pause. Reads ahead while the index works, so that source and index are busy at the
 * same time. Each commit is whole, so stopping it at any point loses at most one stretch of work.
 */
import type { Clock } from '../../lib/clock.ts'
import type { BlockSource } from '../node/block-source.ts'
import { type Block, parseBlock } from '../parse/block.ts'
import { beginStretch, type CoinIndex, commit, findTip, follows, type Tip, tidyIndex } from './coin-index.ts'
import { withSnapshot } from './kv.ts'

/** Memory while it works is a small multiple of this. */
export const STRETCH_BYTES = 96_000_000

export type SyncProgress = {
  readonly height: number
  readonly target: number
  /** Block bytes read since the start of this synchronisation. */
  readonly bytes: number
  readonly bytesPerSecond: number
  /** Seconds left at the present speed, by height; undefined before the first commit. */
  readonly secondsLeft: number | undefined
}

/** Blocks from `height` on, parsed, in the order of the source's best chain. */
export type BlockReader = (height: number, target: number) => AsyncIterable<Block>

export type SyncDeps = {
  readonly index: CoinIndex
  readonly source: BlockSource
  readonly clock: Clock
  readonly readBlocks?: BlockReader
  readonly onProgress?: (progress: SyncProgress) => void
}

/** How many blocks are fetched ahead. */
const AHEAD = 8

export function sourceReader(source: BlockSource, rules: { readonly mweb: boolean }): BlockReader {
  return async function* read(height, target) {
    const fetch = async (at: number): Promise<Buffer | undefined> => {
      const hash = await source.findHash(at)
      return hash === undefined ? undefined : source.getBlock(hash)
    }
    const pending: Promise<Buffer | undefined>[] = []
    let next = height
    const more = (): void => {
      if (next > target) return
      const fetching = fetch(next++)
      // Whoever awaits it hears of a failure; until then it is not unhandled.
      fetching.catch(() => {})
      pending.push(fetching)
    }
    for (let i = 0; i < AHEAD; i++) more()
    for (let block = pending.shift(); block !== undefined; block = pending.shift()) {
      const bytes = await block
      if (bytes === undefined) return
      more()
      yield parseBlock(bytes, rules)
    }
  }
}

/**
 * Brings the index up to the source's tip as it was at the start, as far as the source's chain continues ours.
 * Answers the tip reached; the caller follows from there.
 */
export async function syncIndex(
  deps: SyncDeps,
  options: { readonly stretchBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<Tip | undefined> {
  const { index, source } = deps
  const stretchBytes = options.stretchBytes ?? STRETCH_BYTES
  const readBlocks = deps.readBlocks ?? sourceReader(source, { mweb: index.network.mweb !== undefined })
  const target = (await source.getTip()).height
  const report = progressReporter(deps, target)
  let snapshot = index.kv.snapshot()
  try {
    let tip = findTip(snapshot)
    let stretch = beginStretch(index, snapshot, target)
    for await (const block of readBlocks(stretch.nextHeight, target)) {
      if (options.signal?.aborted === true || !follows(index.network, tip, block)) break
      tip = { height: stretch.nextHeight, hash: block.hash }
      stretch.add(block)
      if (stretch.bytes < stretchBytes) continue
      commit(index, stretch)
      tidyIndex(index)
      report(stretch.nextHeight - 1, stretch.bytes)
      snapshot.close()
      snapshot = index.kv.snapshot()
      stretch = beginStretch(index, snapshot, target)
    }
    commit(index, stretch)
    if (stretch.bytes > 0) report(stretch.nextHeight - 1, stretch.bytes)
  } finally {
    snapshot.close()
  }
  tidyIndex(index)
  return withSnapshot(index.kv, findTip)
}

function progressReporter(deps: SyncDeps, target: number): (height: number, bytes: number) => void {
  const started = deps.clock.now()
  let total = 0
  let first: number | undefined
  return (height, bytes) => {
    total += bytes
    first ??= height
    const seconds = Math.max(0.001, (deps.clock.now() - started) / 1000)
    const done = height - first + 1
    deps.onProgress?.({
      height,
      target,
      bytes: total,
      bytesPerSecond: total / seconds,
      secondsLeft: done <= 1 && height < target ? undefined : ((target - height) / Math.max(1, done)) * seconds,
    })
  }
}
