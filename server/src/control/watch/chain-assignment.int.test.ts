import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { systemTiming } from '../../lib/clock.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { CHAINS } from '../chains/chains.ts'
import { type Watching, watchChains } from './watch-chains.ts'

const { database } = await createTestDatabase()
const catalog = buildCatalog(catalogRows)
/** Sleeps a tenth of the time. Leases still expire by the clock of the database. */
const timing = { ...systemTiming, sleep: (ms: number, signal?: AbortSignal) => systemTiming.sleep(ms / 10, signal) }
/** No endpoint listens there: the assignment of chains does not depend on endpoints. */
const nowhere = `http://127.0.0.1:${await freePort()}`

function start(isTemporary = false): Watching {
  const watching = watchChains(
    { database, log: testLog, catalog, timing, isTemporary },
    CHAINS.map((chain) => ({ chain, rpcUrls: [nowhere] })),
  )
  after(watching.stop)
  return watching
}

const held = (watching: Watching): number => [...watching.status().values()].filter((one) => one.holdsLease).length

async function until(...expected: readonly (readonly [Watching, number])[]): Promise<void> {
  while (!expected.every(([watching, count]) => held(watching) === count)) await systemTiming.sleep(10)
}

test('processes balance the chains, and the others take over from one that stops', { timeout: 60_000 }, async () => {
  const first = start()
  await until([first, 6])
  const second = start()
  await until([first, 3], [second, 3])
  // The counts are even, so no chain moves any more.
  const before = [...first.status()].filter(([, status]) => status.holdsLease).map(([slug]) => slug)
  await systemTiming.sleep(1_500) // several balancing rounds of each
  assert.deepEqual(
    before,
    [...first.status()].filter(([, status]) => status.holdsLease).map(([slug]) => slug),
  )
  const third = start()
  await until([first, 2], [second, 2], [third, 2])
  await second.stop()
  await until([first, 3], [third, 3])
  await Promise.all([first.stop(), third.stop()])
})

test('a temporary process watches a free chain and releases it to a permanent one', { timeout: 60_000 }, async () => {
  const temporary = start(true)
  await until([temporary, 6])
  const permanent = start()
  await until([temporary, 0], [permanent, 6])
})
