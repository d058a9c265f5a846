/**
 * `npm run bench -- soak [--minutes 30 --seed 1]`: everything at once on the demo's chains while nodes err, chains
 * reorganize, the receiver of alerts fails and the service is killed.
 *
 * The first third has the kills; then one process lives to the end, so that its memory can be looked at. At the end
 * all is healed, and every book must agree with every other. Ends with a code where anything differs; told to stop
 * before that (Ctrl-C, SIGTERM), it leaves nothing behind.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createComponents } from '../../demo/components.ts'
import { areAllPolled } from '../../demo/database.ts'
import { subscribeTo } from '../../demo/subscriptions.ts'
import { installAnvil } from '../../scripts/anvil.mjs'
import { createLogger } from '../../server/src/lib/log.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { MISSED_LIMIT, report, reportVersions } from '../../testing/report/result.ts'
import { anvilVersion, postgresVersion } from '../../testing/report/versions.ts'
import { freePort } from '../../testing/support/port.ts'
import { AUTH_SECRET } from '../../testing/support/service.ts'
import { startCrowd } from './callers.ts'
import { isExpectedAnswer } from './explain.ts'
import { causeFaults } from './faults.ts'
import { toldIn } from './log-lines.ts'
import { judgeMemory, memoryLine } from './memory.ts'
import { compareAlerts } from './reconcile-alerts.ts'
import { compareEvents } from './reconcile-events.ts'
import { compareTraffic } from './reconcile-traffic.ts'
import { startService } from './service.ts'
import { settle, verifyIndex } from './settle.ts'
import { CONFIRMATIONS, openWorld } from './world.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
})
const [wholeMs, seed] = [Number(values.minutes) * 60_000, Number(values.seed)]
const killingMs = wholeMs / 3
/** One in two minutes, and at least two. */
const kills = Math.max(2, Math.round(killingMs / 120_000))
/** What memory may have grown by at the end. */
const MEMORY_TOLERANCE = 1.1

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-soak-'))
const begunAt = performance.now()
const secondOf = (at: number): string => ((at - begunAt) / 1_000).toFixed(0)
const say = (text: string) => console.log(`${secondOf(performance.now()).padStart(5)} s  ${text}`)

const log = createLogger({ level: 'warn' })
const components = createComponents(log)
let opening: Promise<unknown> | undefined
const leave = async () => {
  await components.stop()
  await opening?.catch(() => undefined) // without its components it fails, and stops what came meanwhile
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (components.isStopping()) return // a Ctrl-C reaches us twice, from the terminal and through npm
    say(`${signal}: cut short`)
    void leave().finally(() => process.exit(128 + constants.signals[signal]))
  })

