/**
 * Works off the jobs of one chain: history, contracts that came late, gaps after an absence.
 *
 * Each range is stored with the job's new position in one transaction, so a crash costs the range in hand and nothing
 * else. The next range is read while one is stored, and no further: memory does not grow with the range. Questions go
 * in the `bulk` lane, behind everything the follower asks.
 */
import type { Timing } from '../../lib/timing.ts'
import { TARGET_LOGS } from '../rpc/range-limit.ts'
import type { RangeRead, RangeReader } from '../rpc/range-reader.ts'
import type { LogFilter } from '../rpc/requests.ts'
import type { Progress } from './backfill-progress.ts'
import { readBlockTimes } from './block-times.ts'
import { assertOnChain, blocksByNumber, type ChainSnapshot } from './chain-snapshot.ts'
import { merge } from './creation.ts'
import { type InterpretDeps, interpret } from './interpret.ts'
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
  /** Around the work on a job. */
  readonly aroundJob?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
}

export type BackfillOptions = {
  /** How long after reading a job's blocks are read again through two endpoints. */
  readonly verifyAfterMs: number
  /** Jobs worked on at once: while one waits for the database, another decodes. */
  readonly lanes: number
  /** Blocks below the head that may still be undone. */
  readonly reorgLimit: number
  /**
   * Whether contracts seen through chain-wide events come under watch. Those of a gap do, as the follower would have
   * had it; those of history do not: each would ask for a history of its own.
   */
  readonly discover: boolean
}

export type Backfill = {
  /** Works until nothing is due or `signal` aborts; true if anything was done. */
  readonly run: (signal: AbortSignal) => Promise<boolean>
}

/** How long news that could not be read stands behind the rest: doubled each time, up to the longest. */
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000

/** A range that was read and understood, and what the chain was at the time. */
type Reading = {
  readonly snapshot: ChainSnapshot
  readonly to: number
  readonly found: Found
  readonly rest: Rest | undefined
}
/** What an endpoint gave beyond a good mouthful: understood and stored piece by piece. */
type Rest = { readonly snapshot: ChainSnapshot; readonly first: number; readonly read: RangeRead }

