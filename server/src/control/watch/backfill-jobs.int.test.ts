/** Which backfill jobs are found when a chain has more than are read at once: real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { sql } from '../../platform/sql.ts'
import { getJobs } from './backfill-jobs.ts'

const { database } = await createTestDatabase()

test('jobs that wait for their second read hold up neither unread jobs nor gaps', async () => {
  await database.query(
    sql`insert into backfill_job (chain_id, scope, addresses, from_block, to_block, next_block, phase, announce)
     select 1, 'contracts', '{}', 0, 9, 0, case when n <= 250 then 'verify' else 'read' end, false
       from generate_series(1, 260) as n`,
  )
  await database.query(
    sql`insert into backfill_job (chain_id, scope, addresses, from_block, to_block, next_block, phase, announce)
     values (1, 'gap', '{}', 0, 9, 0, 'read', true)`,
  )
  const jobs = await getJobs(database, 1)
  assert.equal(jobs[0]?.scope, 'gap')
  assert.deepEqual(
    jobs.slice(1, 12).map(({ phase }) => phase),
    [...Array<string>(10).fill('read'), 'verify'],
  )
})
