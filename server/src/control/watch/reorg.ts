/**
 * Decides whether a reorg happened and finds the last block that both branches share.
 *
 * Pure: `follower.ts` reads the endpoints and acts on the result.
 */
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { EndpointId } from '../rpc/pool.ts'
import type { BlockRef } from './watch-store.ts'

/** The node shares no block with the unfinalized part of the stored chain. */
export class ReorgTooDeepError extends GatewatchError {
  override readonly code = 'reorg_too_deep'
  override readonly retryable = false // a retry does not help: the operator must check the endpoints
  readonly oldest: BlockRef
  constructor(chain: string, oldest: BlockRef) {
    super(`${chain}: an endpoint shares no block at or above ${oldest.number}, below which the chain is final`)
    this.oldest = oldest
  }
}

/** What one endpoint serves: its head, and its block at a height that the stored chain has too. */
export type EndpointView = {
  readonly endpoint: EndpointId
  readonly head: number
  readonly number: number
  readonly hash: Hex | undefined
}

export type Verdict =
  | { readonly type: 'ours'; readonly endpoint: EndpointId | undefined }
  | { readonly type: 'theirs'; readonly endpoint: EndpointId }

/**
 * Chooses the branch to follow when an endpoint contradicts the stored chain: that of the highest head. At equal heights
 * the stored branch stays, so that two endpoints on two branches do not cause repeated reorgs.
 */
export function judgeViews(views: readonly EndpointView[], ours: ReadonlyMap<number, Hex>): Verdict {
  const agrees = (view: EndpointView): boolean => view.hash !== undefined && ours.get(view.number) === view.hash
  const comparable = views.filter((view) => view.hash !== undefined && ours.has(view.number))
  const best = comparable.toSorted(
    (a, b) => b.head - a.head || Number(agrees(b)) - Number(agrees(a)) || a.endpoint - b.endpoint,
  )[0]
  if (best === undefined) return { type: 'ours', endpoint: undefined }
  return { type: agrees(best) ? 'ours' : 'theirs', endpoint: best.endpoint }
}

/**
 * The search for the highest shared block, over indexes of the window. A shared block has shared ancestors, so a few
 * requests find it at any depth: index `shared` is on both branches, index `diverged` is not.
 */
export type ForkSearch = { readonly shared: number; readonly diverged: number }

const PROBES = 16

export function startSearch(windowLength: number): ForkSearch {
  return { shared: -1, diverged: windowLength }
}

/** The indexes to compare next. Empty when the search is over. */
export function probesOf({ shared, diverged }: ForkSearch): readonly number[] {
  const open = diverged - shared - 1
  if (open <= 0) return []
  if (open <= PROBES) return Array.from({ length: open }, (_, at) => diverged - 1 - at)
  // Most reorgs are shallow: compare at doubling distances below the newest block.
  const steps = new Set<number>()
  for (let step = 1; step <= open; step *= 2) steps.add(diverged - step)
  steps.add(shared + 1)
  return [...steps].slice(0, PROBES)
}

export function narrow(search: ForkSearch, results: ReadonlyMap<number, boolean>): ForkSearch {
  let { shared, diverged } = search
  for (const [index, isShared] of results) if (isShared && index > shared) shared = index
  for (const [index, isShared] of results) if (!isShared && index > shared && index < diverged) diverged = index
  return { shared, diverged: Math.max(diverged, shared + 1) }
}
