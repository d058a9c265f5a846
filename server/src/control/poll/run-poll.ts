/** Runs polling of the configured chains and source verification in this process. */
import { randomUUID } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { systemTiming } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../platform/database.ts'
import { type Lease, releaseLease, takeLease } from '../../platform/leases.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { type Chain, findChain } from '../chains/chains.ts'
import { refKey } from '../profile/state.ts'
import { expireContracts } from '../registry/contracts.ts'
import { builtInRegistry } from '../registry/registry.ts'
import { createEndpointLog, type EndpointReporter, rpcErrorCounter } from '../rpc/endpoint-log.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { type CheckDeps, deleteOldChecks, startChecks } from './checks.ts'
import { analyzerVersion, createCodeAnalysisStore, deleteOldAnalyses } from './code-analysis-store.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller, type Poller, type Polling, startPolling } from './poller.ts'
import { createSourcify } from './sourcify.ts'
import { startSourceVerification } from './verify-sources.ts'

type Deps = { readonly database: Database; readonly log: Logger; readonly metrics?: Metrics }

export type PolledChain = {
  readonly chain: Chain
  readonly rpcUrls: readonly string[]
  readonly confirmations?: number | undefined
  readonly safeServiceUrl?: string | undefined
}

export const polledChains = ({ evmChains }: Pick<Config, 'evmChains'>): readonly PolledChain[] =>
  Object.keys(evmChains).flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    return settings === undefined || chain === undefined ? [] : { chain, ...settings }
  })

/** Calls in one JSON-RPC batch: what most providers accept. No user waits for a round, so batches are filled. */
export const POLL_BATCHES = { maxBatch: 100, fillsBatches: true } as const

/** One RPC pool for each configured chain. */
export function poolsOf(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  config: Pick<Config, 'evmChains'>,
): { readonly pools: ReadonlyMap<number, RpcPool>; readonly close: () => void } {
  const logEvent = createEndpointLog({ log, clock: systemTiming })
  const count = metrics === undefined ? undefined : rpcErrorCounter(metrics, 'poll')
  const report: EndpointReporter = (event) => {
    count?.(event)
    logEvent(event)
  }
  const pools = new Map<number, RpcPool>(
    polledChains(config).map(({ chain, rpcUrls }) => [
      chain.id,
      createRpcPool(
        { timing: systemTiming, report },
        { chain: chain.slug, chainId: chain.id, urls: rpcUrls, ...POLL_BATCHES },
      ),
    ]),
  )
  return {
    pools,
    close: () => {
      for (const pool of pools.values()) pool.close()
    },
  }
}

type PollParts = {
  readonly poller: Poller
  /** What checks of other contracts need. */
  readonly checks: CheckDeps
  readonly close: () => Promise<void>
}

/** Creates a poller with one RPC pool per chain, because control can cross chains. */
export function pollerOf(deps: Deps, config: Pick<Config, 'evmChains'>): PollParts {
  const { database, log } = deps
  const chains = polledChains(config)
  const { pools, close: closePools } = poolsOf(deps, config)
  const names = new Map(builtInRegistry().contracts.map((contract) => [refKey(contract), contract.name]))
  const codes = createCodeAnalyzer({
    isWarm: true,
    store: createCodeAnalysisStore(database, analyzerVersion()),
    onStoreError: (error) => log.warn({ reason: reasonOf(error) }, 'a code analysis could not be stored or read'),
  })
  const checks: CheckDeps = {
    database,
    log,
    codes,
    poolOf: (chainId) => pools.get(chainId),
    confirmationsOf: (chainId) => chains.find(({ chain }) => chain.id === chainId)?.confirmations,
    nameOf: (ref) => names.get(refKey(ref)),
  }
  const poller = createPoller({ ...checks, database, catalog: buildCatalog(catalogRows) })
  const close = async (): Promise<void> => {
    closePools()
    await codes.close()
  }
  return { poller, checks, close }
}

const EXPIRE_EVERY_MS = 3_600_000

/** Renewed before every group of polls and by a timer. After this time another process takes over a dead one's work. */
const LEASE_MS = 60_000

export function runPoll(
  deps: Deps,
  config: Pick<Config, 'evmChains' | 'slotPollSeconds' | 'sourcifyUrl'>,
  { leaseMs = LEASE_MS }: { readonly leaseMs?: number } = {},
): Polling {
  const { database, log } = deps
  const holder = randomUUID()
  const leases = new Map<string, Lease>()
  const holds = async (name: string): Promise<boolean> => {
    const lease = await takeLease(database, name, holder, leaseMs)
    if (lease === undefined) leases.delete(name)
    else leases.set(name, lease)
    return lease !== undefined
  }
  const renewing = setInterval(() => {
    for (const name of leases.keys())
      holds(name).catch((error: unknown) => log.warn({ err: error }, 'lease could not be renewed'))
  }, leaseMs / 3)
  const { poller, checks, close } = pollerOf(deps, config)
  deleteOldAnalyses(database, analyzerVersion()).catch((error: unknown) =>
    log.warn({ reason: reasonOf(error) }, 'old code analyses could not be deleted'),
  )
  const chainIds = polledChains(config).map(({ chain }) => chain.id)
  const polling = startPolling(
    { poller, log },
    { chainIds, everyMs: config.slotPollSeconds * 1_000, mayPoll: (chainId) => holds(`poll:${chainId}`) },
  )
  const checking = startChecks(checks, chainIds)
  const verifying =
    config.sourcifyUrl === undefined
      ? undefined
      : startSourceVerification(
          { database, log, sourcify: createSourcify({ url: config.sourcifyUrl }) },
          { chainIds, mayVerify: () => holds('sourcify') },
        )
  const expire = async (): Promise<void> => {
    if (!(await holds('contract_expiry'))) return
    await deleteOldChecks(database)
    const expired = await expireContracts(database)
    if (expired > 0) log.info({ contracts: expired }, 'contracts without a reference are no longer watched')
  }
  const warn = (error: unknown): void => log.warn({ reason: reasonOf(error) }, 'contracts could not be expired')
  const expiring = setInterval(() => void expire().catch(warn), EXPIRE_EVERY_MS)
  return {
    faults: polling.faults,
    stop: async () => {
      clearInterval(expiring)
      await Promise.all([polling.stop(), checking.stop(), verifying?.stop()])
      clearInterval(renewing)
      await close()
      // Another process can continue at once.
      await Promise.all([...leases.values()].map((lease) => releaseLease(database, lease)))
    },
  }
}
