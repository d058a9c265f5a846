/**
 * Earlier history of a chain, asked for from outside: by whoever runs `gatewatch backfill`.
 *
 * The wish goes into the database. A process that watches the chain takes it up; where there is none, this one watches
 * for as long as it takes, and gives way to any that comes. Either way the jobs in the database say how far it is, so
 * what is stopped goes on where it was.
 */
import type { Config } from '../../config/config.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { systemTiming, type Timing } from '../../lib/timing.ts'
import type { Database } from '../../platform/database.ts'
import type { Chain } from '../chains/chains.ts'
import { findFirstUnread, getHistory, type History, saveBackfillRequest } from './backfill-jobs.ts'
import { startGuest } from './run-watch.ts'

export type BackfillDeps = { readonly database: Database; readonly log: Logger; readonly timing?: Timing }

export type BackfillRequest = {
  readonly chain: Chain
  readonly from: number
  readonly signal: AbortSignal
  readonly onProgress: (history: History) => void
}

/** Where history begins now, and how many events came in. */
export type BackfillResult = { readonly chain: string; readonly startBlock: number; readonly events: number }

export class BackfillStoppedError extends GatewatchError {
  override readonly code = 'refused'
  override readonly retryable = false
  constructor() {
    super('Stopped. What was read is kept; the same command goes on from there.')
  }
}

const LOOK_MS = 250

export async function backfillChain(
  { database, log, timing = systemTiming }: BackfillDeps,
  config: Config,
  { chain, from, signal, onProgress }: BackfillRequest,
): Promise<BackfillResult> {
  const firstJob = await findFirstUnread(database, chain.id)
  await saveBackfillRequest(database, chain.id, from)
  const guest = await startGuest({ database, log }, config, chain, from)
  try {
    while (!signal.aborted) {
      const history = await getHistory(database, chain.id, firstJob)
      onProgress(history)
      const { startBlock, isRequested, isRead, events } = history
      if (startBlock !== undefined && startBlock <= from && !isRequested && isRead)
        return { chain: chain.slug, startBlock, events }
      await timing.sleep(LOOK_MS, signal)
    }
    throw new BackfillStoppedError()
  } finally {
    await guest.stop()
  }
}
