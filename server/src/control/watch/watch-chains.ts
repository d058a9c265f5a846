/**
 * Every configured chain under watch: what `main.ts` starts for the `watch` role.
 *
 * Owns the wiring of pool, store, lease, head announcements and watcher for each chain. Several processes may do the
 * same: the lease of a chain decides who works on it, an idle one takes over within seconds, and `share.ts` says when
 * one that has too many gives way.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from '../../lib/log.ts'
import { systemTiming, type Timing } from '../../lib/timing.ts'
import { inLittleMemory } from '../../lib/young-space.ts'
import type { Database } from '../../platform/database.ts'
import { releaseLease, takeLease } from '../../platform/leases.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Chain } from '../chains/chains.ts'
import { createEndpointLog, type EndpointReporter } from '../rpc/endpoint-log.ts'
import { subscribeToNewHeads } from '../rpc/new-heads.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { askAgreement } from './agreement.ts'
import type { Progress } from './backfill-progress.ts'
import { chainToRelease, hasPermanentWatcher } from './chain-assignment.ts'
import { findCursorBlock, saveAgreement, saveStatus } from './chain-status-rows.ts'
import { deleteWatchProcess, getWatchProcesses, heartbeat, watchLease } from './watch-processes.ts'
import { createWatchStore } from './watch-store-pg.ts'
import { createWatcher, type WatcherOptions, type WatchStatus } from './watcher.ts'

export type WatchChainsDeps = {
  readonly database: Database
  readonly log: Logger
  readonly catalog: Catalog
  readonly timing?: Timing
  readonly onProgress?: (progress: Progress) => void
  /** Counts faults; the lines about them are written either way. */
  readonly onReport?: EndpointReporter
  /** Here for a while only: leaves its chains to any process that is there to stay. */
  readonly isTemporary?: boolean
}

export type WatchedChain = Omit<WatcherOptions, 'chain'> & {
  readonly chain: Chain
  /** First preferred. */
  readonly rpcUrls: readonly string[]
}

export type Watching = {
  readonly status: () => ReadonlyMap<string, WatchStatus>
  /** Ends the loops and gives the leases up, so that another process need not wait for their end. */
  readonly stop: () => Promise<void>
}

const STATUS_MS = 5_000
const AGREEMENT_MS = 30_000
const SHARE_MS = 2_000

export function watchChains(deps: WatchChainsDeps, chains: readonly WatchedChain[]): Watching {
  const { database, log, catalog, timing = systemTiming } = deps
  const stopping = new AbortController()
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`
  const tell = createEndpointLog({ log, clock: timing })
  const report: EndpointReporter = (event) => {
    deps.onReport?.(event)
    tell(event)
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
        aroundJob: inLittleMemory,
        ...(deps.onProgress === undefined ? {} : { onProgress: deps.onProgress }),
      },
      { chain, ...options },
    )
    const signals = rpcUrls.map((url) => subscribeToNewHeads({ timing }, { url, onHead: watcher.wake }))
    const ended = watcher.run(stopping.signal)
    const told = reportStatus(chain.id, pool, watcher.status)
    const end = async (): Promise<void> => {
      for (const signal of signals) signal.close()
      await Promise.all([ended, told])
      pool.close()
    }
    return { id: chain.id, slug: chain.slug, watcher, end }
  })

  async function reportStatus(chainId: number, pool: RpcPool, status: () => WatchStatus): Promise<void> {
    let agreementAt = Number.NEGATIVE_INFINITY
    while (!stopping.signal.aborted) {
      await timing.sleep(STATUS_MS, stopping.signal)
      const now = status()
      if (!now.holdsLease) continue
      try {
        await saveStatus(database, chainId, now)
        if (timing.now() - agreementAt < AGREEMENT_MS) continue
        agreementAt = timing.now()
        const cursor = await findCursorBlock(database, chainId)
        if (cursor !== undefined) await saveAgreement(database, chainId, await askAgreement(pool, cursor))
      } catch {
        // The loops say what is wrong; this is for people, at leisure.
      }
    }
  }

  const chainIds = chains.map(({ chain }) => chain.id)
  const toGiveUp = async (): Promise<readonly number[]> => {
    if (deps.isTemporary !== true) {
      const chain = chainToRelease(holder, await heartbeat(database, holder, chainIds))
      return chain === undefined ? [] : [chain]
    }
    const processes = await getWatchProcesses(database)
    return chainIds.filter((chain) => hasPermanentWatcher(chain, processes))
  }

  async function share(): Promise<void> {
    while (!stopping.signal.aborted) {
      const given = await toGiveUp().catch((): readonly number[] => []) // the loops say what is wrong with the database
      for (const { id, watcher } of running) if (given.includes(id)) watcher.releaseChain()
      await timing.sleep(SHARE_MS, stopping.signal)
    }
    await deleteWatchProcess(database, holder).catch(() => {})
  }
  const sharing = share()

  return {
    status: () => new Map(running.map(({ slug, watcher }) => [slug, watcher.status()])),
    stop: async () => {
      stopping.abort()
      await Promise.all([sharing, ...running.map(({ end }) => end())])
    },
  }
}
