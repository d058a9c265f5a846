import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { IN_ONE_WORLD, simulateAlerts } from './alerts.sim.ts'

const { database } = await createTestDatabase()
const SEEDS = 200

test(`${SEEDS} seeds of failing receivers and dying workers: everything due arrives, every record is true`, async () => {
  const total = { deliveries: 0, tries: 0, kills: 0, retractions: 0 }
  for (let seed = 1; seed <= SEEDS; seed += IN_ONE_WORLD) {
    const seeds = Array.from({ length: IN_ONE_WORLD }, (_, n) => seed + n)
    const news = await simulateAlerts(database, seeds)
    for (const figure of Object.keys(total) as (keyof typeof total)[]) total[figure] += news[figure]
  }
  // A simulation in which nothing happens proves nothing.
  assert.ok(total.deliveries > 5 * SEEDS && total.kills > SEEDS / 10 && total.retractions > 20, JSON.stringify(total))
})
