/**
 * `npm run bench -- soak [--minutes 30 --seed 1]`: runs the service under load on the demo's chains while nodes fail,
 * chains reorganize, the alert receiver fails and the service is killed.
 *
 * The kills are in the first third; then one process runs to the end, so that its memory can be measured. At the end
 * the faults stop and all records must agree; otherwise the exit code is not 0. Ctrl-C or SIGTERM leaves no processes
 * or files behind.
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
import { startCallers } from './callers.ts'
import { isExpectedResponse } from './fault-windows.ts'
import { injectFaults } from './faults.ts'
import { summarizeLog } from './log-causes.ts'
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
/** One every two minutes, and at least two. */
const kills = Math.max(2, Math.round(killingMs / 120_000))
/** The highest allowed ratio of the memory at the end to the memory after warm-up. */
const MEMORY_TOLERANCE = 1.1

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-soak-'))
const begunAt = performance.now()
const secondOf = (at: number): string => ((at - begunAt) / 1_000).toFixed(0)
const print = (text: string) => console.log(`${secondOf(performance.now()).padStart(5)} s  ${text}`)

const log = createLogger({ level: 'warn' })
const components = createComponents(log)
let opening: Promise<unknown> | undefined
const cleanUp = async () => {
  await components.stop()
  await opening?.catch(() => undefined) // fails once its components are stopped
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (components.isStopping()) return // Ctrl-C arrives twice, from the terminal and through npm
    print(`${signal}: stopping`)
    void cleanUp().finally(() => process.exit(128 + constants.signals[signal]))
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
  print(`the chains have their history${litecoin === undefined ? '; Litecoin is not installed and left out' : ''}`)

  const over = new AbortController()
  const injecting = injectFaults(world, { seed, signal: over.signal, print })
  injecting.catch(() => undefined) // thrown again where it is awaited
  const duringKills = await startCallers(url, database, world)
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(killingMs / kills)
    print(`kill ${kill} of ${kills}`)
    await service.kill()
  }
  await duringKills.stop()
  const afterKills = await startCallers(url, database, world)
  await pause(wholeMs - killingMs)
  over.abort()
  const faults = await injecting
  await afterKills.stop()
  print('faults and load stopped')

  await settle(world)
  print('settled; comparing records')
  const indexes = []
  for (const chain of ['btc', ...(litecoin === undefined ? [] : ['ltc'])])
    indexes.push({ chain, ...(await verifyIndex(components, chain, env, folder)) })
  const memory = service.memory()
  await service.stop()
  const traffic = await compareTraffic(database, [duringKills, afterKills], service.outages)
  const events = await compareEvents(world, env, folder)
  const alerts = await compareAlerts(world, rows[0]?.last ?? 0)

  const proxied = nodes.flatMap(({ name, endpoints }) => endpoints.map(({ url }) => [new URL(url).host, name] as const))
  const logged = summarizeLog(service.lines(), { faults, nodes: new Map(proxied) })
  for (const { message, count, cause, at } of logged)
    console.log(
      `log    ${count} × ${message} (${cause ?? `UNEXPLAINED, first at ${at === undefined ? '?' : secondOf(at)} s`})`,
    )
  const sent = [...duringKills.sent, ...afterKills.sent]
  const isDuringOutage = ({ startedAt, endedAt }: (typeof sent)[number]) =>
    service.outages.some(({ from, to }) => endedAt >= from && startedAt <= to)
  const known = { faults, exceedingKeys: [duringKills.exceedingKey, afterKills.exceedingKey] }
  const unexpected = sent.filter((each) =>
    each.status === undefined ? !isDuringOutage(each) : !isExpectedResponse({ ...each, status: each.status }, known),
  )
  for (const { path, status, fault, endedAt } of unexpected.slice(0, 10))
    console.log(`response ${path}: ${status ?? fault}, ${secondOf(endedAt)} s`)
  const differing = [
    ...traffic.faults,
    ...events.faults,
    ...alerts.faults,
    ...indexes.flatMap(({ chain, isSame, printed }) => (isSame ? [] : [`${chain}: ${printed}`])),
  ]
  for (const fault of differing) console.log(`DIFFERS ${fault}`)
  for (const { chain, printed } of indexes) console.log(`verify ${chain}: ${printed}`)
  const kinds = Map.groupBy(faults, ({ part, kind }) => `${part} ${kind}`)
  console.log(`faults ${[...kinds].map(([name, all]) => `${name} ${all.length}`).join(', ')}`)
  console.log(`memory ${memoryLine(memory)} MB, about every minute`)

  const verdict = judgeMemory(memory)
  const results = [
    {
      name: 'differences between records',
      value: differing.length,
      unit: 'differences',
      atMost: 0,
      peer: `${events.events} events read again; ${indexes.length} indexes and their nodes; ${traffic.logged} logged requests of ${duringKills.keys.length + afterKills.keys.length} keys, ${traffic.exact} of them compared exactly; ${alerts.deliveries} deliveries`,
    },
    {
      name: 'log messages at level warn or above without a known cause',
      value: logged.filter(({ cause }) => cause === undefined).length,
      unit: 'messages',
      atMost: 0,
      peer: `${kills} kills, ${faults.length} other faults in ${values.minutes} minutes`,
    },
    {
      name: 'unexpected responses',
      value: unexpected.length,
      unit: 'requests',
      atMost: 0,
      peer: `${sent.length} requests`,
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
  // Printed before the components stop, because the error may keep them from stopping. An error while they stop is a
  // consequence of the stop.
  if (!components.isStopping()) console.error(error)
  process.exitCode = 1
} finally {
  await cleanUp()
}
