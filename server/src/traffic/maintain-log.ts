/** Keeps the log's partitions ahead of the clock and drops what is older than the operator wants to keep. */
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import { oldestHour } from './range.ts'
import { DAY_MS, HOUR_MS } from './rollup.ts'
import { dropPartitions, forgetOld, makePartitions } from './store/partitions.ts'

/** Days made ahead: a process may be down for a weekend and a clock be off by a day. */
const DAYS_AHEAD = 3

export type MaintainOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  /** Days of the log that are kept, today included. */
  readonly days: number
}

export async function maintainLog({ database, clock, log, days }: MaintainOptions): Promise<void> {
  const today = clock.now() - (clock.now() % DAY_MS)
  await makePartitions(
    database,
    Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead * DAY_MS),
  )
  const dropped = await dropPartitions(database, today - (days - 1) * DAY_MS)
  if (dropped.length > 0) log.info({ dropped }, 'old days of the request log were dropped')
  await forgetOld(database, oldestHour(clock.now(), days))
}

/** At once and then every hour; what fails is tried again then. */
export function keepMaintaining(options: MaintainOptions): { readonly stop: () => Promise<void> } {
  let running = Promise.resolve()
  const maintain = () => {
    running = maintainLog(options).catch((error: unknown) =>
      options.log.warn({ err: error }, 'the request log was not maintained; trying again in an hour'),
    )
  }
  maintain()
  const timer = setInterval(maintain, HOUR_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
