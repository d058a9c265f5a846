/**
 * Follows the head of one chain: reads new blocks, reconciles them with the stored chain, and stores their events.
 *
 * `follower-state.ts` decides what to do. Events are stored only once the logs of their block are complete, together with
 * the cursor. After any failure the next step starts from the stored state.
 */

import type { Timing } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
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
  lastFinalizedOf,
  newFollowState,
  onFollowEvent,
  pruneBelowOf,
  type Window,
} from './follower-state.ts'
import { type BlockContent, createHeadBlocks } from './head-blocks.ts'
import { type InterpretDeps, interpret, readingOf } from './interpret.ts'
import { fillWindow, historyStartOf, planStart } from './plan-start.ts'
import { chunksOf, discoveredIn, type Scope } from './scope.ts'
import type {
  BlockRef,
  Fence,
  Found,
  NewJob,
  PendingContract,
  StoredBlock,
  WatchedContract,
  WatchStore,
} from './watch-store.ts'

export type FollowDeps = InterpretDeps & {
  readonly timing: Timing
  readonly pool: RpcPool
  readonly store: WatchStore
  readonly scope: Scope
  readonly fence: () => Fence
  /** Called when jobs were stored. */
  readonly onJobs?: () => void
  /** Called when blocks were rolled back. */
  readonly onReorg?: (reorg: { readonly from: BlockRef; readonly to: BlockRef }) => void
}

export type FollowOptions = {
  readonly settings: FollowSettings
  /** The first block of history. Undefined: the head at the first start. */
  readonly startBlock: number | undefined
  /** Whether contracts found through chain-wide events are watched from then on. */
  readonly discover: boolean
  /** Whether the transactions of blocks are read too, not only their logs. */
  readonly readTransactions: boolean
}

/** How often expired contracts are looked for. They expire after days. */
const CHECK_EXPIRY_MS = 60_000

export type Follower = {
  /** Polls the head and processes new blocks. True if there may be more to do at once. */
  readonly step: () => Promise<boolean>
  /** Reads the heads of all endpoints, and switches to the highest one if the current endpoint lags. */
  readonly chooseEndpoint: () => Promise<void>
  readonly snapshot: () => ChainSnapshot | undefined
  /** When an endpoint last returned the head. */
  readonly headAt: () => number | undefined
  /** Publishes the progress of the second pass, unless a reorg happened since its snapshot. */
  readonly setVerified: (verifiedTo: number, reorgs: number) => void
  /** Loads the stored state before the next step, because the second pass found that it differs. */
  readonly reload: () => void
}

/** Smaller differences between heads are normal propagation delay. */
const MAX_HEAD_DIFFERENCE = 3

