/**
 * Reads earlier history of a chain for `gatewatch backfill`.
 *
 * The command stores a backfill request. A process that watches the chain serves it; if there is none, the command
 * watches the chain itself until the history is read or such a process starts. Jobs in the database hold the progress,
 * so an interrupted backfill continues where it stopped.
 */
import type { Config } from '../../config/config.ts'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import type { Chain } from '../chains/chains.ts'
import { findFirstUnread, getHistory, type History, saveBackfillRequest } from './backfill-jobs.ts'
import { startTemporaryWatch } from './run-watch.ts'

export type BackfillDeps = { readonly database: Database; readonly log: Logger; readonly timing?: Timing }

export type BackfillRequest = {
  readonly chain: Chain
  readonly from: number
  readonly signal: AbortSignal
  readonly onProgress: (history: History) => void
}

/** The new start block, and the number of events stored. */
export type BackfillResult = { readonly chain: string; readonly startBlock: number; readonly events: number }

export class BackfillStoppedError extends GatewatchError {
  override readonly code = 'refused'
  override readonly retryable = false
  constructor() {
    super('Stopped. The blocks read so far are kept. Run the same command again to continue.')
  }
}

const PROGRESS_EVERY_MS = 250

export async function backfillChain(
  { database, log, timing = systemTiming }: BackfillDeps,
  config: Config,
  { chain, from, signal, onProgress }: BackfillRequest,
): Promise<BackfillResult> {
  const firstJob = await findFirstUnread(database, chain.id)
  await saveBackfillRequest(database, chain.id, from)
  const temporary = await startTemporaryWatch({ database, log }, config, chain, from)
  try {
    while (!signal.aborted) {
      const history = await getHistory(database, chain.id, firstJob)
      onProgress(history)
      const { startBlock, isRequested, isRead, events } = history
      if (startBlock !== undefined && startBlock <= from && !isRequested && isRead)
        return { chain: chain.slug, startBlock, events }
      await timing.sleep(PROGRESS_EVERY_MS, signal)
    }
    throw new BackfillStoppedError()
  } finally {
    await temporary.stop()
  }
}
