/** `gatewatch subscribe`, up to a delivered webhook whose signature verifies. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { accountWithWebhook, addressOf, publish, upgradeOf } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually, hookReceiver } from '../../../../testing/support/receivers.ts'
import { AUTH_SECRET, type Environment, makeTestAccount, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { getChannels } from '../../control/alerts/channels.ts'
import { channelFlagsOf } from '../../control/alerts/subscriptions.ts'
import { sql } from '../../platform/sql.ts'

const { url, database } = await createTestDatabase()
const receiver = await hookReceiver()
const cwd = temporaryFolder()
const spawn = (args: readonly string[], env: Environment = {}) =>
  spawnGatewatch(args, { cwd, env: { DATABASE_URL: url, AUTH_SECRET, ...env } })
const account = await accountWithWebhook(database)
const contract = addressOf(1)
const wanted = ['subscribe', `${account.id}@example.org`, 'ethereum', contract]

test('a webhook to a private address is rejected, and nothing changes', async () => {
  const { exit, output } = spawn([...wanted, '--webhook-url', `${receiver.url}/hook`])
  assert.equal((await exit).code, 1)
  assert.match(output(), /--webhook-url: 127\.0\.0\.1 is not a public address/)
  const { rowCount } = await database.query(sql`select from subscription`)
  const targets = (await getChannels(database, account.id)).map(({ target }) => target)
  assert.deepEqual([targets, rowCount], [['https://hooks.example/in'], 0])
})

test('a subscription without a channel says that no alerts are sent, and names none', async () => {
  const silent = await makeTestAccount(database)
  const { exit, output } = spawn(['subscribe', silent.email, ...wanted.slice(2)])
  assert.equal((await exit).code, 0, output())
  assert.match(output(), /is subscribed to ethereum 0x\w+, but has no channel: no alerts are sent\./)
  assert.doesNotMatch(output(), /telegram|webhook|email/)
  await database.query(sql`delete from subscription where account_id = $1`, [silent.id])
})

test('an e-mail alert needs a service that sends mail', async () => {
  const silent = await makeTestAccount(database)
  const { exit, output } = spawn(['subscribe', silent.email, ...wanted.slice(2), '--email'])
  assert.equal((await exit).code, 0, output())
  assert.match(output(), /no channel: no alerts are sent\.\nThis service sends no e-mail\. Set SMTP_URL and MAIL_FROM/)
  assert.deepEqual(await getChannels(database, silent.id), [])
  await database.query(sql`delete from subscription where account_id = $1`, [silent.id])
})

test('a webhook verifies with the secret that the command printed', async () => {
  const allowed = { ALERT_ALLOW_PRIVATE: 'true' }
  const first = spawn([...wanted, '--webhook-url', `${receiver.url}/hook`, '--json'], allowed)
  assert.equal((await first.exit).code, 0, first.output())
  const made = JSON.parse(first.output()) as { minSeverity: string; channels: object; webhookSecret: string }
  assert.deepEqual([made.minSeverity, made.channels], ['info', channelFlagsOf((kind) => kind === 'webhook')])

  const second = spawn([...wanted, '--webhook', '--telegram', '--min-severity', 'critical'], allowed)
  assert.equal((await second.exit).code, 0, second.output())
  assert.match(
    second.output(),
    /receives alerts about ethereum 0x\w+ of severity critical or higher\.\nThe account has no telegram channel/,
  )
  assert.equal(
    (await database.query(sql`select from subscription`)).rowCount,
    1,
    'the subscription is changed, not created again',
  )

  await publish(database, [upgradeOf(contract, { severity: 'high' }), upgradeOf(contract)])
  const service = spawn(['start'], { ...allowed, ROLES: 'deliver' })
  const call = await eventually(() => receiver.calls[0])
  service.child.kill('SIGTERM')
  assert.equal((await service.exit).code, 0)
  const { data } = new Webhook(made.webhookSecret).verify(call.body, call.headers) as {
    data: { events: { event: { severity: string } }[] }
  }
  assert.deepEqual([receiver.calls.length, data.events.map(({ event }) => event.severity)], [1, ['critical']])
})
