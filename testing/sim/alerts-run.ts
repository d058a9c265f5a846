/** Runs seeds of the alerts simulation on a temporary database. */
import { test } from 'node:test'
import { reasonOf } from '../../server/src/lib/errors.ts'
import { reportVersions } from '../report/result.ts'
import { postgresVersion } from '../report/versions.ts'
import { createTestDatabase } from '../support/database.ts'
import { type AlertsNews, simulateAlerts } from './alerts.sim.ts'

export async function runAlertsSimulation(from: number, seeds: number): Promise<void> {
  // As a test, because the test database is dropped after the tests of a file.
  const { database } = await createTestDatabase()
  await test(`alerts, seeds ${from} to ${from + seeds - 1}`, async () => {
    reportVersions({ PostgreSQL: await postgresVersion(database) })
    const news: AlertsNews[] = []
    for (let seed = from; seed < from + seeds; seed++) {
      try {
        news.push(await simulateAlerts(database, seed))
      } catch (error) {
        console.log(`seed ${seed} failed: ${reasonOf(error).slice(0, 2_000)}`)
      }
      if (news.length % 250 === 0) console.log(`${seed - from + 1} of ${seeds} seeds`)
    }
    const sum = (figure: 'deliveries' | 'tries' | 'kills' | 'retractions') =>
      news.reduce((total, each) => total + each[figure], 0)
    console.log(
      `${seeds} seeds: ${sum('deliveries')} deliveries, ${sum('tries')} tries, ${sum('kills')} kills, ${sum('retractions')} retractions; ${seeds - news.length} failed`,
    )
    if (seeds === 1) console.log(`trace ${news[0]?.trace}`)
    if (news.length < seeds) process.exitCode = 1
  })
}
