/** Matches the transactions of each chain with subscriptions, in one process at a time. */
import { randomUUID } from 'node:crypto'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import type { Fault } from '../../lib/health.ts'
import type { Logger } from '../../lib/log.ts'
import { faultLog, faultOf, LoopMonitor, supervise } from '../../lib/supervise.ts'
import { type Lease, releaseLease, takeLease } from '../../platform/leases.ts'
import { indexTip } from '../index/follow.ts'
import type { ChainId } from '../networks/network.ts'
import { findSynced, type ServedChain, type ServedChains } from '../serve/served-chain.ts'
import { createChainFollower, type FollowerDeps } from './chain-follower.ts'
import { pruneCoinEvents } from './event-store.ts'
import { haveSubscriptionsChanged } from './subscription-store.ts'

export type SubscriptionsDeps = FollowerDeps & {
  readonly chains: readonly ChainId[]
  readonly served: ServedChains
  readonly log: Logger
  /** How long events are kept. */
  readonly historyDays: number
  readonly timing?: Timing
}

export type RunningSubscriptions = { readonly faults: () => readonly Fault[]; readonly stop: () => Promise<void> }

const LEASE_MS = 15_000
/** How often the chain is compared with the last pass. A pass itself happens only if something changed. */
const POLL_MS = 500
const PRUNE_EVERY_MS = 3_600_000
const END_HOURS_EVERY_MS = 60_000

export function runSubscriptions(deps: SubscriptionsDeps): RunningSubscriptions {
  const { database, log, timing = systemTiming } = deps
  const holder = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const monitors = new Map<ChainId, LoopMonitor>()

  async function run(id: ChainId, monitor: LoopMonitor): Promise<void> {
    let follower = createChainFollower(deps, id)
    let lease: Lease | undefined
    let takenAt = Number.NEGATIVE_INFINITY
    let prunedAt = Number.NEGATIVE_INFINITY
    let endedAt = Number.NEGATIVE_INFINITY
    /** The state of the last pass. */
    let passed = ''

    async function keepLease(): Promise<void> {
      if (timing.now() - takenAt < LEASE_MS / 3) return
      takenAt = timing.now()
      const taken = await takeLease(database, `coin subscriptions ${id}`, holder, LEASE_MS)
      if (taken?.fence !== lease?.fence) {
        // Another process may have followed the chain meanwhile.
        follower = createChainFollower(deps, id)
        passed = ''
      }
      lease = taken
    }

    const pass = async (): Promise<void> => {
      await keepLease()
      const chain = lease === undefined ? undefined : findSynced(deps.served, id)
      if (chain !== undefined) {
        const state = stateOf(chain)
        if (state !== passed || (await haveSubscriptionsChanged(database, id))) {
          const outcome = await follower.pass(chain, lease)
          passed = outcome === 'stale' || outcome === 'behind' ? '' : state
        }
        if (timing.now() - endedAt >= END_HOURS_EVERY_MS) {
          endedAt = timing.now()
          await follower.endHours(lease)
        }
        if (timing.now() - prunedAt >= PRUNE_EVERY_MS) {
          prunedAt = timing.now()
          await pruneCoinEvents(database, id, deps.historyDays)
        }
      }
      monitor.works()
      await timing.sleep(POLL_MS, signal)
    }
    await supervise(pass, { monitor, signal, pause: (_error, ms) => timing.sleep(ms, signal) })
    if (lease !== undefined) await releaseLease(database, lease).catch(() => undefined)
  }

  const running = deps.chains.map((id) => {
    const monitor = new LoopMonitor(timing, faultLog(log, `subscriptions of ${id}`, { chain: id }))
    monitors.set(id, monitor)
    return run(id, monitor)
  })
  return {
    faults: () => [...monitors].flatMap(([id, monitor]) => faultOf(`${id} subscriptions`, monitor)),
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Identifies the state of index and mempool. */
const stateOf = ({ index, mempool }: ServedChain): string =>
  `${indexTip(index)?.hash} ${mempool.clears} ${mempool.version} ${mempool.blockHash}`
