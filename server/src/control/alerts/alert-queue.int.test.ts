/** How responses of recipients change messages: real recipients, and a clock that the test advances. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountWithWebhook,
  addressOf,
  deliveriesTo,
  publish,
  subscribe,
  upgradeOf,
} from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { botServer, eventually, hookReceiver, serve } from '../../../../testing/support/receivers.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { sql } from '../../platform/sql.ts'
import { claimMessages } from './alert-messages.ts'
import { alertSenders, CHANNEL_LIMITS, createAlertQueue } from './alert-queue.ts'
import { getChannels, saveChannel } from './channels.ts'
import { getAttempts, getDeliveries } from './delivery-records.ts'
import { createTelegram } from './telegram.ts'

const { database } = await createTestDatabase()
const [receiver, bot] = await Promise.all([hookReceiver(), botServer()])
const HOUR = 3_600_000
let nextContract = 1
let now = Date.now()
const timing = { now: () => now, sleep: () => Promise.resolve() }
const deps = {
  database,
  publicUrl: 'https://gatewatch.example',
  clock: timing,
  timing,
  log: testLog,
  random: () => 0.5,
  mailer: undefined,
  telegram: createTelegram({ token: bot.token, apiUrl: bot.url }),
  outbound: { allowPrivate: true },
}
const queueOf = (channel: ChannelKind) => createAlertQueue(deps, channel)

/** Creates an account with `count` due messages to a path of the receiver, or to another URL. */
async function accountAt(path: string, count = 1) {
  now = Date.now() // messages are due by the clock of the database
  const contract = addressOf(nextContract++)
  const account = await accountWithWebhook(database, URL.parse(path, receiver.url)?.href)
  await subscribe(database, account, contract)
  for (let n = 0; n < count; n++) await publish(database, [upgradeOf(contract)])
  return account
}

async function accountInChat(chatId: string) {
  now = Date.now()
  const contract = addressOf(nextContract++)
  const account = await accountWithWebhook(database)
  await database.query(sql`delete from alert_channel where account_id = $1`, [account.id])
  await saveChannel(database, account.id, 'telegram', { target: chatId })
  await subscribe(database, account, contract)
  await publish(database, [upgradeOf(contract)])
  return account
}

const recordsOf = ({ id }: { readonly id: string }) => getDeliveries(database, id, { before: undefined, limit: 100 })
const channelOf = async ({ id }: { readonly id: string }) => (await getChannels(database, id))[0] ?? assert.fail()
const callsAt = (path: string) => receiver.calls.filter((call) => call.path === path).length
const nextAtOf = async ({ id }: { readonly id: string }): Promise<number> => {
  const { rows } = await database.query<{ next: Date }>(
    sql`select min(next_at) as next from alert_message where account_id = $1`,
    [id],
  )
  return rows[0]?.next?.getTime() ?? assert.fail('no message waits')
}
const discardAll = () => database.query(sql`update alert_message set next_at = null where next_at is not null`)
async function deliver(queue: ReturnType<typeof queueOf>): Promise<number> {
  const claimed = await queue.deliverDue()
  await queue.settled()
  return claimed
}

test('an attempt whose outcome could not be recorded at first is not repeated', async () => {
  const account = await accountAt('/once')
  const blocker = await database.connect()
  await blocker.query(sql`begin`)
  // After the attempt another transaction locks the row, and the connection that waits for it is terminated.
  const { webhook } = alertSenders(deps)
  const queue = createAlertQueue(deps, 'webhook', async (loaded) => {
    const outcome = await webhook(loaded)
    await blocker.query(sql`select from alert_message where id = $1 for update`, [loaded.id])
    return outcome
  })
  await queue.deliverDue()
  await eventually(async () => {
    const { rowCount } = await database.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 1 || undefined
  })
  await blocker.query(sql`rollback`)
  blocker.release()
  await queue.settled()
  const [record] = await recordsOf(account)
  assert.deepEqual([record?.status, record?.attempts, callsAt('/once')], ['sent', 1, 1])
})

