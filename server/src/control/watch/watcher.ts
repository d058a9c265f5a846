/**
 * One chain under watch by one process at a time: takes the lease, runs the loops, gives way when the lease is lost.
 *
 * Owns when things run and what a failure costs. Four loops share a chain: the follower, the second pass, the backfill
 * and a look at which endpoint is ahead; each fails and recovers alone.
 */
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Timing } from '../../lib/timing.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Chain } from '../chains/chains.ts'
import type { WarnLog } from '../rpc/endpoint-log.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { createRangeReader } from '../rpc/range-reader.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { type BackfillDeps, createBackfill } from './backfill.ts'
import type { Progress } from './backfill-progress.ts'
import type { ChainSnapshot } from './chain-snapshot.ts'
import { createFollower, type Follower } from './follower.ts'
import { createScope } from './scope.ts'
import { createSecondPass } from './second-pass.ts'
import { type Fence, LeaseLostError, StaleStepError, type WatchStore } from './watch-store.ts'

export type Leases = {
  /** Takes or renews; undefined while someone else holds it. */
  readonly take: (ttlMs: number) => Promise<Fence | undefined>
  readonly release: (fence: Fence) => Promise<void>
}

export type WatcherDeps = {
  readonly timing: Timing
  readonly pool: RpcPool
  readonly store: WatchStore
  readonly catalog: Catalog
  readonly leases: Leases
  readonly log: WarnLog
  readonly onProgress?: (progress: Progress) => void
  /** Around the reading of history. */
  readonly aroundJob?: BackfillDeps['aroundJob']
}

export type WatcherOptions = {
  readonly chain: Chain
  readonly startBlock?: number | undefined
  readonly confirmations?: number | undefined
  readonly discover?: boolean
  readonly pollMs?: number
  readonly verifyDelayMs?: number
  readonly leaseMs?: number
  readonly maxLag?: number
}

export type WatchStatus = {
  readonly holdsLease: boolean
  readonly head: number | undefined
  readonly cursor: number | undefined
  readonly lastError: string | undefined
}

export type Watcher = {
  /** Watches until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** A new block was announced: look now instead of at the next poll. */
  readonly wake: () => void
  /** Leaves the chain to another process, and asks for it again only if nobody has taken it after a while. */
  readonly releaseChain: () => void
  readonly status: () => WatchStatus
}

/** Renewed three times in its life, so that one slow moment of the database does not cost the chain. */
const LEASE_MS = 6_000
/** Several looks of everyone who waits for the lease. */
const STAND_BACK_MS = 5_000
const GIVEN = 'given to another process'
/** Half a second of latency at most; with a websocket that announces heads it is the safety net. */
const POLL_MS = 500
const AUDIT_DELAY_MS = 180_000
const SURVEY_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const REMIND_MS = 300_000
/** Twice the blocksPerStep of a step; less is caught up by hash faster than a job is set up. */
const HAND_OVER_AFTER = 64

/** What nobody has will not come: a person must look. That of one endpoint alone is the pool's daily business. */
const isLastWord = (error: NoEndpointError): boolean => error.isUnanimous('pruned', 'unsupported')

