/** Three books of the same requests: what clients remember, what limits counted, what was logged and summed. */

import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import type { Asked } from '../../testing/support/load.ts'
import { assertSumsEqualLog } from '../../testing/support/request-log.ts'
import type { Crowd } from './callers.ts'
import type { Outage } from './service.ts'

/** What a crash may cost the log, from docs/traffic.md. */
const LOSS_MS = 1_000

type Books = {
  readonly answered: number
  readonly unanswered: number
  /** Answered so shortly before a crash that the log may not have them. */
  readonly atRisk: number
  readonly logged: number
  /** Of those logged, the ones that a limit did not refuse. */
  readonly loggedPassed: number
  readonly counted: number
}

/** Each fault in a sentence. Where nothing was at risk, the books must be equal to the last request. */
export async function compareTraffic(
  database: Database,
  crowds: readonly Crowd[],
  outages: readonly Outage[],
): Promise<{ readonly faults: readonly string[]; readonly exact: number; readonly logged: number }> {
  const sums = await assertSumsEqualLog(database).then(
    () => [],
    (error: unknown) => [`sums differ from the log: ${String(error)}`],
  )
  const { rows } = await database.query<{ id: string; logged: number; passed: number; counted: number }>(
    sql`select k.id, count(l.at)::int as logged, count(l.at) filter (where l.status <> 429)::int as passed,
       coalesce((select month_used from request_counter where subject = k.id::text), 0) as counted
     from api_key k left join request_log l on l.key_id = k.id group by k.id`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const faults: string[] = [...sums]
  let [exact, logged] = [0, 0]
  for (const { asked, keys } of crowds)
    for (const { id, key } of keys) {
      const row = found.get(id)
      const books = {
        ...clientsOf(
          asked.filter((each) => each.key === key),
          outages,
        ),
        logged: row?.logged ?? 0,
        loggedPassed: row?.passed ?? 0,
        counted: row?.counted ?? 0,
      }
      logged += books.logged
      if (books.unanswered + books.atRisk === 0) exact += 1
      if (!agree(books)) faults.push(`the books of key ${id} differ: ${JSON.stringify(books)}`)
    }
  return { faults, exact, logged }
}

const clientsOf = (asked: readonly Asked[], outages: readonly Outage[]) => {
  const answered = asked.filter(({ status }) => status !== undefined)
  return {
    answered: answered.length,
    unanswered: asked.length - answered.length,
    atRisk: answered.filter(({ endedAt }) => outages.some(({ from }) => endedAt > from - LOSS_MS && endedAt <= from))
      .length,
  }
}

/** A request without an answer may be in the other books or not; one just before a crash may be missing from the log. */
const agree = ({ answered, unanswered, atRisk, logged, loggedPassed, counted }: Books): boolean =>
  logged <= answered + unanswered &&
  logged >= answered - atRisk &&
  counted >= loggedPassed &&
  counted <= loggedPassed + atRisk + unanswered
