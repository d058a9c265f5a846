/** Alerts of blocks that are not confirmed: when they are sent, moved, confirmed and retracted. */

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
import { inTransaction } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { loadAlerts } from './alert.ts'
import { alertAtHead, pairWithUnconfirmed, retractOverdue } from './head-alerts.ts'
import { headlineOf } from './message-lines.ts'
import { webhookPayload } from './webhook-payload.ts'

const { database } = await createTestDatabase()
let next = 1
const fresh = () => addressOf(next++)
const low = (event: EventRecord): EventRecord => ({
  ...event,
  key: 'ownable.transferred',
  severity: 'info',
  logIndex: 1,
})

/** The head has the blocks of these events, and the given ones. */
const see = (events: readonly EventRecord[], more: readonly { number: number; hash: `0x${string}` }[] = []) =>
  inTransaction(database, (client) =>
    alertAtHead(client, CHAIN, {
      cursor: Math.min(...events.map(({ blockNumber }) => blockNumber), ...more.map(({ number }) => number)) - 1,
      blocks: [...events.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash })), ...more],
      events,
    }),
  )

/** The same event in another block: its transaction was included again. */
const inAnotherBlock = (event: EventRecord, logIndex = event.logIndex): EventRecord => {
  const { blockNumber, blockHash, blockTime } = upgradeOf(event.address)
  return { ...event, blockNumber, blockHash, blockTime, logIndex }
}

/** Sends what is due, and returns the webhook payloads of these accounts. */
async function send(account: { readonly id: string }) {
  const messages = await claimWebhooks(database)
  await database.query(
    sql`update alert_message set status = 'sent', sent_at = now(), next_at = null, claim = null where claim is not null`,
  )
  const mine = messages.filter(({ accountId }) => accountId === account.id)
  const alerts = await loadAlerts({ database, publicUrl: 'https://gatewatch.example' }, mine)
  return alerts.map((alert) => ({
    headline: headlineOf(alert),
    ...(webhookPayload(alert) as {
      type: string
      data: { events: { confirmed: boolean; event: { id: number; eventKey: string; blockNumber: number } }[] }
    }),
  }))
}
const brief = (payloads: Awaited<ReturnType<typeof send>>) =>
  payloads.map(({ type, data }) => [type, ...data.events.map(({ confirmed, event }) => [event.eventKey, confirmed])])

test('a critical event is sent at head, marked, and not again when its block is confirmed', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  assert.equal(await see([event]), 1)
  const [alert, ...others] = await send(account)
  assert.deepEqual([alert?.type, alert?.data.events[0]?.confirmed, others.length], ['control.changed', false, 0])
  assert.match(alert?.headline ?? '', /^CRITICAL \(unconfirmed\): /)
  assert.equal(await see([event]), 1)
  assert.equal(await publish(database, [event]), 1)
  assert.deepEqual(await send(account), [])
  const { rows } = await database.query<{ id: number; confirmed: boolean }>(
    sql`select c.id, a.confirmed_at is not null as confirmed from control_event c join alert_event a on a.id = c.id
     where c.block_number = $1`,
    [event.blockNumber],
  )
  assert.deepEqual(rows, [{ id: alert?.data.events[0]?.event.id, confirmed: true }], 'the feed has the id of the alert')
  // A reorg below the confirmations retracts it like any other.
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: event.blockNumber - 1, time: event.blockTime - 1 }),
  )
  assert.deepEqual(brief(await send(account)), [['control.retracted', ['proxy.upgraded', true]]])
})

test('by default only transactions with a critical event are sent at head, whole', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  const alone = low(upgradeOf(contract))
  await see([event, low(event), alone])
  assert.deepEqual(brief(await send(account)), [
    ['control.changed', ['proxy.upgraded', false], ['ownable.transferred', false]],
  ])
  await publish(database, [event, low(event), alone])
  assert.deepEqual(brief(await send(account)), [['control.changed', ['ownable.transferred', true]]])
})

test('head sends everything at head, confirmed sends nothing there', async () => {
  const contract = fresh()
  const [hasty, calm] = [await accountWithWebhook(database), await accountWithWebhook(database)]
  await subscribe(database, hasty, contract, { alertAt: 'head' })
  await subscribe(database, calm, contract, { alertAt: 'confirmed' })
  const events = [upgradeOf(contract), low(upgradeOf(contract))]
  await see(events)
  assert.equal((await deliveriesTo(database, hasty)).length, 2)
  assert.equal((await deliveriesTo(database, calm)).length, 0)
  await publish(database, events)
  assert.equal((await deliveriesTo(database, hasty)).length, 2)
  assert.equal((await deliveriesTo(database, calm)).length, 2)
  await send(hasty)
})

test('two subscriptions of one channel that differ get one message', async () => {
  const [contract, controller] = [fresh(), fresh()]
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract, { alertAt: 'confirmed' })
  await subscribe(database, account, controller, { alertAt: 'head' })
  const event = upgradeOf(contract)
  await see([event, { ...low(event), address: controller }])
  await publish(database, [event, { ...low(event), address: controller }])
  const deliveries = await deliveriesTo(database, account)
  assert.deepEqual([deliveries.length, new Set(deliveries.map(({ message }) => message)).size], [2, 1])
  await send(account)
})

