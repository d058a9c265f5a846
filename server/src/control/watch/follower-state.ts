/**
 * The follower's state machine: `(state, event) → [state, effects]`.
 *
 * Pure. `follower.ts` performs the effects: it reads the nodes, writes to the store and returns the result as an event.
 * The state always equals the stored one, so after a crash or an error it is loaded again.
 *
 * Invariant: a block is read only if its parent is the block read before it.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId } from '../rpc/pool.ts'
import type { BlockTag } from '../rpc/requests.ts'
import {
  type EndpointView,
  type ForkSearch,
  judgeViews,
  narrow,
  probesOf,
  ReorgTooDeepError,
  startSearch,
} from './reorg.ts'
import type { BlockRef, StoredBlock } from './watch-store.ts'

export type FollowSettings = {
  readonly chain: string
  /** Confirmations a block needs before it is read. */
  readonly confirmations: number
  /** The block that counts as the head; the latest one unless the chain has another rule. */
  readonly headTag?: BlockTag | undefined
  /** Blocks below the head that a reorg may still replace. */
  readonly reorgLimit: number
  /** Most blocks read and stored in one step. */
  readonly blocksPerStep: number
  /** A lag of more finalized blocks than this becomes a backfill job, so that new events do not wait for old ones. */
  readonly maxLag: number
}

export type Window = readonly [StoredBlock, ...StoredBlock[]]

export type FollowState = {
  readonly settings: FollowSettings
  readonly window: Window
  readonly head: BlockRef | undefined
  /** The endpoint whose branch is followed, once endpoints contradicted each other. */
  readonly prefer: EndpointId | undefined
  readonly search: (ForkSearch & { readonly endpoint: EndpointId }) | undefined
}

export type FollowEvent =
  | { readonly type: 'head'; readonly head: BlockRef }
  | { readonly type: 'headers'; readonly headers: readonly Header[] }
  /** The hash the node serves at the height of a stored block. */
  | { readonly type: 'blockAt'; readonly number: number; readonly hash: Hex | undefined }
  | { readonly type: 'views'; readonly views: readonly EndpointView[] }
  | { readonly type: 'probed'; readonly hashes: ReadonlyMap<number, Hex | undefined> }
  | { readonly type: 'advanced'; readonly blocks: readonly StoredBlock[] }
  | { readonly type: 'rolledBack'; readonly to: BlockRef }
  | { readonly type: 'handedOver'; readonly to: StoredBlock }

export type FollowEffect =
  | { readonly type: 'fetchHeaders'; readonly from: number; readonly to: number }
  | { readonly type: 'checkBlock'; readonly number: number }
  | { readonly type: 'compareViews' }
  | { readonly type: 'probe'; readonly endpoint: EndpointId; readonly numbers: readonly number[] }
  | { readonly type: 'readBlocks'; readonly headers: readonly Header[] }
  | { readonly type: 'rollBack'; readonly from: BlockRef; readonly to: BlockRef }
  | { readonly type: 'handOver'; readonly after: BlockRef; readonly to: number }

type Step = readonly [FollowState, readonly FollowEffect[]]

export function newFollowState(settings: FollowSettings, window: Window): FollowState {
  return { settings, window, head: undefined, prefer: undefined, search: undefined }
}

export function cursorOf({ window }: FollowState): StoredBlock {
  return window.at(-1) as StoredBlock
}

export function onFollowEvent(state: FollowState, event: FollowEvent): Step {
  switch (event.type) {
    case 'head':
      return onHead(state, event.head)
    case 'headers':
      return onHeaders(state, event.headers)
    case 'blockAt':
      return [state, hashAt(state, event.number) === event.hash ? [] : [{ type: 'compareViews' }]]
    case 'views':
      return onViews(state, event.views)
    case 'probed':
      return onProbed(state, event.hashes)
    case 'advanced':
      return nextBlocks(extend(state, event.blocks))
    case 'handedOver':
      return nextBlocks(extend(state, [event.to]))
    case 'rolledBack': {
      const kept = state.window.filter((block) => block.number <= event.to.number)
      return nextBlocks({ ...state, search: undefined, window: kept as unknown as Window })
    }
    default:
      return event satisfies never
  }
}

/** The last finalized block. A reorg may still replace the blocks above it. */
export function lastFinalizedOf({ head, settings }: FollowState): number {
  return (head?.number ?? 0) - settings.reorgLimit
}

