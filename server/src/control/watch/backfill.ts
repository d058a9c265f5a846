/**
 * Works off the jobs of one chain: history, contracts that came late, gaps after an absence.
 *
 * Each range is stored with the job's new position in one transaction, so a crash costs the range in hand and nothing
 * else. Reading runs a little ahead of writing and never further: memory does not grow with the range. Questions go
 * in the `bulk` lane, behind everything the follower asks.
 */
import type { Timing } from '../node/timing.ts'
import type { Fence, Found, Job, WatchStore } from '../store/watch-store.ts'
import { missedIn } from './audit.ts'
import { blockFactsOf } from './block-facts.ts'
import { type InterpretDeps, interpret } from './interpret.ts'
import { assertOurs, blocksByNumber, type LiveChain } from './live-chain.ts'
import type { Progress } from './progress.ts'
import type { RangeRead, RangeReader } from './read-range.ts'
import { chainwideFilters, contractFilters, filtersOf, type RangeFilter, type Scope } from './scope.ts'

export type BackfillDeps = InterpretDeps & {
  readonly timing: Timing
  readonly store: WatchStore
  readonly ranges: RangeReader
  readonly scope: Scope
  readonly fence: () => Fence
  readonly live: () => LiveChain | undefined
  readonly onProgress?: (progress: Progress) => void
}

export type BackfillOptions = {
  /** How long after reading a job's blocks are read again through another endpoint. */
  readonly verifyAfterMs: number
  /** Ranges read before the one being stored. */
  readonly ahead: number
  /** Blocks below the head that may still be undone. */
  readonly rewindLimit: number
}

export type Backfill = {
  /** Works until nothing is due or `signal` aborts; true if anything was done. */
  readonly run: (signal: AbortSignal) => Promise<boolean>
}

type Reading = { readonly first: number; readonly live: LiveChain; readonly read: RangeRead }

export function createBackfill(deps: BackfillDeps, options: BackfillOptions): Backfill {
  const { store, ranges, scope, timing, fence, pool } = deps
  /** When a job was read; after a restart the wait simply begins anew. */
  const readAt = new Map<number, number>()

  const findDue = async (): Promise<Job | undefined> => {
    const jobs = await store.getJobs()
    const reading = jobs.find((job) => job.phase === 'read')
    if (reading !== undefined) return reading
    const now = timing.now()
    return jobs.find((job) => {
      const at = readAt.get(job.id) ?? now
      readAt.set(job.id, at)
      return now - at >= options.verifyAfterMs
    })
  }

  /** Ranges of the job in order, a few of them in flight. */
  async function* readings(job: Job, end: number, signal: AbortSignal): AsyncGenerator<Reading> {
    const queue: Promise<Reading | undefined>[] = []
    let tail: Promise<number> = Promise.resolve(job.next)
    const start = (): void => {
      const previous = tail
      const reading = previous.then(async (first): Promise<Reading | undefined> => {
        const live = deps.live()
        if (first > end || live === undefined || signal.aborted) return undefined
        return { first, live, read: await readRange(job, first, end, live) }
      })
      tail = reading.then((done) => (done === undefined ? end + 1 : done.read.to + 1))
      tail.catch(() => {})
      reading.catch(() => {})
      queue.push(reading)
    }
    for (let n = 0; n < options.ahead; n += 1) start()
    for (;;) {
      const reading = await queue.shift()
      if (reading === undefined) return
      start()
      yield reading
    }
  }

  /** The first reading leaves the follower's endpoint alone if it can. */
  const readRange = async (job: Job, first: number, end: number, live: LiveChain): Promise<RangeRead> => {
    const filters = filtersFor(job, scope)
    if (job.phase === 'verify') return await ranges.readTwice(first, end, filters)
    return await ranges.read(first, end, filters, { last: pool.hostOf(live.reader) })
  }

  const examine = async (job: Job, { first, live, read }: Reading): Promise<Found> => {
    const blocks = blocksByNumber(live)
    assertOurs(live, blocks, read.logs)
    const context = { priority: 'bulk', kindOf: scope.kindOf, isWatched: scope.isKnown } as const
    if (job.phase === 'read')
      return await interpret(deps, read.logs, { ...context, blockOf: await blockFactsOf({ pool }, read.logs, blocks) })
    const { logs, isMissed } = missedIn(read.logs, await store.getIdentities(first, read.to))
    const found = await interpret(deps, logs, { ...context, blockOf: await blockFactsOf({ pool }, logs, blocks) })
    return { ...found, events: found.events.filter(isMissed) }
  }

  const work = async (given: Job, signal: AbortSignal): Promise<boolean> => {
    const before = deps.live()
    if (before === undefined) return false
    const end = Math.min(given.to, before.cursor.number)
    if (given.next > end) return false
    const meter = { startedAt: timing.now(), first: given.next, events: 0 }
    let job = given
    for await (const reading of readings(given, end, signal)) {
      const found = await examine(job, reading)
      const moved = after(job, reading.read)
      await store.moveJob(fence(), { job, ...moved, ...found, rewinds: reading.live.rewinds })
      readAt.set(job.id, timing.now())
      meter.events += found.events.length
      deps.onProgress?.({ chain: pool.chain, job, next: moved.next, now: timing.now(), ...meter })
      if (moved.phase !== job.phase) return true
      job = { ...job, ...moved }
    }
    return job.next > given.next
  }

  /** Where a job stands after a range, and in which phase. */
  const after = (job: Job, { to }: RangeRead): Pick<Job, 'next' | 'phase'> => {
    const next = to + 1
    if (next <= job.to) return { next, phase: job.phase }
    if (job.phase === 'verify') return { next, phase: 'done' }
    // One endpoint alone would repeat itself; only what was fresh when it answered is worth asking for again.
    const fresh = Math.max(job.from, job.to - options.rewindLimit)
    return { next: pool.all.length > 1 ? job.from : fresh, phase: 'verify' }
  }

  return {
    run: async (signal) => {
      let worked = false
      while (!signal.aborted) {
        const job = await findDue()
        if (job === undefined || !(await work(job, signal))) return worked
        worked = true
      }
      return worked
    },
  }
}

function filtersFor(job: Job, scope: Scope): readonly RangeFilter[] {
  if (job.scope === 'contracts') return contractFilters(scope, job.addresses)
  return job.scope === 'chainwide' ? chainwideFilters(scope) : filtersOf(scope)
}