export function createBackfill(deps: BackfillDeps, options: BackfillOptions): Backfill {
  const { store, ranges, scope, timing, fence, pool, aroundJob = (work) => work() } = deps
  /** When a job was read; after a restart the wait simply begins anew. */
  const readAt = new Map<number, number>()
  const inHand = new Set<number>()
  /** A job that cannot be done, because no node keeps its blocks, stands behind those that can. */
  const failures = new Map<number, { readonly count: number; readonly at: number }>()
  /** News is tried first again after a rest: what stood in its way may be over, and history may take days. */
  const failuresOf = (job: Job): number => {
    const { count, at } = failures.get(job.id) ?? { count: 0, at: 0 }
    const restMs = Math.min(FIRST_REST_MS * 2 ** (count - 1), LONGEST_REST_MS)
    return job.announce && timing.now() - at >= restMs ? 0 : count
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
    const due = (await store.getJobs()).filter((job) => !inHand.has(job.id) && isDue(job))
    return due.toSorted(byRank)[0]
  }

  /** History goes on where it stopped; news does not wait for its end. */
  const givesWay = async (job: Job): Promise<boolean> => {
    const other = job.announce ? undefined : await findDue()
    return other !== undefined && other.announce && failuresOf(other) === 0
  }

  /** The first reading leaves the follower's endpoint alone if it can. */
  const readRange = async (job: Job, first: number, end: number, snapshot: ChainSnapshot): Promise<RangeRead> => {
    const filters = filtersFor(job, scope)
    const read =
      job.phase === 'verify'
        ? await ranges.readTwice(first, end, filters)
        : await ranges.read(first, end, filters, { last: pool.hostOf(snapshot.endpoint) })
    return job.scope === 'gap' ? { ...read, logs: read.logs.filter(scope.covers) } : read
  }

  const understand = async (
    job: Job,
    first: number,
    read: RangeRead,
    snapshot: ChainSnapshot,
    facts: FactsAhead,
  ): Promise<Found> => {
    const blocks = blocksByNumber(snapshot)
    assertOnChain(snapshot, blocks, read.logs)
    const context = { priority: 'bulk', kindOf: scope.kindOf, isWatched: scope.isWatched } as const
    const aware = { ...deps, store: { getFacts: facts.get } }
    if (job.phase === 'read')
      return await interpret(aware, read.logs, {
        ...context,
        blockOf: await readBlockTimes({ pool }, read.logs, blocks),
      })
    const { logs, isMissed } = missedIn(read.logs, await store.getIdentities(first, read.to))
    const found = await interpret(aware, logs, { ...context, blockOf: await readBlockTimes({ pool }, logs, blocks) })
    return { ...found, events: found.events.filter(isMissed) }
  }

  const work = async (given: Job, signal: AbortSignal): Promise<boolean> => {
    const before = deps.snapshot()
    if (before === undefined) return false
    const end = Math.min(given.to, before.cursor.number)
    if (given.next > end) return false
    const facts = factsAhead(store)
    const read = async (first: number): Promise<Rest | undefined> => {
      const snapshot = deps.snapshot()
      if (first > end || snapshot === undefined || snapshot.reorgs !== before.reorgs || signal.aborted) return undefined
      return { snapshot, first, read: await readRange(given, first, end, snapshot) }
    }
    const prepare = async (first: number, left: Rest | undefined): Promise<Reading | undefined> => {
      const all = left ?? (await read(first))
      if (all === undefined) return undefined
      const [piece, rest] = bite(all.read)
      const found = await understand(given, all.first, piece, all.snapshot, facts)
      facts.add(found.facts)
      const { snapshot } = all
      return { snapshot, to: piece.to, found, rest: rest && { snapshot, first: piece.to + 1, read: rest } }
    }
    const meter = { startedAt: timing.now(), first: given.next, events: 0 }
    let job = given
    let next = prepare(job.next, undefined)
    for (;;) {
      const reading = await next
      if (reading === undefined) return job.next > given.next
      next = prepare(reading.to + 1, reading.rest)
      next.catch(() => {}) // heard when its turn comes
      const moved = after(job, reading.to)
      const { found, snapshot } = reading
      const discovered = options.discover && job.scope === 'gap' ? discoveredIn(found.events, scope) : []
      await store.advanceJob(fence(), { job, ...moved, ...found, discovered, reorgs: snapshot.reorgs })
      readAt.set(job.id, timing.now())
      meter.events += found.events.length
      deps.onProgress?.({ chain: pool.chain, job, next: moved.next, now: timing.now(), ...meter })
      if (moved.phase !== job.phase || (await givesWay(job))) return true
      job = { ...job, ...moved }
    }
  }

  /** Where a job stands after a range, and in which phase. */
  const after = (job: Job, to: number): Pick<Job, 'next' | 'phase'> => {
    const next = to + 1
    if (next <= job.to) return { next, phase: job.phase }
    if (job.phase === 'verify') return { next, phase: 'done' }
    // One endpoint alone would repeat itself; only what was fresh when it answered is worth asking for again.
    const fresh = Math.max(job.from, job.to - options.reorgLimit)
    return { next: pool.all.length > 1 ? job.from : fresh, phase: 'verify' }
  }

  const lane = async (signal: AbortSignal): Promise<boolean> => {
    let worked = false
    while (!signal.aborted) {
      const job = await findDue()
      if (job === undefined || inHand.has(job.id)) return worked
      inHand.add(job.id)
      try {
        if (!(await aroundJob(() => work(job, signal)))) return worked
        worked = true
        failures.delete(job.id)
      } catch (error) {
        failures.set(job.id, { count: (failures.get(job.id)?.count ?? 0) + 1, at: timing.now() })
        throw error
      } finally {
        inHand.delete(job.id)
      }
    }
    return worked
  }

  return {
    run: async (signal) => {
      const lanes = await Promise.allSettled(Array.from({ length: options.lanes }, () => lane(signal)))
      const failed = lanes.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return lanes.some((result) => result.status === 'fulfilled' && result.value)
    },
  }
}

/** The first whole blocks of a range with about as many logs as one wants in hand, and what is left. */
function bite(read: RangeRead): readonly [RangeRead, RangeRead | undefined] {
  const last = read.logs[TARGET_LOGS]
  if (last === undefined) return [read, undefined]
  const cut = read.logs.findIndex((log) => log.blockNumber >= last.blockNumber)
  // One block with more logs than that is taken whole.
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

type FactsAhead = {
  readonly get: WatchStore['getFacts']
  readonly add: (facts: readonly CreationFact[]) => void
}

/** What earlier ranges of a job have told about births, though it is not stored yet. */
function factsAhead(store: Pick<WatchStore, 'getFacts'>): FactsAhead {
  const ahead = new Map<string, CreationFact>()
  return {
    get: async (addresses) => {
      const known = new Map((await store.getFacts(addresses)).map((fact) => [fact.address, fact]))
      return addresses.flatMap((address) => {
        const [stored, told] = [known.get(address), ahead.get(address)]
        return told === undefined ? (stored ?? []) : merge(stored, told)
      })
    },
    add: (facts) => {
      for (const fact of facts) ahead.set(fact.address, merge(ahead.get(fact.address), fact))
    },
  }
}
