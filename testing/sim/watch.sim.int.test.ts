import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { postgresStore } from './postgres-store.ts'
import { simulateWatch } from './watch.sim.ts'

const { database } = await createTestDatabase()

/** SQL has ways of its own to be wrong: `least(null, block)` once turned "not known" into a fact. */
const SEEDS = 12

for (let seed = 1; seed <= SEEDS; seed += 1)
  test(`seed ${seed} on PostgreSQL: nothing lost, nothing twice`, async () => {
    await simulateWatch(seed, {
      blocks: 60,
      openStore: async (time) => postgresStore({ database, now: time.now }, 1_000_000 + seed),
    })
  })
