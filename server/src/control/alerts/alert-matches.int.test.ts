/** Which subscriptions an event matches, and what a reorg does to their messages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountWithWebhook,
  addressOf,
  CHAIN,
  claimWebhooks,
  deliveriesTo,
  hashOf,
  publish,
  subscribe,
  upgradeOf,
} from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { toBytes } from '../../lib/hex.ts'
import { type DatabaseClient, inTransaction, type Statement } from '../../platform/database.ts'
import { type Sql, sql } from '../../platform/sql.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { insertDerived } from '../poll/derived-events.ts'
import { saveContract } from '../registry/contracts.ts'
import { getContractsToPoll } from '../registry/poll-requests.ts'
import { loadAlerts } from './alert.ts'
import { retractEvents, saveControllers } from './alert-matches.ts'
import { type ClaimedMessage, replayDelivery, settleMessages } from './alert-messages.ts'
import { deleteChannel, disableChannel, saveChannel } from './channels.ts'
import { changeSubscription, deleteSubscription } from './subscriptions.ts'

const { database } = await createTestDatabase()
let next = 1
const fresh = () => addressOf(next++)
const keysOf = async (account: { readonly id: string }) => (await deliveriesTo(database, account)).map(({ key }) => key)
const controlledBy = (address: `0x${string}`, ...controllers: `0x${string}`[]) =>
  saveControllers(
    database,
    { chainId: CHAIN, address },
    { controllers: controllers.map((of) => ({ chainId: CHAIN, address: of })), beacon: undefined, isComplete: true },
  )

test('an event matches its emitter once for each channel; backfilled and setup events match nothing', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await saveChannel(database, account.id, 'email', { target: 'a@example.org' })
  await subscribe(database, account, contract)
  await publish(database, [upgradeOf(contract)], false)
  await publish(database, [upgradeOf(contract, { isInit: true })])
  await publish(database, [upgradeOf(fresh())])
  assert.deepEqual(await deliveriesTo(database, account), [])
  const event = upgradeOf(contract)
  await publish(database, [event])
  await publish(database, [event])
  const deliveries = await deliveriesTo(database, account)
  assert.deepEqual(deliveries.map(({ channel }) => channel).toSorted(), ['email', 'webhook'])
  assert.equal(new Set(deliveries.map(({ message }) => message)).size, 2)
})

test('a contract that a subscription adds is polled at once', async () => {
  const contract = fresh()
  const [account, other] = [await accountWithWebhook(database), await accountWithWebhook(database)]
  for (const each of [account, other]) await subscribe(database, each, contract)
  const due = await getContractsToPoll(database, CHAIN, 1_000)
  assert.equal(due.filter((address) => address === contract).length, 1)
  const { rowCount } = await database.query(sql`select from poll_request where address = $1`, [toBytes(contract)])
  assert.equal(rowCount, 1, 'once')
})

test('severity, pause, channel flags and disabled channels limit the matches', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  const { id } = await subscribe(database, account, contract, { minSeverity: 'critical' })
  await publish(database, [upgradeOf(contract, { severity: 'high' })])
  await changeSubscription(database, account.id, id, { paused: true })
  await publish(database, [upgradeOf(contract)])
  const resumed = await changeSubscription(database, account.id, id, { paused: false })
  assert.equal(resumed?.pausedAt, null)
  await changeSubscription(database, account.id, id, { channels: { webhook: false } })
  await publish(database, [upgradeOf(contract)])
  await changeSubscription(database, account.id, id, { channels: { webhook: true } })
  const { rows } = await database.query(sql`select id from alert_channel where account_id = $1`, [account.id])
  await disableChannel(database, rows[0].id, 'gone')
  await publish(database, [upgradeOf(contract)])
  assert.deepEqual(await deliveriesTo(database, account), [])
  await saveChannel(database, account.id, 'webhook', { target: 'https://hooks.example/other' })
  await publish(database, [upgradeOf(contract)])
  assert.equal((await deliveriesTo(database, account)).length, 1)
})

test('all events of a transaction are one message', async () => {
  const [one, other] = [fresh(), fresh()]
  const account = await accountWithWebhook(database)
  await subscribe(database, account, one)
  await subscribe(database, account, other)
  const first = upgradeOf(one)
  await publish(database, [
    first,
    { ...first, logIndex: 1, severity: 'info' },
    { ...first, logIndex: 2, address: other },
    { ...first, logIndex: 3, txHash: hashOf(7) },
  ])
  const deliveries = await deliveriesTo(database, account)
  assert.equal(deliveries.length, 4)
  assert.equal(new Set(deliveries.slice(0, 3).map(({ message }) => message)).size, 1)
  assert.notEqual(deliveries[3]?.message, deliveries[0]?.message)
})

test('an event about another contract counts only from a registered emitter or a controller', async () => {
  const [victim, forger, registered, admin] = [fresh(), fresh(), fresh(), fresh()]
  const account = await accountWithWebhook(database)
  await subscribe(database, account, victim)
  // Any account can add a contract by subscribing to it.
  await subscribe(database, await accountWithWebhook(database), forger)
  await publish(database, [upgradeOf(forger, { subject: victim, key: 'factory.proxy_upgraded' })])
  assert.deepEqual(await keysOf(account), [])
  await saveContract(database, { chainId: CHAIN, address: registered })
  await publish(database, [upgradeOf(registered, { subject: victim, key: 'factory.proxy_upgraded' })])
  await controlledBy(victim, admin)
  await publish(database, [upgradeOf(admin, { subject: victim, key: 'factory.proxy_admin_changed' })])
  assert.deepEqual(await keysOf(account), ['factory.proxy_upgraded', 'factory.proxy_admin_changed'])
})

test('events of current controllers match unless switched off, and events of the beacon always do', async () => {
  const [contract, oldSafe, newSafe, beacon] = [fresh(), fresh(), fresh(), fresh()]
  const [account, other] = [await accountWithWebhook(database), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  await subscribe(database, other, contract, { includeControllers: false })
  await controlledBy(contract, oldSafe)
  await publish(database, [upgradeOf(oldSafe, { key: 'safe.changed_threshold', args: { threshold: '1' } })])
  await controlledBy(contract, newSafe)
  await publish(database, [upgradeOf(oldSafe)])
  await publish(database, [upgradeOf(newSafe, { key: 'safe.enabled_module', args: { module: oldSafe } })])
  assert.deepEqual(await keysOf(account), ['safe.changed_threshold', 'safe.enabled_module'])
  assert.deepEqual(await keysOf(other), [])
  // A poll that could not read everything removes no controller.
  await saveControllers(database, { chainId: CHAIN, address: contract }, { controllers: [], beacon, isComplete: false })
  await publish(database, [upgradeOf(newSafe, { key: 'safe.changed_guard', args: { guard: oldSafe } })])
  await publish(database, [upgradeOf(beacon, { key: 'beacon.upgraded' })])
  assert.deepEqual((await keysOf(account)).slice(2), ['safe.changed_guard', 'beacon.upgraded'])
  assert.deepEqual(await keysOf(other), ['beacon.upgraded'])
})

test('weaker control is always sent, and changes of powers where a subscription names the effect', async () => {
  const contract = fresh()
  const [quiet, ruled] = [await accountWithWebhook(database), await accountWithWebhook(database)]
  await subscribe(database, quiet, contract, { minSeverity: 'critical' })
  await subscribe(database, ruled, contract, { minSeverity: 'critical', powerEffects: ['mint'] })
  const derive = async (key: `slot.${string}`, n: number, args: object) =>
    await inTransaction(database, (client) =>
      insertDerived(client, {
        chainId: CHAIN,
        address: contract,
        block: { number: 10 + n, time: Date.now() },
        events: [{ key, category: 'access', severity: 'high', txHash: hashOf(7_000 + n), logIndex: 0, args }],
      }),
    )
  await derive('slot.powers_changed', 1, { effects: ['pause'] })
  await derive('slot.powers_changed', 2, { effects: ['mint', 'pause'] })
  await derive('slot.owner_changed', 3, {})
  await derive('slot.control_weakened', 4, {})
  assert.deepEqual(await keysOf(quiet), ['slot.control_weakened'])
  assert.deepEqual(await keysOf(ruled), ['slot.powers_changed', 'slot.control_weakened'])
})

test('categories and keys narrow a subscription, and queued changes can be sent in any case', async () => {
  const [contract, timelock] = [fresh(), fresh()]
  const make = async (settings: Parameters<typeof subscribe>[3]) => {
    const account = await accountWithWebhook(database)
    await subscribe(database, account, contract, settings)
    return account
  }
  const byCategory = await make({ categories: ['upgrade'], minSeverity: 'high' })
  const byKey = await make({ eventKeys: ['pause.paused'] })
  const either = await make({ categories: ['upgrade'], eventKeys: ['pause.paused'] })
  const queued = await make({ categories: ['pause'], minSeverity: 'critical', queuedChanges: true })
  await publish(database, [
    upgradeOf(contract),
    upgradeOf(contract, { key: 'pause.paused', category: 'pause', severity: 'info', args: {} }),
    upgradeOf(contract, { key: 'ownable.transferred', category: 'ownership', args: {} }),
  ])
  await controlledBy(contract, timelock)
  const operation = { id: hashOf(5), index: '0', target: contract, value: '0', data: '0x3659cfe6', delay: '60' }
  await publish(database, [
    upgradeOf(timelock, { key: 'timelock.scheduled', category: 'timelock', severity: 'info', args: operation }),
  ])
  assert.deepEqual(await keysOf(byCategory), ['proxy.upgraded'])
  assert.deepEqual(await keysOf(byKey), ['pause.paused'])
  assert.deepEqual((await keysOf(either)).toSorted(), ['pause.paused', 'proxy.upgraded'])
  assert.deepEqual(await keysOf(queued), ['timelock.scheduled'])
})

test('a protocol subscription follows the contracts that join and leave it', async () => {
  const [first, later] = [fresh(), fresh()]
  await saveContract(database, { chainId: CHAIN, address: first }, { protocol: 'Followed' })
  const { rows } = await database.query(sql`select id from protocol where slug = 'followed'`)
  const account = await accountWithWebhook(database)
  const made = await subscribe(database, account, { protocolId: rows[0].id })
  assert.deepEqual([made.source, made.protocol?.contracts], ['protocol', 1])
  await saveContract(database, { chainId: CHAIN, address: later }, { protocol: 'Followed' })
  await publish(database, [upgradeOf(first), upgradeOf(later)])
  assert.equal((await deliveriesTo(database, account)).length, 2)
  await saveContract(database, { chainId: CHAIN, address: later }, { protocol: 'Another' })
  await publish(database, [upgradeOf(later)])
  assert.equal((await deliveriesTo(database, account)).length, 2)
  await changeSubscription(database, account.id, made.id, { paused: true })
  await publish(database, [upgradeOf(first)])
  await changeSubscription(database, account.id, made.id, { paused: false, minSeverity: 'critical' })
  await publish(database, [upgradeOf(first, { severity: 'high' })])
  assert.equal((await deliveriesTo(database, account)).length, 2)
  assert.ok(await deleteSubscription(database, account.id, made.id))
  assert.deepEqual(new Set((await deliveriesTo(database, account)).map(({ status }) => status)), new Set(['cancelled']))
})

test('a scheduled call and its execution match the contract it calls', async () => {
  const [target, timelock] = [fresh(), fresh()]
  await saveContract(database, { chainId: CHAIN, address: timelock })
  const account = await accountWithWebhook(database)
  await subscribe(database, account, target, { minSeverity: 'high', includeControllers: false })
  const scheduled = (id: string, about = target) =>
    upgradeOf(timelock, {
      key: 'timelock.scheduled',
      category: 'timelock',
      args: { id, index: '0', target: about, value: '0', data: '0x3659cfe6', predecessor: hashOf(0), delay: '86400' },
    })
  const ended = (key: string, id: string) =>
    upgradeOf(timelock, { key, category: 'timelock', severity: 'info', args: { id } })
  await publish(database, [scheduled(hashOf(1)), scheduled(hashOf(2)), scheduled(hashOf(3), fresh())])
  await publish(database, [ended('timelock.cancelled', hashOf(1)), ended('timelock.cancelled', hashOf(3))])
  await publish(database, [ended('timelock.executed', hashOf(2))])
  assert.deepEqual(await keysOf(account), [
    'timelock.scheduled',
    'timelock.scheduled',
    'timelock.cancelled',
    'timelock.executed',
  ])
  // Scheduled during a backfill: not announced, but its execution is.
  await publish(database, [scheduled(hashOf(4))], false)
  await publish(database, [ended('timelock.executed', hashOf(4))])
  assert.equal((await keysOf(account)).length, 5)
})

test('after a reorg sent messages are retracted and unsent ones canceled', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  const events = [upgradeOf(contract), upgradeOf(contract), upgradeOf(contract)]
  await publish(database, events)
  const [sent, sending, waiting] = (await deliveriesTo(database, account)).map(({ message }) => message)
  await database.query(sql`update alert_message set status = 'sent', next_at = null where id = $1`, [sent])
  await database.query(
    sql`update alert_message set claim = 1, attempts = 1, next_at = now() + interval '3 minutes' where id = $1`,
    [sending],
  )
  const before = events[0]?.blockNumber ?? 0
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: before - 1, time: (events[0]?.blockTime ?? 0) - 12_000 }),
  )
  const { rows } = await database.query<{ retracts: number }>(
    sql`select retracts from alert_message where account_id = $1 and retracts is not null order by retracts`,
    [account.id],
  )
  assert.deepEqual(
    rows.map(({ retracts }) => retracts),
    [sent, sending],
  )
  const status = async (id: number | undefined) =>
    (await database.query(sql`select status, next_at from alert_message where id = $1`, [id])).rows[0]
  assert.equal((await status(waiting)).status, 'cancelled')
  assert.equal((await status(sending)).status, 'pending', 'the sending process settles it')
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ status }) => status),
    ['sent', 'cancelled', 'cancelled'],
  )
  const isDue = async () =>
    (await database.query(sql`select next_at <= now() as due from alert_message where retracts = $1`, [sending]))
      .rows[0]
  assert.deepEqual(await isDue(), { due: false }, 'the retraction waits for the message')
  const outcome = { id: sending ?? 0, claim: 1, status: 'sent', error: null, mayHaveArrived: true } as const
  await settleMessages(database, [{ ...outcome, startedAt: null, at: new Date(), nextAt: null, deliveryIds: [] }])
  assert.deepEqual(await isDue(), { due: true }, 'and no longer')
})

/** Returns a client that runs a callback before one of its statements. */
const withBefore = (client: DatabaseClient, statement: string, first: () => Promise<void>): DatabaseClient =>
  new Proxy(client, {
    get: (target, name) =>
      name === 'query'
        ? async (query: Sql | Statement, values?: unknown[]) => {
            const text = typeof query === 'string' ? query : query.text
            if (text.includes(statement)) await first()
            return await target.query(query, values)
          }
        : Reflect.get(target, name),
  })

