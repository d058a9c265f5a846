/**
 * Runs the backfill jobs of one chain: history, contracts added later, and gaps after downtime.
 *
 * A range and the job's new position are stored in one transaction, so a crash loses only the range being read. The next
 * range is read while one is stored, and no further, so memory does not grow with the job. Requests have `bulk`
 * priority, behind those of the follower.
 */
import { backoffMs } from '../../lib/backoff.ts'
import type { Timing } from '../../lib/clock.ts'
import { type RangeRead, type RangeReader, TARGET_LOGS } from '../rpc/range-reader.ts'
import type { LogFilter } from '../rpc/requests.ts'
import { assertOnChain, blocksByNumber, type ChainSnapshot } from './chain-snapshot.ts'
import { mergeFact } from './creation.ts'
import { type InterpretDeps, interpret, readBlockTimes, readingOf } from './interpret.ts'
import { chainwideFilters, contractFilters, discoveredIn, filtersOf, type Scope } from './scope.ts'
import { missedIn } from './second-pass.ts'
import type { CreationFact, Fence, Found, Job, WatchStore } from './watch-store.ts'

export type BackfillDeps = InterpretDeps & {
  readonly timing: Timing
  readonly store: WatchStore
  readonly ranges: RangeReader
  readonly scope: Scope
  readonly fence: () => Fence
  readonly snapshot: () => ChainSnapshot | undefined
  readonly onProgress?: (progress: Progress) => void
  /** Wraps the work on each job. */
  readonly aroundJob?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
}

export type BackfillOptions = {
  /** The delay after which a job's blocks are verified through two endpoints. */
  readonly verifyAfterMs: number
  /** The number of jobs run in parallel: while one waits for the database, another decodes. */
  readonly parallelJobs: number
  /** Blocks below the head that a reorg may still replace. */
  readonly reorgLimit: number
  /**
   * Whether contracts found through chain-wide events in a gap are watched from then on, as with the follower. Contracts
   * found in history are not: each would need a history job.
   */
  readonly discover: boolean
  /** Whether the transactions of events that are announced are read too. */
  readonly readTransactions?: boolean
}

export type Backfill = {
  /** Runs jobs until none is due or `signal` aborts. True if any made progress. */
  readonly run: (signal: AbortSignal) => Promise<boolean>
}

/** How long a failed job whose events are announced ranks behind the others. */
const FAILED_JOB_BACKOFF = { firstMs: 60_000, longestMs: 3_600_000 }

/** A range that was read and interpreted, and the snapshot it was read with. */
type Reading = {
  readonly snapshot: ChainSnapshot
  readonly to: number
  readonly found: Found
  readonly rest: Rest | undefined
}
/** The part of a range beyond one chunk, interpreted and stored later. */
type Rest = { readonly snapshot: ChainSnapshot; readonly first: number; readonly read: RangeRead }

