/**
 * Brings the index to the tip of its source: finds the fork point, disconnects stale blocks, connects new ones.
 *
 * The caller decides about polling and retries. The source's best chain is followed even if it became shorter.
 */
import type { Clock } from '../../lib/clock.ts'
import type { BlockRef, BlockSource } from '../node/block-source.ts'
import { hashHex, parseBlock } from '../parse/block.ts'
import { type CoinIndex, connectBlocks, disconnectBlocks, findBlockRow, findTip } from './coin-index.ts'
import { hasCoinLog } from './coin-log.ts'
import { NotNextBlockError, ReorgTooDeepError } from './index-errors.ts'
import { type SyncProgress, syncIndex } from './initial-sync.ts'
import { withSnapshot } from './kv.ts'
import { heightKey } from './layout.ts'
import { loadCoins } from './load-coins.ts'
import { type Merger, mergeInThisThread } from './merger.ts'

export type FollowDeps = {
  readonly index: CoinIndex
  readonly source: BlockSource
  readonly clock: Clock
  /** By default, runs are merged in this thread. */
  readonly merger?: Merger
  readonly onProgress?: (progress: SyncProgress) => void
}

export type Followed = {
  /** Disconnected blocks, highest first. */
  readonly disconnected: readonly BlockRef[]
  /** How many blocks were connected. */
  readonly connected: number
  /** The tip of the index, undefined while it is empty. */
  readonly tip: BlockRef | undefined
}

/** With more blocks than this to connect, they are connected in batches. */
const MAX_SINGLE_BLOCKS = 12

/** Brings the index to the source's tip. */
export async function follow(deps: FollowDeps, signal?: AbortSignal): Promise<Followed> {
  const { index, source } = deps
  const target = await source.getTip()
  const start = indexTip(index)
  const hasLog = withSnapshot(index.kv, hasCoinLog)
  if (start?.hash === target.hash && !hasLog) return { disconnected: [], connected: 0, tip: start }

  const disconnected = await disconnectStale(deps, start, signal)
  const from = indexTip(index)?.height ?? -1
  if (hasLog || target.height - from > MAX_SINGLE_BLOCKS) await syncIndex(deps, signal === undefined ? {} : { signal })
  else await connectOneByOne(deps, from + 1, target.height, signal)
  await (deps.merger ?? mergeInThisThread(index)).onCommit()
  const tip = indexTip(index)
  return { disconnected, connected: (tip?.height ?? -1) - from, tip }
}

export function indexTip(index: CoinIndex): BlockRef | undefined {
  const tip = withSnapshot(index.kv, findTip)
  return tip === undefined ? undefined : { height: tip.height, hash: hashHex(tip.hash) }
}

/** Disconnects the blocks of the index that are not on the source's chain. Returns them, highest first. */
async function disconnectStale(
  { index, source }: FollowDeps,
  tip: BlockRef | undefined,
  signal: AbortSignal | undefined,
): Promise<BlockRef[]> {
  const stale: BlockRef[] = []
  for (let block = tip; block !== undefined; block = blockAt(index, block.height - 1)) {
    if ((await source.findHash(block.height)) === block.hash) break
    stale.push(block)
    if (stale.length > index.network.undoDepth) throw new ReorgTooDeepError(block.height, index.network)
  }
  const lowest = stale.at(-1)
  if (lowest === undefined) return []
  const undo = withSnapshot(index.kv, (reader) => reader.get('undo', heightKey(lowest.height)))
  if (undo === undefined) throw new ReorgTooDeepError(lowest.height, index.network)
  // The coins of a log cannot be rolled back.
  await loadCoins(index, signal === undefined ? {} : { signal })
  if (signal?.aborted === true) return []
  disconnectBlocks(index, lowest.height - 1)
  return stale
}

/** A block of the index; undefined above its tip. */
export function blockAt(index: CoinIndex, height: number): BlockRef | undefined {
  if (height < 0) return undefined
  const row = withSnapshot(index.kv, (reader) => findBlockRow(reader, height))
  return row === undefined ? undefined : { height, hash: hashHex(row.hash) }
}

async function connectOneByOne(deps: FollowDeps, from: number, to: number, signal?: AbortSignal): Promise<void> {
  const { index, source } = deps
  for (let height = from; height <= to; height++) {
    if (signal?.aborted === true) return
    const hash = await source.findHash(height)
    if (hash === undefined) return
    const block = parseBlock(await source.getBlock(hash), { mweb: index.network.mweb !== undefined })
    try {
      connectBlocks(index, [block])
    } catch (error) {
      // The source switched to another branch between two calls. The next round finds the fork point.
      if (error instanceof NotNextBlockError) return
      throw error
    }
  }
}
