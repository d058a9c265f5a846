/**
 * Follows the head of one chain: asks the nodes, lets `follow-core.ts` decide, writes to the store.
 *
 * Owns the order of things: a block's logs are complete before its events are stored, and events, outbox and cursor
 * are stored together. Any failure throws away the plan; the next step starts from what the store holds.
 */

import type { Hex } from '../../lib/hex.ts'
import type { Timing } from '../../lib/timing.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId, RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'
import { BlockMissingError } from '../rpc/rpc-error.ts'
import type { ChainSnapshot } from './chain-snapshot.ts'
import { fetchHashes, fetchHeaders, fetchViews, headOf } from './endpoint-views.ts'
import {
  cursorOf,
  type FollowEffect,
  type FollowEvent,
  type FollowSettings,
  type FollowState,
  keepFromOf,
  newFollowState,
  oldestKeptOf,
  onFollowEvent,
  type Window,
} from './follower-state.ts'
import { historyStartOf } from './history-start.ts'
import { type InterpretDeps, interpret } from './interpret.ts'
import { fillWindow, planStart } from './plan-start.ts'
import { readBlockLogs } from './read-block.ts'
import { chunksOf, discoveredIn, type Scope } from './scope.ts'
import type { BlockRef, Fence, NewJob, PendingContract, StoredBlock, WatchStore } from './watch-store.ts'

export type FollowDeps = InterpretDeps & {
  readonly timing: Timing
  readonly pool: RpcPool
  readonly store: WatchStore
  readonly scope: Scope
  readonly fence: () => Fence
  /** There is history to read. */
  readonly onJobs?: () => void
}

export type FollowOptions = {
  readonly settings: FollowSettings
  /** Where history begins; undefined: at the head of the first start. */
  readonly startBlock: number | undefined
  /** Whether contracts seen through chain-wide events come under watch. */
  readonly discover: boolean
}

export type Follower = {
  /** One look at the head and all that follows from it; true when there may be more to do at once. */
  readonly step: () => Promise<boolean>
  /** Asks every endpoint how far it sees, and follows the one ahead if ours lags. */
  readonly survey: () => Promise<void>
  readonly live: () => ChainSnapshot | undefined
  readonly setVerified: (verifiedTo: number, reorgs: number) => void
}

/** An endpoint this many blocks behind another is lagging, not merely later with the news. */
const LAG_TOLERATED = 3

