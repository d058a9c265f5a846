/** Which delivery records are kept, and for how long. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountWithWebhook,
  addressOf,
  CHAIN,
  deliveriesTo,
  publish,
  subscribe,
  upgradeOf,
} from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { inTransaction } from '../../platform/database.ts'
import { identifier, sql } from '../../platform/sql.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { getDeliveries, pruneDeliveries } from './delivery-records.ts'

const { database } = await createTestDatabase()
const count = async (table: 'alert_message' | 'delivery' | 'alert_event') =>
  (await database.query<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`)).rows[0]?.n

test('old settled messages are deleted with their events, and open ones stay', async () => {
  const [contract, shared] = [addressOf(1), addressOf(2)]
  const [account, other] = [await accountWithWebhook(database), await accountWithWebhook(database)]
  await subscribe(database, account, contract)
  await subscribe(database, account, shared)
  await subscribe(database, other, shared)
  await publish(database, [upgradeOf(contract), upgradeOf(contract), upgradeOf(shared), upgradeOf(contract)])
  const [old, open, both, young] = (await deliveriesTo(database, account)).map(({ message }) => message)
  const [othersOfBoth] = (await deliveriesTo(database, other)).map(({ message }) => message)
  const settle = (ids: readonly (number | undefined)[]) =>
    database.query(sql`update alert_message set status = 'sent', sent_at = now(), next_at = null where id = any($1)`, [
      ids,
    ])
  const age = (ids: readonly (number | undefined)[]) =>
    database.query(sql`update alert_message set created_at = now() - interval '11 days' where id = any($1)`, [ids])
  await settle([old, both, young])
  await age([old, open, both, othersOfBoth])
  await pruneDeliveries(database, 12)
  assert.deepEqual([await count('alert_message'), await count('alert_event')], [5, 4])
  await pruneDeliveries(database, 10)
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ message }) => message),
    [open, young],
  )
  assert.deepEqual(
    (await deliveriesTo(database, other)).map(({ message }) => message),
    [othersOfBoth],
  )
  assert.deepEqual(
    [await count('delivery'), await count('alert_event')],
    [3, 3],
    'the other account still has its event',
  )
})

test('a message that an open one retracts stays', async () => {
  const contract = addressOf(3)
  const account = await accountWithWebhook(database)
  await subscribe(database, account, contract)
  const event = upgradeOf(contract)
  await publish(database, [event])
  const [delivery] = await deliveriesTo(database, account)
  await database.query(
    sql`update alert_message set status = 'sent', next_at = null, created_at = now() - interval '11 days' where id = $1`,
    [delivery?.message],
  )
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: event.blockNumber - 1, time: event.blockTime - 1 }),
  )
  const messages = async () =>
    (
      await database.query<{ id: number }>(sql`select id from alert_message where account_id = $1 order by id`, [
        account.id,
      ])
    ).rows.length
  await pruneDeliveries(database, 10)
  assert.equal(await messages(), 2)
  await database.query(sql`update alert_message set status = 'sent', next_at = null where account_id = $1`, [
    account.id,
  ])
  await pruneDeliveries(database, 10)
  assert.equal(await messages(), 0, 'both are deleted with the retracted message')
})

test('an event retracted before its message was sent is not recorded as sent', async () => {
  const [kept, dropped] = [addressOf(4), addressOf(5)]
  const account = await accountWithWebhook(database)
  await subscribe(database, account, kept)
  const { id } = await subscribe(database, account, dropped)
  const event = upgradeOf(kept)
  await publish(database, [event, { ...event, address: dropped, logIndex: 1 }])
  assert.equal(
    new Set((await deliveriesTo(database, account)).map(({ message }) => message)).size,
    1,
    'one message for both',
  )
  await database.query(sql`delete from subscription where id = $1`, [id])
  await database.query(
    sql`update alert_message set status = 'sent', sent_at = now(), next_at = null where account_id = $1`,
    [account.id],
  )
  const deliveries = await getDeliveries(database, account.id, { before: undefined, limit: 10 })
  assert.deepEqual(
    deliveries.map(({ event: { address }, status, sentAt }) => [address, status, sentAt !== null]),
    [
      [dropped, 'canceled', false],
      [kept, 'sent', true],
    ],
  )
})
