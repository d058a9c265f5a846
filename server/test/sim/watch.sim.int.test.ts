import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { postgresStore } from './postgres-store.ts'
import { simulateWatch } from './watch.sim.ts'

const { database } = await createTestDatabase()

/** Seed 4 found `least(null, block)` turning "not known" into a fact. */
const SEEDS = 12

for (let seed = 1; seed <= SEEDS; seed += 1)
  test(`seed ${seed} on PostgreSQL: nothing lost, nothing twice`, async () => {
    await simulateWatch(seed, {
      blocks: 60,
      openStore: async (time) => postgresStore({ database, now: time.now }, 1_000_000 + seed),
    })
  })
