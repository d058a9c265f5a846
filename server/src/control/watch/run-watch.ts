/**
 * The watched chains of this process, as the configuration names them: what `main.ts` starts and stops.
 */
import { type Config, ConfigError, EVM_CHAINS } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../platform/database.ts'
import { buildCatalog, type Catalog, UnknownEventKeyError } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { type Chain, findChain } from '../chains/chains.ts'
import { importRegistry } from '../registry/contracts.ts'
import { builtInRegistry, describeFault } from '../registry/registry.ts'
import { rpcErrorCounter } from '../rpc/rpc-metrics.ts'
import { type Progress, paceOf } from './backfill-progress.ts'
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
  if (!config.demo) await importBuiltInRegistry(deps) // none of the known contracts lives on the demo's chains
  const { database, log, metrics } = deps
  const onReport = rpcErrorCounter(metrics, 'watch')
  return watchChains(
    { database, log, catalog: catalogOf(config), onProgress: progressLog(deps), onReport },
    watchedChains(config),
  )
}

/** Watches one chain for a while, where nobody else does: history from `startBlock` on is why. */
export async function startTemporaryWatch(
  deps: Pick<RunWatchDeps, 'database' | 'log'>,
  config: Config,
  { id }: Chain,
  startBlock: number,
): Promise<Watching> {
  await importBuiltInRegistry(deps)
  const chains = watchedChains(config).filter(({ chain }) => chain.id === id)
  return watchChains(
    { ...deps, catalog: catalogOf(config), isTemporary: true },
    chains.map((chain) => ({ ...chain, startBlock: Math.min(startBlock, chain.startBlock ?? startBlock) })),
  )
}

/** The catalog, with the operator's choice of what is looked for everywhere. */
export function catalogOf({ chainwideEvents }: Pick<Config, 'chainwideEvents'>): Catalog {
  try {
    return buildCatalog(catalogRows, chainwideEvents)
  } catch (error) {
    if (error instanceof UnknownEventKeyError) throw new ConfigError([`CHAINWIDE_EVENTS: ${error.message}`])
    throw error
  }
}

async function importBuiltInRegistry({ database, log }: Pick<RunWatchDeps, 'database' | 'log'>): Promise<void> {
  const { contracts, faults } = builtInRegistry()
  if (faults.length > 0)
    throw new RegistryBrokenError(`The built-in registry has faults: ${faults.map(describeFault).join('; ')}`)
  const { added, updated } = await importRegistry(database, contracts)
  if (added + updated > 0) log.info({ added, updated }, 'known contracts were brought in from the registry')
}

const watchedChains = ({ evmChains }: Config): readonly WatchedChain[] =>
  EVM_CHAINS.flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    return settings === undefined || chain === undefined ? [] : { chain, ...settings }
  })

const LINE_EVERY_MS = 5_000

/** A line for each chain every few seconds, and one when a job is done. */
function progressLog({ log, clock }: Pick<RunWatchDeps, 'log' | 'clock'>): (progress: Progress) => void {
  const lastLine = new Map<string, number>()
  return (progress) => {
    const { chain, job, next } = progress
    const isDone = next > job.to
    if (!isDone && clock.now() - (lastLine.get(chain) ?? 0) < LINE_EVERY_MS) return
    lastLine.set(chain, clock.now())
    const { done, blocksPerSecond, secondsLeft } = paceOf(progress)
    const left = isDone ? 'done' : Number.isFinite(secondsLeft) ? `${Math.ceil(secondsLeft)} s left` : 'just begun'
    log.info(
      { chain, job: job.id, next, to: job.to },
      `${chain}: history ${Math.floor(done * 100)} %, ${Math.round(blocksPerSecond)} blocks/s, ${left}`,
    )
  }
}
