/**
 * Checks with Sourcify whether the source of running code is published, until it is stopped.
 *
 * Makes one request at a time and one per second. A failed request changes no stored result and delays the next one.
 * Watching and polling never wait for it: an upgrade to code without published source is a separate event, stored when
 * the response arrives. Labels do not depend on it.
 */
import { backoffMs } from '../../lib/backoff.ts'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { type Database, inTransaction } from '../../platform/database.ts'
import { UNPUBLISHED } from '../catalog/slot-events.ts'
import { derivedHash, insertDerived } from './derived-events.ts'
import type { Polling } from './poller.ts'
import {
  findUncheckedCode,
  getUpgradesTo,
  postponeSourceCheck,
  type RunningCode,
  saveSourceCheck,
  type Upgrade,
} from './source-checks.ts'
import { type Sourcify, SourcifyError } from './sourcify.ts'

export type SourceVerificationDeps = {
  readonly database: Database
  readonly sourcify: Sourcify
  readonly timing?: Timing
  readonly log: Logger
}

export type SourceVerificationOptions = {
  readonly chainIds: readonly number[]
  /** Called before every request, so that only one process makes requests. */
  readonly mayVerify: () => Promise<boolean>
}

const PACE_MS = 1_000
const BACKOFF = { firstMs: 5_000, longestMs: 3_600_000 }
/** After this many failures in a row, the contract itself may be the cause, so it is postponed. */
const MAX_FAILURES = 3

export function startSourceVerification(
  { database, sourcify, timing = systemTiming, log }: SourceVerificationDeps,
  { chainIds, mayVerify }: SourceVerificationOptions,
): Pick<Polling, 'stop'> {
  const stop = new AbortController()
  let failures = 0

  /** Checks the next contract and returns the pause after it. */
  const checkNext = async (): Promise<number> => {
    const code = await findUncheckedCode(database, chainIds)
    if (code === undefined || !(await mayVerify())) return PACE_MS
    try {
      const published = await sourcify.isPublished(code, stop.signal)
      await storeResult(database, code, published)
      failures = 0
      return PACE_MS
    } catch (error) {
      if (!(error instanceof SourcifyError) || stop.signal.aborted) throw error
      failures += 1
      if (!error.isTemporary || failures >= MAX_FAILURES) await postponeSourceCheck(database, code)
      const pause = Math.min(Math.max(backoffMs(BACKOFF, failures), error.retryAfterMs ?? 0), BACKOFF.longestMs)
      const facts = { host: sourcify.host, chainId: code.chainId, address: code.address, seconds: pause / 1_000 }
      log.warn({ ...facts, reason: error.message }, 'source check failed; retrying later')
      return pause
    }
  }

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const pause = await checkNext().catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ reason: reasonOf(error) }, 'result of a source check could not be stored')
        return BACKOFF.firstMs
      })
      await timing.sleep(pause, stop.signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stop.abort()
      await running
    },
  }
}

/** Stores a result and the events for contracts that were upgraded to this code, in one transaction. */
async function storeResult(database: Database, code: RunningCode, published: boolean): Promise<void> {
  await inTransaction(database, async (client) => {
    // First, because it locks the row: a poll that finds another upgrade to this code waits, and requests a new check.
    if (!(await saveSourceCheck(client, code, published)) || published) return
    for (const upgrade of await getUpgradesTo(client, code))
      await insertDerived(client, unpublishedEvent(upgrade, code))
  })
}

function unpublishedEvent({ chainId, address, field, previous, block }: Upgrade, code: RunningCode) {
  const txHash = derivedHash('source', { chainId, address }, { field, block: block.number })
  const args = { field, previous, current: code.address, reason: 'Sourcify has no source of the new code' }
  return { chainId, address, block, events: [{ ...UNPUBLISHED, txHash, logIndex: 0, args }] }
}
