import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { sql } from '../../platform/sql.ts'

test('an index finds the events of a transaction in every partition', async () => {
  const { database } = await createTestDatabase()
  const client = await database.connect()
  try {
    // PostgreSQL scans a small table. This test is about large ones.
    await client.query(sql`set enable_seqscan = off`)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      sql`explain select address from control_event where tx_hash = '\\x12' order by log_index limit 50`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /Bitmap Index Scan on control_event_2026_tx_hash_idx/)
    assert.doesNotMatch(plan, /Seq Scan/)
  } finally {
    client.release(true)
  }
})
