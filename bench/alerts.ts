/**
 * How fast due alerts go out, what a receiver that stands still costs the others, and how long an event takes from its
 * block to a webhook.
 *
 *     npm run bench:alerts
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createLine } from '../server/src/control/alerts/delivery-line.ts'
import { runDeliver } from '../server/src/control/alerts/run-deliver.ts'
import { LINE_KINDS, preparations } from '../server/src/control/alerts/senders.ts'
import { systemTiming } from '../server/src/control/node/timing.ts'
import { saveContract } from '../server/src/control/store/contracts.ts'
import { createMetrics } from '../server/src/lib/metrics.ts'
import type { Database } from '../server/src/platform/database.ts'
import { anvilForTests, anvilMissing } from '../server/test/chain/anvil.ts'
import { evmOf } from '../server/test/chain/evm.ts'
import { artifact } from '../server/test/chain/story.ts'
import { caughtUp, startWatching } from '../server/test/chain/watching.ts'
import { addressOf, hooked, publish, subscribed, upgradeOf } from '../server/test/support/alerts.ts'
import { createTestDatabase } from '../server/test/support/database.ts'
import { testLog } from '../server/test/support/log.ts'

const DUE = 10_000
const ACCOUNTS = 50
const LEAST_A_SECOND = 500
const WORST_MS = 2_000
const BLOCKS = 100

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  after(() => server.closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** `DUE` messages to one receiver, and as many again to one that stands still where asked; seconds until all arrived. */
async function drain(database: Database, stuckUrl?: string): Promise<number> {
  let arrived = 0
  let haveArrived = () => {}
  const all = new Promise<void>((resolve) => {
    haveArrived = resolve
  })
  const url = await listen((request, response) => {
    request.resume().on('end', () => {
      arrived += 1
      response.writeHead(204).end()
      if (arrived === DUE) haveArrived()
    })
  })
  const contract = addressOf(arrived + Math.floor(Math.random() * 1e9))
  for (let n = 0; n < ACCOUNTS; n++) await subscribed(database, await hooked(database, url), contract)
  if (stuckUrl !== undefined)
    for (let n = 0; n < ACCOUNTS; n++) await subscribed(database, await hooked(database, stuckUrl), contract)
  for (let n = 0; n < DUE / ACCOUNTS; n++) await publish(database, [upgradeOf(contract)])
  const deps = {
    database,
    publicUrl: 'https://gatewatch.example',
    clock: systemTiming,
    timing: systemTiming,
    mailer: undefined,
    telegram: undefined,
    outbound: { allowPrivate: true },
  }
  const line = createLine(
    { ...deps, chance: Math.random, log: testLog, prepare: preparations(deps).webhook },
    LINE_KINDS.webhook,
  )
  const stop = new AbortController()
  const begun = performance.now()
  const running = line.run(stop.signal)
  await all
  const seconds = (performance.now() - begun) / 1_000
  stop.abort()
  void running
  await database.query('update alert_message set next_at = null, claim = null where next_at is not null')
  return seconds
}

const { database, url: databaseUrl } = await createTestDatabase()

await test('draining', async () => {
  const stuck = await listen(() => undefined) // accepts, and never answers
  const alone = await drain(database)
  console.log(
    `${DUE} due deliveries to one receiver: ${(DUE / alone).toFixed(0)} a second (at least ${LEAST_A_SECOND})`,
  )
  const beside = await drain(database, stuck)
  console.log(
    `the same beside ${DUE} to a receiver that stands still: ${(DUE / beside).toFixed(0)} a second, ${(beside / alone).toFixed(2)} of the time alone`,
  )
  if (DUE / alone < LEAST_A_SECOND || DUE / beside < LEAST_A_SECOND) process.exitCode = 1
})

await test('from block to webhook', { skip: anvilMissing }, async () => {
  const times: number[] = []
  let minedAt = 0
  let arrived = () => {}
  const url = await listen((request, response) => {
    request.resume().on('end', () => {
      times.push(performance.now() - minedAt)
      response.writeHead(204).end()
      arrived()
    })
  })
  const node = await anvilForTests(1)
  const evm = await evmOf(node)
  const spammer = await evm.deploy(artifact('Spammer'))
  await saveContract(database, { chainId: 1, address: spammer.address })
  await subscribed(database, await hooked(database, url), spammer.address)
  const watching = startWatching(database, [node], { pollMs: 500 })
  await caughtUp(database, node)
  const delivering = await runDeliver({
    database,
    databaseUrl,
    publicUrl: 'https://gatewatch.example',
    clock: systemTiming,
    log: testLog,
    metrics: createMetrics(),
    mailer: undefined,
    telegram: undefined,
    outbound: { allowPrivate: true },
  })
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
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0)
  console.log(`block to webhook over ${BLOCKS} blocks: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (at most ${WORST_MS})`)
  if (Number(at(0.99)) > WORST_MS) process.exitCode = 1
})