test('an event that a reorg brings back in another block is neither retracted nor sent again', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  const twin = { ...event, logIndex: 1 }
  await see([event, twin])
  const [first] = await send(account)
  const moved = [inAnotherBlock(event, 3), { ...inAnotherBlock(twin, 4) }] as const
  const again = [moved[0], { ...moved[1], blockNumber: moved[0].blockNumber, blockHash: moved[0].blockHash }]
  assert.equal(await see(again), 2)
  await publish(database, again)
  assert.deepEqual(await send(account), [])
  const { rows } = await database.query(
    sql`select id, block_number, log_index from control_event where chain_id = $1 and address = decode($2, 'hex') order by id`,
    [CHAIN, contract.slice(2)],
  )
  const ids = first?.data.events.map((one) => one.event.id)
  assert.deepEqual(
    rows.map((row) => [row.id, row.block_number, row.log_index]),
    [
      [ids?.[0], moved[0].blockNumber, 3],
      [ids?.[1], moved[0].blockNumber, 4],
    ],
  )
})

/** A block that replaced the one of an event, and its child. */
const replacing = (event: EventRecord, seed: number) => [
  { number: event.blockNumber, hash: hashOf(seed) },
  { number: event.blockNumber + 1, hash: hashOf(seed + 1) },
]

test('an event that the new branch lacks is retracted once its block has a child; later, it is a new alert', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await see([event])
  await send(account)
  const blocks = replacing(event, 99_999_990)
  assert.equal(await see([], blocks.slice(0, 1)), 1, 'the next block may contain the transaction')
  assert.deepEqual(await send(account), [])
  assert.equal(await see([], blocks), 0)
  assert.deepEqual(brief(await send(account)), [['control.retracted', ['proxy.upgraded', false]]])
  const later = inAnotherBlock(event)
  await see([later])
  assert.deepEqual(brief(await send(account)), [['control.changed', ['proxy.upgraded', false]]])
  await publish(database, [later])
  assert.deepEqual(await send(account), [])
})

test('an alert that was not sent yet when its block left is canceled, without a retraction', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await see([event])
  await see([], replacing(event, 99_999_980))
  assert.deepEqual(await send(account), [])
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ status }) => status),
    ['cancelled'],
  )
})

test('an endpoint that is behind retracts nothing', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await see([event])
  await send(account)
  assert.equal(await see([], [{ number: event.blockNumber - 1, hash: hashOf(99_999_970) }]), 1)
  await publish(database, [event])
  assert.deepEqual(await send(account), [])
})

test('below the cursor an alert is open only while a job or the second pass reads its block', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const [first, second, third] = [upgradeOf(contract), upgradeOf(contract), upgradeOf(contract)]
  await see([first, second, third])
  const open = async (): Promise<readonly number[]> => {
    await inTransaction(database, (client) => retractOverdue(client, CHAIN))
    const { rows } = await database.query<{ number: number }>(
      sql`select block_number as number from alert_event where chain_id = $1 and confirmed_at is null
       and retracted_at is null order by block_number`,
      [CHAIN],
    )
    return rows.map(({ number }) => number)
  }
  const numbers = [first, second, third].map(({ blockNumber }) => blockNumber) as [number, number, number]
  await database.query(
    sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values ($1, $2, '\\x00', 0, $2)`,
    [CHAIN, numbers[0] - 1],
  )
  assert.deepEqual(await open(), numbers, 'above the cursor')
  await database.query(
    sql`insert into backfill_job (chain_id, scope, addresses, from_block, to_block, next_block, announce)
     values ($1, 'gap', '{}', $2, $2, $2, true)`,
    [CHAIN, first.blockNumber],
  )
  await database.query(
    sql`insert into chain_block (chain_id, number, hash, time) values ($1, $2, decode($3, 'hex'), now())`,
    [CHAIN, second.blockNumber, second.blockHash.slice(2)],
  )
  await database.query(sql`update chain_cursor set number = $2 where chain_id = $1`, [CHAIN, numbers[2]])
  assert.deepEqual(await open(), numbers.slice(0, 2), 'another block has the number of the third')
  await database.query(sql`update chain_cursor set verified_to = number where chain_id = $1`, [CHAIN])
  assert.deepEqual(await open(), numbers.slice(0, 1), 'the second pass did not find the second')
  await database.query(sql`update backfill_job set phase = 'done' where chain_id = $1`, [CHAIN])
  assert.deepEqual(await open(), [], 'the job did not find the first')
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ status }) => status),
    ['cancelled', 'cancelled', 'cancelled'],
  )
})

test('history that contains an event alerted at head confirms it under its id', async () => {
  const [contract, account] = [fresh(), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await see([event])
  const [alert] = await send(account)
  await publish(database, [event], false)
  const { rows } = await database.query(
    sql`select c.id, c.announced, a.confirmed_at is not null as confirmed from control_event c
     join alert_event a on a.id = c.id where c.block_number = $1`,
    [event.blockNumber],
  )
  assert.deepEqual(rows, [{ id: alert?.data.events[0]?.event.id, announced: true, confirmed: true }])
})

test('equal events of a transaction are paired in order, and other content is another event', () => {
  const event = upgradeOf(fresh())
  const unconfirmed = [5, 2].map((logIndex, at) => ({
    id: at + 1,
    blockNumber: 1,
    blockHash: hashOf(1),
    txHash: event.txHash,
    logIndex,
    address: event.address,
    key: event.key,
    args: JSON.stringify(event.args),
  }))
  const events = [
    { ...event, logIndex: 9 },
    { ...event, logIndex: 7 },
    { ...event, logIndex: 8, args: {} },
  ]
  const pairs = pairWithUnconfirmed(events, unconfirmed)
  assert.deepEqual(
    events.map((one) => pairs.get(one)?.id),
    [1, 2, undefined],
  )
})
