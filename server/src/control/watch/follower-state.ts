/**
 * The follower as a state machine: what to do next, given what was just learned.
 *
 * Pure: `(state, event) → [state, effects]`. It decides; `follow.ts` asks the nodes, writes to the store and reports
 * back. The state is always what the store holds, so after a crash or a doubt it is simply loaded again.
 *
 * One rule carries the rest: a block is read only if its parent is the block read before it.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId } from '../rpc/pool.ts'
import { type ForkSearch, judgeViews, narrow, probesOf, ReorgTooDeepError, startSearch, type View } from './reorg.ts'
import type { BlockRef, StoredBlock } from './watch-store.ts'

export type FollowSettings = {
  readonly chain: string
  /** Blocks on top of a block before it is read. */
  readonly confirmations: number
  /** Blocks below the head that may still be undone. */
  readonly reorgLimit: number
  /** Blocks read and stored in one step. */
  readonly stride: number
  /** A lag of more final blocks than this becomes a job, so that news does not wait for history. */
  readonly handOverAfter: number
}

export type Window = readonly [StoredBlock, ...StoredBlock[]]

export type FollowState = {
  readonly settings: FollowSettings
  readonly window: Window
  readonly head: BlockRef | undefined
  /** The endpoint whose branch we follow, once a contradiction made it matter. */
  readonly prefer: EndpointId | undefined
  readonly search: (ForkSearch & { readonly endpoint: EndpointId }) | undefined
}

export type FollowEvent =
  | { readonly type: 'head'; readonly head: BlockRef }
  | { readonly type: 'headers'; readonly headers: readonly Header[] }
  /** What the node holds at a height of ours. */
  | { readonly type: 'held'; readonly number: number; readonly hash: Hex | undefined }
  | { readonly type: 'views'; readonly views: readonly View[] }
  | { readonly type: 'probed'; readonly hashes: ReadonlyMap<number, Hex | undefined> }
  | { readonly type: 'advanced'; readonly blocks: readonly StoredBlock[] }
  | { readonly type: 'rewound'; readonly to: BlockRef }
  | { readonly type: 'handedOver'; readonly to: StoredBlock }

export type FollowEffect =
  | { readonly type: 'fetchHeaders'; readonly from: number; readonly to: number }
  | { readonly type: 'checkHeld'; readonly number: number }
  | { readonly type: 'compareViews' }
  | { readonly type: 'probe'; readonly endpoint: EndpointId; readonly numbers: readonly number[] }
  | { readonly type: 'readBlocks'; readonly headers: readonly Header[] }
  | { readonly type: 'rewind'; readonly from: BlockRef; readonly to: BlockRef }
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
    case 'held':
      return [state, hashAt(state, event.number) === event.hash ? [] : [{ type: 'compareViews' }]]
    case 'views':
      return onViews(state, event.views)
    case 'probed':
      return onProbed(state, event.hashes)
    case 'advanced':
      return goOn(extend(state, event.blocks))
    case 'handedOver':
      return goOn(extend(state, [event.to]))
    case 'rewound': {
      const kept = state.window.filter((block) => block.number <= event.to.number)
      return goOn({ ...state, search: undefined, window: kept as unknown as Window })
    }
    default:
      return event satisfies never
  }
}

/** The lowest block that may still be undone. */
export function keepFromOf({ head, settings }: FollowState): number {
  return (head?.number ?? 0) - settings.reorgLimit
}

/**
 * The window is forgotten below the newest block that is as deep under our own cursor as a reorganisation may reach.
 * Not under the head: while we lag, the branch we read may be a dead one, and the head that of another. And the newest
 * such block stays, because in a young window the next one we hold may stand well above it.
 */
export function oldestKeptOf(state: FollowState): number {
  const deepest = cursorOf(state).number - state.settings.reorgLimit
  return state.window.findLast((block) => block.number <= deepest)?.number ?? deepest
}

function extend(state: FollowState, blocks: readonly StoredBlock[]): FollowState {
  const oldest = oldestKeptOf(state)
  const kept = state.window.filter((block) => block.number >= oldest)
  return { ...state, window: [...kept, ...blocks] as unknown as Window }
}

function hashAt({ window }: FollowState, number: number): Hex | undefined {
  return window.findLast((block) => block.number === number)?.hash
}

function onHead(state: FollowState, head: BlockRef): Step {
  const isNews = state.head?.hash !== head.hash
  const next = { ...state, head }
  const [, effects] = goOn(next)
  if (effects.length > 0 || !isNews) return [next, effects]
  // Nothing to read, yet the head moved: a branch may have changed under us without growing.
  const number = Math.min(head.number, cursorOf(state).number)
  if (hashAt(state, number) === undefined) return [next, []]
  if (number === head.number) return onFollowEvent(next, { type: 'held', number, hash: head.hash })
  return [next, [{ type: 'checkHeld', number }]]
}

/** The next blocks to read, if the head allows any. */
function goOn(state: FollowState): Step {
  if (state.head === undefined) return [state, []]
  const { confirmations, stride } = state.settings
  const from = cursorOf(state).number + 1
  const to = Math.min(state.head.number - confirmations, from + stride - 1)
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
  const final = keepFromOf(state)
  if (final - cursor.number > state.settings.handOverAfter)
    return [state, [{ type: 'handOver', after: cursor, to: final }]]
  return [state, [{ type: 'readBlocks', headers: linked }]]
}

function onViews(state: FollowState, views: readonly View[]): Step {
  const ours = new Map(state.window.map((block) => [block.number, block.hash]))
  const verdict = judgeViews(views, ours)
  if (verdict.type === 'ours') return [{ ...state, prefer: verdict.endpoint ?? state.prefer }, []]
  const { endpoint } = verdict
  return nextProbe({ ...state, prefer: endpoint, search: { ...startSearch(state.window.length), endpoint } })
}

function onProbed(state: FollowState, hashes: ReadonlyMap<number, Hex | undefined>): Step {
  if (state.search === undefined) return [state, []]
  const answers = new Map<number, boolean>()
  for (const index of probesOf(state.search)) {
    const block = state.window[index]
    if (block !== undefined) answers.set(index, hashes.get(block.number) === block.hash)
  }
  return nextProbe({ ...state, search: { ...narrow(state.search, answers), endpoint: state.search.endpoint } })
}

function nextProbe(state: FollowState): Step {
  const { search, window, settings } = state
  if (search === undefined) return [state, []]
  const numbers = probesOf(search).flatMap((index) => window[index]?.number ?? [])
  if (numbers.length > 0) return [state, [{ type: 'probe', endpoint: search.endpoint, numbers }]]
  const shared = window[search.agreed]
  if (shared === undefined) throw new ReorgTooDeepError(settings.chain, window[0])
  // The branch came back to ours while we were asking.
  if (shared === window.at(-1)) return [{ ...state, search: undefined }, []]
  return [{ ...state, search: undefined }, [{ type: 'rewind', from: cursorOf(state), to: shared }]]
}
