/**
 * Where two views of one chain part ways.
 *
 * Owns the arithmetic of reorganisations. Knows neither RPC nor SQL: `follow.ts` supplies both views and acts on the
 * answer.
 */
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { EndpointId } from '../rpc/pool.ts'
import type { BlockRef } from './watch-store.ts'

/** The node shares no block with the part of our chain that may still be undone. */
export class ReorgTooDeepError extends GatewatchError {
  override readonly code = 'reorg_too_deep'
  override readonly retryable = false // the node will not change its mind: a person must look
  readonly oldest: BlockRef
  constructor(chain: string, oldest: BlockRef) {
    super(`${chain}: no common block at or above ${oldest.number}, below which the chain is final`)
    this.oldest = oldest
  }
}

/** One endpoint's opinion: how far it sees, and which block it has at a height we hold too. */
export type View = {
  readonly endpoint: EndpointId
  readonly head: number
  readonly number: number
  readonly hash: Hex | undefined
}

export type Verdict =
  | { readonly type: 'ours'; readonly endpoint: EndpointId | undefined }
  | { readonly type: 'theirs'; readonly endpoint: EndpointId }

/**
 * Whom to believe when an endpoint contradicts our chain: whoever sees farthest, for the living branch grows. On equal
 * heights our own branch stays, so that two endpoints on two branches cannot make us swing between them.
 */
export function judgeViews(views: readonly View[], ours: ReadonlyMap<number, Hex>): Verdict {
  const agrees = (view: View): boolean => view.hash !== undefined && ours.get(view.number) === view.hash
  const telling = views.filter((view) => view.hash !== undefined && ours.has(view.number))
  const best = telling.toSorted(
    (a, b) => b.head - a.head || Number(agrees(b)) - Number(agrees(a)) || a.endpoint - b.endpoint,
  )[0]
  if (best === undefined) return { type: 'ours', endpoint: undefined }
  return { type: agrees(best) ? 'ours' : 'theirs', endpoint: best.endpoint }
}

/**
 * The search for the highest block both views hold, over indexes of our window. Agreement is monotone (a shared block
 * has shared ancestors), so a few questions settle any depth: `agreed` holds, `parted` does not.
 */
export type ForkSearch = { readonly agreed: number; readonly parted: number }

const PROBES = 16

export function startSearch(windowLength: number): ForkSearch {
  return { agreed: -1, parted: windowLength }
}

/** Which indexes to ask about next; none when the search is over. */
export function probesOf({ agreed, parted }: ForkSearch): readonly number[] {
  const open = parted - agreed - 1
  if (open <= 0) return []
  if (open <= PROBES) return Array.from({ length: open }, (_, at) => parted - 1 - at)
  // Most reorganisations are shallow: first steps that double, downwards from the newest.
  const steps = new Set<number>()
  for (let step = 1; step <= open; step *= 2) steps.add(parted - step)
  steps.add(agreed + 1)
  return [...steps].slice(0, PROBES)
}

export function narrow(search: ForkSearch, answers: ReadonlyMap<number, boolean>): ForkSearch {
  let { agreed, parted } = search
  for (const [index, isShared] of answers) if (isShared && index > agreed) agreed = index
  for (const [index, isShared] of answers) if (!isShared && index > agreed && index < parted) parted = index
  return { agreed, parted: Math.max(parted, agreed + 1) }
}
