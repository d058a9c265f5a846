/** Messages about coin events in every channel, their retractions and digests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount, reportCoinEvent, retractCoinEvent } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { mailSink } from '../../../../testing/support/receivers.ts'
import { systemTiming } from '../../lib/clock.ts'
import { inTransaction } from '../../platform/database.ts'
import { createMailer } from '../../platform/mail.ts'
import { sql } from '../../platform/sql.ts'
import { type AlertQueueDeps, createAlertQueue, type LoadedAlert } from './alert-queue.ts'
import { saveChannel } from './channels.ts'
import { coinAlerts, replayCoinDelivery } from './coin-alerts.ts'
import { findDelivery, getAttempts, getCoinDeliveries, getDeliveries } from './delivery-records.ts'
import { alertBlocks, headlineOf, introOf } from './message-lines.ts'
import { saveSchedule } from './schedules.ts'
import { noticeOf } from './vendors/vendor.ts'
import { webhookPayload } from './webhook-payload.ts'

const { database } = await createTestDatabase()
const sink = await mailSink()
const deps: AlertQueueDeps = {
  database,
  publicUrl: 'https://gatewatch.example',
  timing: systemTiming,
  clock: systemTiming,
  random: () => 0.5,
  log: testLog,
  mailer: createMailer({ smtpUrl: sink.url, from: 'alerts@example.org' }),
  telegram: undefined,
  outbound: { allowPrivate: true },
}
const account = await createAccount(database)
await saveChannel(database, account.id, 'webhook', { target: 'https://hooks.example/in' })
await saveChannel(database, account.id, 'email', { target: 'ann@example.org' })
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'
const { rows: subscriptions } = await database.query<{ id: number }>(
  sql`insert into coin_subscription (account_id, chain, kind, target, events, confirmations, channels, from_height)
   values ($1, 'ltc', 'address', $2, array['seen', 'confirmed'], 3, array['webhook', 'email'], 0) returning id`,
  [account.id, ADDRESS],
)
const subscriptionId = subscriptions[0]?.id ?? assert.fail()

const report = (kind: 'seen' | 'confirmed'): Promise<number> =>
  reportCoinEvent(database, { accountId: account.id, subscriptionId, kind, chain: 'ltc', target: ADDRESS })
const retract = (id: number): Promise<void> => retractCoinEvent(database, id)

/** Delivers what is due to the webhook, and returns the alerts. */
async function webhooks(): Promise<LoadedAlert['alert'][]> {
  const alerts: LoadedAlert['alert'][] = []
  const queue = createAlertQueue(deps, 'webhook', async ({ alert }) => {
    alerts.push(alert)
    return { ok: true }
  })
  while ((await queue.deliverDue()) > 0) await queue.settled()
  return alerts
}

test('an event is one message for each channel, and its retraction says why', async () => {
  const id = await report('confirmed')
  const [alert = assert.fail()] = await webhooks()
  assert.equal(headlineOf(alert), 'Payment of 1.25 LTC received, 3 confirmations · address ltc1qw50…gmn4n9')
  const payload = webhookPayload(alert) as { type: string; data: { events: { event: object }[] } }
  assert.equal(payload.type, 'coins.changed')
  const txid = '1'.padStart(64, '0')
  assert.deepEqual(payload.data.events[0]?.event, {
    id,
    chain: 'ltc',
    kind: 'confirmed',
    targetKind: 'address',
    target: ADDRESS,
    txid,
    blockHeight: 7,
    blockHash: '',
    confirmations: 3,
    received: 125_000_000,
    sent: 0,
    replacedBy: null,
    count: null,
    hour: null,
    subscriptionId,
  })
  const lines = alertBlocks(alert).map((block) => block.map((line) => line.map(({ text }) => text).join('')))
  assert.deepEqual(lines, [
    [
      'Payment of 1.25 LTC received, 3 confirmations',
      `Subscribed address: ${ADDRESS}`,
      `Transaction: ${txid}`,
      'Block 7 · View transaction',
    ],
  ])
  assert.equal(noticeOf(alert, deps.publicUrl).url, `https://gatewatch.example/coins/ltc/tx/${txid}`)
  const mail = createAlertQueue(deps, 'email')
  await mail.deliverDue()
  await mail.settled()
  assert.deepEqual(
    sink.mails.map(({ subject }) => subject),
    ['Payment of 1.25 LTC received, 3 confirmations · address ltc1qw50…gmn4n9'],
  )
  await retract(id)
  const [retraction = assert.fail()] = await webhooks()
  assert.deepEqual(
    [(webhookPayload(retraction) as { type: string }).type, retraction.retracts, introOf(retraction)],
    ['coins.retracted', alert.id, 'The node dropped this transaction from its mempool. It is in no block.'],
  )
  await coinAlerts.retract(database, [id])
  assert.deepEqual(await webhooks(), [], 'it is retracted once')
  assert.deepEqual(await getDeliveries(database, account.id, { before: undefined, limit: 10 }), [])
})