export function createFollower(deps: FollowDeps, options: FollowOptions): Follower {
  const { timing, pool, store, scope, fence } = deps
  const { settings } = options
  let state: FollowState | undefined
  let seen: ChainSnapshot | undefined
  let startBlock = 0
  let verifiedTo = 0
  let reorgs = 0
  let prefer: EndpointId | undefined

  const load = async (): Promise<FollowState> => {
    const found = await store.findState()
    if (found !== undefined) {
      startBlock = found.startBlock
      verifiedTo = found.verifiedTo
      reorgs = found.reorgs
      return newFollowState(settings, found.window as Window)
    }
    const first = await planStart({ pool }, { settings, startBlock: options.startBlock, now: timing.now() })
    await store.start(fence(), first)
    return await load()
  }

  /** State and counters change together, or a neighbour would store old plans under a new count. */
  const show = (current: FollowState): void => {
    // Without a head nobody knows which blocks are final.
    if (current.head === undefined) return
    seen = {
      chain: settings.chain,
      cursor: cursorOf(current),
      head: current.head.number,
      startBlock,
      verifiedTo,
      reorgs,
      keepFrom: keepFromOf(current),
      window: current.window,
      reader: current.prefer ?? prefer ?? 0,
    }
  }

  /** History from an earlier block on, where the configuration or an operator has asked for it. */
  const extendHistory = async (current: FollowState, final: number): Promise<FollowState> => {
    const wish = await store.findBackfillRequest()
    const wanted = Math.min(wish ?? startBlock, options.startBlock ?? startBlock)
    if (wish === undefined && wanted >= startBlock) return current
    const earlier = Math.min(wanted, startBlock)
    const after = cursorOf(current)
    const to = Math.min(startBlock - 1, after.number)
    const blocks = earlier > to ? [] : await fillWindow({ pool }, current.window, Math.max(earlier, final))
    const jobs: readonly NewJob[] =
      earlier > to
        ? []
        : [
            { scope: 'chainwide', addresses: [], from: earlier, to, announce: false },
            ...chunksOf([...scope.known.keys()]).map((some) => historyJob(some, earlier, to)),
          ]
    await store.extendHistory(fence(), { after, startBlock: earlier, blocks, jobs })
    startBlock = earlier
    deps.onJobs?.()
    const window = [...current.window, ...blocks].sort((a, b) => a.number - b.number)
    return { ...current, window: window as unknown as Window }
  }

  const adoptPending = async (current: FollowState): Promise<void> => {
    const pending = await store.getPending()
    if (pending.length === 0) return
    const after = cursorOf(current)
    await store.adopt(fence(), {
      after,
      contracts: pending,
      jobs: await jobsFor(deps, pending, startBlock, after.number),
    })
    scope.add(pending)
    show(current)
    deps.onJobs?.()
  }

  const perform = async (current: FollowState, effect: FollowEffect): Promise<FollowEvent> => {
    const ask = { prefer: current.prefer ?? prefer }
    switch (effect.type) {
      case 'fetchHeaders':
        return { type: 'headers', headers: await fetchHeaders(pool, effect.from, effect.to, ask.prefer) }
      case 'checkHeld': {
        const { value } = await pool.request(getBlockHeader(effect.number), ask)
        return { type: 'held', number: effect.number, hash: value?.hash }
      }
      case 'compareViews':
        return { type: 'views', views: await fetchViews(pool, cursorOf(current).number) }
      case 'probe':
        return { type: 'probed', hashes: await fetchHashes(pool, effect.numbers, effect.endpoint) }
      case 'readBlocks':
        return { type: 'advanced', blocks: await advance(current, effect.headers, ask.prefer) }
      case 'rewind':
        await store.rewind(fence(), effect)
        reorgs += 1
        verifiedTo = Math.min(verifiedTo, effect.to.number)
        return { type: 'rewound', to: effect.to }
      case 'handOver': {
        const to = await handOver(effect.after, effect.to)
        if (to !== undefined) return { type: 'handedOver', to }
        return { type: 'views', views: await fetchViews(pool, effect.after.number) }
      }
      default:
        return effect satisfies never
    }
  }

  const advance = async (
    current: FollowState,
    headers: readonly Header[],
    prefer: EndpointId | undefined,
  ): Promise<readonly StoredBlock[]> => {
    const byHash = new Map(headers.map((header) => [header.hash, header]))
    const read = await Promise.all(
      headers.map((header) => readBlockLogs({ pool }, header, { topics: scope.allTopics, prefer })),
    )
    const logs = read.flat().filter((log) => log.blockNumber >= startBlock && scope.covers(log))
    const found = await interpret(deps, logs, {
      prefer,
      kindOf: scope.kindOf,
      isWatched: scope.isKnown,
      blockOf: (log) => byHash.get(log.blockHash) as Header,
    })
    const blocks = headers.map(({ number, hash, time }) => ({ number, hash, time }))
    await store.advance(fence(), {
      ...found,
      after: cursorOf(current),
      blocks,
      keepFrom: oldestKeptOf(current),
      discovered: options.discover ? discoveredIn(found.events, scope) : [],
    })
    return blocks
  }

  /** Undefined where the endpoint that knows the final block does not know ours: then ours must be undone first. */
  const handOver = async (after: BlockRef, number: number): Promise<StoredBlock | undefined> => {
    const { value: header, from: endpoint } = await pool.request(getBlockHeader(number), { prefer })
    if (header === undefined) throw new BlockMissingError(settings.chain, number)
    const { value: held } = await pool.request(getBlockHeader(after.number), { only: endpoint })
    if (held?.hash !== after.hash) return undefined
    const to = { number, hash: header.hash, time: header.time }
    // What the second pass has not seen yet becomes the job's to verify.
    const from = Math.max(startBlock, Math.min(verifiedTo, after.number) + 1)
    const job: NewJob = { scope: 'gap', addresses: [], from, to: number, announce: true }
    await store.handOver(fence(), { after, to, jobs: from > number ? [] : [job] })
    verifiedTo = number
    deps.onJobs?.()
    return to
  }

  const step = async (): Promise<boolean> => {
    let current = state ?? (await load())
    // Until the step ends well, the truth is what the store holds.
    state = undefined
    const { value: head } = await pool.request(getBlockHeader('latest'), { prefer: current.prefer ?? prefer })
    if (head !== undefined) current = await extendHistory(current, head.number - settings.reorgLimit)
    await adoptPending(current)
    const before = cursorOf(current)
    let event: FollowEvent | undefined =
      head === undefined ? undefined : { type: 'head', head: { number: head.number, hash: head.hash } }
    while (event !== undefined) {
      const [next, [effect]]: readonly [FollowState, readonly FollowEffect[]] = onFollowEvent(current, event)
      current = next
      show(current)
      // News is stored block by block and announced at once; the rest of a long way is for the next steps.
      const isEnough: boolean = effect?.type === 'fetchHeaders' && event.type === 'advanced'
      event = effect === undefined || isEnough ? undefined : await perform(current, effect)
    }
    state = current
    return cursorOf(current).hash !== before.hash
  }

  return {
    step,
    survey: async () => {
      if (pool.all.length < 2) return
      const heads = await Promise.all(
        pool.available().map(async (endpoint) => ({ endpoint, head: await headOf(pool, endpoint) })),
      )
      const ours = heads.find(({ endpoint }) => endpoint === (state?.prefer ?? prefer ?? 0))?.head ?? -1
      const best = heads.toSorted((a, b) => b.head - a.head || a.endpoint - b.endpoint)[0]
      if (best === undefined || best.head - ours <= LAG_TOLERATED) return
      prefer = best.endpoint
      if (state !== undefined) state = { ...state, prefer: best.endpoint }
    },
    live: () => seen,
    setVerified: (to, atRewind) => {
      if (atRewind !== reorgs) return
      verifiedTo = to
      if (seen !== undefined) seen = { ...seen, verifiedTo }
    },
  }
}

/** Contracts of one job are asked for together, so those that begin late share one. */
async function jobsFor(
  deps: Pick<FollowDeps, 'pool'>,
  pending: readonly PendingContract[],
  startBlock: number,
  to: number,
): Promise<readonly NewJob[]> {
  const fresh = pending.filter((contract) => contract.isNew)
  const begun = await Promise.all(
    fresh.map(async (contract) => [contract.address, await historyStartOf(deps, contract, startBlock)] as const),
  )
  const starts = new Map(begun.toSorted(([, a], [, b]) => a - b))
  return chunksOf([...starts.keys()])
    .map((some) => historyJob(some, Math.min(...some.map((address) => starts.get(address) ?? startBlock)), to))
    .filter((job) => job.from <= job.to)
}

function historyJob(addresses: readonly Hex[], from: number, to: number): NewJob {
  return { scope: 'contracts', addresses, from, to, announce: false }
}