export function createBackfill(deps: BackfillDeps, options: BackfillOptions): Backfill {
  const { store, ranges, scope, timing, fence, pool, aroundJob = (work) => work() } = deps
  /** When the reading of a job ended. After a restart the delay starts again. */
  const readAt = new Map<number, number>()
  const running = new Set<number>()
  /** Failed jobs rank behind the others: perhaps no node has their blocks. */
  const failures = new Map<number, { readonly count: number; readonly at: number }>()
  /** A job whose events are announced is tried first again after its backoff, because history may take days. */
  const failuresOf = (job: Job): number => {
    const { count, at } = failures.get(job.id) ?? { count: 0, at: 0 }
    return job.announce && timing.now() - at >= backoffMs(FAILED_JOB_BACKOFF, count) ? 0 : count
  }
  const byRank = (a: Job, b: Job): number =>
    failuresOf(a) - failuresOf(b) ||
    Number(b.announce) - Number(a.announce) ||
    Number(a.phase === 'verify') - Number(b.phase === 'verify')

  const isDue = (job: Job): boolean => {
    if (job.phase === 'read') return true
    const now = timing.now()
    const at = readAt.get(job.id) ?? now
    readAt.set(job.id, at)
    return now - at >= options.verifyAfterMs
  }

  const findDue = async (): Promise<Job | undefined> => {
    const due = (await store.getJobs()).filter((job) => !running.has(job.id) && isDue(job))
    return due.toSorted(byRank)[0]
  }

  /** Whether a job whose events are announced is due: it interrupts history, which continues later. */
  const isPreempted = async (job: Job): Promise<boolean> => {
    const other = job.announce ? undefined : await findDue()
    return other !== undefined && other.announce && failuresOf(other) === 0
  }

  /** The first read avoids the follower's endpoint if there is another. */
  const readRange = async (job: Job, first: number, end: number, snapshot: ChainSnapshot): Promise<RangeRead> => {
    const filters = filtersFor(job, scope)
    const read =
      job.phase === 'verify'
        ? await ranges.readTwice(first, end, filters)
        : await ranges.read(first, end, filters, { last: pool.hostOf(snapshot.endpoint) })
    return job.scope === 'gap' ? { ...read, logs: read.logs.filter(scope.covers) } : read
  }

  const interpretRange = async (
    job: Job,
    first: number,
    read: RangeRead,
    snapshot: ChainSnapshot,
    facts: UnstoredFacts,
  ): Promise<Found> => {
    const blocks = blocksByNumber(snapshot)
    assertOnChain(snapshot, blocks, read.logs)
    const context = {
      priority: 'bulk',
      kindOf: scope.kindOf,
      isWatched: scope.isWatched,
      getReferenced: store.getReferenced,
      roleClasses: store.getRoleClasses,
      // Only for events that are announced: history would cost a request for each transaction of every Safe.
      reading: options.readTransactions === true && job.announce ? readingOf(store) : undefined,
    } as const
    const withNewFacts = { ...deps, store: { getFacts: facts.get } }
    if (job.phase === 'read')
      return await interpret(withNewFacts, read.logs, {
        ...context,
        blockOf: await readBlockTimes({ pool }, read.logs, blocks),
      })
    const { logs, isMissed } = missedIn(read.logs, await store.getIdentities(first, read.to))
    const found = await interpret(withNewFacts, logs, {
      ...context,
      blockOf: await readBlockTimes({ pool }, logs, blocks),
    })
    return { ...found, events: found.events.filter(isMissed) }
  }

  const runJob = async (given: Job, signal: AbortSignal): Promise<boolean> => {
    const before = deps.snapshot()
    if (before === undefined) return false
    const end = Math.min(given.to, before.cursor.number)
    if (given.next > end) return false
    const facts = unstoredFacts(store)
    const read = async (first: number): Promise<Rest | undefined> => {
      const snapshot = deps.snapshot()
      if (first > end || snapshot === undefined || snapshot.reorgs !== before.reorgs || signal.aborted) return undefined
      return { snapshot, first, read: await readRange(given, first, end, snapshot) }
    }
    const prepare = async (first: number, remaining: Rest | undefined): Promise<Reading | undefined> => {
      const all = remaining ?? (await read(first))
      if (all === undefined) return undefined
      const [chunk, rest] = splitChunk(all.read)
      const found = await interpretRange(given, all.first, chunk, all.snapshot, facts)
      facts.add(found.facts)
      const { snapshot } = all
      return { snapshot, to: chunk.to, found, rest: rest && { snapshot, first: chunk.to + 1, read: rest } }
    }
    const meter = { startedAt: timing.now(), first: given.next, events: 0 }
    let job = given
    let next = prepare(job.next, undefined)
    for (;;) {
      const reading = await next
      if (reading === undefined) return job.next > given.next
      next = prepare(reading.to + 1, reading.rest)
      next.catch(() => {}) // awaited in the next iteration
      const advanced = positionAfter(job, reading.to)
      const { found, snapshot } = reading
      const discovered = options.discover && job.scope === 'gap' ? discoveredIn(found.events, scope) : []
      await store.advanceJob(fence(), { job, ...advanced, ...found, discovered, reorgs: snapshot.reorgs })
      readAt.set(job.id, timing.now())
      meter.events += found.events.length
      deps.onProgress?.({ chain: pool.chain, job, next: advanced.next, now: timing.now(), ...meter })
      if (advanced.phase !== job.phase || (await isPreempted(job))) return true
      job = { ...job, ...advanced }
    }
  }

  /** The position and phase of a job after a range. */
  const positionAfter = (job: Job, to: number): Pick<Job, 'next' | 'phase'> => {
    const next = to + 1
    if (next <= job.to) return { next, phase: job.phase }
    if (job.phase === 'verify') return { next, phase: 'done' }
    // A single endpoint would return the same logs again, except for blocks that were recent at the first read.
    const recent = Math.max(job.from, job.to - options.reorgLimit)
    return { next: pool.all.length > 1 ? job.from : recent, phase: 'verify' }
  }

  const runDueJobs = async (signal: AbortSignal): Promise<boolean> => {
    let worked = false
    while (!signal.aborted) {
      const job = await findDue()
      if (job === undefined || running.has(job.id)) return worked
      running.add(job.id)
      try {
        if (!(await aroundJob(() => runJob(job, signal)))) return worked
        worked = true
        failures.delete(job.id)
      } catch (error) {
        failures.set(job.id, { count: (failures.get(job.id)?.count ?? 0) + 1, at: timing.now() })
        throw error
      } finally {
        running.delete(job.id)
      }
    }
    return worked
  }

  return {
    run: async (signal) => {
      const results = await Promise.allSettled(Array.from({ length: options.parallelJobs }, () => runDueJobs(signal)))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return results.some((result) => result.status === 'fulfilled' && result.value)
    },
  }
}

