/** The schedule of a channel: messages of low severity wait for a digest or for the end of quiet hours. */
import { type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import type { Queryable } from '../../platform/database.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { sql } from '../../platform/sql.ts'

export type Schedule = {
  /** Events up to a severity are sent together, every so many minutes since midnight UTC. */
  readonly digest: { readonly minutes: number; readonly maxSeverity: Severity } | null
  /** Events up to a severity wait until `to`. Times of day, "22:00", in a time zone of the IANA database. */
  readonly quietHours: {
    readonly from: string
    readonly to: string
    readonly timeZone: string
    readonly maxSeverity: Severity
  } | null
}

const SEVERITY_LIST = sql`array['info', 'high', 'critical']`

export const SCHEDULE_COLUMNS = sql`json_build_object(
  'digest', case when digest_minutes is not null then json_build_object('minutes', digest_minutes,
    'maxSeverity', (${SEVERITY_LIST})[digest_severity + 1]) end,
  'quietHours', case when quiet_from is not null then json_build_object('from', to_char(quiet_from, 'HH24:MI'),
    'to', to_char(quiet_to, 'HH24:MI'), 'timeZone', quiet_zone,
    'maxSeverity', (${SEVERITY_LIST})[quiet_severity + 1]) end) as schedule`

/** Returns whether the account has the channel. Messages that already wait keep their time. */
export async function saveSchedule(
  database: Queryable,
  accountId: string,
  kind: ChannelKind,
  { digest, quietHours }: Schedule,
): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`update alert_channel set digest_minutes = $3, digest_severity = $4, quiet_from = $5, quiet_to = $6,
       quiet_zone = $7, quiet_severity = $8 where account_id = $1 and kind = $2`,
    [
      accountId,
      kind,
      digest?.minutes ?? null,
      digest === null ? null : severityRank(digest.maxSeverity),
      quietHours?.from ?? null,
      quietHours?.to ?? null,
      quietHours?.timeZone ?? null,
      quietHours === null ? null : severityRank(quietHours.maxSeverity),
    ],
  )
  return rowCount === 1
}

/** Whether the database knows a time zone. */
export async function isTimeZone(database: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await database.query(sql`select from pg_timezone_names where name = $1`, [name])
  return rowCount === 1
}
