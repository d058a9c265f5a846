/**
 * The watcher's store in memory, with the guarantees of the real one: each method is one transaction, fenced by the lease,
 * and an event is stored once. All simulated processes share it.
 *
 * It reports steps that the real store would take although they endanger events: most of them do harm only if several
 * faults meet, which few seeds have.
 */

import type { EventRecord } from '../../server/src/control/catalog/catalog.ts'
import type { RangeLimit } from '../../server/src/control/rpc/range-reader.ts'
import { mergeFact, rollBackFact } from '../../server/src/control/watch/creation.ts'
import { ownerChange } from '../../server/src/control/watch/safe-signers.ts'
import {
  type BlockRef,
  type ChainState,
  type CreationFact,
  type Fence,
  type Found,
  type Job,
  LeaseLostError,
  type NewJob,
  StaleStepError,
  type StoredBlock,
  type WatchedContract,
  type WatchStore,
} from '../../server/src/control/watch/watch-store.ts'
import type { Leases } from '../../server/src/control/watch/watcher.ts'
import type { Hex } from '../../server/src/lib/hex.ts'

export type StoredEvent = EventRecord & { readonly id: number; readonly announced: boolean }

/** An event that the account of the simulation was alerted to. */
export type SimAlert = Pick<EventRecord, 'blockNumber' | 'logIndex' | 'txHash' | 'address' | 'key' | 'severity'> & {
  readonly isConfirmed: boolean
  readonly isRetracted: boolean
}

export type SimStore = WatchStore & {
  /** Subscribes the account of the simulation, with the default of `alertAt`. */
  readonly subscribe: (addresses: readonly Hex[]) => Promise<void>
  readonly getAlerts: () => Promise<readonly SimAlert[]>
  readonly register: (contract: WatchedContract) => Promise<void>
  readonly requestBackfill: (startBlock: number) => Promise<void>
  readonly getEvents: () => Promise<readonly StoredEvent[]>
  readonly leasesOf: (holder: string) => Leases
}

export const identityOf = ({ blockNumber, logIndex }: Pick<EventRecord, 'blockNumber' | 'logIndex'>): string =>
  `${blockNumber}:${logIndex}`

type MemoryStoreOptions = {
  readonly now: () => number
  readonly reorgLimit: number
  readonly onViolation: (what: string) => void
  /** Called with each range of blocks that was verified, and the stored blocks. */
  readonly onVerified?: (from: number, to: number, window: readonly StoredBlock[]) => void
  /** Called with each job that is done, and the last block that the second pass does not read again. */
  readonly onJobDone?: (job: Job, verifiedTo: number, watched: ReadonlySet<Hex>) => void
  /** Called with the blocks above the cursor and their events. */
  readonly onHead?: (step: HeadStep) => void
}

export type HeadStep = {
  readonly after: BlockRef
  readonly blocks: readonly BlockRef[]
  readonly events: readonly EventRecord[]
  readonly startBlock: number
  readonly watched: ReadonlySet<Hex>
}