test('deliveries of coin events have a list of their own, of their account only', async () => {
  const page = { before: undefined, limit: 10 }
  const listed = await getCoinDeliveries(database, account.id, page)
  assert.deepEqual(
    listed.map(({ channel, status, subscriptionId: of, retractedAt, event }) => [
      channel,
      status,
      of,
      retractedAt !== null,
      event.kind,
      event.target,
    ]),
    ['email', 'webhook'].map((channel) => [channel, 'sent', subscriptionId, true, 'confirmed', ADDRESS]),
  )
  const [first] = listed
  assert.equal((await getAttempts(database, account.id, first?.id ?? 0))?.length, 1)
  assert.deepEqual(await getCoinDeliveries(database, account.id, { ...page, before: listed[1]?.id }), [])
  const other = await createAccount(database)
  assert.deepEqual(await getCoinDeliveries(database, other.id, page), [])
  assert.equal(await getAttempts(database, other.id, first?.id ?? 0), undefined)
})

test('events beyond the limit are one message that says how many there were', async () => {
  const { rows } = await database.query<{ id: number }>(
    sql`insert into coin_event (account_id, subscription_id, chain, kind, target_kind, target, received, sent, count, hour)
     values ($1, $2, 'ltc', 'more', 'address', $3, 0, 0, 37, '2026-11-17T13:00:00Z') returning id`,
    [account.id, subscriptionId, ADDRESS],
  )
  await inTransaction(database, (client) => coinAlerts.queue(client, [rows[0]?.id ?? 0]))
  const [alert = assert.fail()] = await webhooks()
  assert.equal(headlineOf(alert), '37 more events in the hour from 2026-11-17 13:00 UTC · address ltc1qw50…gmn4n9')
  const { data } = webhookPayload(alert) as { data: { events: { event: object; url: string }[] } }
  const [{ event, url } = assert.fail()] = data.events
  assert.deepEqual(event, {
    id: rows[0]?.id,
    chain: 'ltc',
    kind: 'more',
    targetKind: 'address',
    target: ADDRESS,
    txid: null,
    blockHeight: null,
    blockHash: null,
    confirmations: null,
    received: 0,
    sent: 0,
    replacedBy: null,
    count: 37,
    hour: '2026-11-17T13:00:00.000Z',
    subscriptionId,
  })
  assert.equal(url, `https://gatewatch.example/coins/ltc/address/${ADDRESS}`)
  const lines = alertBlocks(alert).map((block) => block.map((line) => line.map(({ text }) => text).join('')))
  assert.deepEqual(lines, [
    [
      '37 more events in the hour from 2026-11-17 13:00 UTC',
      `Subscribed address: ${ADDRESS}`,
      'A subscription reports a limited number of events in an hour. · View address',
    ],
  ])
})

test('a message is sent again to the current webhook with the same id, and its retraction once', async () => {
  const [id, other] = [await report('seen'), await report('seen')]
  const sent = await webhooks()
  assert.equal(sent.length, 2)
  const listed = await getCoinDeliveries(database, account.id, { before: undefined, limit: 10 })
  const delivery = listed.find(({ event, channel }) => event.id === id && channel === 'webhook') ?? assert.fail()
  const stranger = await createAccount(database)
  assert.equal(await replayCoinDelivery(database, stranger.id, delivery.id), 'not_found')
  assert.equal(await replayCoinDelivery(database, account.id, 999_999_999), 'not_found')
  assert.equal(await findDelivery(database, account.id, delivery.id), undefined, 'it is no delivery of a contract')
  assert.deepEqual(await webhooks(), [], 'a refused replay sends nothing')
  const replays = await Promise.all(
    Array.from({ length: 5 }, () => replayCoinDelivery(database, account.id, delivery.id)),
  )
  assert.deepEqual(
    new Set(replays.map((each) => (typeof each === 'string' ? each : each.status))),
    new Set(['pending']),
  )
  const again = await webhooks()
  assert.deepEqual(
    again.map((alert) => alert.id),
    [sent.find(({ items }) => items.some(({ event }) => event.id === id))?.id],
    'requests at once send it once',
  )
  assert.equal((await getAttempts(database, account.id, delivery.id))?.length, 2)
  await retract(id)
  assert.deepEqual(
    (await webhooks()).map(({ retracts }) => retracts),
    [again[0]?.id],
  )
  assert.equal(await replayCoinDelivery(database, account.id, delivery.id), 'retracted')
  // Retracted after the request and before the message is sent again.
  const late = listed.find(({ event, channel }) => event.id === other && channel === 'webhook') ?? assert.fail()
  await replayCoinDelivery(database, account.id, late.id)
  await retract(other)
  assert.deepEqual(
    (await webhooks()).map(({ retracts }) => retracts !== null),
    [true],
    'what arrived before is retracted, and not sent again',
  )
  assert.deepEqual(await webhooks(), [])
})

test('an event that is retracted before it was sent is not sent', async () => {
  const id = await report('seen')
  await retract(id)
  assert.deepEqual(await webhooks(), [])
})

test('a digest collects several transactions, and a deleted subscription sends nothing', async () => {
  await saveSchedule(database, account.id, 'webhook', {
    digest: { minutes: 5, maxSeverity: 'info' },
    quietHours: null,
  })
  for (let i = 0; i < 3; i++) await report('seen')
  const { rows } = await database.query<{ events: number }>(
    sql`select cardinality(events) as events from alert_message where collects_until is not null`,
  )
  assert.deepEqual(rows, [{ events: 3 }])
  await database.query(sql`delete from coin_subscription where id = $1`, [subscriptionId])
  const { rows: open } = await database.query(
    sql`select id from alert_message where next_at is not null and retracts is null`,
  )
  assert.deepEqual(open, [])
})
