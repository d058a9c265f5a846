/** Checks of database, replica, disk, Redis, mail server and Telegram bot. They change nothing. */

import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config/config.ts'
import { fetchFault, reasonOf, systemCodeOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { openRedis } from '../counters/redis-counters.ts'
import { type Database, databaseLocation, openDatabase } from '../database.ts'
import { createMailer } from '../mail.ts'
import { getSchema, type Schema } from '../migrate.ts'
import { sql } from '../sql.ts'
import { type CheckResult, failed, passed, warning } from './check-result.ts'

const OLDEST_POSTGRES = 140_000
const GIGABYTE = 1e9
const MIN_FREE = 2 * GIGABYTE
/** Leases use the database's clock; rate limits, tokens and signatures use this machine's. */
const MAX_CLOCK_SKEW_MS = 5_000

export async function checkDatabase(database: Database, url: string): Promise<readonly CheckResult[]> {
  const about = `database ${databaseLocation(url)}`
  const sentAt = Date.now()
  const { rows } = await database.query<{ version: number; name: string; at: Date }>(
    sql`select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       clock_timestamp() as at`,
  )
  const [row] = rows
  if (row === undefined) return [failed(about, 'It returns no rows.', 'Check its log.')]
  const skew = Math.round(row.at.getTime() - (sentAt + Date.now()) / 2)
  return [
    row.version < OLDEST_POSTGRES
      ? failed(about, `PostgreSQL ${row.name} is too old.`, 'Use PostgreSQL 14 or later.')
      : passed(about, `PostgreSQL ${row.name} responds.`),
    schemaResult(about, await getSchema(database)),
    ...(Math.abs(skew) > MAX_CLOCK_SKEW_MS
      ? [warning(about, `Its clock differs from this machine’s by ${skew} ms.`, 'Run a time service on both.')]
      : []),
  ]
}

function schemaResult(about: string, { applied, known, beyond, breaking }: Schema): CheckResult {
  if (breaking !== undefined)
    return failed(
      about,
      `It has migration ${breaking}, which this program does not have and cannot run with.`,
      'Run the version that made it, or a later one.',
    )
  if (applied === known && beyond !== undefined)
    return warning(
      about,
      `It has migration ${beyond} of a later version. This version still works with it.`,
      'Finish the upgrade.',
    )
  if (applied === known) return passed(about, 'Its schema is up to date.')
  const advice = 'Start the service or run `gatewatch migrate`: both apply the missing migrations.'
  return applied === 0
    ? warning(about, 'It is empty: the service has not run with it yet.', advice)
    : failed(about, `It has ${applied} of ${known} migrations.`, advice)
}

/** A replica that is further behind serves stale pages. */
const MAX_REPLICA_LAG_S = 10

export async function checkReplica(url: string, log: Logger): Promise<CheckResult> {
  const about = `read replica ${databaseLocation(url)}`
  const replica = openDatabase({ url, log, connections: 1 })
  try {
    // A replica that has replayed all it received is not late, however long ago the last change was.
    const { rows } = await replica.query<{ follows: boolean; receives: boolean; at: Date | null; late: number }>(
      sql`select pg_is_in_recovery() as follows, exists (select from pg_stat_wal_receiver) as receives,
         pg_last_xact_replay_timestamp() as at,
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
           else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as late`,
    )
    const [{ follows, receives, at, late } = { follows: false, receives: false, at: null, late: 0 }] = rows
    if (!follows) return warning(about, 'It is not a replica.', 'Check DATABASE_READ_URL.')
    if (!receives)
      return warning(
        about,
        `It receives nothing from its primary; its last change is of ${at?.toISOString() ?? 'an unknown time'}.`,
        'Responses are as old. Check that the primary runs and that the replica reaches it.',
      )
    const seen = `It is ${Math.round(late)} s behind.`
    return late > MAX_REPLICA_LAG_S
      ? warning(about, seen, 'Responses are as old. Check its load and the network to the primary.')
      : passed(about, seen)
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'The primary is used meanwhile. Check DATABASE_READ_URL.')
  } finally {
    await replica.end()
  }
}

export async function checkDisk(dataDir: string): Promise<CheckResult> {
  const about = `disk ${dataDir}`
  try {
    const folder = await nearestFolder(dataDir)
    await access(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const seen = `${(free / GIGABYTE).toFixed(1)} GB are free.`
    return free < MIN_FREE ? warning(about, seen, 'Free space before it is full.') : passed(about, seen)
  } catch (error) {
    const advice = 'Create a folder that this account may write to, and name it in DATA_DIR.'
    return failed(about, `It cannot be used (${reasonOf(error)}).`, advice)
  }
}

/** The folder itself, or the nearest existing one above it. */
async function nearestFolder(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return path
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' && dirname(path) !== path) return await nearestFolder(dirname(path))
    throw error
  }
  throw new Error(`${path} is not a folder`)
}

export async function checkRedis(url: string, log: Logger): Promise<CheckResult> {
  const about = `redis ${URL.parse(url)?.host ?? ''}`
  try {
    const redis = await openRedis(url, log)
    redis.disconnect()
    return passed(about, 'It responds.')
  } catch (error) {
    return failed(about, reasonOf(error), 'Check REDIS_URL and that Redis or Valkey runs.')
  }
}

export async function checkMail(mail: NonNullable<Config['mail']>): Promise<CheckResult> {
  const about = `mail ${URL.parse(mail.smtpUrl)?.host ?? ''}`
  const mailer = createMailer(mail)
  try {
    await mailer.verify()
    return passed(about, 'The server accepts the login.')
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check SMTP_URL: host, port, user and password, smtp or smtps.')
  } finally {
    mailer.close()
  }
}

const TELEGRAM_TIMEOUT_MS = 10_000

export async function checkTelegram({ token, apiUrl }: NonNullable<Config['telegram']>): Promise<CheckResult> {
  const about = `telegram ${URL.parse(apiUrl)?.host ?? ''}`
  try {
    const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/bot${token}/getMe`, {
      signal: AbortSignal.timeout(TELEGRAM_TIMEOUT_MS),
      redirect: 'error',
    })
    if (response.ok) return passed(about, 'It accepts the bot token.')
    const advice = response.status === 401 ? 'Check TELEGRAM_BOT_TOKEN.' : 'Check TELEGRAM_API_URL.'
    return failed(about, `It responds with status ${response.status}.`, advice)
  } catch (error) {
    return failed(about, `${fetchFault(error)}.`, 'Check TELEGRAM_API_URL and the outgoing network.')
  }
}
