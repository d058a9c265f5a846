import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startService } from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'
import { getChainDays, recordMinute } from './chain-days.ts'

const store = await createTestDatabase()
const { database } = store

/** Moves all records back, as if this time had passed. */
const pass = (interval: string) =>
  database.query(
    sql`update chain_day set last_minute = last_minute - $1::interval,
       day = ((last_minute - $1::interval) at time zone 'utc')::date`,
    [interval],
  )

test('each minute counts once, whatever the number of processes, and old days are deleted', async () => {
  await Promise.all([1, 2, 3].map(() => recordMinute(database, new Map([['base', true]]))))
  assert.deepEqual(await countsOf('base'), [[1, 1]])
  await database.query(sql`update chain_day set last_minute = last_minute - interval '1 minute'`)
  await recordMinute(database, new Map([['base', false]]))
  await recordMinute(database, new Map([['base', true]]))
  assert.deepEqual(await countsOf('base'), [[2, 1]], 'the first record of a minute counts')

  await pass('2 days')
  await recordMinute(database, new Map([['base', true]]))
  assert.deepEqual(await countsOf('base'), [
    [2, 1],
    [1, 1],
  ])
  await pass('89 days')
  await recordMinute(database, new Map([['base', true]]))
  assert.equal((await countsOf('base')).length, 2, 'the first day is 91 days old')
  assert.deepEqual(await getChainDays(database, ['ethereum', 'base']), [
    { chain: 'ethereum', days: [] },
    (await getChainDays(database, ['base']))[0],
  ])
})

async function countsOf(chain: string): Promise<readonly (readonly number[])[]> {
  const [found] = await getChainDays(database, [chain])
  return (found?.days ?? []).map(({ recordedMinutes, upToDateMinutes }) => [recordedMinutes, upToDateMinutes])
}

test('the history has the chains of this service and nothing that was not recorded', async () => {
  await recordMinute(database, new Map([['polygon', true]]))
  const { url } = await startService(store, { env: { ETHEREUM_RPC_URL: 'http://127.0.0.1:9/' } })
  const answer = await fetch(`${url}/public/status/history`)
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), { data: [{ chain: 'ethereum', days: [] }] })
})