export function createFollower(deps: FollowDeps, options: FollowOptions): Follower {
  const { timing, pool, store, scope, fence } = deps
  const { settings } = options
  let state: FollowState | undefined
  let isOutdated = false
  let published: ChainSnapshot | undefined
  let startBlock = 0
  let verifiedTo = 0
  let reorgs = 0
  let prefer: EndpointId | undefined
  let headAt: number | undefined

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

  /** State and counters are published together, or the backfill would store old plans with a new reorg count. */
  const publish = (current: FollowState): void => {
    // Without a head it is unknown which blocks are finalized.
    if (current.head === undefined) return
    published = {
      chain: settings.chain,
      cursor: cursorOf(current),
      head: current.head.number,
      startBlock,
      verifiedTo,
      reorgs,
      lastFinalized: lastFinalizedOf(current),
      window: current.window,
      endpoint: current.prefer ?? prefer ?? 0,
    }
  }

  /** Extends history to an earlier start block that the configuration or a backfill request asks for. */
  const extendHistory = async (current: FollowState, final: number): Promise<FollowState> => {
    const requested = await store.findBackfillRequest()
    const wantedStart = Math.min(requested ?? startBlock, options.startBlock ?? startBlock)
    if (requested === undefined && wantedStart >= startBlock) return current
    const earlier = Math.min(wantedStart, startBlock)
    const after = cursorOf(current)
    const to = Math.min(startBlock - 1, after.number)
    const blocks = earlier > to ? [] : await fillWindow({ pool }, current.window, Math.max(earlier, final))
    const jobs: readonly NewJob[] =
      earlier > to
        ? []
        : [
            { scope: 'chainwide', addresses: [], from: earlier, to, announce: false },
            ...chunksOf([...scope.watched.keys()]).map((some) => historyJob(some, earlier, to)),
          ]
    await store.extendHistory(fence(), { after, startBlock: earlier, blocks, jobs })
    startBlock = earlier
    deps.onJobs?.()
    const window = [...current.window, ...blocks].sort((a, b) => a.number - b.number)
    return { ...current, window: window as unknown as Window }
  }

  /** False while it is not known whether the store watches contracts that are not in scope. */
  let isScopeKnown = true
  const widenScope = (contracts: readonly WatchedContract[]): void => {
    scope.add(contracts)
    atHead.reinterpret()
    isScopeKnown = true
  }

  let checkedExpiryAt = Number.NEGATIVE_INFINITY
  const stopExpired = async (): Promise<void> => {
    if (timing.now() - checkedExpiryAt < CHECK_EXPIRY_MS) return
    checkedExpiryAt = timing.now()
    scope.remove(await store.stopWatching(fence()))
  }

  const watchPending = async (current: FollowState): Promise<void> => {
    await stopExpired()
    if (!isScopeKnown) widenScope(await store.getWatched())
    const pending = await store.getPending()
    if (pending.length === 0) return
    const after = cursorOf(current)
    const jobs = await jobsFor(deps, pending, startBlock, after.number)
    // If the result is lost, the contracts may be watched, and are no longer pending.
    isScopeKnown = false
    await store.startWatching(fence(), { after, contracts: pending, jobs })
    widenScope(pending)
    publish(current)
    deps.onJobs?.()
  }

  const perform = async (current: FollowState, effect: FollowEffect): Promise<FollowEvent> => {
    const options = { prefer: current.prefer ?? prefer }
    switch (effect.type) {
      case 'fetchHeaders':
        return { type: 'headers', headers: await fetchHeaders(pool, effect.from, effect.to, options.prefer) }
      case 'checkBlock': {
        const { value } = await pool.request(getBlockHeader(effect.number), options)
        return { type: 'blockAt', number: effect.number, hash: value?.hash }
      }
      case 'compareViews':
        return { type: 'views', views: await fetchViews(pool, cursorOf(current).number) }
      case 'probe':
        return { type: 'probed', hashes: await fetchHashes(pool, effect.numbers, effect.endpoint) }
      case 'readBlocks':
        return { type: 'advanced', blocks: await advance(current, effect.headers, options.prefer) }
      case 'rollBack':
        await store.rollBack(fence(), effect)
        reorgs += 1
        verifiedTo = Math.min(verifiedTo, effect.to.number)
        deps.onReorg?.(effect)
        return { type: 'rolledBack', to: effect.to }
      case 'handOver': {
        const to = await handOver(effect.after, effect.to)
        if (to !== undefined) return { type: 'handedOver', to }
        return { type: 'views', views: await fetchViews(pool, effect.after.number) }
      }
      default:
        return effect satisfies never
    }
  }

  const interpretBlocks = async (contents: readonly BlockContent[], prefer: EndpointId | undefined): Promise<Found> => {
    const byHash = new Map(contents.map(({ header }) => [header.hash, header]))
    const logs = contents.flatMap((content) => content.logs)
    const covered = logs.filter((log) => log.blockNumber >= startBlock && scope.covers(log))
    const headers = [...byHash.values()]
    const transactions = contents.flatMap((content) => content.transactions)
    return await interpret(deps, covered, {
      prefer,
      kindOf: scope.kindOf,
      isWatched: scope.isWatched,
      getReferenced: store.getReferenced,
      roleClasses: store.getRoleClasses,
      reading: options.readTransactions ? { ...readingOf(store), headers, transactions } : undefined,
      blockOf: (log) => byHash.get(log.blockHash) as Header,
    })
  }

  const atHead = createHeadBlocks(
    { pool, store, scope, fence, eventsOf: async (...given) => (await interpretBlocks(...given)).events },
    { readTransactions: options.readTransactions, maxBlocks: settings.confirmations + settings.blocksPerStep },
  )

  const advance = async (
    current: FollowState,
    headers: readonly Header[],
    prefer: EndpointId | undefined,
  ): Promise<readonly StoredBlock[]> => {
    const found = await interpretBlocks(await Promise.all(headers.map((header) => atHead.read(header, prefer))), prefer)
    const blocks = headers.map(({ number, hash, time }) => ({ number, hash, time }))
    await store.advance(fence(), {
      ...found,
      after: cursorOf(current),
      blocks,
      pruneBelow: pruneBelowOf(current),
      discovered: options.discover ? discoveredIn(found.events, scope) : [],
    })
    return blocks
  }

  /** Leaves the blocks up to a finalized one to a job. Undefined if the endpoint does not have the cursor block: a reorg comes first. */
  const handOver = async (after: BlockRef, number: number): Promise<StoredBlock | undefined> => {
    const { value: header, from: endpoint } = await pool.request(getBlockHeader(number), { prefer })
    if (header === undefined) throw new BlockMissingError(settings.chain, number)
    const { value: atCursor } = await pool.request(getBlockHeader(after.number), { only: endpoint })
    if (atCursor?.hash !== after.hash) return undefined
    const to = { number, hash: header.hash, time: header.time }
    // The job also verifies the blocks that the second pass has not verified yet.
    const from = Math.max(startBlock, Math.min(verifiedTo, after.number) + 1)
    const job: NewJob = { scope: 'gap', addresses: [], from, to: number, announce: true }
    await store.handOver(fence(), { after, to, jobs: from > number ? [] : [job] })
    verifiedTo = number
    deps.onJobs?.()
    return to
  }

  const step = async (): Promise<boolean> => {
    if (isOutdated) state = undefined
    isOutdated = false
    let current = state ?? (await load())
    // If the step fails, the next one loads the state from the store.
    state = undefined
    const { value: head } = await pool.request(getBlockHeader(settings.headTag ?? 'latest'), {
      prefer: current.prefer ?? prefer,
    })
    if (head !== undefined) headAt = timing.now()
    if (head !== undefined) current = await extendHistory(current, head.number - settings.reorgLimit)
    await watchPending(current)
    const before = cursorOf(current)
    // Without confirmations every alert is at head. A failure must not keep events from being stored.
    const alerted =
      head === undefined || settings.confirmations === 0
        ? undefined
        : await settle(atHead.alert(before, head, current.prefer ?? prefer))
    let event: FollowEvent | undefined =
      head === undefined ? undefined : { type: 'head', head: { number: head.number, hash: head.hash } }
    while (event !== undefined) {
      const [next, [effect]]: readonly [FollowState, readonly FollowEffect[]] = onFollowEvent(current, event)
      current = next
      publish(current)
      // One batch of blocks per step: its events are announced before the next blocks are read.
      const isStepDone: boolean = effect?.type === 'fetchHeaders' && event.type === 'advanced'
      event = effect === undefined || isStepDone ? undefined : await perform(current, effect)
    }
    state = current
    if (alerted?.error !== undefined) throw alerted.error
    return cursorOf(current).hash !== before.hash
  }

  return {
    step,
    chooseEndpoint: async () => {
      const heads = await Promise.all(
        pool.available().map(async (endpoint) => ({ endpoint, head: await headOf(pool, endpoint) })),
      )
      if (heads.some(({ head }) => head >= 0)) headAt = timing.now()
      if (pool.all.length < 2) return
      const own = heads.find(({ endpoint }) => endpoint === (state?.prefer ?? prefer ?? 0))?.head ?? -1
      const best = heads.toSorted((a, b) => b.head - a.head || a.endpoint - b.endpoint)[0]
      if (best === undefined || best.head - own <= MAX_HEAD_DIFFERENCE) return
      prefer = best.endpoint
      if (state !== undefined) state = { ...state, prefer: best.endpoint }
    },
    snapshot: () => published,
    reload: () => {
      isOutdated = true
    },
    headAt: () => headAt,
    setVerified: (to, reorgsThen) => {
      if (reorgsThen !== reorgs) return
      verifiedTo = to
      if (published !== undefined) published = { ...published, verifiedTo }
    },
  }
}

const settle = async (work: Promise<void>): Promise<{ readonly error?: unknown }> =>
  await work.then(
    () => ({}),
    (error: unknown) => ({ error }),
  )

/** The jobs that read the history of new contracts. Contracts with a late start share jobs, because a job reads one range. */
async function jobsFor(
  deps: Pick<FollowDeps, 'pool'>,
  pending: readonly PendingContract[],
  startBlock: number,
  to: number,
): Promise<readonly NewJob[]> {
  const added = pending.filter((contract) => contract.isNew)
  const found = await Promise.all(
    added.map(async (contract) => [contract.address, await historyStartOf(deps, contract, startBlock)] as const),
  )
  const starts = new Map(found.toSorted(([, a], [, b]) => a - b))
  return chunksOf([...starts.keys()])
    .map((some) => historyJob(some, Math.min(...some.map((address) => starts.get(address) ?? startBlock)), to))
    .filter((job) => job.from <= job.to)
}

function historyJob(addresses: readonly Hex[], from: number, to: number): NewJob {
  return { scope: 'contracts', addresses, from, to, announce: false }
}
