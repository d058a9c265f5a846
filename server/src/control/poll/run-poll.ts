/** Looking at the known contracts of the configured chains, every hour or as the operator says. */
import { randomUUID } from 'node:crypto'
import { type Config, EVM_CHAINS } from '../../config/config.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../platform/database.ts'
import { takeLease } from '../../platform/leases.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { findChain } from '../chains/chains.ts'
import { faultCounter } from '../node/rpc-metrics.ts'
import { createPoller, keepPolling, type PolledChain, type Poller, type Polling } from './poll-chains.ts'

type Deps = { readonly database: Database; readonly log: Logger; readonly metrics?: Metrics }

export const polledChains = ({ evmChains }: Pick<Config, 'evmChains'>): readonly PolledChain[] =>
  EVM_CHAINS.flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    return settings === undefined || chain === undefined ? [] : { chain, ...settings }
  })

export const pollerOf = ({ database, log, metrics }: Deps, config: Pick<Config, 'evmChains'>): Poller =>
  createPoller(
    {
      database,
      log,
      catalog: buildCatalog(catalogRows),
      onReport: metrics === undefined ? undefined : faultCounter(metrics, 'poll'),
    },
    polledChains(config),
  )

/** A process that dies leaves its chains to another after this long. */
const LEASE_MS = 300_000

export function runPoll(deps: Deps, config: Pick<Config, 'evmChains' | 'slotPollSeconds'>): Polling {
  const { database, log } = deps
  const holder = randomUUID()
  const mayLook = async (chainId: number): Promise<boolean> =>
    (await takeLease(database, `poll:${chainId}`, holder, LEASE_MS)) !== undefined
  const chainIds = polledChains(config).map(({ chain }) => chain.id)
  return keepPolling(
    { poller: pollerOf(deps, config), log },
    { chainIds, everyMs: config.slotPollSeconds * 1_000, mayLook },
  )
}
