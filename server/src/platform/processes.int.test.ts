/** Processes report their roles; a role without a process is noticed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog } from '../../../testing/support/log.ts'
import { freePort } from '../../../testing/support/port.ts'
import { eventually } from '../../../testing/support/receivers.ts'
import { AUTH_SECRET } from '../../../testing/support/service.ts'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { parseConfig } from '../config/config.ts'
import type { Fault } from '../lib/health.ts'
import { createMetrics } from '../lib/metrics.ts'
import { start } from '../main.ts'
import { checkProcesses } from './checks/check-processes.ts'
import {
  describeMissingRole,
  getProcesses,
  measureRoles,
  neededRoles,
  reportProcess,
  statusOfRoles,
} from './processes.ts'
import { sql } from './sql.ts'

const { database, url } = await createTestDatabase()
const config = parseConfig(
  {
    DATABASE_URL: url,
    AUTH_SECRET,
    DATA_DIR: temporaryFolder(),
    ROLES: 'deliver',
    ETHEREUM_RPC_URL: `http://127.0.0.1:${await freePort()}`,
  },
  '/',
)
const statusOf = async (role: string) => {
  const statuses = statusOfRoles(neededRoles(config), await getProcesses(database))
  return statuses.find((status) => status.role === role) ?? assert.fail(role)
}

test('a role is missing before its first process starts and after its last one has stopped or vanished', async () => {
  assert.deepEqual(neededRoles(config), ['serve', 'watch', 'poll', 'deliver'])
  assert.equal(describeMissingRole(await statusOf('deliver'), 0), 'no process delivers alerts, and none ever did')

  const metrics = createMetrics()
  measureRoles(metrics, database, neededRoles(config))
  const running = await start({ config, log: testLog })
  const { processes } = await eventually(async () => {
    const status = await statusOf('deliver')
    return status.processes.length === 1 ? status : undefined
  })
  assert.deepEqual([processes[0]?.pid, processes[0]?.roles], [process.pid, ['deliver']])
  const gauge = (await metrics.getSingleMetric('gatewatch_role_processes')?.get())?.values
  assert.deepEqual(
    gauge?.map(({ labels, value }) => [labels.role, value]),
    [
      ['serve', 0],
      ['watch', 0],
      ['poll', 0],
      ['deliver', 1],
    ],
  )
  const checks = await checkProcesses(database, config)
  assert.deepEqual(
    checks.map(({ about, status }) => [about, status]),
    [
      ['role serve', 'failed'],
      ['role watch', 'failed'],
      ['role poll', 'failed'],
      ['role deliver', 'ok'],
    ],
  )

  await running.stop()
  const { lastSeenAt } = await statusOf('deliver')
  assert.equal(
    describeMissingRole(await statusOf('deliver'), (lastSeenAt?.getTime() ?? 0) + 70_000),
    `no process delivers alerts since ${lastSeenAt?.toISOString()} (70 s)`,
  )
  // A process that was killed stops reporting.
  await database.query(sql`update process set stopped_at = null, seen_at = now() - interval '70 seconds'`)
  assert.match(describeMissingRole(await statusOf('deliver'), Date.now()) ?? '', /^no process delivers alerts since /)
})

test('a process reports its faults until they are over', async () => {
  let faults: readonly Fault[] = [{ part: 'ethereum watch', reason: 'no_endpoint', since: Date.UTC(2026, 0, 1) }]
  const timing = { now: Date.now, sleep: () => new Promise<void>((resolve) => void setTimeout(resolve, 20)) }
  const reporting = reportProcess({ database, log: testLog, roles: ['watch'], findFaults: async () => faults, timing })
  const warned = async () => (await checkProcesses(database, config)).filter(({ status }) => status === 'warning')
  const [warning] = await eventually(async () => ((await warned()).length > 0 ? await warned() : undefined))
  assert.match(warning?.seen ?? '', /^ethereum watch does not work since 2026-01-01T00:00:00\.000Z \(no_endpoint\)\.$/)
  faults = []
  await eventually(async () => ((await warned()).length === 0 ? true : undefined))
  await reporting.stop()
})
