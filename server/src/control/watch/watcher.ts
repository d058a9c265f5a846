/**
 * Watches one chain while this process holds its lease, and stops when the lease is lost.
 *
 * Four loops run per chain: the follower, the second pass, the backfill and the choice of the endpoint. Each fails and
 * recovers alone.
 */
import { backoffMs } from '../../lib/backoff.ts'
import type { Timing } from '../../lib/clock.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Chain } from '../chains/chains.ts'
import type { InfoWarnLog } from '../rpc/endpoint-log.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { createRangeReader } from '../rpc/range-reader.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { type BackfillDeps, createBackfill, type Progress } from './backfill.ts'
import type { ChainSnapshot } from './chain-snapshot.ts'
import { createFollower, type Follower } from './follower.ts'
import { createScope } from './scope.ts'
import { createSecondPass } from './second-pass.ts'
import { type BlockRef, type Fence, LeaseLostError, StaleStepError, type WatchStore } from './watch-store.ts'

export type Leases = {
  /** Takes or renews the lease. Undefined while another process holds it. */
  readonly take: (ttlMs: number) => Promise<Fence | undefined>
  readonly release: (fence: Fence) => Promise<void>
}

export type WatcherDeps = {
  readonly timing: Timing
  readonly pool: RpcPool
  readonly store: WatchStore
  readonly catalog: Catalog
  readonly leases: Leases
  readonly log: InfoWarnLog
  readonly onProgress?: (progress: Progress) => void
  /** Wraps the work on each backfill job. */
  readonly aroundJob?: BackfillDeps['aroundJob']
}

export type WatcherOptions = {
  readonly chain: Chain
  readonly startBlock?: number | undefined
  readonly confirmations?: number | undefined
  readonly discover?: boolean
  /** Whether transactions are read too, for what Safes execute and attempts that fail. */
  readonly readTransactions?: boolean
  readonly pollMs?: number
  readonly verifyDelayMs?: number
  readonly leaseMs?: number
  readonly maxLag?: number
}

export type WatchStatus = {
  readonly holdsLease: boolean
  readonly head: number | undefined
  /** When an endpoint last returned the head to this process, by the clock of the process. */
  readonly headAt: number | undefined
  /** Since when this process holds the lease. */
  readonly heldSince: number | undefined
  readonly cursor: number | undefined
  readonly lastError: string | undefined
}

export type Watcher = {
  /** Watches until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Reads the head now instead of at the next poll, because a new block was announced. */
  readonly wake: () => void
  /** Releases the lease to another process, and takes it again only if it is still free after a while. */
  readonly releaseChain: () => void
  readonly status: () => WatchStatus
}

/** Renewed three times before it expires, so that one slow response of the database does not lose the lease. */
const LEASE_MS = 6_000
/** Longer than several attempts of every process that waits for the lease. */
const AFTER_RELEASE_MS = 5_000
const RELEASED = 'released the lease to another process'
/** The most latency that polling adds. With a `newHeads` subscription it is only the fallback. */
const POLL_MS = 500
const VERIFY_DELAY_MS = 180_000
const CHOOSE_ENDPOINT_MS = 10_000
const LOOP_BACKOFF = { firstMs: 250, longestMs: 10_000 }
const LOG_AGAIN_MS = 300_000
/** Twice the blocks of one step: a smaller lag is caught up faster by the follower than by a job. */
const MAX_LAG = 64

/** Whether no endpoint can ever serve the request, so that the operator must act. The endpoint log covers other errors. */
const isPermanent = (error: NoEndpointError): boolean => error.isUnanimous('pruned', 'unsupported')

