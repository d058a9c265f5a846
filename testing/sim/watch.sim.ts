/**
 * Simulates the watcher with reorgs, faulty endpoints and processes that die.
 *
 * The seed decides the faults of each endpoint, when contracts are registered, and when processes are killed (between any
 * two steps), paused past the end of their lease, or down for a long time. At the end all faults stop, and the stored
 * events must be exactly those of the chain: none lost, none duplicated, none of a stale branch. On the way, no block may
 * count as verified before its logs were indexed and read from two endpoints, and no step may leave blocks that no later
 * one reads.
 */
import assert from 'node:assert/strict'
import type { Chain } from '../../server/src/control/chains/chains.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import type { WatchStore } from '../../server/src/control/watch/watch-store.ts'
import { createWatcher } from '../../server/src/control/watch/watcher.ts'
import type { Timing } from '../../server/src/lib/clock.ts'
import { type Random, seededRandom } from '../support/random.ts'
import { memoryStore, type SimStore } from './memory-store.ts'
import { simChain } from './sim-chain.ts'
import { CALM, type FaultRates, INDEXING_MS, type SimNode, simNode } from './sim-node.ts'
import { type VirtualTime, virtualTime } from './virtual-time.ts'
import {
  assertAlerts,
  assertTruth,
  catalog,
  type Simulated,
  unlinkedAtHead,
  unseenAtHead,
  unverifiedIn,
  unverifiedOf,
} from './watch-checks.ts'

const CHAIN_ID = 31_337
const REWIND_LIMIT = 24
const BLOCK_MS = 2_000
const START = Date.parse('2026-03-01T00:00:00Z')

export type SimResult = {
  readonly seed: number
  readonly blocks: number
  readonly events: number
  readonly reorgs: number
  readonly kills: number
}

export type SimOptions = {
  readonly blocks?: number
  /** The store under test; by default in memory. */
  readonly openStore?: (time: VirtualTime) => Promise<SimStore>
}

export async function simulateWatch(seed: number, options: SimOptions = {}): Promise<SimResult> {
  const random = seededRandom(seed)
  const time = virtualTime(START)
  let age = 600_000 // age of the blocks before the watcher starts
  const returning = seededRandom(seed + 0x2e7) // a separate generator, so that blocks stay those of recorded seeds
  const more = seededRandom(seed + 0xfa17) // a separate generator, for the same reason
  const skew = more.pick([0, 0, 0, 5_000, -20_000, -90_000])
  const chain = simChain({ random: random.fork(), now: () => time.now() - age, returning, skew })
  const violations: string[] = []
  const store = await (options.openStore?.(time) ??
    memoryStore({
      now: time.now,
      reorgLimit: REWIND_LIMIT,
      onVerified: (from, to, window) => violations.push(...unverifiedIn(chain, nodes, { from, to, window })),
      onJobDone: (job, verifiedTo, watched) => violations.push(...unverifiedOf(chain, nodes, job, verifiedTo, watched)),
      onHead: (step) => violations.push(...unlinkedAtHead(chain, step), ...unseenAtHead(chain, step)),
      onViolation: (what) => violations.push(what),
    }))
  await store.subscribe(chain.addresses)
  const count = random.between(1, 3)
  const permanentFaults = seededRandom(seed + 0xab17) // a separate generator, so that recorded seeds keep their runs
  const nodes: readonly SimNode[] = weathers(random, count).map((faults) =>
    simNode(
      { chain, random: random.fork(), timing: time },
      {
        faults: onBranches(withPermanentFaults(faults, permanentFaults), count, more),
        chainId: CHAIN_ID,
        quietUntilFinal: REWIND_LIMIT,
      },
    ),
  )
  const settings = {
    confirmations: random.below(4),
    startBlock: random.chance(0.3) ? undefined : random.below(30),
    maxLag: random.pick([4, 16, 64]),
    discover: random.chance(0.5),
  }
  for (let n = random.between(1, 60); n > 0; n -= 1) chain.mine()
  age = 0

  const outages = more.chance(0.5) ? 0 : more.next() * 0.03
  const world: World = { time, chain, store, nodes, settings, outages, kills: 0, isOver: false }
  const processes = Array.from({ length: random.between(1, 2) }, (_, n) => live(world, `p${n}`, random.fork()))
  void registerSome(world, random.fork())
  let isHistoryRequested = false
  const requesting = requestHistory(world, seededRandom(seed + 0x5eed)) // a separate generator, so that recorded seeds keep their runs
  void requesting.then(() => (isHistoryRequested = true))
  await grow(world, random.fork(), more.fork(), options.blocks ?? random.between(40, 140))

  world.isOver = true
  for (const node of nodes) node.calm()
  await registerLate(world, more.fork())
  // A chain that is settled before the request would be compared while the requested blocks are read.
  await time.run(() => isHistoryRequested, LATEST_REQUEST_MS)
  const isSettled = await time.run(settled(world), 3_600_000)
  const state = await store.findState()
  assert.ok(
    isSettled,
    `seed ${seed}: not settled: ${JSON.stringify({ ...state, window: undefined, head: chain.tip().number, jobs: await store.getJobs() })}`,
  )
  await time.run(() => false, 30_000) // the cursor does not show whether the blocks above it were read
  await assertTruth(world, seed)
  await assertAlerts(world, seed)
  assert.deepEqual(violations, [], `seed ${seed}: unsafe steps`)
  for (const stop of processes) stop()
  return {
    seed,
    blocks: chain.tip().number,
    events: (await store.getEvents()).length,
    reorgs: state?.reorgs ?? 0,
    kills: world.kills,
  }
}

