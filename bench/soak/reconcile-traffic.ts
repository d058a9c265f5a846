/** Compares three records of the same requests: the clients', the rate limiter's counters, and the request log. */

import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import type { SentRequest } from '../../testing/support/load.ts'
import { assertSumsEqualLog } from '../../testing/support/request-log.ts'
import type { Callers } from './callers.ts'
import type { Outage } from './service.ts'

/** The request log may lose this much in a crash (docs/traffic.md). */
const LOSS_MS = 1_000

type Counts = {
  readonly answered: number
  readonly unanswered: number
  /** Answered so shortly before a crash that the log may lack them. */
  readonly atRisk: number
  readonly logged: number
  /** The logged requests that no limit refused. */
  readonly loggedPassed: number
  readonly counted: number
}

/** Returns one sentence per fault. Without requests at risk, the counts must be equal. */
export async function compareTraffic(
  database: Database,
  allCallers: readonly Callers[],
  outages: readonly Outage[],
): Promise<{ readonly faults: readonly string[]; readonly exact: number; readonly logged: number }> {
  const rollupFaults = await assertSumsEqualLog(database).then(
    () => [],
    (error: unknown) => [`rollups differ from the log: ${String(error)}`],
  )
  const { rows } = await database.query<{ id: string; logged: number; passed: number; counted: number }>(
    sql`select k.id, count(l.at)::int as logged, count(l.at) filter (where l.status <> 429)::int as passed,
       (select coalesce(sum(month_used), 0)::int from request_counter where subject in (k.id::text, 'free ' || k.id)) as counted
     from api_key k left join request_log l on l.key_id = k.id group by k.id`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const faults: string[] = [...rollupFaults]
  let [exact, logged] = [0, 0]
  for (const { sent, keys } of allCallers)
    for (const { id, key } of keys) {
      const row = found.get(id)
      const counts = {
        ...clientCounts(
          sent.filter((each) => each.key === key),
          outages,
        ),
        logged: row?.logged ?? 0,
        loggedPassed: row?.passed ?? 0,
        counted: row?.counted ?? 0,
      }
      logged += counts.logged
      if (counts.unanswered + counts.atRisk === 0) exact += 1
      if (!agree(counts)) faults.push(`counts of key ${id} differ: ${JSON.stringify(counts)}`)
    }
  return { faults, exact, logged }
}

const clientCounts = (sent: readonly SentRequest[], outages: readonly Outage[]) => {
  const answered = sent.filter(({ status }) => status !== undefined)
  return {
    answered: answered.length,
    unanswered: sent.length - answered.length,
    atRisk: answered.filter(({ endedAt }) => outages.some(({ from }) => endedAt > from - LOSS_MS && endedAt <= from))
      .length,
  }
}

/** A request without a response may be counted and logged or not; one just before a crash may be missing from the log. */
const agree = ({ answered, unanswered, atRisk, logged, loggedPassed, counted }: Counts): boolean =>
  logged <= answered + unanswered &&
  logged >= answered - atRisk &&
  counted >= loggedPassed &&
  counted <= loggedPassed + atRisk + unanswered