/** Claims the due webhook messages of one account. */
async function claimDue(account: { readonly id: string }): Promise<readonly ClaimedMessage[]> {
  await database.query(sql`update alert_message set next_at = null where account_id <> $1`, [account.id])
  return await claimWebhooks(database)
}

/** Claims and settles them as sent. */
async function sendDue(account: { readonly id: string }): Promise<void> {
  await settleAsSent(await claimDue(account))
}

async function settleAsSent(messages: readonly ClaimedMessage[]): Promise<void> {
  const outcome = { status: 'sent', error: null, mayHaveArrived: true, nextAt: null, deliveryIds: [] } as const
  await settleMessages(
    database,
    messages.map(({ id, claim }) => ({ ...outcome, id, claim, startedAt: null, at: new Date() })),
  )
}

test('a message claimed during a reorg is not sent, or it is retracted', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await publish(database, [event])
  let interruptions = 0
  await inTransaction(database, (client) =>
    deleteEventsAbove(
      withBefore(client, 'cancel_deliveries', async () => {
        interruptions += 1
        await sendDue(account)
      }),
      CHAIN,
      { number: event.blockNumber - 1, time: event.blockTime - 1 },
    ),
  )
  assert.equal(interruptions, 1)
  const { rows } = await database.query<{ sent: number; retractions: number }>(
    sql`select count(sent_at)::int as sent, count(retracts)::int as retractions from alert_message where account_id = $1`,
    [account.id],
  )
  assert.deepEqual(rows, [{ sent: 0, retractions: 0 }])
  await sendDue(account)
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ status }) => status),
    ['cancelled'],
  )
})

