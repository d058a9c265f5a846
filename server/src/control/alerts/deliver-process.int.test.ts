/** Kills delivering processes with SIGKILL. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountWithWebhook, addressOf, publish, subscribe, upgradeOf } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually, serve } from '../../../../testing/support/receivers.ts'
import { AUTH_SECRET, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { sql } from '../../platform/sql.ts'

const MESSAGES = 60

test('every message arrives and is recorded once when senders are killed with SIGKILL', async () => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const arrived: string[] = []
  const waiting: (() => void)[] = []
  let isHolding = true
  const url = await serve((request, response) => {
    request.resume().on('end', () => {
      arrived.push(String(request.headers['webhook-id']))
      const respond = () => response.writeHead(204).end()
      if (isHolding && arrived.length % 3 === 0) waiting.push(respond)
      else respond()
    })
  })
  const account = await accountWithWebhook(database, url)
  await subscribe(database, account, addressOf(1))
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET,
    ROLES: 'deliver',
    ALERT_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  }
  for (let victim = 0; victim < 3; victim++) {
    await publish(
      database,
      Array.from({ length: MESSAGES / 3 }, () => upgradeOf(addressOf(1))),
    )
    const { child, exit } = spawnGatewatch(['start'], { env, cwd: temporaryFolder() })
    const enough = arrived.length + 4
    await eventually(() => (arrived.length >= enough ? true : undefined))
    child.kill('SIGKILL')
    await exit
    // Its claims expire.
    await database.query(sql`update alert_message set next_at = now() where claim is not null`)
  }
  isHolding = false
  for (const respond of waiting) respond()
  const { child, exit } = spawnGatewatch(['start'], { env, cwd: temporaryFolder() })
  const rows = await eventually(async () => {
    const found = await database.query<{ uid: string; attempts: number; last_error: string | null; status: string }>(
      sql`select m.uid, m.status, m.attempts, m.last_error from delivery d join alert_message m on m.id = d.message_id order by m.id`,
    )
    return found.rows.every(({ status }) => status === 'sent') ? found.rows : undefined
  })
  child.kill('SIGTERM')
  assert.deepEqual(await exit, { code: 0, signal: null })
  assert.equal(rows.length, MESSAGES)
  assert.deepEqual(new Set(arrived), new Set(rows.map(({ uid }) => `alert_${uid}`)))
  const interrupted = rows.filter(({ attempts }) => attempts > 1)
  assert.ok(interrupted.length > 0, 'at least one attempt was interrupted')
  for (const { last_error: error } of interrupted) assert.match(error ?? '', /stopped before it recorded a response/)
  const requests = Map.groupBy(arrived, (id) => id)
  for (const { uid, attempts } of rows) assert.ok((requests.get(`alert_${uid}`)?.length ?? 0) <= attempts)
})