type World = Simulated & {
  readonly time: VirtualTime
  readonly nodes: readonly SimNode[]
  readonly settings: {
    readonly startBlock: number | undefined
    readonly maxLag: number
  }
  /** How often a call of the store fails, before or after it has committed. */
  readonly outages: number
  kills: number
  isOver: boolean
}

function weathers(random: Random, count: number): readonly FaultRates[] {
  const some = (most: number): number => (random.chance(0.5) ? 0 : random.next() * most)
  const special = count > 1 ? random.below(count) : -1
  return Array.from({ length: count }, (_, at) => ({
    ...CALM,
    error: some(0.15),
    refuse: some(0.1),
    hang: some(0.03),
    garble: some(0.08),
    shuffle: some(0.3),
    slow: some(0.3),
    stale: some(0.02),
    lag: some(0.4),
    unindexed: some(0.5),
    rangeLimit: random.chance(0.4) ? random.between(1, 12) : undefined,
    hints: random.chance(0.5),
    noTimes: random.chance(0.5),
    // One of several endpoints may be permanently faulty; the others compensate.
    deaf: at === special ? some(0.4) : 0,
    pruned: at === special && random.chance(0.3),
    noReceipts: at === special && random.chance(0.3),
  }))
}

/** Features that an endpoint lacks permanently. */
function withPermanentFaults(faults: FaultRates, random: Random): FaultRates {
  return {
    ...faults,
    noReceipts: faults.noReceipts || random.chance(0.3),
    noBatches: random.chance(0.15),
    noHashes: random.chance(0.1),
  }
}

/** Endpoints that notice reorgs late, return logs of another branch than headers, or are always behind. */
function onBranches(faults: FaultRates, count: number, random: Random): FaultRates {
  const some = (chance: number): number => (random.chance(chance) ? random.next() : 0)
  const [late, split] = [some(0.5), some(0.4)]
  return { ...faults, late, split, behind: count > 1 && random.chance(0.15) ? random.between(4, 12) : 0 }
}

/** Mines blocks and reorgs until the chain is long enough. */
async function grow({ time, chain }: World, random: Random, more: Random, blocks: number): Promise<void> {
  const [often, deepest] = [random.next() * 0.15, random.pick([1, 3, 8, REWIND_LIMIT - 4])]
  let highest = chain.tip().number
  let isDone = false
  const reorganise = (depth: number): void => {
    const oldest = highest - REWIND_LIMIT // the blocks below are final
    chain.reorganise(Math.min(depth, chain.tip().number - oldest), more.pick([1, 1, 1, 0, -1]))
  }
  const mining = async (): Promise<void> => {
    for (let n = 0; n < blocks; n += 1) {
      await time.sleep(random.chance(0.1) ? BLOCK_MS / 4 : BLOCK_MS)
      if (random.chance(often)) reorganise(random.between(1, deepest))
      else chain.mine()
      highest = Math.max(highest, chain.tip().number)
    }
    // An alert is retracted only once the block that replaced its block has a child.
    while (chain.tip().number <= highest) chain.mine()
    if (more.chance(0.3)) chain.reorganise(more.between(1, 3))
    isDone = true
  }
  void mining()
  assert.ok(await time.run(() => isDone, blocks * BLOCK_MS * 2))
}

/** Contracts that are not registered before the chain stops. */
const LATE = 4

/** Registers contracts while the chain grows: some at once, some late, some never. */
async function registerSome({ time, chain, store }: World, random: Random): Promise<void> {
  for (const address of chain.addresses.slice(LATE)) {
    if (random.chance(0.25)) continue
    await time.sleep(random.below(12_000))
    await time.busy(store.register({ address, kind: undefined }))
  }
}

/** Registers contracts when no block follows: those above the cursor are interpreted again. */
async function registerLate({ time, chain, store }: World, random: Random): Promise<void> {
  await time.run(() => false, random.below(10_000))
  for (const address of chain.addresses.slice(0, LATE))
    if (random.chance(0.6)) await store.register({ address, kind: undefined })
}

const LATEST_REQUEST_MS = 200_000

/** Requests earlier history in some runs. */
async function requestHistory({ time, store }: World, random: Random): Promise<void> {
  if (random.chance(0.6)) return
  await time.sleep(random.below(LATEST_REQUEST_MS))
  await time.busy(store.requestBackfill(random.below(30)))
}

