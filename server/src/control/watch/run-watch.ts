/** Starts watching the configured chains for `main.ts` and `gatewatch backfill`. */
import { type Config, ConfigError } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../platform/database.ts'
import { buildCatalog, type Catalog, UnknownEventKeyError } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { TRANSACTION_EVENTS } from '../catalog/transaction-events.ts'
import { type Chain, findChain } from '../chains/chains.ts'
import { addEventKinds } from '../feed/event-kinds.ts'
import { importRegistry } from '../registry/contracts.ts'
import { builtInRegistry, describeRegistryError } from '../registry/registry.ts'
import { rpcErrorCounter } from '../rpc/endpoint-log.ts'
import { type Progress, paceOf } from './backfill.ts'
import { type WatchedChain, type Watching, watchChains } from './watch-chains.ts'

export type RunWatchDeps = {
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  readonly metrics: Metrics
}

export class RegistryBrokenError extends GatewatchError {
  override readonly code = 'registry_broken'
  override readonly retryable = false
}

export async function runWatch(deps: RunWatchDeps, config: Config): Promise<Watching> {
  await addEventKinds(deps.database, [...catalogRows, ...TRANSACTION_EVENTS])
  if (!config.demo) await importBuiltInRegistry(deps) // the demo's chains have none of the registry's contracts
  const { database, log, metrics } = deps
  const onReport = rpcErrorCounter(metrics, 'watch')
  return watchChains(
    { database, log, catalog: catalogOf(config), onProgress: progressLog(deps), onReport },
    watchedChains(config),
  )
}

/** Watches one chain from `startBlock` on until a permanent process does. */
export async function startTemporaryWatch(
  deps: Pick<RunWatchDeps, 'database' | 'log'>,
  config: Config,
  { id }: Chain,
  startBlock: number,
): Promise<Watching> {
  await addEventKinds(deps.database, [...catalogRows, ...TRANSACTION_EVENTS])
  await importBuiltInRegistry(deps)
  const chains = watchedChains(config).filter(({ chain }) => chain.id === id)
  return watchChains(
    { ...deps, catalog: catalogOf(config), isTemporary: true },
    chains.map((chain) => ({ ...chain, startBlock: Math.min(startBlock, chain.startBlock ?? startBlock) })),
  )
}

/** The catalog with the operator's choice of chain-wide events. */
export function catalogOf({ chainwideEvents }: Pick<Config, 'chainwideEvents'>): Catalog {
  try {
    return buildCatalog(catalogRows, chainwideEvents)
  } catch (error) {
    if (error instanceof UnknownEventKeyError) throw new ConfigError([`CHAINWIDE_EVENTS: ${error.message}`])
    throw error
  }
}

async function importBuiltInRegistry({ database, log }: Pick<RunWatchDeps, 'database' | 'log'>): Promise<void> {
  const { contracts, errors } = builtInRegistry()
  if (errors.length > 0)
    throw new RegistryBrokenError(`The built-in registry is invalid: ${errors.map(describeRegistryError).join('; ')}`)
  const { added, updated } = await importRegistry(database, contracts)
  if (added + updated > 0) log.info({ added, updated }, 'imported known contracts from the registry')
}

const watchedChains = ({ evmChains }: Config): readonly WatchedChain[] =>
  Object.keys(evmChains).flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    return settings === undefined || chain === undefined ? [] : { chain, ...settings }
  })

const LOG_EVERY_MS = 5_000

/** Logs the progress of each chain every few seconds, and the end of each job. */
function progressLog({ log, clock }: Pick<RunWatchDeps, 'log' | 'clock'>): (progress: Progress) => void {
  const loggedAt = new Map<string, number>()
  return (progress) => {
    const { chain, job, next } = progress
    const isDone = next > job.to
    if (!isDone && clock.now() - (loggedAt.get(chain) ?? 0) < LOG_EVERY_MS) return
    loggedAt.set(chain, clock.now())
    const { done, blocksPerSecond, secondsLeft } = paceOf(progress)
    const left = isDone ? 'done' : Number.isFinite(secondsLeft) ? `${Math.ceil(secondsLeft)} s left` : 'just started'
    log.info(
      { chain, job: job.id, next, to: job.to },
      `${chain}: history ${Math.floor(done * 100)} %, ${Math.round(blocksPerSecond)} blocks/s, ${left}`,
    )
  }
}