export function createWatcher(deps: WatcherDeps, options: WatcherOptions): Watcher {
  const { timing, pool, store, catalog, leases, log } = deps
  const { chain, leaseMs = LEASE_MS, pollMs = POLL_MS, verifyDelayMs = AUDIT_DELAY_MS, discover = true } = options
  let snapshot: () => ChainSnapshot | undefined = () => undefined
  let holdsLease = false
  let giveUp: AbortController | undefined
  let waking = new AbortController()
  const errors = new Map<string, string>()
  const said = new Map<string, number>()

  const wake = (): void => {
    waking.abort()
    waking = new AbortController()
  }

  /** The node's own faults have their lines already. */
  const complain = (loop: string, error: unknown): void => {
    const line = reasonOf(error)
    errors.set(loop, line)
    if (error instanceof StaleStepError || (error instanceof NoEndpointError && !isLastWord(error))) return
    const code = error instanceof GatewatchError ? error.code : 'unexpected'
    const last = said.get(code)
    if (last !== undefined && timing.now() - last < REMIND_MS) return
    said.set(code, timing.now())
    log.warn({ chain: chain.slug, code, err: error }, line.startsWith(chain.slug) ? line : `${chain.slug}: ${line}`)
  }

  /** Runs `work` again and again: at once while there is more to do, after a pause while there is not. */
  const loop = async (
    name: string,
    held: AbortController,
    idleMs: number,
    work: () => Promise<boolean>,
  ): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    while (!held.signal.aborted) {
      // Taken before the work: a block announced meanwhile cuts the pause after it.
      const nap = name === 'follow' || name === 'backfill' ? waking.signal : held.signal
      try {
        const isMore = await work()
        errors.delete(name)
        pause = FIRST_PAUSE_MS
        if (isMore) continue
        await timing.sleep(idleMs, nap)
      } catch (error) {
        if (error instanceof LeaseLostError) return held.abort()
        complain(name, error)
        await timing.sleep(pause, held.signal)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
  }

  const renew = async (fence: Fence, held: AbortController): Promise<void> => {
    let renewedAt = timing.now()
    while (!held.signal.aborted) {
      await timing.sleep(leaseMs / 3, held.signal)
      if (held.signal.aborted) return
      try {
        const again = await leases.take(leaseMs)
        if (again?.fence !== fence.fence) return held.abort()
        renewedAt = timing.now()
      } catch (error) {
        complain('lease', error)
        if (timing.now() - renewedAt >= leaseMs) return held.abort()
      }
    }
  }

  const hold = async (fence: Fence, held: AbortController, signal: AbortSignal): Promise<void> => {
    held.signal.addEventListener('abort', wake)
    const stop = (): void => held.abort()
    signal.addEventListener('abort', stop)
    try {
      const renewing = renew(fence, held)
      const scope = createScope(catalog, await store.getWatched())
      const follower: Follower = createFollower(
        // Jobs are worked on from the moment they are stored.
        { timing, pool, store, catalog, scope, fence: () => fence, onJobs: wake },
        {
          startBlock: options.startBlock,
          discover,
          settings: {
            chain: chain.slug,
            confirmations: options.confirmations ?? chain.confirmations,
            reorgLimit: chain.reorgLimit,
            blocksPerStep: 32,
            maxLag: options.maxLag ?? HAND_OVER_AFTER,
          },
        },
      )
      snapshot = follower.snapshot
      const first = { addresses: 500, chainwide: chain.chainwideRange }
      const ranges = createRangeReader({ pool, store, first })
      const shared = { pool, store, catalog, scope, timing, ranges, fence: () => fence }
      const backfill = createBackfill(
        {
          ...shared,
          snapshot,
          aroundJob: deps.aroundJob,
          ...(deps.onProgress === undefined ? {} : { onProgress: deps.onProgress }),
        },
        { verifyAfterMs: verifyDelayMs, lanes: 1, reorgLimit: chain.reorgLimit, discover },
      )
      const onMissed = ({ events, from, to }: { events: number; from: number; to: number }): void =>
        log.warn(
          { chain: chain.slug, events, from, to },
          `${chain.slug}: the second pass found ${events} events that ${pool.hostOf(snapshot()?.endpoint ?? 0)} left out`,
        )
      const second = createSecondPass({ ...shared, discover, onMissed }, verifyDelayMs)
      const audit = async (): Promise<boolean> => {
        const now = snapshot()
        if (now === undefined) return false
        const to = await second.step(now)
        if (to !== undefined) follower.setVerified(to, now.reorgs)
        return to !== undefined
      }
      await Promise.all([
        renewing,
        loop('follow', held, pollMs, follower.step),
        loop('audit', held, pollMs * 4, audit),
        loop('backfill', held, pollMs, () => backfill.run(held.signal)),
        loop('chooseEndpoint', held, SURVEY_MS, async () => (await follower.chooseEndpoint(), false)),
      ])
    } finally {
      held.abort()
      signal.removeEventListener('abort', stop)
      snapshot = () => undefined
    }
  }

  return {
    wake,
    releaseChain: () => giveUp?.abort(GIVEN),
    status: () => ({
      holdsLease,
      head: snapshot()?.head,
      cursor: snapshot()?.cursor.number,
      lastError: [...errors.values()].at(-1),
    }),
    run: async (signal) => {
      while (!signal.aborted) {
        const fence = await leases.take(leaseMs).catch((error: unknown) => complain('lease', error))
        let pause = 1_000 // also after a loss: a store that fails at once must not be hammered
        if (fence !== undefined) {
          const held = new AbortController()
          giveUp = held
          holdsLease = true
          await hold(fence, held, signal).catch((error: unknown) => complain('watch', error))
          holdsLease = false
          giveUp = undefined
          const isGiven = held.signal.reason === GIVEN
          if (isGiven) pause = STAND_BACK_MS
          if (isGiven || signal.aborted) await leases.release(fence).catch(() => {})
        }
        await timing.sleep(pause, signal)
      }
    },
  }
}
