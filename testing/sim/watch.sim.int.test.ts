import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { postgresStore } from './postgres-store.ts'
import { simulateWatch } from './watch.sim.ts'

const { database } = await createTestDatabase()

/** Runs seeds on PostgreSQL, because SQL has its own errors: `least(null, block)` once turned an unknown into a value. */
const SEEDS = 12

for (let seed = 1; seed <= SEEDS; seed += 1)
  test(`seed ${seed} on PostgreSQL: no event lost or duplicated`, async () => {
    await simulateWatch(seed, {
      blocks: 60,
      openStore: async (time) => postgresStore({ database, now: time.now }, 1_000_000 + seed),
    })
  })
