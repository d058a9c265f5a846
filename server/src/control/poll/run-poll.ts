/** Looking at the known contracts of the configured chains, every hour or as the operator says. */
import { randomUUID } from 'node:crypto'
import { type Config, EVM_CHAINS } from '../../config/config.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { systemTiming } from '../../lib/timing.ts'
import type { Database } from '../../platform/database.ts'
import { type Lease, releaseLease, takeLease } from '../../platform/leases.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { type Chain, findChain } from '../chains/chains.ts'
import { refKey } from '../profile/state.ts'
import { builtInRegistry } from '../registry/registry.ts'
import { createEndpointLog, type EndpointReporter } from '../rpc/endpoint-log.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { rpcErrorCounter } from '../rpc/rpc-metrics.ts'
import { keepPolling, type Polling } from './poll-loop.ts'
import { createPoller, type Poller } from './poller.ts'
import { createSourcify } from './sourcify.ts'
import { keepAskingSources } from './verify-sources.ts'

type Deps = { readonly database: Database; readonly log: Logger; readonly metrics?: Metrics }

export type PolledChain = {
  readonly chain: Chain
  readonly rpcUrls: readonly string[]
  readonly confirmations?: number | undefined
}

export const polledChains = ({ evmChains }: Pick<Config, 'evmChains'>): readonly PolledChain[] =>
  EVM_CHAINS.flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    return settings === undefined || chain === undefined ? [] : { chain, ...settings }
  })

/** Questions in one request: what most providers take; one that refuses gets fewer. Nobody waits for a round: they are filled. */
export const POLL_BATCHES = { maxBatch: 100, fillsBatches: true } as const

/** Every chain has its pool: control may lead from one to another. */
export function pollerOf(
  { database, log, metrics }: Deps,
  config: Pick<Config, 'evmChains'>,
): { readonly poller: Poller; readonly close: () => void } {
  const tell = createEndpointLog({ log, clock: systemTiming })
  const count = metrics === undefined ? undefined : rpcErrorCounter(metrics, 'poll')
  const report: EndpointReporter = (event) => {
    count?.(event)
    tell(event)
  }
  const chains = polledChains(config)
  const pools = new Map<number, RpcPool>(
    chains.map(({ chain, rpcUrls }) => [
      chain.id,
      createRpcPool(
        { timing: systemTiming, report },
        { chain: chain.slug, chainId: chain.id, urls: rpcUrls, ...POLL_BATCHES },
      ),
    ]),
  )
  const names = new Map(builtInRegistry().contracts.map((contract) => [refKey(contract), contract.name]))
  const poller = createPoller({
    database,
    log,
    catalog: buildCatalog(catalogRows),
    poolOf: (chainId) => pools.get(chainId),
    confirmationsOf: (chainId) => chains.find(({ chain }) => chain.id === chainId)?.confirmations,
    nameOf: (ref) => names.get(refKey(ref)),
  })
  return { poller, close: () => pools.forEach((pool) => pool.close()) }
}

/** Renewed before every group of looks, and while one takes long. A process that dies leaves its work after this. */
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
      holds(name).catch((error: unknown) => log.warn({ err: error }, 'a lease could not be renewed'))
  }, leaseMs / 3)
  const { poller, close } = pollerOf(deps, config)
  const chainIds = polledChains(config).map(({ chain }) => chain.id)
  const polling = keepPolling(
    { poller, log },
    { chainIds, everyMs: config.slotPollSeconds * 1_000, mayLook: (chainId) => holds(`poll:${chainId}`) },
  )
  const asking =
    config.sourcifyUrl === undefined
      ? undefined
      : keepAskingSources(
          { database, log, sourcify: createSourcify({ url: config.sourcifyUrl }) },
          { chainIds, mayAsk: () => holds('sourcify') },
        )
  return {
    stop: async () => {
      await Promise.all([polling.stop(), asking?.stop()])
      clearInterval(renewing)
      close()
      // Another process need not wait for their end.
      await Promise.all([...leases.values()].map((lease) => releaseLease(database, lease)))
    },
  }
}