export function createWatcher(deps: WatcherDeps, options: WatcherOptions): Watcher {
  const { timing, pool, store, catalog, leases, log } = deps
  const { chain, leaseMs = LEASE_MS, pollMs = POLL_MS, verifyDelayMs = VERIFY_DELAY_MS, discover = true } = options
  const { readTransactions = false } = options
  let snapshot: () => ChainSnapshot | undefined = () => undefined
  let headAt: () => number | undefined = () => undefined
  let heldSince: number | undefined
  let current: AbortController | undefined
  let waking = new AbortController()
  const errors = new Map<string, string>()
  const loggedAt = new Map<string, number>()

  const wake = (): void => {
    waking.abort()
    waking = new AbortController()
  }

  /** Logs a failure unless the endpoint log already has it or the same code was logged recently. */
  const reportFailure = (loop: string, error: unknown): void => {
    const message = reasonOf(error)
    errors.set(loop, message)
    if (error instanceof StaleStepError || (error instanceof NoEndpointError && !isPermanent(error))) return
    const code = error instanceof GatewatchError ? error.code : 'unexpected'
    const last = loggedAt.get(code)
    if (last !== undefined && timing.now() - last < LOG_AGAIN_MS) return
    loggedAt.set(code, timing.now())
    log.warn(
      { chain: chain.slug, code, err: error },
      message.startsWith(chain.slug) ? message : `${chain.slug}: ${message}`,
    )
  }

  /** Repeats `work`: at once while it returns true, otherwise after `idleMs`. */
  const loop = async (
    name: string,
    held: AbortController,
    idleMs: number,
    work: () => Promise<boolean>,
  ): Promise<void> => {
    let failures = 0
    while (!held.signal.aborted) {
      // Taken before the work: a block announced during the work skips the pause after it.
      const interrupt = name === 'follow' || name === 'backfill' ? waking.signal : held.signal
      try {
        const hasMore = await work()
        errors.delete(name)
        failures = 0
        if (hasMore) continue
        await timing.sleep(idleMs, interrupt)
      } catch (error) {
        if (error instanceof LeaseLostError) return held.abort()
        reportFailure(name, error)
        failures += 1
        await timing.sleep(backoffMs(LOOP_BACKOFF, failures), held.signal)
      }
    }
  }

  const renew = async (fence: Fence, held: AbortController): Promise<void> => {
    let renewedAt = timing.now()
    while (!held.signal.aborted) {
      await timing.sleep(leaseMs / 3, held.signal)
      if (held.signal.aborted) return
      try {
        const renewed = await leases.take(leaseMs)
        if (renewed?.fence !== fence.fence) return held.abort()
        renewedAt = timing.now()
      } catch (error) {
        reportFailure('lease', error)
        if (timing.now() - renewedAt >= leaseMs) return held.abort()
      }
    }
  }

  const watchWhileHeld = async (fence: Fence, held: AbortController, signal: AbortSignal): Promise<void> => {
    held.signal.addEventListener('abort', wake)
    const stop = (): void => held.abort()
    signal.addEventListener('abort', stop)
    try {
      const renewing = renew(fence, held)
      const onReorg = ({ from, to }: { from: BlockRef; to: BlockRef }): void =>
        log.info(
          { chain: chain.slug, from: from.number, to: to.number },
          `${chain.slug}: reorg of depth ${from.number - to.number}, rolled back to block ${to.number}`,
        )
      const scope = createScope(catalog, await store.getWatched())
      const follower: Follower = createFollower(
        // Waking starts the backfill as soon as jobs are stored.
        { timing, pool, store, catalog, scope, fence: () => fence, onJobs: wake, onReorg },
        {
          startBlock: options.startBlock,
          discover,
          readTransactions,
          settings: {
            chain: chain.slug,
            confirmations: options.confirmations ?? chain.confirmations,
            headTag: chain.finality,
            reorgLimit: chain.reorgLimit,
            blocksPerStep: 32,
            maxLag: options.maxLag ?? MAX_LAG,
          },
        },
      )
      snapshot = follower.snapshot
      headAt = follower.headAt
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
        { verifyAfterMs: verifyDelayMs, parallelJobs: 1, reorgLimit: chain.reorgLimit, discover, readTransactions },
      )
      const onMissed = ({ events, from, to }: { events: number; from: number; to: number }): void =>
        log.warn(
          { chain: chain.slug, events, from, to },
          `${chain.slug}: the second pass found ${events} events that ${pool.hostOf(snapshot()?.endpoint ?? 0)} omitted`,
        )
      const secondPass = createSecondPass({ ...shared, discover, readTransactions, onMissed }, verifyDelayMs)
      const verify = async (): Promise<boolean> => {
        const before = snapshot()
        if (before === undefined) return false
        const to = await secondPass.step(before).catch((error: unknown) => {
          // If the result of the last step was lost, the stored position is ahead.
          if (error instanceof StaleStepError) follower.reload()
          throw error
        })
        if (to !== undefined) follower.setVerified(to, before.reorgs)
        return to !== undefined
      }
      await Promise.all([
        renewing,
        loop('follow', held, pollMs, follower.step),
        loop('verify', held, pollMs * 4, verify),
        loop('backfill', held, pollMs, () => backfill.run(held.signal)),
        loop('endpoint', held, CHOOSE_ENDPOINT_MS, async () => (await follower.chooseEndpoint(), false)),
      ])
    } finally {
      held.abort()
      signal.removeEventListener('abort', stop)
      snapshot = () => undefined
      headAt = () => undefined
    }
  }

  return {
    wake,
    releaseChain: () => current?.abort(RELEASED),
    status: () => ({
      holdsLease: heldSince !== undefined,
      heldSince,
      headAt: headAt(),
      head: snapshot()?.head,
      cursor: snapshot()?.cursor.number,
      lastError: [...errors.values()].at(-1),
    }),
    run: async (signal) => {
      while (!signal.aborted) {
        const fence = await leases.take(leaseMs).catch((error: unknown) => reportFailure('lease', error))
        let pause = 1_000 // also after a loss, so that a failing store is not retried in a tight loop
        if (fence !== undefined) {
          const held = new AbortController()
          current = held
          heldSince = timing.now()
          log.info({ chain: chain.slug, fence: fence.fence }, `${chain.slug}: took the lease, watching`)
          await watchWhileHeld(fence, held, signal).catch((error: unknown) => reportFailure('watch', error))
          heldSince = undefined
          current = undefined
          const isReleased = held.signal.reason === RELEASED
          const why = signal.aborted ? 'the process stops' : isReleased ? RELEASED : 'lost the lease'
          log.info({ chain: chain.slug, fence: fence.fence }, `${chain.slug}: stopped watching: ${why}`)
          if (isReleased) pause = AFTER_RELEASE_MS
          if (isReleased || signal.aborted) await leases.release(fence).catch(() => {})
        }
        await timing.sleep(pause, signal)
      }
    },
  }
}
