/** Detaches and attaches partitions with the SQL of docs/operations.md. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chainOf } from '../../../../testing/evm/watching.ts'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { looseSql } from '../../../../testing/support/loose-sql.ts'
import { REPOSITORY } from '../../../../testing/support/service.ts'
import { systemClock } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { type ContractRef, saveContract } from '../registry/contracts.ts'
import { findContractView } from '../views/contract-view.ts'
import { createProtocolViews } from '../views/prepared-protocols.ts'
import { deleteEventsAbove } from './events.ts'
import { getEvents } from './feed.ts'

const { database } = await createTestDatabase()
const ref = { chainId: 1, address: hexOf(0xa1, 20) } satisfies ContractRef
const old = { chainId: 1, address: hexOf(0xa2, 20) } satisfies ContractRef
await saveContract(database, ref, { protocol: 'Example' })
await saveContract(database, old, { protocol: 'Example' })
const OLD = Date.parse('2020-05-05T00:00:00Z')
for (let n = 0; n < 3; n++) {
  await storeEvent(database, ref, { blockTime: OLD + n * 1_000 })
  await storeEvent(database, old, { blockTime: OLD + n * 1_000 })
}
const recent = await storeEvent(database, ref, { key: 'pause.paused', category: 'pause' })

/** Returns the statements under a heading of the page. */
function sqlUnder(heading: string): string {
  const page = readFileSync(join(REPOSITORY, 'docs', 'operations.md'), 'utf8')
  const [, sql] = new RegExp(`### ${heading}\\n[\\s\\S]*?\`\`\`sql\\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  assert.ok(sql !== undefined, `docs/operations.md has no SQL under ${heading}`)
  return sql
}

const feed = () => getEvents(database, { includeInit: true }, { limit: 50 })
const contract = ({ address }: ContractRef) =>
  findContractView({ database, clock: systemClock }, { chain: chainOf(1), address })
const protocols = createProtocolViews({ database, clock: systemClock })
const protocol = async () => JSON.parse(String((await protocols.find('example'))?.body)).data
const countsOf = async (asked: ContractRef) =>
  Object.fromEntries((await contract(asked))?.counts.map(({ eventKey, total }) => [eventKey, total]) ?? [])

test('after a year is detached the feed, the views and the counts leave it out', async () => {
  assert.equal((await feed()).length, 7)
  assert.equal((await protocol()).recentEvents.length, 7)
  await database.query(looseSql(sqlUnder('Detaching a year of events')))
  assert.deepEqual(
    (await feed()).map(({ eventKey }) => eventKey),
    ['pause.paused'],
  )
  assert.deepEqual(await countsOf(ref), { 'pause.paused': 1 })
  assert.deepEqual(await countsOf(old), {}, 'registered, without events')
  const { contracts, recentEvents } = await protocol()
  assert.deepEqual(
    contracts.map(({ lastEventKey }: { lastEventKey: string }) => lastEventKey),
    ['pause.paused', null],
  )
  assert.equal(recentEvents.length, 1)
  const { rows } = await database.query(sql`select count(*) from control_event_2020_kept`)
  assert.equal(rows[0].count, 6, 'the detached partition can still be dumped')
})

test('events of a detached year can be stored, counted and retracted again', async () => {
  await storeEvent(database, old, { blockNumber: 1, blockTime: OLD })
  assert.deepEqual(await countsOf(old), { 'proxy.upgraded': 1 })
  await deleteEventsAbove(database, 1, { number: 0, time: OLD - 1_000 })
  assert.deepEqual(await countsOf(old), {})
  assert.equal((await feed()).length, 0)
  await storeEvent(database, ref, { ...recent, blockNumber: recent.blockNumber + 1 })
})

test('an attached year is in the feed and in the counts again', async () => {
  await database.query(looseSql(sqlUnder('Attaching it again')))
  assert.equal((await feed()).length, 7)
  assert.deepEqual(await countsOf(old), { 'proxy.upgraded': 3 })
})

test('a year without a partition does not affect the others', async () => {
  await database.query(sql`drop table control_event_2021`)
  assert.equal((await feed()).length, 7)
  assert.equal((await getEvents(database, { address: old.address, includeInit: false }, { limit: 2 })).length, 2)
})
