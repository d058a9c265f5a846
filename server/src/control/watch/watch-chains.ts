/**
 * Watches the configured chains: creates pool, store, lease, head subscription and watcher of each.
 *
 * Several processes may watch the same chains. The lease of a chain decides which one does, another takes over within
 * seconds, and `chain-assignment.ts` balances the chains among them.
 */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import type { Fault } from '../../lib/health.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import { isOutage } from '../../platform/errors.ts'
import { releaseLease, takeLease } from '../../platform/leases.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Chain } from '../chains/chains.ts'
import { createEndpointLog, type EndpointReporter } from '../rpc/endpoint-log.ts'
import { subscribeToNewHeads } from '../rpc/new-heads.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'
import type { Progress } from './backfill.ts'
import {
  chainToRelease,
  deleteWatchProcess,
  getWatchProcesses,
  hasPermanentWatcher,
  heartbeat,
  watchLease,
} from './chain-assignment.ts'
import { findCursorBlock, saveAgreement, saveStatus, UNREACHABLE_AFTER_MS } from './chain-status.ts'
import { createWatchStore } from './watch-store-pg.ts'
import { createWatcher, type WatcherOptions, type WatchStatus } from './watcher.ts'

export type WatchChainsDeps = {
  readonly database: Database
  readonly log: Logger
  readonly catalog: Catalog
  readonly timing?: Timing
  readonly onProgress?: (progress: Progress) => void
  /** Receives endpoint reports in addition to the log. */
  readonly onReport?: EndpointReporter
  /** A temporary process releases its chains to any permanent one. */
  readonly isTemporary?: boolean
}

export type WatchedChain = Omit<WatcherOptions, 'chain'> & {
  readonly chain: Chain
  /** In order of preference. */
  readonly rpcUrls: readonly string[]
}

export type Watching = {
  readonly status: () => ReadonlyMap<string, WatchStatus>
  /** The chains of this process whose endpoints have returned no head for a minute. */
  readonly faults: () => readonly Fault[]
  /** Stops the loops and releases the leases, so that another process can take over at once. */
  readonly stop: () => Promise<void>
}

const STATUS_EVERY_MS = 5_000
const AGREEMENT_EVERY_MS = 30_000
const BALANCE_EVERY_MS = 2_000

