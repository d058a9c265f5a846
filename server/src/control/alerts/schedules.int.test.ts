/** Digests and quiet hours: which messages wait, until when, and what they contain. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Account,
  accountWithWebhook,
  addressOf,
  CHAIN,
  claimWebhooks,
  deliveriesTo,
  publish,
  subscribe,
  upgradeOf,
} from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Hex } from '../../lib/hex.ts'
import { inTransaction } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { loadAlerts } from './alert.ts'
import { getChannels } from './channels.ts'
import { alertBlocks, introOf } from './message-lines.ts'
import { isTimeZone, type Schedule, saveSchedule } from './schedules.ts'

const { database } = await createTestDatabase()
const publicUrl = 'https://gatewatch.example'
let contracts = 0

async function accountWith(schedule: Schedule): Promise<{ readonly account: Account; readonly contract: Hex }> {
  contracts += 1
  const contract = addressOf(contracts)
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  assert.ok(await saveSchedule(database, account.id, 'webhook', schedule))
  return { account, contract }
}

/** Every severity waits for a digest of the day. Its end may be near, so that tests compare messages and not times. */
const DAILY: Schedule = { digest: { minutes: 1_440, maxSeverity: 'critical' }, quietHours: null }

const messagesOf = async ({ id }: Account) => {
  const { rows } = await database.query<{ events: number[]; status: string; waits: boolean; next: Date }>(
    sql`select to_json(events) as events, status, collects_until is not null as waits, next_at as next
     from alert_message where account_id = $1 order by id`,
    [id],
  )
  return rows
}

test('a schedule is stored and read', async () => {
  const quietHours = { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin', maxSeverity: 'high' } as const
  const schedule = { digest: { minutes: 60, maxSeverity: 'info' }, quietHours } as const
  const { account } = await accountWith(schedule)
  assert.deepEqual((await getChannels(database, account.id))[0]?.schedule, schedule)
  await saveSchedule(database, account.id, 'webhook', { digest: null, quietHours: null })
  assert.deepEqual((await getChannels(database, account.id))[0]?.schedule, { digest: null, quietHours: null })
  assert.equal(await saveSchedule(database, account.id, 'slack', schedule), false)
  assert.deepEqual(
    [await isTimeZone(database, 'Europe/Berlin'), await isTimeZone(database, 'Mars/North')],
    [true, false],
  )
})

type Case = {
  readonly digest?: readonly [minutes: number, severity: number]
  readonly quiet?: readonly [from: string, to: string, zone: string, severity: number]
  readonly severity: number
  readonly at: string
  readonly until: string | null
}

const QUIET = ['22:00', '07:00', 'Europe/Berlin', 1] as const
const NOON = ['12:00', '13:00', 'UTC', 1] as const

const CASES: readonly Case[] = [
  { digest: [60, 0], severity: 0, at: '2026-01-01T10:20:00Z', until: '2026-01-01T11:00:00Z' },
  { digest: [60, 0], severity: 1, at: '2026-01-01T10:20:00Z', until: null },
  { digest: [60, 0], severity: 0, at: '2026-01-01T10:59:29Z', until: '2026-01-01T11:00:00Z' },
  // It would be due in less than 30 seconds: the next one takes it.
  { digest: [60, 0], severity: 0, at: '2026-01-01T10:59:31Z', until: '2026-01-01T12:00:00Z' },
  { quiet: QUIET, severity: 1, at: '2026-01-01T20:59:00Z', until: null },
  { quiet: QUIET, severity: 1, at: '2026-01-01T21:00:00Z', until: '2026-01-02T06:00:00Z' },
  { quiet: QUIET, severity: 1, at: '2026-01-02T03:00:00Z', until: '2026-01-02T06:00:00Z' },
  { quiet: QUIET, severity: 1, at: '2026-01-02T06:00:00Z', until: null },
  { quiet: QUIET, severity: 2, at: '2026-01-02T03:00:00Z', until: null },
  { quiet: QUIET, severity: 1, at: '2026-01-02T05:59:45Z', until: '2026-01-02T06:01:00Z' },
  // In summer the same wall clock is an hour earlier in UTC; the night of the change is an hour shorter.
  { quiet: QUIET, severity: 1, at: '2026-07-01T20:00:00Z', until: '2026-07-02T05:00:00Z' },
  { quiet: QUIET, severity: 1, at: '2026-03-28T23:00:00Z', until: '2026-03-29T05:00:00Z' },
  { quiet: NOON, severity: 0, at: '2026-01-01T12:30:00Z', until: '2026-01-01T13:00:00Z' },
  { quiet: NOON, severity: 0, at: '2026-01-01T13:00:00Z', until: null },
  // A digest that would be due in quiet hours waits for their end.
  { digest: [60, 0], quiet: NOON, severity: 0, at: '2026-01-01T11:20:00Z', until: '2026-01-01T13:00:00Z' },
  { digest: [60, 0], quiet: NOON, severity: 0, at: '2026-01-01T12:20:00Z', until: '2026-01-01T13:00:00Z' },
  { severity: 0, at: '2026-01-01T12:30:00Z', until: null },
]

test('the time until which a message collects events', async () => {
  const { account } = await accountWith({ digest: null, quietHours: null })
  for (const { digest, quiet, severity, at, until } of CASES) {
    await database.query(
      sql`update alert_channel set digest_minutes = $2, digest_severity = $3, quiet_from = $4, quiet_to = $5,
         quiet_zone = $6, quiet_severity = $7 where account_id = $1`,
      [account.id, digest?.[0], digest?.[1], quiet?.[0], quiet?.[1], quiet?.[2], quiet?.[3]],
    )
    const { rows } = await database.query<{ until: Date | null }>(
      sql`select collects_until(c, $2::smallint, $3) as until from alert_channel c where account_id = $1`,
      [account.id, severity, at],
    )
    const found = rows[0]?.until?.toISOString().replace('.000', '') ?? null
    assert.equal(found, until, JSON.stringify({ digest, quiet, severity, at }))
  }
})

test('transactions wait in one message, and a more severe one is sent at once', async () => {
  const { account, contract } = await accountWith({ ...DAILY, digest: { minutes: 1_440, maxSeverity: 'high' } })
  for (let n = 0; n < 3; n++) await publish(database, [upgradeOf(contract, { severity: 'high' })])
  await publish(database, [upgradeOf(contract, { severity: 'critical' })])
  const messages = await messagesOf(account)
  const collected = messages.filter(({ waits }) => waits).flatMap(({ events }) => events)
  assert.deepEqual([collected.length, messages.filter(({ waits }) => !waits).length], [3, 1])
  assert.equal((await deliveriesTo(database, account)).length, 4)
  assert.equal((await claimWebhooks(database)).length, 1, 'only the critical one is due')
})

test('a digest describes every transaction, the most severe first, and leaves out retracted ones', async () => {
  const { account, contract } = await accountWith(DAILY)
  await publish(database, [upgradeOf(contract, { severity: 'info' })])
  await publish(database, [upgradeOf(contract, { severity: 'critical' })])
  const removed = upgradeOf(contract)
  await publish(database, [removed])
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: removed.blockNumber - 1, time: removed.blockTime - 1 }),
  )
  await database.query(sql`update alert_message set next_at = now() - interval '1 minute' where account_id = $1`, [
    account.id,
  ])
  const alerts = await loadAlerts({ database, publicUrl }, await claimWebhooks(database))
  const severities = alerts.flatMap(({ items }) => items.map(({ severity }) => severity))
  assert.deepEqual(severities.toSorted(), ['critical', 'info'])
  // Midnight between two of them makes two digests.
  const [alert] = alerts
  if (alerts.length === 1 && alert !== undefined) {
    assert.deepEqual(severities, ['critical', 'info'])
    assert.equal(introOf(alert), 'Digest: 2 events of 2 transactions, the most severe first.')
    assert.equal(alertBlocks(alert, 1).length, 2)
  }
})

