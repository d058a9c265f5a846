/**
 * The batch worker: analyzes queued batches and delivers their callbacks.
 *
 * Batches and callbacks are claimed in the database, so any number of processes can run a worker, and the work of a
 * process that dies is claimed by another one when its claim ends.
 */
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Database } from '../../platform/database.ts'
import { chainIds } from '../networks/networks.ts'
import { findSynced, type ServedChains } from '../serve/served-chain.ts'
import { type AnalyzeAddressesDeps, analyzeAddresses, isTemporary } from './analyze-addresses.ts'
import { claimBatch, completeBatch, extendClaim, releaseBatch } from './batch-claims.ts'
import { deleteBatchesBefore } from './batch-store.ts'
import { type CallbackDeps, createCallbackQueue } from './callbacks.ts'

export type BatchWorkerDeps = AnalyzeAddressesDeps &
  CallbackDeps & {
    readonly database: Database
    /** The worker claims only batches of chains that are synced in this process. */
    readonly chains: ServedChains
  }

export type BatchWorker = {
  /** Analyzes the next batch and makes its callback due; false if none is queued or it was released. */
  readonly analyzeNext: (signal?: AbortSignal) => Promise<boolean>
}

export type RunningBatches = {
  /** Makes an idle worker check the queue at once. */
  readonly wake: () => void
  /** Releases the batch in progress and ends. */
  readonly stop: () => Promise<void>
}

const CLAIM_MS = 120_000
const IDLE_MS = 2_000
const RETENTION_MS = 30 * 86_400_000
const CLEANUP_EVERY_MS = 86_400_000
/** Pause of a batch after a temporary error. While a node stays unreachable, its chain is not synced and its batches wait. */
const RETRY_MS = 30_000
/** From this age on a temporary error becomes the result of its address, so that every batch completes. */
const RETRY_FOR_MS = 86_400_000

export function createBatchWorker(deps: BatchWorkerDeps): BatchWorker {
  const { database, clock, chains } = deps
  const after = (ms: number): Date => new Date(clock.now() + ms)

  async function analyzeNext(signal?: AbortSignal): Promise<boolean> {
    const synced = chainIds.filter((id) => findSynced(chains, id) !== undefined)
    let claimedUntil = after(CLAIM_MS)
    const batch = synced.length === 0 ? undefined : await claimBatch(database, synced, after(0), claimedUntil)
    if (batch === undefined) return false
    const chain = findSynced(chains, batch.chain)
    const canContinue = async (): Promise<boolean> => {
      const until = after(CLAIM_MS)
      const isOurs = await extendClaim(database, batch.id, claimedUntil, until)
      claimedUntil = until
      return isOurs && signal?.aborted !== true
    }
    const recordTemporaryErrors = clock.now() - batch.createdAt.getTime() >= RETRY_FOR_MS
    try {
      const results =
        chain === undefined
          ? null
          : await analyzeAddresses(deps, chain, { ...batch, recordTemporaryErrors, canContinue })
      if (results === null) await releaseBatch(database, batch.id, { claimedUntil, notBefore: after(0) })
      else await completeBatch(database, batch.id, { claimedUntil, results: stringifyExactly(results), now: after(0) })
      return results !== null
    } catch (error) {
      if (!isTemporary(error)) throw error
      deps.onError(error)
      await releaseBatch(database, batch.id, { claimedUntil, notBefore: after(RETRY_MS) })
      return false
    }
  }

  return { analyzeNext }
}

/** Runs a batch worker and the callback queue until they are stopped, and deletes completed batches after 30 days. */
export function runBatches(deps: BatchWorkerDeps, { sleep }: Pick<Timing, 'sleep'> = systemTiming): RunningBatches {
  const { database, clock, onError } = deps
  const worker = createBatchWorker(deps)
  const callbacks = createCallbackQueue(deps)
  const stopping = new AbortController()
  const { signal } = stopping
  let woken = new AbortController()
  const wake = (): void => woken.abort()

  async function run(): Promise<void> {
    let cleanedAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      let hasWorked = false
      // Before the queue is read, so that a wake-up during the read ends the next pause.
      woken = new AbortController()
      try {
        hasWorked = await worker.analyzeNext(signal)
        if (hasWorked) callbacks.wake()
        if (clock.now() - cleanedAt > CLEANUP_EVERY_MS) {
          cleanedAt = clock.now()
          await deleteBatchesBefore(database, new Date(clock.now() - RETENTION_MS))
        }
      } catch (error) {
        onError(error)
      }
      if (!hasWorked && !signal.aborted) await sleep(IDLE_MS, woken.signal)
    }
  }

  const ended = Promise.all([run(), callbacks.run(signal)])
  return {
    wake,
    stop: async () => {
      stopping.abort()
      wake()
      await ended
    },
  }
}