export function watchChains(deps: WatchChainsDeps, chains: readonly WatchedChain[]): Watching {
  const { database, log, catalog, timing = systemTiming } = deps
  const stopping = new AbortController()
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`
  const logReport = createEndpointLog({ log, clock: timing })
  const report: EndpointReporter = (event) => {
    deps.onReport?.(event)
    logReport(event)
  }

  const running = chains.map(({ chain, rpcUrls, ...options }) => {
    const name = watchLease(chain.id)
    const pool = createRpcPool({ timing, report }, { chain: chain.slug, chainId: chain.id, urls: rpcUrls })
    const watcher = createWatcher(
      {
        timing,
        pool,
        catalog,
        log,
        store: createWatchStore({ database }, chain.id),
        leases: {
          take: (ttlMs) => takeLease(database, name, holder, ttlMs),
          release: (fence) => releaseLease(database, fence),
        },
        aroundJob: withSmallHeap,
        ...(deps.onProgress === undefined ? {} : { onProgress: deps.onProgress }),
      },
      { chain, readTransactions: true, ...options },
    )
    const subscriptions = rpcUrls.map((url) => subscribeToNewHeads({ timing }, { url, onHead: watcher.wake }))
    const ended = watcher.run(stopping.signal)
    const reported = reportStatus(chain.id, pool, watcher.status)
    const end = async (): Promise<void> => {
      for (const subscription of subscriptions) subscription.close()
      await Promise.all([ended, reported])
      pool.close()
    }
    return { id: chain.id, slug: chain.slug, watcher, end }
  })

  async function reportStatus(chainId: number, pool: RpcPool, status: () => WatchStatus): Promise<void> {
    let agreementAt = Number.NEGATIVE_INFINITY
    while (!stopping.signal.aborted) {
      await timing.sleep(STATUS_EVERY_MS, stopping.signal)
      const current = status()
      if (!current.holdsLease) continue
      try {
        const { head, headAt, lastError } = current
        const headAgeMs = headAt === undefined ? undefined : Math.max(0, timing.now() - headAt)
        await saveStatus(database, chainId, { head, headAgeMs, lastError })
        if (timing.now() - agreementAt < AGREEMENT_EVERY_MS) continue
        agreementAt = timing.now()
        const cursor = await findCursorBlock(database, chainId)
        if (cursor !== undefined) await saveAgreement(database, chainId, await compareEndpoints(pool, cursor))
      } catch (error) {
        // A status that is not stored is stored next time. The watcher logs outages.
        if (!isOutage(error)) log.warn({ chainId, err: error }, 'the status of a chain cannot be stored')
      }
    }
  }

  const chainIds = chains.map(({ chain }) => chain.id)
  const chainsToRelease = async (): Promise<readonly number[]> => {
    if (deps.isTemporary !== true) {
      const chain = chainToRelease(holder, await heartbeat(database, holder, chainIds))
      return chain === undefined ? [] : [chain]
    }
    const processes = await getWatchProcesses(database)
    return chainIds.filter((chain) => hasPermanentWatcher(chain, processes))
  }

  async function balance(): Promise<void> {
    while (!stopping.signal.aborted) {
      const released = await chainsToRelease().catch((): readonly number[] => []) // the watcher logs database errors
      for (const { id, watcher } of running) if (released.includes(id)) watcher.releaseChain()
      await timing.sleep(BALANCE_EVERY_MS, stopping.signal)
    }
    await deleteWatchProcess(database, holder).catch(() => {})
  }
  const balancing = balance()

  return {
    faults: () =>
      running.flatMap(({ slug, watcher }) => {
        const { heldSince, headAt } = watcher.status()
        if (heldSince === undefined) return [] // another process watches the chain
        const since = Math.max(heldSince, headAt ?? 0)
        if (timing.now() - since <= UNREACHABLE_AFTER_MS) return []
        return { part: `${slug} watch`, since, reason: 'no_endpoint' }
      }),
    status: () => new Map(running.map(({ slug, watcher }) => [slug, watcher.status()])),
    stop: async () => {
      stopping.abort()
      await Promise.all([balancing, ...running.map(({ end }) => end())])
    },
  }
}

/** Counts the endpoints that serve the cursor block. An endpoint that fails or lacks the block does not agree. For display only. */
async function compareEndpoints(
  pool: RpcPool,
  cursor: { readonly number: number; readonly hash: Hex },
): Promise<{ readonly endpoints: number; readonly agreeing: number }> {
  const agrees = await Promise.all(
    pool.all.map(async (only) => {
      try {
        const { value } = await pool.request(getBlockHeader(cursor.number), { only, priority: 'bulk' })
        return value?.hash === cursor.hash
      } catch {
        return false // the pool reported the error
      }
    }),
  )
  return { endpoints: agrees.length, agreeing: agrees.filter(Boolean).length }
}

/** V8 options during bulk work, which make it collect garbage sooner, and its defaults. */
const SMALL_HEAP = ['--semi-space-growth-factor=1', '--heap-growing-percent=60']
const DEFAULT_HEAP = ['--semi-space-growth-factor=2', '--heap-growing-percent=0']

let bulkJobs = 0

/** Runs `work` with a small heap. For the many short-lived objects of bulk work V8 would use 100 MB more. */
async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  bulkJobs += 1
  if (bulkJobs === 1) for (const flag of SMALL_HEAP) setFlagsFromString(flag)
  try {
    return await work()
  } finally {
    bulkJobs -= 1
    if (bulkJobs === 0) for (const flag of DEFAULT_HEAP) setFlagsFromString(flag)
  }
}