test('a digest whose events were all retracted collects further events', async () => {
  const { account, contract } = await accountWith(DAILY)
  const removed = upgradeOf(contract)
  await publish(database, [removed])
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: removed.blockNumber - 1, time: removed.blockTime - 1 }),
  )
  assert.deepEqual(
    (await messagesOf(account)).map(({ status }) => status),
    ['cancelled'],
  )
  await publish(database, [upgradeOf(contract)])
  const last = (await messagesOf(account)).at(-1)
  assert.deepEqual([last?.status, last?.next instanceof Date], ['pending', true])
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ status }) => status),
    ['cancelled', 'pending'],
  )
})

test('a digest that is being sent too early is sent again with the events that came later', async () => {
  const { account, contract } = await accountWith(DAILY)
  await publish(database, [upgradeOf(contract)])
  await database.query(sql`update alert_message set claim = 1, attempts = 1, next_at = now() where account_id = $1`, [
    account.id,
  ])
  await publish(database, [upgradeOf(contract)])
  const { rows } = await database.query<{ claim: number | null; events: number }>(
    sql`select claim, cardinality(events) as events from alert_message where account_id = $1 order by id desc limit 1`,
    [account.id],
  )
  assert.equal(rows[0]?.claim, null, 'the outcome of the attempt in flight does not settle the new content')
})

test('a full digest lets further transactions pass', async () => {
  const { account, contract } = await accountWith(DAILY)
  await publish(database, [upgradeOf(contract)])
  await database.query(
    sql`update alert_message set events = events || array(select -n from generate_series(1, 500) as n) where account_id = $1`,
    [account.id],
  )
  await publish(database, [upgradeOf(contract), upgradeOf(contract)])
  const messages = await messagesOf(account)
  assert.equal(
    messages.reduce((sum, { events }) => sum + events.filter((id) => id > 0).length, 0),
    3,
  )
  assert.equal((await deliveriesTo(database, account)).length, 3)
})