/**
 * Blocks deeper below the cursor than the reorg limit leave the window, except the newest of them, because in a sparse
 * window the next block may be far above it. The depth counts from the cursor, not from the head: while the follower
 * lags, the head may be on another branch.
 */
export function pruneBelowOf(state: FollowState): number {
  const deepest = cursorOf(state).number - state.settings.reorgLimit
  return state.window.findLast((block) => block.number <= deepest)?.number ?? deepest
}

function extend(state: FollowState, blocks: readonly StoredBlock[]): FollowState {
  const oldest = pruneBelowOf(state)
  const kept = state.window.filter((block) => block.number >= oldest)
  return { ...state, window: [...kept, ...blocks] as unknown as Window }
}

function hashAt({ window }: FollowState, number: number): Hex | undefined {
  return window.findLast((block) => block.number === number)?.hash
}

function onHead(state: FollowState, head: BlockRef): Step {
  const isNewHead = state.head?.hash !== head.hash
  const next = { ...state, head }
  const [, effects] = nextBlocks(next)
  if (effects.length > 0 || !isNewHead) return [next, effects]
  // The head changed without new blocks to read: a reorg may have replaced blocks at the same height.
  const number = Math.min(head.number, cursorOf(state).number)
  if (hashAt(state, number) === undefined) return [next, []]
  if (number === head.number) return onFollowEvent(next, { type: 'blockAt', number, hash: head.hash })
  return [next, [{ type: 'checkBlock', number }]]
}

/** Requests the headers of the next blocks, if enough blocks confirm them. */
function nextBlocks(state: FollowState): Step {
  if (state.head === undefined) return [state, []]
  const { confirmations, blocksPerStep } = state.settings
  const from = cursorOf(state).number + 1
  const to = Math.min(state.head.number - confirmations, from + blocksPerStep - 1)
  return [state, to < from ? [] : [{ type: 'fetchHeaders', from, to }]]
}

function onHeaders(state: FollowState, headers: readonly Header[]): Step {
  const cursor = cursorOf(state)
  const linked: Header[] = []
  let tip: BlockRef = cursor
  for (const header of headers) {
    if (header.number !== tip.number + 1 || header.parentHash !== tip.hash) break
    linked.push(header)
    tip = header
  }
  if (headers[0] !== undefined && linked.length === 0) return [state, [{ type: 'compareViews' }]]
  if (linked.length === 0) return [state, []]
  const final = lastFinalizedOf(state)
  if (final - cursor.number > state.settings.maxLag) return [state, [{ type: 'handOver', after: cursor, to: final }]]
  return [state, [{ type: 'readBlocks', headers: linked }]]
}

function onViews(state: FollowState, views: readonly EndpointView[]): Step {
  const ours = new Map(state.window.map((block) => [block.number, block.hash]))
  const verdict = judgeViews(views, ours)
  if (verdict.type === 'ours') return [{ ...state, prefer: verdict.endpoint ?? state.prefer }, []]
  const { endpoint } = verdict
  return nextProbe({ ...state, prefer: endpoint, search: { ...startSearch(state.window.length), endpoint } })
}

function onProbed(state: FollowState, hashes: ReadonlyMap<number, Hex | undefined>): Step {
  if (state.search === undefined) return [state, []]
  const results = new Map<number, boolean>()
  for (const index of probesOf(state.search)) {
    const block = state.window[index]
    if (block !== undefined) results.set(index, hashes.get(block.number) === block.hash)
  }
  return nextProbe({ ...state, search: { ...narrow(state.search, results), endpoint: state.search.endpoint } })
}

function nextProbe(state: FollowState): Step {
  const { search, window, settings } = state
  if (search === undefined) return [state, []]
  const numbers = probesOf(search).flatMap((index) => window[index]?.number ?? [])
  if (numbers.length > 0) return [state, [{ type: 'probe', endpoint: search.endpoint, numbers }]]
  const shared = window[search.shared]
  if (shared === undefined) throw new ReorgTooDeepError(settings.chain, window[0])
  // The endpoint returned to the stored branch during the search.
  if (shared === window.at(-1)) return [{ ...state, search: undefined }, []]
  return [{ ...state, search: undefined }, [{ type: 'rollBack', from: cursorOf(state), to: shared }]]
}
