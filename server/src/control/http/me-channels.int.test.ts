/** `/me/channels` of other vendors, schedules, acknowledgments and replays of a time range. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { addressOf, publish, upgradeOf } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { botServer, eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, signIn, startService } from '../../../../testing/support/service.ts'
import { vendorPeers } from '../../../../testing/support/vendor-peers.ts'
import { sql } from '../../platform/sql.ts'
import { saveChannel } from '../alerts/channels.ts'

const store = await createTestDatabase()
const { database } = store
const [bot, peers] = await Promise.all([botServer(), vendorPeers()])
const service = await startService(store, {
  env: {
    ROLES: 'serve,deliver',
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_API_URL: bot.url,
    ALERT_ALLOW_PRIVATE: 'true',
  },
})
const { url } = service
const account = await makeTestAccount(database)
const cookie = await signIn(service, account)
const contract = addressOf(1)

async function request(method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { cookie, origin: url, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = JSON.parse(await response.text())
  if (typeof json?.webhook?.secret === 'string') keepSecretOfTest(json.webhook.secret)
  return { status: response.status, body: json, outcome: `${response.status} ${json?.error?.code ?? ''}`.trim() }
}

const KEY = keepSecretOfTest('0123456789abcdef0123456789abcdef')
const SIGNING_SECRET = keepSecretOfTest('8f742231b10e8888abcd99yyyzzz85a5')
const BODIES: Readonly<Record<string, object>> = {
  slack: { url: peers.urlOf('slack'), signingSecret: SIGNING_SECRET },
  discord: { url: peers.urlOf('discord') },
  teams: { url: peers.urlOf('teams') },
  pagerduty: { integrationKey: KEY, url: peers.urlOf('pagerduty') },
  opsgenie: { apiKey: KEY, url: peers.urlOf('opsgenie') },
  custom: { url: peers.urlOf('custom'), template: '{"text": "{{headline}}"}', authorization: `Bearer ${KEY}` },
}

test('each channel is set, tested, shown without its secret, and removed', async () => {
  for (const [kind, body] of Object.entries(BODIES)) {
    const set = await request('PUT', `/me/channels/${kind}`, body)
    assert.deepEqual([set.status, typeof set.body[kind].target, set.body[kind].disabled], [200, 'string', null], kind)
    assert.ok(!JSON.stringify(set.body).includes(KEY) && !JSON.stringify(set.body).includes(SIGNING_SECRET))
    const tested = await request('POST', `/me/channels/${kind}/test`)
    assert.deepEqual(tested.body, { delivered: true, error: null }, kind)
    const { rows } = await database.query<{ target: string }>(
      sql`select target from alert_channel where account_id = $1 and kind = $2`,
      [account.id, kind],
    )
    assert.ok(!(rows[0]?.target ?? '').includes('127.0.0.1'), 'sealed')
    assert.equal((await request('DELETE', `/me/channels/${kind}`)).body[kind].target, null)
  }
})

test('a target, a template or a schedule that cannot work is refused', async () => {
  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['slack', { url: 'ftp://example.org' }, /url: it is not an http or https URL/],
    ['slack', { url: 'https://user:pass@example.org' }, /user name/],
    ['discord', { url: 'http://169.254.169.254/' }, /not a public address/],
    ['discord', {}, /url/],
    ['pagerduty', { integrationKey: 'short' }, /32 letters and digits/],
    ['opsgenie', { apiKey: 'a\r\nx: y' }, /visible ASCII/],
    ['custom', { url: peers.urlOf('custom'), template: '{"a": "{{nonsense}}"}' }, /\{\{nonsense\}\} is unknown/],
    ['custom', { url: peers.urlOf('custom'), template: '{"a": {{title}}}' }, /is not JSON/],
    ['custom', { url: peers.urlOf('custom'), template: 'x', contentType: 'text/html' }, /contentType/],
  ]
  for (const [kind, body, message] of refused) {
    const { outcome, body: error } = await request('PUT', `/me/channels/${kind}`, body)
    assert.equal(outcome, '400 invalid_request', kind)
    assert.match(error.error.message, message)
  }
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', maxSeverity: 'high' }
  await request('PUT', '/me/channels/discord', BODIES.discord)
  for (const body of [
    { digest: { minutes: 1, maxSeverity: 'info' }, quietHours: null },
    { digest: null, quietHours: { ...quietHours, timeZone: 'Mars/North' } },
    { digest: null, quietHours: { ...quietHours, from: '24:00' } },
    { digest: null, quietHours: { ...quietHours, from: '07:00' } },
  ])
    assert.equal((await request('PUT', '/me/channels/discord/schedule', body)).outcome, '400 invalid_request')
  const schedule = { digest: { minutes: 60, maxSeverity: 'info' }, quietHours }
  assert.equal((await request('PUT', '/me/channels/teams/schedule', schedule)).outcome, '404 channel_not_found')
  const set = await request('PUT', '/me/channels/discord/schedule', schedule)
  assert.deepEqual(set.body.discord.schedule, schedule)
  await request('DELETE', '/me/channels/discord')
})

const CHAT = { id: 4_711, type: 'private', first_name: 'Ada' }

async function deliveryOf(channel: string) {
  const { items } = (await request('GET', '/me/notifications')).body
  return items.find((item: { channel: string }) => item.channel === channel)
}

test('a button in Telegram acknowledges the alert for every channel', async () => {
  await saveChannel(database, account.id, 'telegram', { target: String(CHAT.id) })
  await request('PUT', '/me/channels/slack', BODIES.slack)
  await request('POST', '/me/subscriptions', { chain: 'ethereum', address: contract })
  await publish(database, [upgradeOf(contract)])
  const sent = await eventually(() => bot.sent.find(({ chat_id: chat }) => chat === CHAT.id))
  const button = sent.reply_markup?.inline_keyboard[0]?.[0] ?? assert.fail('no button')
  assert.equal(button.text, 'Acknowledge')
  bot.press({ ...CHAT, id: 1 }, button.callback_data)
  await eventually(() => bot.answers.find((text) => text === 'answer: This alert is no longer stored.'))
  bot.press(CHAT, 'ack:------------------------------------')
  bot.press(CHAT, button.callback_data)
  await eventually(() => bot.answers.find((text) => text === 'button: Acknowledged by @ada'))
  for (const channel of ['telegram', 'slack']) assert.equal((await deliveryOf(channel)).acknowledgedBy, '@ada', channel)
})

/** Presses the button of an alert in Slack, as Slack sends it. */
async function pressSlack(
  value: string,
  { secret = SIGNING_SECRET, at = Date.now() / 1_000, token }: { secret?: string; at?: number; token?: string } = {},
): Promise<number> {
  const { slack } = (await request('GET', '/me/channels')).body
  const payload = {
    type: 'block_actions',
    user: { id: 'U1', username: 'grace' },
    response_url: peers.urlOf('response'),
    actions: [{ action_id: 'acknowledge', value }],
  }
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const timestamp = String(Math.floor(at))
  const target = token === undefined ? new URL(slack.interactivityUrl).pathname : `/alerts/slack/${token}`
  const response = await fetch(url + target, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
    },
    body,
  })
  return response.status
}

