/** `npm run sim -- alerts`: as many seeds as one has patience for, on a database that goes afterwards. */
import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { type AlertsNews, IN_ONE_WORLD, simulateAlerts } from './alerts.sim.ts'

export async function runAlertsSimulation(from: number, seeds: number): Promise<void> {
  // As a test, because the database it needs is one of the tests' own and goes when they are over.
  const { database } = await createTestDatabase()
  await test(`alerts, seeds ${from} to ${from + seeds - 1}`, async () => {
    const news: AlertsNews[] = []
    for (let first = from; first < from + seeds; first += IN_ONE_WORLD) {
      const count = Math.min(IN_ONE_WORLD, from + seeds - first)
      news.push(
        await simulateAlerts(
          database,
          Array.from({ length: count }, (_, n) => first + n),
        ),
      )
    }
    const sum = (figure: keyof AlertsNews) => news.reduce((total, each) => total + each[figure], 0)
    console.log(
      `${seeds} seeds: ${sum('deliveries')} deliveries, ${sum('tries')} tries, ${sum('kills')} kills, ${sum('retractions')} retractions`,
    )
  })
}