export function memoryStore(options: MemoryStoreOptions): SimStore {
  const { now, reorgLimit, onViolation, onVerified, onJobDone, onHead } = options
  let state: ChainState | undefined
  let lease: (Fence & { expiresAt: number }) | undefined
  let nextId = 1
  const events = new Map<string, StoredEvent>()
  const contracts = new Map<Hex, WatchedContract & { state: 'new' | 'watched' }>()
  const facts = new Map<Hex, CreationFact>()
  const limits = new Map<string, RangeLimit>()
  let jobs: Job[] = []
  let requestedStart: number | undefined

  const check = (fence: Fence): ChainState => {
    if (lease?.holder !== fence.holder || lease.fence !== fence.fence) throw new LeaseLostError(fence.name)
    return state as ChainState
  }
  const checkAt = (fence: Fence, after: BlockRef): ChainState => {
    const current = check(fence)
    if (current.cursor.hash !== after.hash || current.cursor.number !== after.number)
      throw new StaleStepError('the cursor moved')
    return current
  }
  const alerts: (SimAlert & { readonly event: EventRecord; readonly blockHash: Hex })[] = []
  let subscribed: ReadonlySet<Hex> = new Set()
  const isOpen = (alert: SimAlert): boolean => !alert.isConfirmed && !alert.isRetracted
  const change = (at: number, to: Partial<(typeof alerts)[number]>): void =>
    void (alerts[at] = { ...alerts[at], ...to } as never)
  /** Pairs events with open alerts, adds an alert for each other event that `isWanted`, and returns the alert of each. */
  const alert = (found: readonly EventRecord[], isConfirmed: boolean, isWanted: (event: EventRecord) => boolean) => {
    const contentOf = ({ txHash, address, key, args }: EventRecord): string =>
      JSON.stringify([txHash, address, key, args])
    const kept = new Map<EventRecord, number>()
    const taken = new Set<number>()
    for (const event of found) {
      if (event.isInit || !subscribed.has(event.address)) continue
      const isSame = (other: EventRecord): boolean => contentOf(other) === contentOf(event)
      const isOpenAt = (at: number): boolean => isOpen(alerts[at] as SimAlert) && !taken.has(at)
      // Equal events of one transaction keep their order.
      const inPlace = alerts.findIndex(
        (one, at) => isOpenAt(at) && identityOf(one) === identityOf(event) && isSame(one.event),
      )
      const known = inPlace === -1 ? alerts.findIndex((one, at) => isOpenAt(at) && isSame(one.event)) : inPlace
      const { blockNumber, logIndex, txHash, address, key, severity, blockHash } = event
      if (known === -1 && !isWanted(event)) continue
      const at = known === -1 ? alerts.length : known
      kept.set(event, at)
      taken.add(at)
      const position = { blockNumber, logIndex, blockHash, event, isConfirmed }
      if (known === -1) alerts.push({ ...position, txHash, address, key, severity, isRetracted: false })
      else change(known, position)
    }
    return kept
  }
  const retractOverdue = (): void => {
    const { cursor, verifiedTo, window } = state as ChainState
    for (const [at, one] of alerts.entries()) {
      if (!isOpen(one) || one.blockNumber > cursor.number) continue
      const isInGap = jobs.some(
        ({ scope, phase, from, to }) =>
          scope === 'gap' && phase !== 'done' && from <= one.blockNumber && one.blockNumber <= to,
      )
      const isUnverified = one.blockNumber > verifiedTo && window.some(({ hash }) => hash === one.blockHash)
      if (!isInGap && !isUnverified) change(at, { isRetracted: true })
    }
  }
  const put = (found: Found, announce: boolean): void => {
    const isNew = (event: EventRecord): boolean => !events.has(identityOf(event))
    const alerted = alert(found.events.filter(isNew), true, () => announce)
    for (const event of found.events) {
      const key = identityOf(event)
      const there = events.get(key)
      if (there !== undefined) {
        if (there.blockHash !== event.blockHash) throw new Error(`two blocks ${event.blockNumber} in the store`)
        continue
      }
      const id = nextId++
      events.set(key, { ...event, id, announced: announce || alerted.has(event) })
    }
    for (const fact of found.facts) facts.set(fact.address, mergeFact(facts.get(fact.address), fact))
  }
  /** An event of a block that is not on the stored chain stays if no reorg removes it. */
  const checkBranch = ({ events: found }: Found): void => {
    const { window } = state as ChainState
    for (const { blockNumber, blockHash } of found) {
      const stored = window.find(({ number }) => number === blockNumber)
      if (stored !== undefined && stored.hash !== blockHash) onViolation(`an event of another block ${blockNumber}`)
    }
  }
  /** Readers of the feed and alerts get events in the order of the chain. */
  const checkOrder = ({ events: found }: Found): void => {
    const isBehind = (a: EventRecord | undefined, b: EventRecord): boolean =>
      a !== undefined && (a.blockNumber - b.blockNumber || a.logIndex - b.logIndex) >= 0
    if (found.some((event, at) => isBehind(found[at - 1], event))) onViolation('events out of order')
  }
  /** Reports blocks from `from` to `to` that no job reads: for all contracts, or for these. */
  const checkCovered = (
    more: readonly NewJob[],
    scope: NewJob['scope'],
    [from, to]: readonly [number, number],
    addresses: readonly Hex[] = [],
  ): void => {
    const isRead = (job: NewJob): boolean => job.scope === scope && job.from <= from && job.to >= to
    const read = more.filter(isRead)
    const isCovered =
      read.length > 0 && addresses.every((address) => read.some((job) => job.addresses.includes(address)))
    const isDue = from <= to && (scope !== 'contracts' || addresses.length > 0)
    if (isDue && !isCovered) onViolation(`${scope}: blocks ${from} to ${to} are never read`)
  }
  /** The contracts that were watched when each gap was found. Those added later have their own jobs. */
  const watchedAt = new Map<number, ReadonlySet<Hex>>()
  const watchedNow = (): ReadonlySet<Hex> =>
    new Set([...contracts.values()].flatMap(({ address, state }) => (state === 'watched' ? address : [])))
  const discover = (addresses: readonly Hex[]): void => {
    for (const address of addresses)
      if (!contracts.has(address)) contracts.set(address, { address, kind: undefined, state: 'new' })
  }
  const addJobs = (more: readonly NewJob[]): void => {
    for (const job of more) {
      const id = nextId++
      jobs.push({ ...job, id, next: job.from, phase: 'read' })
      watchedAt.set(id, watchedNow())
    }
  }
  const withCursor = (current: ChainState, window: readonly StoredBlock[]): ChainState => ({
    ...current,
    window,
    cursor: window.at(-1) as StoredBlock,
  })

  const store: WatchStore = {
    findState: async () => state,
    getWatched: async () => [...contracts.values()].filter((contract) => contract.state === 'watched'),
    getPending: async () =>
      [...contracts.values()]
        .filter((contract) => contract.state === 'new')
        .map(({ address, kind }) => ({ address, kind, isNew: true, deployBlock: undefined })),
    getFacts: async (addresses) => addresses.flatMap((address) => facts.get(address) ?? []),
    getJobs: async () => jobs.filter((job) => job.phase !== 'done'),
    findLimit: async ({ host, filter }) => limits.get(`${host} ${filter}`),
    saveLimit: async ({ host, filter }, limit) => void limits.set(`${host} ${filter}`, limit),
    getIdentities: async (from, to) =>
      new Set([...events.values()].filter((e) => e.blockNumber >= from && e.blockNumber <= to).map(identityOf)),
    getRoleClasses: async () => new Map(),
    start: async (fence, { window, startBlock, jobs: first }) => {
      check(fence)
      if (state !== undefined) throw new StaleStepError('already started')
      const cursor = window.at(-1) as StoredBlock
      checkCovered(first, 'chainwide', [startBlock, cursor.number])
      state = { cursor, startBlock, verifiedTo: cursor.number, reorgs: 0, window }
      addJobs(first)
    },
    findBackfillRequest: async () => requestedStart,
    extendHistory: async (fence, { after, startBlock, blocks, jobs: more }) => {
      const current = checkAt(fence, after)
      const window = [...current.window, ...blocks].sort((a, b) => a.number - b.number)
      const range = [startBlock, Math.min(current.startBlock - 1, after.number)] as const
      checkCovered(more, 'chainwide', range)
      checkCovered(more, 'contracts', range, [...watchedNow()])
      state = { ...current, startBlock, window }
      if (requestedStart !== undefined && requestedStart >= startBlock) requestedStart = undefined
      addJobs(more)
    },
    startWatching: async (fence, { after, contracts: adopted, jobs: more }) => {
      const { startBlock } = checkAt(fence, after)
      const added = adopted.flatMap(({ address, isNew }) => (isNew ? address : []))
      checkCovered(more, 'contracts', [startBlock, after.number], added)
      for (const { address, kind } of adopted) contracts.set(address, { address, kind, state: 'watched' })
      addJobs(more)
    },
    stopWatching: async () => [],
    getReferenced: async (addresses) => new Set(addresses),
    getControllers: async () => new Map(),
    getControlledSafes: async () => new Map(),
    getOwnerChanges: async (safe, to) =>
      [...events.values()]
        .filter(({ address, blockTime, isInit }) => address === safe && blockTime <= to && !isInit)
        .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
        .flatMap(({ key, args, blockTime }) => ownerChange(key, args.owner, blockTime)),
    advance: async (fence, step) => {
      const current = checkAt(fence, step.after)
      put(step, true)
      checkOrder(step)
      if (step.pruneBelow > current.cursor.number - reorgLimit)
        onViolation(`block ${step.pruneBelow} pruned, which a reorg may reach`)
      const kept = current.window.filter((block) => block.number >= step.pruneBelow)
      state = withCursor(current, [...kept, ...step.blocks])
      checkBranch(step)
      retractOverdue()
      discover(step.discovered)
    },
    alertAtHead: async (fence, { after, blocks, events: found }) => {
      const { startBlock } = checkAt(fence, after)
      onHead?.({ after, blocks, events: found, startBlock, watched: watchedNow() })
      const critical = new Set(
        found.flatMap(({ severity, address, isInit, txHash }) =>
          severity === 'critical' && subscribed.has(address) && !isInit ? txHash : [],
        ),
      )
      const kept = new Set(alert(found, false, ({ txHash }) => critical.has(txHash)).values())
      const head = blocks.at(-1) as BlockRef
      for (const [at, one] of alerts.entries()) {
        const isReplaced = one.blockNumber > after.number && one.blockNumber < head.number
        if (isOpen(one) && !kept.has(at) && isReplaced && !blocks.some(({ hash }) => hash === one.blockHash))
          change(at, { isRetracted: true })
      }
      retractOverdue()
      return alerts.filter(isOpen).length
    },
    rollBack: async (fence, { from, to }) => {
      const current = checkAt(fence, from)
      for (const [at, { blockNumber }] of alerts.entries())
        if (blockNumber > to.number) change(at, { isRetracted: true })
      for (const [key, event] of events) if (event.blockNumber > to.number) events.delete(key)
      for (const [address, fact] of facts) {
        const left = rollBackFact(fact, to.number)
        if (left === undefined) facts.delete(address)
        else facts.set(address, left)
      }
      const window = current.window.filter((block) => block.number <= to.number)
      const verifiedTo = Math.min(current.verifiedTo, to.number)
      state = { ...withCursor(current, window), verifiedTo, reorgs: current.reorgs + 1 }
    },
    handOver: async (fence, { after, to, jobs: more }) => {
      const current = checkAt(fence, after)
      const first = Math.max(current.startBlock, current.verifiedTo + 1)
      checkCovered(more, 'gap', [first, to.number])
      if (more.some(({ announce }) => !announce)) onViolation('the events of a gap are not announced')
      state = { ...withCursor(current, [...current.window, to]), verifiedTo: to.number }
      addJobs(more)
      retractOverdue()
    },
    advanceSecondPass: async (fence, step) => {
      const current = check(fence)
      if (current.reorgs !== step.reorgs || current.verifiedTo !== step.after) throw new StaleStepError('second pass')
      put(step, true)
      checkOrder(step)
      checkBranch(step)
      onVerified?.(step.after + 1, step.to, current.window)
      discover(step.discovered)
      state = { ...current, verifiedTo: step.to }
      retractOverdue()
    },
    advanceJob: async (fence, step) => {
      const current = check(fence)
      const job = jobs.find((candidate) => candidate.id === step.job.id)
      if (current.reorgs !== step.reorgs || job?.next !== step.job.next || job.phase !== step.job.phase)
        throw new StaleStepError('job')
      put(step, job.announce)
      checkOrder(step)
      checkBranch(step)
      const { next, phase } = step
      // After a reorg the second pass verifies the blocks above.
      if (phase === 'done') onJobDone?.(job, current.verifiedTo, watchedAt.get(job.id) ?? new Set())
      discover(step.discovered)
      jobs = jobs.map((candidate) => (candidate === job ? { ...job, next, phase } : candidate))
      if (job.scope === 'gap' && phase === 'done') retractOverdue()
    },
  }

  return {
    ...store,
    subscribe: async (addresses) => void (subscribed = new Set(addresses)),
    getAlerts: async () => alerts,
    register: async (contract) => {
      if (!contracts.has(contract.address)) contracts.set(contract.address, { ...contract, state: 'new' })
    },
    requestBackfill: async (startBlock) => void (requestedStart = Math.min(requestedStart ?? startBlock, startBlock)),
    getEvents: async () => [...events.values()],
    leasesOf: (holder) => ({
      take: async (ttlMs) => {
        if (lease !== undefined && lease.holder !== holder && lease.expiresAt > now()) return undefined
        const fence = lease?.holder === holder ? lease.fence : (lease?.fence ?? 0) + 1
        lease = { name: 'watch', holder, fence, expiresAt: now() + ttlMs }
        return { name: 'watch', holder, fence }
      },
      release: async (fence) => {
        if (lease?.holder === fence.holder && lease.fence === fence.fence) lease.expiresAt = 0
      },
    }),
  }
}