test('a button in Slack acknowledges the alert if the request is signed', async () => {
  const before = peers.calls.length
  await publish(database, [upgradeOf(contract)])
  const call = await eventually(() => peers.calls.slice(before).find(({ vendor }) => vendor === 'slack'))
  const { elements } = JSON.parse(call.body).blocks.at(-1)
  const { value } = elements.find((element: { action_id: string }) => element.action_id === 'acknowledge')
  assert.equal(await pressSlack(value, { secret: 'another' }), 401)
  assert.equal(await pressSlack(value, { at: Date.now() / 1_000 - 400 }), 401)
  assert.equal(await pressSlack(value, { token: 'x'.repeat(32) }), 401)
  assert.equal(await pressSlack('nonsense'), 200)
  assert.equal((await deliveryOf('slack')).acknowledgedAt, null)
  assert.equal(await pressSlack(value), 200)
  const { acknowledgedBy, acknowledgedAt } = await deliveryOf('slack')
  assert.deepEqual([acknowledgedBy, typeof acknowledgedAt], ['grace', 'string'])
  const answer = await eventually(() => peers.calls.find(({ vendor }) => vendor === 'response'))
  assert.equal(JSON.parse(answer.body).text, 'Acknowledged by grace')
})

test('a subscription makes no e-mail channel where the service sends no mail', async () => {
  const wanted = { chain: 'ethereum', address: addressOf(9), channels: { email: true } }
  assert.equal((await request('POST', '/me/subscriptions', wanted)).status, 201)
  assert.equal((await request('GET', '/me/channels')).body.email.address, null)
})

test('an alert is acknowledged by its id, by its own account only', async () => {
  await publish(database, [upgradeOf(contract)])
  const { id } = await deliveryOf('slack')
  assert.equal((await request('POST', `/me/notifications/${id}/acknowledge`)).body.acknowledgedBy, account.email)
  const { rows } = await database.query<{ id: number }>(sql`select max(id) + 1 as id from delivery`)
  assert.equal(
    (await request('POST', `/me/notifications/${rows[0]?.id}/acknowledge`)).outcome,
    '404 notification_not_found',
  )
})

test('the messages of a time range are sent again', async () => {
  const { createdAt } = await eventually(async () => {
    const { items } = (await request('GET', '/me/notifications')).body
    return items.every(({ status }: { status: string }) => status === 'sent') ? items.at(-1) : undefined
  })
  const range = { from: createdAt, to: new Date(Date.now() + 60_000).toISOString() }
  assert.deepEqual((await request('POST', '/me/notifications/replay', range)).body, { queued: 0 })
  const again = { ...range, statuses: ['sent'], channels: ['slack'] }
  assert.deepEqual((await request('POST', '/me/notifications/replay', again)).body, { queued: 3 })
  const reversed = { from: range.to, to: range.from }
  assert.equal((await request('POST', '/me/notifications/replay', reversed)).outcome, '400 invalid_request')
  for (let n = 0; n < 20; n++) await request('POST', '/me/notifications/replay', range)
  assert.equal((await request('POST', '/me/notifications/replay', range)).outcome, '429 rate_limited')
})