type Life = { isAlive: boolean; pausedUntil: number; opsLeft: number }

/** Runs one process after another under one name; each dies at some point until the end is near. */
function live(world: World, name: string, random: Random): () => void {
  const stop = new AbortController()
  const run = async (): Promise<void> => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const life: Life = { isAlive: true, pausedUntil: 0, opsLeft: random.chance(0.6) ? random.below(400) : Infinity }
      startProcess(world, `${name}.${n}`, life, random.fork(), stop.signal)
      while (life.isAlive && !stop.signal.aborted) {
        await world.time.sleep(1_000, stop.signal)
        if (world.isOver) life.opsLeft = Infinity
        else if (random.chance(0.004)) life.pausedUntil = world.time.now() + random.between(1_000, 30_000)
      }
      world.kills += 1
      await world.time.sleep(random.chance(0.15) ? random.below(120_000) : random.below(5_000), stop.signal)
    }
  }
  void run()
  return () => stop.abort()
}

function startProcess(world: World, holder: string, life: Life, random: Random, signal: AbortSignal): void {
  const { time, store, nodes, settings } = world
  const never = new Promise<never>(() => {})
  const gate = async (): Promise<void> => {
    if (!life.isAlive) return await never
    if (life.pausedUntil <= time.now()) return
    await time.sleep(life.pausedUntil - time.now())
    return await gate()
  }
  /** The process dies before a step, or after the step and before its result is known. */
  const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
    await gate()
    life.opsLeft -= 1
    const isLast = life.opsLeft <= 0
    if (isLast && random.chance(0.5)) life.isAlive = false
    await gate()
    try {
      return await work()
    } finally {
      if (isLast) life.isAlive = false
      await gate()
    }
  }
  /** The connection to the database is lost: before the transaction, or after it and before its result is known. */
  const outages = random.fork()
  const fallible = async <T>(work: () => Promise<T>): Promise<T> => {
    const isLost = !world.isOver && outages.chance(world.outages)
    if (isLost && outages.chance(0.5)) throw new Error('the connection is refused')
    const result = await work()
    if (isLost) throw new Error('the connection is lost')
    return result
  }
  const timing: Timing = {
    now: time.now,
    sleep: async (ms, abort) => {
      await time.sleep(ms, abort)
      await gate()
    },
  }
  const pool = createRpcPool(
    { timing, report: () => {} },
    {
      chain: 'simulated',
      chainId: CHAIN_ID,
      urls: nodes.map((_, at) => `http://node${at}`),
      timeoutMs: 8_000,
      transport: (url) => {
        const { transport } = nodes[Number(url.slice('http://node'.length))] as SimNode
        return { ...transport, send: (message, abort) => mortal(() => transport.send(message, abort)) }
      },
    },
  )
  const wrapped = Object.fromEntries(
    Object.entries(store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>).map(
      ([method, work]) => [
        method,
        // A read is not a separate moment to die at, so that recorded seeds keep their runs.
        (...args: unknown[]) =>
          method === 'findBackfillRequest'
            ? time.busy(work(...args))
            : mortal(() => fallible(() => time.busy(work(...args)))),
      ],
    ),
  ) as unknown as WatchStore
  const leases = store.leasesOf(holder)
  const watcher = createWatcher(
    {
      timing,
      pool,
      catalog,
      store: wrapped,
      leases: {
        take: (ttl) => mortal(() => fallible(() => time.busy(leases.take(ttl)))),
        release: (fence) => mortal(() => time.busy(leases.release(fence))),
      },
      log: { warn: () => {}, info: () => {} },
    },
    {
      chain: simulatedChain(settings.confirmations),
      startBlock: settings.startBlock,
      discover: settings.discover,
      maxLag: settings.maxLag,
      pollMs: 1_000,
      verifyDelayMs: INDEXING_MS + 5_000,
    },
  )
  void watcher.run(signal)
}

export function simulatedChain(confirmations: number): Chain {
  return {
    id: CHAIN_ID,
    slug: 'simulated',
    name: 'Simulated',
    confirmations,
    blockTimeMs: BLOCK_MS,
    reorgLimit: REWIND_LIMIT,
    chainwideRange: 10,
    explorer: 'https://example.org',
  }
}

/** Whether every block is read twice and every job is done; checked every simulated second. */
function settled({ time, chain, store, settings }: World): () => boolean {
  let isSettled = false
  const poll = async (): Promise<void> => {
    while (!isSettled) {
      await time.sleep(1_000)
      const [state, jobs, pending, requestedStart] = await time.busy(
        Promise.all([store.findState(), store.getJobs(), store.getPending(), store.findBackfillRequest()]),
      )
      const last = chain.at(chain.tip(), chain.tip().number - settings.confirmations)
      isSettled =
        state !== undefined &&
        state.cursor.hash === last?.hash &&
        state.verifiedTo === last.number &&
        jobs.length === 0 &&
        pending.length === 0 &&
        requestedStart === undefined
    }
  }
  void poll()
  return () => isSettled
}