test('a retraction that waited for its message is due for a process whose clock is behind', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await publish(database, [event])
  const claimed = await claimDue(account)
  await deleteEventsAbove(database, CHAIN, { number: event.blockNumber - 1, time: event.blockTime - 1 })
  await settleAsSent(claimed)
  const { rows } = await database.query(
    sql`select next_at <= now() - interval '4 seconds' as is_due from alert_message
     where account_id = $1 and retracts is not null`,
    [account.id],
  )
  assert.deepEqual(rows, [{ is_due: true }])
})

test('a subscription deleted during a reorg waits for it, and neither fails', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  const { id } = await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await publish(database, [event])
  const isWaiting = async () => {
    const { rowCount } = await database.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 0 ? undefined : true
  }
  let deleted: Promise<boolean> | undefined
  await inTransaction(database, (client) =>
    deleteEventsAbove(
      withBefore(client, 'cancel_deliveries', async () => {
        deleted = deleteSubscription(database, account.id, id)
        await eventually(isWaiting)
      }),
      CHAIN,
      { number: event.blockNumber - 1, time: event.blockTime - 1 },
    ),
  )
  assert.equal(await deleted, true)
})

test('a message that may have arrived is retracted too', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  const events = [upgradeOf(contract), upgradeOf(contract), upgradeOf(contract)]
  await publish(database, events)
  const deliveries = await deliveriesTo(database, account)
  const [unanswered, refused, replayed] = deliveries.map(({ message }) => message)
  await database.query(
    sql`update alert_message set status = 'retrying', attempts = 1, may_have_arrived = id = $1 where id = any($2)`,
    [unanswered, [unanswered, refused]],
  )
  const now = new Date()
  await database.query(sql`update alert_message set claim = 1, attempts = 1 where id = $1`, [replayed])
  const outcome = { id: replayed ?? 0, claim: 1, status: 'sent', error: null, mayHaveArrived: true } as const
  await settleMessages(database, [{ ...outcome, startedAt: now, at: now, nextAt: null, deliveryIds: [] }])
  const { rows: records } = await database.query(sql`select id from delivery where message_id = $1`, [replayed])
  assert.equal(await replayDelivery(database, account.id, records[0].id), 'queued')
  const [first] = events
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: (first?.blockNumber ?? 0) - 1, time: (first?.blockTime ?? 0) - 1 }),
  )
  const { rows } = await database.query<{ retracts: number }>(
    sql`select retracts from alert_message where account_id = $1 and retracts is not null order by retracts`,
    [account.id],
  )
  assert.deepEqual(
    rows.map(({ retracts }) => retracts),
    [unanswered, replayed],
  )
})