/** A range with more logs is stored in chunks. The margin avoids a chunk of the few logs beyond the target. */
const MAX_CHUNK_LOGS = TARGET_LOGS * 1.25

/** Splits off the first whole blocks with about the target number of logs. */
function splitChunk(read: RangeRead): readonly [RangeRead, RangeRead | undefined] {
  const last = read.logs.length > MAX_CHUNK_LOGS ? read.logs[TARGET_LOGS] : undefined
  if (last === undefined) return [read, undefined]
  const cut = read.logs.findIndex((log) => log.blockNumber >= last.blockNumber)
  // One block with more logs is not split.
  if (cut === 0) return [read, undefined]
  const to = last.blockNumber - 1
  return [
    { ...read, to, logs: read.logs.slice(0, cut) },
    { ...read, logs: read.logs.slice(cut) },
  ]
}

function filtersFor(job: Job, scope: Scope): readonly LogFilter[] {
  if (job.scope === 'contracts') return contractFilters(scope, job.addresses)
  return job.scope === 'chainwide' ? chainwideFilters(scope) : filtersOf(scope)
}

type UnstoredFacts = {
  readonly get: WatchStore['getFacts']
  readonly add: (facts: readonly CreationFact[]) => void
}

/** Creation facts of earlier ranges of a job that are not stored yet, merged with the stored ones. */
function unstoredFacts(store: Pick<WatchStore, 'getFacts'>): UnstoredFacts {
  const unstored = new Map<string, CreationFact>()
  return {
    get: async (addresses) => {
      const known = new Map((await store.getFacts(addresses)).map((fact) => [fact.address, fact]))
      return addresses.flatMap((address) => {
        const [stored, added] = [known.get(address), unstored.get(address)]
        return added === undefined ? (stored ?? []) : mergeFact(stored, added)
      })
    },
    add: (facts) => {
      for (const fact of facts) unstored.set(fact.address, mergeFact(unstored.get(fact.address), fact))
    },
  }
}

export type Progress = {
  readonly chain: string
  readonly job: Job
  readonly next: number
  readonly now: number
  readonly startedAt: number
  readonly first: number
  readonly events: number
}

type Pace = {
  /** 0 to 1. */
  readonly done: number
  readonly blocksPerSecond: number
  readonly eventsPerSecond: number
  readonly secondsLeft: number
}

export function paceOf({ job, next, now, startedAt, first, events }: Progress): Pace {
  const seconds = Math.max((now - startedAt) / 1_000, 0.001)
  const blocksPerSecond = (next - first) / seconds
  const left = Math.max(0, job.to + 1 - next)
  return {
    done: Math.min(1, (next - job.from) / Math.max(1, job.to + 1 - job.from)),
    blocksPerSecond,
    eventsPerSecond: events / seconds,
    secondsLeft: blocksPerSecond === 0 ? Number.POSITIVE_INFINITY : left / blocksPerSecond,
  }
}
