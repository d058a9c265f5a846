/**
 * Measures the throughput of due alerts, the cost of a receiver that never responds for the others, and the time from an
 * event's block to its webhook, also where the alert does not wait for confirmations.
 *
 *     npm run bench -- alerts
 *
 * Both runs store the same rows; in the run with one receiver, the messages to the other are already settled. The
 * receivers run in this process, so the figures are for one core that sends and receives.
 */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAlertQueue } from '../server/src/control/alerts/alert-queue.ts'
import { runDeliver } from '../server/src/control/alerts/run-deliver.ts'
import { saveContract } from '../server/src/control/registry/contracts.ts'
import { systemTiming } from '../server/src/lib/clock.ts'
import { createMetrics } from '../server/src/lib/metrics.ts'
import { sql } from '../server/src/platform/sql.ts'
import { anvilForTests, anvilMissing } from '../testing/evm/anvil.ts'
import { evmOf } from '../testing/evm/evm.ts'
import { artifact } from '../testing/evm/scenario.ts'
import { caughtUp, startWatching } from '../testing/evm/watching.ts'
import { report, reportUnmeasured, reportVersions } from '../testing/report/result.ts'
import { anvilVersion, postgresVersion } from '../testing/report/versions.ts'
import { accountWithWebhook, addressOf, publish, subscribe, upgradeOf } from '../testing/support/alerts.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { testLog } from '../testing/support/log.ts'
import { medianOf } from './median.ts'

const DUE = 10_000
const ACCOUNTS = 50
const LEAST_A_SECOND = 500
/** Deletes the rows of the previous run. */
const MOST_OF_THE_TIME = 1.1
const ROUNDS = 3
const WORST_MS = 2_000
const WORST_AT_HEAD_MS = 1_000
const HEAD_CONFIRMATIONS = 2
const BLOCKS = 100

type Receiver = { readonly url: string; readonly close: () => void }

async function listen(handler: RequestListener): Promise<Receiver> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const deps = {
  publicUrl: 'https://gatewatch.example',
  clock: systemTiming,
  mailer: undefined,
  telegram: undefined,
  outbound: { allowPrivate: true },
  log: testLog,
}

const { database } = await createTestDatabase()

/** Sends `DUE` messages to one receiver, next to as many for one that never responds; returns the seconds until all arrived. */
async function drain({ isBusy }: { readonly isBusy: boolean }): Promise<number> {
  let arrived = 0
  let haveArrived = () => {}
  const all = new Promise<void>((resolve) => {
    haveArrived = resolve
  })
  const good = await listen((request, response) => {
    request.resume().on('end', () => {
      arrived += 1
      response.writeHead(204).end()
      if (arrived === DUE) haveArrived()
    })
  })
  const stuck = await listen(() => undefined)
  const contract = addressOf(Math.floor(Math.random() * 1e9))
  for (const { url } of [stuck, good])
    for (let n = 0; n < ACCOUNTS; n++) await subscribe(database, await accountWithWebhook(database, url), contract)
  for (let n = 0; n < DUE / ACCOUNTS; n++) await publish(database, [upgradeOf(contract)])
  if (!isBusy)
    await database.query(
      sql`update alert_message m set next_at = null, status = 'cancelled' from alert_channel c
       where c.id = m.channel_id and c.target = $1`,
      [stuck.url],
    )
  await database.query(sql`vacuum analyze`)
  const queue = createAlertQueue({ ...deps, database, timing: systemTiming, random: Math.random }, 'webhook')
  const stop = new AbortController()
  const begun = performance.now()
  const running = queue.run(stop.signal)
  await all
  const seconds = (performance.now() - begun) / 1_000
  stop.abort()
  for (const receiver of [stuck, good]) receiver.close()
  await running
  await database.query(sql`update alert_message set next_at = null, claim = null where next_at is not null`)
  return seconds
}

async function measureDraining(): Promise<void> {
  const [alone, busy]: [number[], number[]] = [[], []]
  // Alternating, so that other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await drain({ isBusy: false }))
    busy.push(await drain({ isBusy: true }))
  }
  const [one, other] = [medianOf(alone), medianOf(busy)]
  const perSecond = { unit: 'deliveries a second', atLeast: LEAST_A_SECOND }
  report({ name: `${DUE} due deliveries to one receiver`, value: DUE / one, ...perSecond })
  report({ name: 'the same next to as many for a receiver that never responds', value: DUE / other, ...perSecond })
  report({
    name: 'their time next to a receiver that never responds',
    value: other / one,
    unit: 'times the time alone',
    atMost: MOST_OF_THE_TIME,
  })
}

/** Measures from the block to the webhook. At head, the block has fewer confirmations than the chain requires. */
async function measureWay({ atHead }: { readonly atHead: boolean }): Promise<void> {
  // The chains of the two runs have nothing in common.
  const { database, url: databaseUrl } = await createTestDatabase()
  const times: number[] = []
  let minedAt = 0
  let arrived = () => {}
  const receiver = await listen((request, response) => {
    request.resume().on('end', () => {
      times.push(performance.now() - minedAt)
      response.writeHead(204).end()
      arrived()
    })
  })
  const node = await anvilForTests(1)
  reportVersions({ anvil: await anvilVersion(node) })
  const confirmations = atHead ? HEAD_CONFIRMATIONS : 0
  const evm = await evmOf(node)
  const spammer = await evm.deploy(artifact('Spammer'))
  await saveContract(database, { chainId: 1, address: spammer.address })
  await subscribe(database, await accountWithWebhook(database, receiver.url), spammer.address, { alertAt: 'head' })
  const watching = startWatching(database, [node], { pollMs: 500, confirmations })
  await caughtUp(database, node, confirmations)
  const delivering = await runDeliver({ ...deps, database, databaseUrl, metrics: createMetrics(), historyDays: 400 })
  for (let n = 0; n < BLOCKS; n++) {
    const received = new Promise<void>((resolve) => {
      arrived = resolve
    })
    await evm.send(spammer, 'spam', [1n, BigInt(n)])
    minedAt = performance.now()
    await received
  }
  await delivering.stop()
  await watching.stop()
  receiver.close()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  const way = atHead ? 'head to webhook' : 'block to webhook'
  const limit = atHead ? WORST_AT_HEAD_MS : WORST_MS
  report({ name: `${way} over ${BLOCKS} blocks, p50`, value: at(0.5), unit: 'ms' })
  report({ name: `${way} over ${BLOCKS} blocks, p99`, value: at(0.99), unit: 'ms', atMost: limit })
}

// One test, because the database is deleted after the first.
await test('alerts', async () => {
  reportVersions({ PostgreSQL: await postgresVersion(database) })
  await measureDraining()
  for (const atHead of [false, true])
    if (anvilMissing === false) await measureWay({ atHead })
    else
      reportUnmeasured({ name: `${atHead ? 'head' : 'block'} to webhook over ${BLOCKS} blocks`, reason: anvilMissing })
})