test('each attempt is recorded: when it began, how it ended, how long it took, and that of a stopped process', async () => {
  await discardAll()
  receiver.answers.set('/attempts', 500)
  const account = await accountAt('/attempts')
  now = Date.now()
  const started = now
  const { webhook } = alertSenders(deps)
  const slow = createAlertQueue(deps, 'webhook', async (loaded) => {
    const outcome = await webhook(loaded)
    now += 250
    return outcome
  })
  await deliver(slow)
  now = (await nextAtOf(account)) + 1
  const stoppedAt = now
  // The process that claims it next stops before it records an outcome.
  await claimMessages(database, {
    channel: 'webhook',
    now,
    until: now + 60_000,
    limit: 1,
    after: 0,
    recipients: { listed: new Map(), others: 1 },
    hosts: { listed: new Map(), others: 1 },
  })
  now += 60_001
  receiver.answers.delete('/attempts')
  const lastAt = now
  await deliver(queueOf('webhook'))
  const [record] = await recordsOf(account)
  assert.deepEqual([record?.status, record?.attempts], ['sent', 3])
  assert.deepEqual(await getAttempts(database, account.id, record?.id ?? 0), [
    { number: 3, startedAt: new Date(lastAt), status: 'sent', durationMs: 0, responseStatus: 204, error: null },
    {
      number: 2,
      startedAt: new Date(stoppedAt),
      status: 'unknown',
      durationMs: null,
      responseStatus: null,
      error: 'The sending process stopped before it recorded a response.',
    },
    {
      number: 1,
      startedAt: new Date(started),
      status: 'failed',
      durationMs: 250,
      responseStatus: 500,
      error: 'The webhook returned status 500.',
    },
  ])
  const otherAccount = await accountAt('/attempts')
  assert.equal(await getAttempts(database, otherAccount.id, record?.id ?? 0), undefined)
  await discardAll()
})

test('410 switches the webhook off, and its pending messages are given up', async () => {
  receiver.answers.set('/gone', 410)
  const account = await accountAt('/gone', 5)
  const queue = queueOf('webhook')
  while ((await deliver(queue)) > 0);
  assert.ok(callsAt('/gone') <= CHANNEL_LIMITS.webhook.recipient.initial, 'at most one batch')
  const records = await recordsOf(account)
  assert.deepEqual(new Set(records.map(({ status }) => status)), new Set(['failed']))
  for (const { lastError } of records) assert.match(lastError ?? '', /returned 410 Gone/)
  const { disabledAt, disabledReason } = await channelOf(account)
  assert.ok(disabledAt !== null && /410/.test(disabledReason ?? ''))
})

test('Retry-After in seconds or as a date pauses the recipient, for at most an hour', async () => {
  now = Date.now()
  const date = Math.ceil(now / 1_000) * 1_000 + 600_000
  const requested: Readonly<Record<string, readonly [header: string, ms: number]>> = {
    '/seconds': ['120', 120_000],
    '/date': [new Date(date).toUTCString(), date],
    '/forever': ['999999999', HOUR],
    '/at-once': ['0', 5_000],
    '/past': ['Thu, 01 Jan 2015 00:00:00 GMT', 5_000],
    '/nonsense': ['soon', 5_000],
  }
  for (const [path, [header, ms]] of Object.entries(requested)) {
    receiver.answers.set(path, 429)
    receiver.headers.set(path, { 'retry-after': header })
    const account = await accountAt(path)
    const queue = queueOf('webhook')
    assert.equal(await deliver(queue), 1)
    assert.equal(await nextAtOf(account), ms === date ? date : now + ms, path)
    await publish(database, [upgradeOf(addressOf(nextContract - 1))])
    if (ms > 5_000) assert.deepEqual([await deliver(queue), callsAt(path)], [0, 1], `${path}: a new message waits too`)
    await discardAll()
  }
})

