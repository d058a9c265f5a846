/** Checks of what the program stands on: disk, database, counters, mail. Reads only. */

import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config/config.ts'
import { type CheckResult, failed, passed, warning } from '../../lib/check-result.ts'
import { reasonOf, systemCodeOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { openRedis } from '../counters/redis-counters.ts'
import { type Database, databaseLocation, openDatabase } from '../database.ts'
import { createMailer } from '../mail.ts'
import { getSchema, type Schema } from '../migrate.ts'
import { sql } from '../sql.ts'

const OLDEST_POSTGRES = 140_000
const GIGABYTE = 1e9
const LEAST_FREE = 2 * GIGABYTE
/** Leases and windows use the database's time, tokens and signatures ours. */
const MOST_CLOCK_SKEW_MS = 5_000

export async function checkDatabase(database: Database, url: string): Promise<readonly CheckResult[]> {
  const about = `database ${databaseLocation(url)}`
  const asked = Date.now()
  const { rows } = await database.query<{ version: number; name: string; at: Date }>(
    sql`select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       clock_timestamp() as at`,
  )
  const [row] = rows
  if (row === undefined) return [failed(about, 'It answers nothing.', 'Look at its log.')]
  const skew = Math.round(row.at.getTime() - (asked + Date.now()) / 2)
  return [
    row.version < OLDEST_POSTGRES
      ? failed(about, `PostgreSQL ${row.name} is too old.`, 'Use PostgreSQL 14 or later.')
      : passed(about, `PostgreSQL ${row.name} answers.`),
    schemaResult(about, await getSchema(database)),
    ...(Math.abs(skew) > MOST_CLOCK_SKEW_MS
      ? [warning(about, `Its clock differs from this machine’s by ${skew} ms.`, 'Run a time service on both.')]
      : []),
  ]
}

function schemaResult(about: string, { applied, known, beyond }: Schema): CheckResult {
  if (beyond !== undefined)
    return failed(about, 'A newer program has changed its schema.', 'Start that program again, not this one.')
  if (applied === known) return passed(about, 'Its schema is this program’s.')
  const advice = 'Start the service, which applies them, or run `gatewatch migrate`.'
  return applied === 0
    ? warning(about, 'It is empty: the service has not run on it yet.', advice)
    : failed(about, `It has ${applied} of the ${known} migrations of this program.`, advice)
}

/** Answers older than this surprise people. */
const MOST_REPLICA_LAG_S = 10

export async function checkReplica(url: string, log: Logger): Promise<CheckResult> {
  const about = `read replica ${databaseLocation(url)}`
  const replica = openDatabase({ url, log, connections: 1 })
  try {
    // A replica that has replayed all it received is not late, however long ago the last change was.
    const { rows } = await replica.query<{ follows: boolean; late: number }>(
      sql`select pg_is_in_recovery() as follows,
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
           else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as late`,
    )
    const [{ follows, late } = { follows: false, late: 0 }] = rows
    if (!follows) return warning(about, 'It is no replica.', 'Check DATABASE_READ_URL.')
    const seen = `It is ${Math.round(late)} s behind.`
    return late > MOST_REPLICA_LAG_S
      ? warning(about, seen, 'Answers are as old; look at its load and at the line to the primary.')
      : passed(about, seen)
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'The primary answers meanwhile. Check DATABASE_READ_URL.')
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
    return free < LEAST_FREE ? warning(about, seen, 'Make room before it is full.') : passed(about, seen)
  } catch (error) {
    const advice = 'Give this account a folder to write in, and name it in DATA_DIR.'
    return failed(about, `It cannot be used (${reasonOf(error)}).`, advice)
  }
}

/** The folder itself, or the one it would be made in. */
async function nearestFolder(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return path
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' && dirname(path) !== path) return await nearestFolder(dirname(path))
    throw error
  }
  throw new Error(`${path} is no folder`)
}

export async function checkRedis(url: string, log: Logger): Promise<CheckResult> {
  const about = `redis ${URL.parse(url)?.host ?? ''}`
  try {
    const redis = await openRedis(url, log)
    redis.disconnect()
    return passed(about, 'It answers.')
  } catch (error) {
    return failed(about, reasonOf(error), 'Check REDIS_URL and that Redis or Valkey runs.')
  }
}

export async function checkMail(mail: NonNullable<Config['mail']>): Promise<CheckResult> {
  const about = `mail ${URL.parse(mail.smtpUrl)?.host ?? ''}`
  const mailer = createMailer(mail)
  try {
    await mailer.verify()
    return passed(about, 'The server takes our login.')
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check SMTP_URL: host, port, user and password, smtp or smtps.')
  } finally {
    mailer.close()
  }
}
