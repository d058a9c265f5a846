/** Runs the loops that keep queued changes up to date: collecting their steps, warnings, and reads of the chains. */
import { randomUUID } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { systemTiming } from '../../lib/clock.ts'
import type { Fault } from '../../lib/health.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { faultLog, faultOf, LoopMonitor } from '../../lib/supervise.ts'
import type { Database } from '../../platform/database.ts'
import { takeLease } from '../../platform/leases.ts'
import { findChain } from '../chains/chains.ts'
import { analyzerVersion, createCodeAnalysisStore } from '../poll/code-analysis-store.ts'
import { createCodeAnalyzer } from '../poll/code-analyzer.ts'
import { polledChains, poolsOf } from '../poll/run-poll.ts'
import { settledBlock } from '../poll/session.ts'
import { collectSteps } from './collect.ts'
import { inspectOperations } from './inspect.ts'
import { announceDue, updateStates } from './inspections.ts'
import { createSafeQueueReader, droppedCounter } from './safe/read-queues.ts'
import { createSafeService } from './safe/safe-service.ts'
import { simulateOperation } from './simulation/simulate.ts'
import { getOperationsToSimulate, saveSimulation } from './simulation/simulation-store.ts'

type Deps = { readonly database: Database; readonly log: Logger; readonly metrics?: Metrics }

export type Pending = { readonly faults: () => readonly Fault[]; readonly stop: () => Promise<void> }

const COLLECT_EVERY_MS = 500
const READ_EVERY_MS = 3_000
const SIMULATE_EVERY_MS = 5_000
/** Changes that one round simulates. Each judges up to three contracts twice. */
const SIMULATIONS = 2
/** Renewed by every round. After this time another process reads the chain. */
const LEASE_MS = 60_000

export function runPending(deps: Deps, config: Pick<Config, 'evmChains'>): Pending {
  const { database, log, metrics } = deps
  const stop = new AbortController()
  const holder = randomUUID()
  const { pools, close } = poolsOf(deps, config)
  const monitors: (readonly [string, LoopMonitor])[] = []

  const loop = async (part: string, everyMs: number, work: () => Promise<unknown>): Promise<void> => {
    const monitor = new LoopMonitor(systemTiming, faultLog(log, part))
    monitors.push([part, monitor])
    while (!stop.signal.aborted) {
      try {
        await work()
        monitor.works()
      } catch (error) {
        monitor.failed(error)
      }
      await systemTiming.sleep(Math.max(everyMs, monitor.pauseMs), stop.signal)
    }
  }

  const codes = createCodeAnalyzer({ store: createCodeAnalysisStore(database, analyzerVersion()), processes: 1 })
  const confirmationsOf = (chainId: number): number | undefined =>
    polledChains(config).find(({ chain }) => chain.id === chainId)?.confirmations
  const others = (chainId: number) => {
    const pool = pools.get(chainId)
    const confirmations = confirmationsOf(chainId) ?? findChain(chainId)?.confirmations
    return pool === undefined || confirmations === undefined ? undefined : { pool, confirmations }
  }
  const collect = async (): Promise<void> => {
    while (!stop.signal.aborted && (await collectSteps(database))) {}
    while (!stop.signal.aborted && (await announceDue(database)) > 0) {}
  }
  const running = [
    loop('queued changes', COLLECT_EVERY_MS, collect),
    loop('states of queued changes', READ_EVERY_MS, () => updateStates(database)),
    ...polledChains(config).map(({ chain, confirmations = chain.confirmations }) => {
      const pool = pools.get(chain.id)
      return loop(`${chain.slug} queued changes`, READ_EVERY_MS, async () => {
        if (pool === undefined) return
        if ((await takeLease(database, `pending:${chain.id}`, holder, LEASE_MS)) === undefined) return
        await inspectOperations({ database, pool, confirmations, others }, chain.id)
      })
    }),
    ...polledChains(config).map(({ chain, confirmations = chain.confirmations }) => {
      const pool = pools.get(chain.id)
      return loop(`${chain.slug} simulation of queued changes`, SIMULATE_EVERY_MS, async () => {
        if (pool === undefined) return
        if ((await takeLease(database, `pending_simulations:${chain.id}`, holder, LEASE_MS)) === undefined) return
        const operations = await getOperationsToSimulate(database, chain.id, SIMULATIONS)
        const block = operations.length === 0 ? undefined : await settledBlock(pool, confirmations)
        if (block === undefined) return
        const deps = { poolOf: (id: number) => pools.get(id), codes, confirmationsOf }
        for (const operation of operations)
          await saveSimulation(database, operation.id, await simulateOperation(deps, chain.id, operation, block))
      })
    }),
    ...polledChains(config).flatMap(({ chain, confirmations = chain.confirmations, safeServiceUrl: url }) => {
      const pool = pools.get(chain.id)
      if (pool === undefined || url === undefined) return []
      const holds = async (): Promise<boolean> =>
        (await takeLease(database, `safe_queues:${chain.id}`, holder, LEASE_MS)) !== undefined
      const read = createSafeQueueReader({
        database,
        pool,
        service: createSafeService({ url }),
        confirmations,
        log,
        count: droppedCounter(metrics, chain.slug),
        signal: stop.signal,
        mayContinue: holds,
      })
      return [loop(`${chain.slug} Safe transactions`, READ_EVERY_MS, async () => await read(chain.id))]
    }),
  ]
  return {
    faults: () => monitors.flatMap(([part, monitor]) => faultOf(part, monitor)),
    stop: async () => {
      stop.abort()
      await Promise.all(running)
      close()
      await codes.close()
    },
  }
}
