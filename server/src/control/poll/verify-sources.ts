/**
 * Asking Sourcify about the code that looks found running, for as long as the service runs.
 *
 * One question at a time and one a second. A question that fails changes nothing that is known, and the next one waits
 * longer. Watching and looking never wait for this: an upgrade to code without published source is an event of its
 * own, told when the answer is there. No label hears of it.
 */
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { systemTiming, type Timing } from '../../lib/timing.ts'
import { type Database, inTransaction } from '../../platform/database.ts'
import { UNPUBLISHED } from '../catalog/slot-events.ts'
import { derivedHash } from './derived-hash.ts'
import type { Polling } from './poll-loop.ts'
import { insertDerived } from './profile-store.ts'
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
  /** Asked before every question, so that one process asks. */
  readonly mayVerify: () => Promise<boolean>
}

const PACE_MS = 1_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 3_600_000
/** After as many failures in a row the question itself may be at fault. */
const MOST_FAILURES = 3

export function startSourceVerification(
  { database, sourcify, timing = systemTiming, log }: SourceVerificationDeps,
  { chainIds, mayVerify }: SourceVerificationOptions,
): Polling {
  const stop = new AbortController()
  let failures = 0

  /** How long to wait then. */
  const askNext = async (): Promise<number> => {
    const code = await findUncheckedCode(database, chainIds)
    if (code === undefined || !(await mayVerify())) return PACE_MS
    try {
      const published = await sourcify.isPublished(code, stop.signal)
      await keepAnswer(database, code, published)
      failures = 0
      return PACE_MS
    } catch (error) {
      if (!(error instanceof SourcifyError) || stop.signal.aborted) throw error
      failures += 1
      if (!error.isPassing || failures >= MOST_FAILURES) await postponeSourceCheck(database, code)
      const pause = Math.min(Math.max(FIRST_PAUSE_MS * 2 ** (failures - 1), error.retryAfterMs ?? 0), LONGEST_PAUSE_MS)
      const facts = { host: sourcify.host, chainId: code.chainId, address: code.address, seconds: pause / 1_000 }
      log.warn({ ...facts, reason: error.message }, 'published source could not be asked about; asked again later')
      return pause
    }
  }

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const pause = await askNext().catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ reason: reasonOf(error) }, 'an answer about published source was not kept')
        return FIRST_PAUSE_MS
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

/** The answer and what it means for whoever was moved to this code, or nothing of it. */
async function keepAnswer(database: Database, code: RunningCode, published: boolean): Promise<void> {
  await inTransaction(database, async (client) => {
    // First, because it locks the row: a look that sees another contract move here comes before, or asks anew.
    if (!(await saveSourceCheck(client, code, published)) || published) return
    for (const upgrade of await getUpgradesTo(client, code)) await insertDerived(client, toldOf(upgrade, code))
  })
}

function toldOf({ chainId, address, field, previous, block }: Upgrade, code: RunningCode) {
  const txHash = derivedHash('source', { chainId, address }, { field, block: block.number })
  const args = { field, previous, current: code.address, reason: 'Sourcify has no source of the new code' }
  return { chainId, address, block, events: [{ ...UNPUBLISHED, txHash, logIndex: 0, args }] }
}