test('a recipient that fails for three days is given up after a last attempt', async () => {
  receiver.answers.set('/broken', 500)
  const account = await accountAt('/broken')
  const begun = now
  const queue = queueOf('webhook')
  let attempts = 0
  while ((await deliver(queue)) > 0) {
    attempts += 1
    if ((await deliveriesTo(database, account))[0]?.status === 'retrying') now = await nextAtOf(account)
  }
  const [record] = await recordsOf(account)
  assert.deepEqual(
    [record?.status, record?.attempts, record?.lastError, record?.sentAt],
    ['failed', attempts, 'The webhook returned status 500.', null],
  )
  assert.equal(callsAt('/broken'), attempts)
  assert.ok(now - begun >= 72 * HOUR - 60_000 && now - begun <= 72 * HOUR + 60_000, 'exactly three days')
  assert.ok(attempts > 70 && attempts < 100, String(attempts))
})

test('a 429 of Telegram pauses the chat for exactly the requested time', async () => {
  const account = await accountInChat('4711')
  bot.refusals.push({
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  })
  const queue = queueOf('telegram')
  assert.equal(await deliver(queue), 1)
  assert.equal((await nextAtOf(account)) - now, 7_000)
  const [waiting] = await recordsOf(account)
  assert.deepEqual([waiting?.status, waiting?.lastError], ['retrying', 'Telegram: Too Many Requests: retry after 7'])
  now += 6_999
  assert.equal(await deliver(queue), 0)
  now += 1
  assert.equal(await deliver(queue), 1)
  assert.deepEqual([(await recordsOf(account))[0]?.status, bot.sent.at(-1)?.chat_id], ['sent', 4711])
})

test('a blocked or removed bot switches the channel off', async () => {
  for (const [error_code, description] of [
    [403, 'Forbidden: bot was blocked by the user'],
    [403, 'Forbidden: bot was kicked from the supergroup chat'],
    [403, 'Forbidden: user is deactivated'],
    [400, 'Bad Request: chat not found'],
  ] as const) {
    const account = await accountInChat('99')
    bot.refusals.push({ error_code, description })
    const queue = queueOf('telegram')
    assert.equal(await deliver(queue), 1)
    assert.equal((await recordsOf(account))[0]?.status, 'failed', description)
    assert.equal((await channelOf(account)).disabledReason, `Telegram: ${description}`)
    assert.equal(await deliver(queue), 0)
  }
})

test('another error of Telegram leaves the channel on', async () => {
  const account = await accountInChat('100')
  bot.refusals.push({ error_code: 403, description: 'Forbidden: something new' })
  await deliver(queueOf('telegram'))
  assert.deepEqual([(await recordsOf(account))[0]?.status, (await channelOf(account)).disabledAt], ['retrying', null])
  await discardAll()
})

test('a message to a group that became a supergroup is sent there', async () => {
  const account = await accountInChat('-55')
  bot.refusals.push({
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -100_987_654_321 },
  })
  const queue = queueOf('telegram')
  assert.deepEqual([await deliver(queue), await deliver(queue)], [1, 1])
  assert.equal(bot.sent.at(-1)?.chat_id, -100_987_654_321)
  assert.equal((await channelOf(account)).target, '-100987654321')
  assert.deepEqual(
    (await recordsOf(account)).map(({ status, attempts }) => [status, attempts]),
    [['sent', 2]],
  )
})

test('a message without a response may have arrived', async () => {
  receiver.answers.set('/refusing', 500)
  const silent = await serve(() => undefined)
  const accounts = [await accountAt(silent), await accountAt('http://127.0.0.1:1/'), await accountAt('/refusing')]
  const impatient = { ...deps, outbound: { ...deps.outbound, timeoutMs: 2_000 } }
  await deliver(createAlertQueue(impatient, 'webhook'))
  const { rows } = await database.query<{ status: string; arrived: boolean }>(
    sql`select m.status, m.may_have_arrived as arrived from alert_message m
     where account_id = any($1) order by array_position($1, account_id)`,
    [accounts.map(({ id }) => id)],
  )
  assert.deepEqual(
    rows.map(({ status, arrived }) => [status, arrived]),
    [
      ['retrying', true],
      ['retrying', false],
      ['retrying', false],
    ],
  )
})