try {
  installAnvil()
  const opened = openWorld({ folder, log, components })
  opening = opened
  const world = await opened
  const { database, evm, litecoin, nodes } = world
  reportVersions({ PostgreSQL: await postgresVersion(database) })
  for (const { chain } of evm.chains.slice(0, 1)) reportVersions({ anvil: await anvilVersion(chain) })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const rpcOf = Object.fromEntries(
    nodes.map(({ name, endpoints }) => [
      `${name.toUpperCase()}_RPC_URL`,
      endpoints.map((proxy) => proxy.url).join(','),
    ]),
  )
  const chainSettings = Object.fromEntries(
    evm.chains.flatMap(({ slug }) => [
      [`${slug.toUpperCase()}_START_BLOCK`, '0'],
      [`${slug.toUpperCase()}_CONFIRMATIONS`, String(CONFIRMATIONS)],
    ]),
  )
  const env = {
    ...rpcOf,
    ...chainSettings,
    PORT: port,
    DATABASE_URL: world.databaseUrl,
    DATA_DIR: join(folder, 'data'),
    AUTH_SECRET,
    SLOT_POLL_SECONDS: '20',
    ALERT_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  }
  const service = await startService(components, { url, env, cwd: folder })
  while (!(await areAllPolled(database, evm.chains))) await pause(100)
  await subscribeTo(database, world.receiver.accountId, evm.known)
  const { rows } = await database.query<{ last: number }>(sql`select coalesce(max(id), 0) as last from control_event`)
  litecoin?.live()
  evm.live()
  say(`the chains have their past${litecoin === undefined ? '; without Litecoin, which is not installed' : ''}`)

  const over = new AbortController()
  const faulting = causeFaults(world, { seed, signal: over.signal, say })
  faulting.catch(() => undefined) // told where it is waited for; before that something else has failed
  const mortal = await startCrowd(url, database, world)
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(killingMs / kills)
    say(`kill ${kill} of ${kills}`)
    await service.kill()
  }
  await mortal.stop()
  const steady = await startCrowd(url, database, world)
  await pause(wholeMs - killingMs)
  over.abort()
  const faults = await faulting
  await steady.stop()
  say('calm')

  await settle(world)
  say('settled; the books are compared')
  const indexes = []
  for (const chain of ['btc', ...(litecoin === undefined ? [] : ['ltc'])])
    indexes.push({ chain, ...(await verifyIndex(components, chain, env, folder)) })
  const memory = service.memory()
  await service.stop()
  const traffic = await compareTraffic(database, [mortal, steady], service.outages)
  const events = await compareEvents(world, env, folder)
  const alerts = await compareAlerts(world, rows[0]?.last ?? 0)

  const proxied = nodes.flatMap(({ name, endpoints }) => endpoints.map(({ url }) => [new URL(url).host, name] as const))
  const told = toldIn(service.lines(), { faults, nodes: new Map(proxied) })
  for (const { message, times, because, at } of told)
    console.log(
      `log    ${times} × ${message} (${because ?? `UNEXPLAINED, first at ${at === undefined ? '?' : secondOf(at)} s`})`,
    )
  const asked = [...mortal.asked, ...steady.asked]
  const isDuringOutage = ({ startedAt, endedAt }: (typeof asked)[number]) =>
    service.outages.some(({ from, to }) => endedAt >= from && startedAt <= to)
  const known = { faults, greedy: [mortal.greedy, steady.greedy] }
  const wrong = asked.filter((each) =>
    each.status === undefined ? !isDuringOutage(each) : !isExpectedAnswer({ ...each, status: each.status }, known),
  )
  for (const { path, status, fault, endedAt } of wrong.slice(0, 10))
    console.log(`answer ${path}: ${status ?? fault}, ${secondOf(endedAt)} s`)
  const differing = [
    ...traffic.faults,
    ...events.faults,
    ...alerts.faults,
    ...indexes.flatMap(({ chain, isSame, said }) => (isSame ? [] : [`${chain}: ${said}`])),
  ]
  for (const fault of differing) console.log(`DIFFERS ${fault}`)
  for (const { chain, said } of indexes) console.log(`verify ${chain}: ${said}`)
  const kinds = Map.groupBy(faults, ({ part, kind }) => `${part} ${kind}`)
  console.log(`faults ${[...kinds].map(([name, all]) => `${name} ${all.length}`).join(', ')}`)
  console.log(`memory ${memoryLine(memory)} MB, about one a minute`)

  const verdict = judgeMemory(memory)
  const results = [
    {
      name: 'differences between books',
      value: differing.length,
      unit: 'differences',
      atMost: 0,
      peer: `${events.events} events read anew; ${indexes.length} indexes and their nodes; ${traffic.logged} logged requests of ${mortal.keys.length + steady.keys.length} keys, ${traffic.exact} of them to the last request; ${alerts.deliveries} deliveries`,
    },
    {
      name: 'lines of the log at warning or above without a cause',
      value: told.filter(({ because }) => because === undefined).length,
      unit: 'kinds of lines',
      atMost: 0,
      peer: `${kills} kills, ${faults.length} other faults in ${values.minutes} minutes`,
    },
    {
      name: 'requests with an answer that nothing explains',
      value: wrong.length,
      unit: 'requests',
      atMost: 0,
      peer: `${asked.length} requests`,
    },
    ...(verdict === undefined
      ? []
      : [
          {
            name: 'memory at the end',
            value: verdict.ratio,
            unit: 'of its level after warm-up',
            atMost: MEMORY_TOLERANCE,
            peer: `${(verdict.warm / 2 ** 20).toFixed(0)} MB after warm-up`,
          },
        ]),
  ]
  process.exitCode = results.map(report).every((held) => held) ? 0 : MISSED_LIMIT
} catch (error) {
  // Before the components are stopped: what keeps them from it may be the fault. Where they are, this is only their end.
  if (!components.isStopping()) console.error(error)
  process.exitCode = 1
} finally {
  await leave()
}
