import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { simulateAlerts } from './alerts.sim.ts'

const { database } = await createTestDatabase()
const SEEDS = 60
const traces: string[] = []

test(`${SEEDS} seeds of failing receivers and dying workers: every due delivery arrives and is recorded`, async () => {
  const total = { deliveries: 0, tries: 0, kills: 0, retractions: 0 }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { trace, ...news } = await simulateAlerts(database, seed)
    traces.push(trace)
    for (const figure of Object.keys(total) as (keyof typeof total)[]) total[figure] += news[figure]
  }
  // The simulation must contain deliveries, kills and retractions.
  assert.ok(
    total.deliveries > 5 * SEEDS && total.kills > SEEDS / 2 && total.retractions > SEEDS / 10,
    JSON.stringify(total),
  )
})

test('a seed gives the same run alone and among others', async () => {
  for (const seed of [2, 37, SEEDS]) assert.equal((await simulateAlerts(database, seed)).trace, traces[seed - 1])
})
