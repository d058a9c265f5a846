/**
 * Polls known contracts: those that an event requests, and every contract in rounds.
 *
 * Contracts are polled in groups that share a block and everything read at it. A contract that cannot be read is skipped
 * and polled again later; it delays no other for long.
 */

import pLimit from 'p-limit'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Fault as PartFault } from '../../lib/health.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Logger } from '../../lib/log.ts'
import { faultLog, faultOf, LoopMonitor } from '../../lib/supervise.ts'
import type { Database } from '../../platform/database.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { findChain } from '../chains/chains.ts'
import type { Fault } from '../profile/control-path.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { getContractsToPoll, getPollRequests, postponePollRequests } from '../registry/poll-requests.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { DISCOVERED, inAnalysisContext } from './analysis-queue.ts'
import { CodeAnalysisPendingError, type CodeAnalyzer } from './code-analyzer.ts'
import type { LogCache } from './contract-logs.ts'
import { type PollResult, pollContract } from './poll-contract.ts'
import { getAnalysisOwners, getContractsByLastPoll, getProfiles, getSnapshots } from './profile-store.ts'
import { openSession } from './session.ts'

export type PollerDeps = {
  readonly database: Database
  readonly catalog: Catalog
  readonly codes: CodeAnalyzer
  readonly log: Logger
  /** Undefined for a chain without a configured endpoint. */
  readonly poolOf: (chainId: number) => RpcPool | undefined
  /** How far below the head a chain is read, if that differs from the chain's default. */
  readonly confirmationsOf?: ((chainId: number) => number | undefined) | undefined
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

export type Round = { readonly polled: number; readonly failed: number; readonly silent: number }

export type Poller = {
  /** Polls the contracts of a chain that events request, and those whose code was analyzed meanwhile. */
  readonly pollRequested: (chainId: number, options?: Pick<RoundOptions, 'analysisWaitMs'>) => Promise<Round>
  /** Polls every contract of a chain that was last polled before a time, or only those given. */
  readonly round: (chainId: number, polledBefore: Date, options?: RoundOptions) => Promise<Round>
  /** Polls one contract now. */
  readonly poll: (ref: ContractRef) => Promise<PollResult>
}

export type RoundOptions = {
  readonly only?: readonly Hex[] | undefined
  /** Called before every group: false ends the round. */
  readonly mayContinue?: (() => Promise<boolean>) | undefined
  /**
   * How long a group waits for code analyses. A contract whose code needs longer is polled when its analysis is done, and
   * delays no other.
   */
  readonly analysisWaitMs?: number | undefined
}

/** Contracts that share a block: enough to fill batches, few enough that no endpoint prunes the block meanwhile. */
const GROUP_SIZE = 400
/** Polls that store their result concurrently. Other parts of the service need the database too. */
const CONCURRENT_WRITES = 4
/** A requested poll that failed, or whose block was before the event, is repeated after this. */
const RETRY_SECONDS = 2
/** The same for a poll that waits for an analysis. Its end repeats the poll sooner. */
const PENDING_RETRY_SECONDS = 30

export function createPoller({ database, catalog, codes, log, poolOf, confirmationsOf, nameOf }: PollerDeps): Poller {
  const logs: LogCache = new Map()

  const deferred = createDeferredPolls()

  type Outcome = { readonly result: PollResult } | { readonly error: unknown }

  /** Polls a group at one block and shares what is read. */
  const pollTogether = async (
    chainId: number,
    addresses: readonly Hex[],
    waitUntil?: number,
  ): Promise<readonly Outcome[]> => {
    const [snapshots, profiles, requests, owners] = await Promise.all([
      getSnapshots(database, chainId, addresses),
      getProfiles(database, chainId, addresses),
      getPollRequests(database, chainId, addresses),
      getAnalysisOwners(database, chainId, addresses),
    ])
    const report = ({ ref, error }: Fault): void =>
      log.error(
        { chain: findChain(ref.chainId)?.slug, address: ref.address, err: error },
        'account could not be judged and counts as unknown',
      )
    const session = openSession({ poolOf, codes, logs, confirmationsOf, report })
    const storeLimit = pLimit(CONCURRENT_WRITES)
    return await Promise.all(
      addresses.map(async (address): Promise<Outcome> => {
        const known = {
          snapshot: snapshots.get(address),
          profile: profiles.get(address),
          requests: requests.get(address) ?? [],
        }
        let retrySeconds = RETRY_SECONDS
        try {
          const deps = { database, catalog, poolOf, codes, session, nameOf, storeLimit }
          const poll = (): Promise<PollResult> => pollContract(deps, { chainId, address }, known)
          const owner = owners.get(address) ?? DISCOVERED
          return { result: await inAnalysisContext({ owner, waitUntil }, poll) }
        } catch (error) {
          if (error instanceof CodeAnalysisPendingError) {
            retrySeconds = PENDING_RETRY_SECONDS
            deferred.add(chainId, address, error.analysis)
          } else
            log.warn(
              { chain: findChain(chainId)?.slug, address, reason: reasonOf(error) },
              'contract could not be polled',
            )
          return { error }
        } finally {
          // Requests that the poll served are deleted; the others are retried.
          await postponePollRequests(
            database,
            known.requests.map(({ id }) => id),
            retrySeconds,
          )
        }
      }),
    )
  }

  const round: Poller['round'] = async (chainId, polledBefore, { only, mayContinue, analysisWaitMs } = {}) => {
    const due = only ?? (await getContractsByLastPoll(database, chainId, polledBefore))
    const addresses = due.filter((address) => !deferred.isWaiting(chainId, address))
    let [polled, failed, silent] = [0, 0, 0]
    for (let at = 0; at < addresses.length; at += GROUP_SIZE) {
      if (mayContinue !== undefined && !(await mayContinue())) break
      const waitUntil = analysisWaitMs === undefined ? undefined : Date.now() + analysisWaitMs
      for (const outcome of await pollTogether(chainId, addresses.slice(at, at + GROUP_SIZE), waitUntil)) {
        if ('error' in outcome) failed += 1
        else [polled, silent] = [polled + 1, silent + outcome.result.silent.length]
      }
    }
    return { polled, failed, silent }
  }

  return {
    round,
    pollRequested: async (chainId, options = {}) => {
      const requested = await getContractsToPoll(database, chainId, GROUP_SIZE)
      const only = [...new Set([...deferred.takeReady(chainId), ...requested])]
      return await round(chainId, new Date(0), { ...options, only })
    },
    poll: async ({ chainId, address }) => {
      const [outcome] = await pollTogether(chainId, [address])
      if (outcome === undefined || 'error' in outcome) throw outcome?.error
      return outcome.result
    },
  }
}

type DeferredPolls = {
  readonly add: (chainId: number, address: Hex, analysis: Promise<unknown> | undefined) => void
  readonly isWaiting: (chainId: number, address: Hex) => boolean
  /** Removes and returns the contracts of a chain whose analysis is done. */
  readonly takeReady: (chainId: number) => readonly Hex[]
}

/** Contracts that wait for the analysis of a code. */
function createDeferredPolls(): DeferredPolls {
  const waiting = new Set<string>()
  const ready = new Map<number, Set<Hex>>()
  const keyOf = (chainId: number, address: Hex): string => `${chainId}:${address}`
  return {
    add: (chainId, address, analysis) => {
      if (analysis === undefined) return
      const key = keyOf(chainId, address)
      waiting.add(key)
      const markReady = (): void => {
        waiting.delete(key)
        ready.set(chainId, (ready.get(chainId) ?? new Set()).add(address))
      }
      void analysis.catch(() => {}).then(markReady)
    },
    isWaiting: (chainId, address) => waiting.has(keyOf(chainId, address)),
    takeReady: (chainId) => {
      const found = [...(ready.get(chainId) ?? [])]
      ready.delete(chainId)
      return found
    },
  }
}

export type Polling = { readonly faults: () => readonly PartFault[]; readonly stop: () => Promise<void> }

export type PollingDeps = { readonly poller: Poller; readonly timing?: Timing; readonly log: Logger }

export type PollingOptions = {
  readonly chainIds: readonly number[]
  readonly everyMs: number
  /** Called before every group, so that only one process polls a chain. */
  readonly mayPoll: (chainId: number) => Promise<boolean>
}

/** Most codes take less. */
const ANALYSIS_WAIT_MS = 1_000

/** How often requests of events are checked. */
const REQUESTS_EVERY_MS = 500

/** Polls the contracts of every chain until it is stopped: at once when an event requests it, otherwise in rounds. */
export function startPolling({ poller, timing = systemTiming, log }: PollingDeps, options: PollingOptions): Polling {
  const { chainIds, everyMs, mayPoll } = options
  const stop = new AbortController()
  const monitors = new Map(
    chainIds.map((chainId) => {
      const part = `${findChain(chainId)?.slug ?? chainId} poll`
      return [chainId, { part, monitor: new LoopMonitor(timing, faultLog(log, part, { chainId })) }] as const
    }),
  )
  const run = async (chainId: number): Promise<void> => {
    const monitor = monitors.get(chainId)?.monitor
    let nextRound = 0
    /** Also called before every group of a round, so that an event does not wait for ten thousand contracts. */
    const servedRequests = async (): Promise<boolean> => {
      if (stop.signal.aborted || !(await mayPoll(chainId))) return false
      await poller.pollRequested(chainId, { analysisWaitMs: ANALYSIS_WAIT_MS })
      return true
    }
    while (!stop.signal.aborted) {
      try {
        const isDue = timing.now() >= nextRound
        if (isDue) nextRound = timing.now() + Math.max(1_000, everyMs / 60)
        if (!isDue) await servedRequests()
        else
          await poller.round(chainId, new Date(timing.now() - everyMs), {
            mayContinue: servedRequests,
            analysisWaitMs: ANALYSIS_WAIT_MS,
          })
        monitor?.works()
      } catch (error) {
        monitor?.failed(error)
      }
      await timing.sleep(REQUESTS_EVERY_MS, stop.signal)
    }
  }
  const running = chainIds.map(run)
  return {
    faults: () => [...monitors.values()].flatMap(({ part, monitor }) => faultOf(part, monitor)),
    stop: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
