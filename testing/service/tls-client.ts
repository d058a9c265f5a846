/** Connects to the given PostgreSQL, Redis and mail server as the service does, and prints what worked. */
import { redisCounters } from '../../server/src/platform/counters/redis-counters.ts'
import { openDatabase } from '../../server/src/platform/database.ts'
import { createMailer } from '../../server/src/platform/mail.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { testLog } from '../support/log.ts'

const [databaseUrl = '', redisUrl = '', smtpUrl = ''] = process.argv.slice(2)

const outcomeOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    return String(await work())
  } catch (error) {
    // The first cause names the reason of TLS.
    let cause = error as Error
    while (cause.cause instanceof Error) cause = cause.cause
    return `refused: ${cause.message}`
  }
}

const database = openDatabase({ url: databaseUrl, log: testLog })
const postgres = await outcomeOf(async () => {
  const { rows } = await database.query<{ version: string }>(
    sql`select version from pg_stat_ssl where pid = pg_backend_pid() and ssl`,
  )
  return rows[0]?.version ?? 'not encrypted'
})
const redis = await outcomeOf(async () => {
  const counters = await redisCounters({ url: redisUrl, database, log: testLog })
  await counters.close()
  return 'connected'
})
const mailer = createMailer({ smtpUrl, from: 'a@example.org' })
const smtp = await outcomeOf(async () => {
  await mailer.verify()
  return 'connected'
})
mailer.close()
console.log(JSON.stringify({ postgres, redis, smtp }))
process.exit()
