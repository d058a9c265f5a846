/**
 * Following a source: find where its chain and ours part, undo what left, put in what came.
 *
 * One step at a time, so that whoever runs it decides about pauses and retries. The source's best chain is the truth,
 * also when it became shorter.
 */
import type { Clock } from '../../lib/clock.ts'
import type { BlockRef, BlockSource } from '../node/block-source.ts'
import { hashHex, parseBlock } from '../parse/block.ts'
import { type CoinIndex, compactIndex, connectBlocks, disconnectBlocks, findBlockRow, findTip } from './coin-index.ts'
import { NotNextBlockError, ReorgTooDeepError } from './index-errors.ts'
import { type SyncProgress, syncIndex } from './initial-sync.ts'
import { withSnapshot } from './kv.ts'

export type FollowDeps = {
  readonly index: CoinIndex
  readonly source: BlockSource
  readonly clock: Clock
  readonly onProgress?: (progress: SyncProgress) => void
}

export type Followed = {
  /** Blocks taken back, highest first. */
  readonly disconnected: readonly BlockRef[]
  readonly connected: number
  /** Our last block, undefined while there is none. */
  readonly tip: BlockRef | undefined
}

/** Further behind than this, blocks go in many at a time. */
const CATCH_UP = 12

/** Brings the index to the source's tip. Answers what changed; nothing when they already agree. */
export async function follow(deps: FollowDeps, signal?: AbortSignal): Promise<Followed> {
  const { index, source } = deps
  const theirs = await source.getTip()
  const ours = indexTip(index)
  if (ours?.hash === theirs.hash) return { disconnected: [], connected: 0, tip: ours }

  const disconnected = await disconnectStale(deps, ours)
  const from = indexTip(index)?.height ?? -1
  if (theirs.height - from > CATCH_UP) await syncIndex(deps, signal === undefined ? {} : { signal })
  else await applyOneByOne(deps, from + 1, theirs.height, signal)
  compactIndex(index)
  const tip = indexTip(index)
  return { disconnected, connected: (tip?.height ?? -1) - from, tip }
}

export function indexTip(index: CoinIndex): BlockRef | undefined {
  const tip = withSnapshot(index.kv, findTip)
  return tip === undefined ? undefined : { height: tip.height, hash: hashHex(tip.hash) }
}

/** Undoes our blocks that are not on the source's chain. */
async function disconnectStale({ index, source }: FollowDeps, ours: BlockRef | undefined): Promise<BlockRef[]> {
  const stale: BlockRef[] = []
  for (let block = ours; block !== undefined; block = ownBlock(index, block.height - 1)) {
    if ((await source.findHash(block.height)) === block.hash) break
    stale.push(block)
    if (stale.length > index.network.undoDepth) throw new ReorgTooDeepError(block.height, index.network)
  }
  const lowest = stale.at(-1)
  if (lowest !== undefined) disconnectBlocks(index, lowest.height - 1)
  return stale
}

function ownBlock(index: CoinIndex, height: number): BlockRef | undefined {
  if (height < 0) return undefined
  const row = withSnapshot(index.kv, (reader) => findBlockRow(reader, height))
  return row === undefined ? undefined : { height, hash: hashHex(row.hash) }
}

async function applyOneByOne(deps: FollowDeps, from: number, to: number, signal?: AbortSignal): Promise<void> {
  const { index, source } = deps
  for (let height = from; height <= to; height++) {
    if (signal?.aborted === true) return
    const hash = await source.findHash(height)
    if (hash === undefined) return
    const block = parseBlock(await source.getBlock(hash), { mweb: index.network.mweb !== undefined })
    try {
      connectBlocks(index, [block])
    } catch (error) {
      // The source changed its mind between two questions; the next step finds the new fork.
      if (error instanceof NotNextBlockError) return
      throw error
    }
  }
}