test('a retracted event is not sent again, also not with the rest of its message', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  const first = upgradeOf(contract)
  await publish(database, [first, { ...first, logIndex: 1 }])
  await sendDue(account)
  const { rows } = await database.query<{ id: number; event_id: number }>(
    sql`select id, event_id from delivery where account_id = $1 order by id`,
    [account.id],
  )
  const [gone, kept] = rows
  await inTransaction(database, (client) => retractEvents(client, CHAIN, first.blockNumber - 1, [gone?.event_id ?? 0]))
  assert.equal(await replayDelivery(database, account.id, gone?.id ?? 0), 'retracted')
  await database.query(sql`update alert_message set next_at = null where account_id = $1`, [account.id])
  assert.equal(await replayDelivery(database, account.id, kept?.id ?? 0), 'queued')
  assert.equal(await replayDelivery(database, account.id, gone?.id ?? 0), 'retracted')
  const claimed = await claimDue(account)
  const alerts = await loadAlerts({ database, publicUrl: 'https://gatewatch.example' }, claimed)
  assert.deepEqual(
    alerts.map(({ items, deliveryIds }) => [items.map(({ event }) => event.id), deliveryIds]),
    [[[kept?.event_id], [kept?.id]]],
  )
  // If the other events are retracted too while the message is in flight, it is canceled instead of retried forever.
  await database.query(sql`update alert_event set retracted_at = now() where id = $1`, [kept?.event_id])
  const [message] = claimed
  const { id, claim } = message ?? assert.fail()
  const empty = { status: 'retrying', error: null, mayHaveArrived: false, deliveryIds: [] } as const
  await settleMessages(database, [{ ...empty, id, claim, startedAt: null, at: new Date(), nextAt: new Date() }])
  assert.deepEqual(await claimDue(account), [])
})

test('deleting a channel cancels its pending messages', async () => {
  const contract = fresh()
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  await publish(database, [upgradeOf(contract)])
  await deleteChannel(database, account.id, 'webhook')
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ status }) => status),
    ['cancelled'],
  )
  await database.query(sql`delete from user_account where id = $1`, [account.id])
  const { rows } = await database.query(sql`select from contract where address = $1`, [toBytes(contract)])
  assert.equal(rows.length, 1, 'the contract stays watched')
})
