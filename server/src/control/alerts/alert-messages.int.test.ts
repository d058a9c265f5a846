/** Which due messages are taken, and from whom. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, hooked, publish, subscribed, upgradeOf } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { sql } from '../../platform/sql.ts'
import { type Claiming, claimMessages } from './alert-messages.ts'
import { getChannels } from './channels.ts'

const { database } = await createTestDatabase()
let next = 1

/** A receiver at `url` with `count` due messages; its id. */
async function receiverWith(count: number, url: string): Promise<number> {
  const contract = addressOf(next++)
  const person = await hooked(database, url)
  await subscribed(database, person, contract)
  await publish(
    database,
    Array.from({ length: count }, () => upgradeOf(contract)),
  )
  return (await getChannels(database, person.id))[0]?.id ?? assert.fail()
}

const claim = async (more: Partial<Claiming> = {}) => {
  const now = new Date()
  const { messages, last } = await claimMessages(database, {
    channel: 'webhook',
    now,
    until: new Date(now.getTime() + 60_000),
    limit: 200,
    after: 0,
    rooms: new Map(),
    usualRoom: 2,
    placeRooms: new Map(),
    usualPlaceRoom: 64,
    ...more,
  })
  return { receivers: messages.map(({ channelId }) => channelId), last, messages }
}
const forget = () => database.query(sql`update alert_message set next_at = null, claim = null`)

test('of each receiver as much as it has room for; one without room is passed over', async () => {
  const stuck = await receiverWith(300, 'https://stuck.example/')
  const other = await receiverWith(3, 'https://other.example/')
  const good = await receiverWith(9, 'https://good.example/')
  const rooms = new Map([
    [stuck, 0],
    [good, 5],
  ])
  const { receivers, last } = await claim({ rooms })
  assert.deepEqual(
    [Map.groupBy(receivers, (id) => id).get(good)?.length, receivers.filter((id) => id === other).length],
    [5, 2],
  )
  assert.deepEqual([receivers.length, last], [7, undefined])
  const { receivers: second } = await claim({ rooms })
  assert.deepEqual(new Set(second), new Set([other, good]), 'and the rest, the next time')
  await forget()
})

test('several receivers of one place share its room', async () => {
  const ids = [1, 2, 3].map((n) => receiverWith(5, `https://Shared.example:8443/${n}?token=a/b`))
  const [first] = await Promise.all(ids)
  const elsewhere = await receiverWith(1, 'https://shared.example/')
  const { messages } = await claim({ usualPlaceRoom: 4 })
  const atPlace = messages.filter(({ place }) => place === 'shared.example:8443')
  assert.deepEqual([atPlace.length, messages.length], [4, 5])
  assert.equal(messages.find(({ channelId }) => channelId === elsewhere)?.place, 'shared.example')
  assert.deepEqual((await claim({ placeRooms: new Map([['shared.example:8443', 0]]) })).receivers, [])
  assert.equal((await claim({ rooms: new Map([[first ?? 0, 1]]), usualRoom: 0 })).receivers.length, 1)
  await forget()
})

test('a walk that has enough ends, and the next goes on behind it', async () => {
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push(await receiverWith(4, `https://walk-${n}.example/`))
  const seen: number[] = []
  let after = 0
  for (let round = 0; round < 3; round++) {
    const { receivers, last } = await claim({ limit: 4, after })
    seen.push(...receivers)
    after = last ?? 0
  }
  assert.deepEqual(
    seen,
    ids.flatMap((id) => [id, id]),
    'each had its turn before any had a second',
  )
  assert.equal(after, 0)
  await forget()
})

test('what is not due, taken or of another kind is left', async () => {
  const id = await receiverWith(2, 'https://later.example/')
  assert.deepEqual((await claim({ channel: 'email' })).receivers, [])
  assert.deepEqual((await claim({ now: new Date(Date.now() - 60_000) })).receivers, [])
  assert.deepEqual((await claim()).receivers, [id, id])
  assert.deepEqual((await claim()).receivers, [])
  const { messages } = await claim({ now: new Date(Date.now() + 61_000) })
  assert.deepEqual(
    messages.map(({ attempts, claim: number }) => [attempts, number]),
    [
      [2, 2],
      [2, 2],
    ],
    'whoever had them is taken for dead',
  )
})
