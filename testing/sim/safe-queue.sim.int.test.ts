import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { startSafeService } from '../support/safe-service.ts'
import { simulateSafeQueue } from './safe-queue.sim.ts'

const { database } = await createTestDatabase()
const SEEDS = 40

test(`${SEEDS} seeds of a Safe Transaction Service that hangs, lies, repeats or floods: nothing lost, nothing doubled`, async () => {
  const service = await startSafeService()
  // Reports are made at the last stored block.
  await database.query(
    sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values (1, 1, '\\x11', 0, 1)`,
  )
  await database.query(sql`insert into chain_block (chain_id, number, hash, time) values (1, 1, '\\x11', now())`)
  const total = { operations: 0, dropped: 0, failures: 0 }
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const news = await simulateSafeQueue({ database, service }, seed)
    for (const figure of Object.keys(total) as (keyof typeof total)[]) total[figure] += news[figure]
  }
  // The simulation must contain transactions, lies and failures.
  assert.ok(
    total.operations > 3 * SEEDS && total.dropped > 20 * SEEDS && total.failures > SEEDS / 2,
    JSON.stringify(total),
  )
})
