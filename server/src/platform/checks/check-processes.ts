/** Checks that every role of the service has a process, and what the processes report about themselves. */
import type { Config } from '../../config/config.ts'
import type { Queryable } from '../database.ts'
import { describeMissingRole, getProcesses, neededRoles, type RoleStatus, statusOfRoles } from '../processes.ts'
import { sql } from '../sql.ts'
import { type CheckResult, failed, passed, warning } from './check-result.ts'

export async function checkProcesses(
  database: Queryable,
  config: Pick<Config, 'evmChains' | 'coinChains' | 'demo'>,
): Promise<readonly CheckResult[]> {
  const { rows } = await database.query<{ made: boolean }>(sql`select to_regclass('process') is not null as made`)
  if (config.demo || rows[0]?.made !== true) return [] // the check of the schema reports it
  const processes = await getProcesses(database)
  const running = processes.filter(({ isRunning }) => isRunning)
  const faults = running.flatMap(({ host, pid, faults: found }) =>
    found.map(({ part, reason, since }) =>
      warning(
        `process ${pid} on ${host}`,
        `${part} does not work since ${new Date(since).toISOString()} (${reason}).`,
        'docs/errors.md explains the codes; the log of the process has the reason.',
      ),
    ),
  )
  const { rows: limits } = await database.query<{ most: number; open: number }>(
    sql`select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open`,
  )
  const [{ most, open } = { most: 0, open: 0 }] = limits
  const versions = [...new Set(running.map(({ version }) => version))]
  return [
    ...statusOfRoles(neededRoles(config), processes).map(checkRole),
    ...faults,
    ...(open > most * 0.8
      ? [
          warning(
            'database connections',
            `${open} of ${most} are open.`,
            'Raise max_connections of PostgreSQL, or lower DATABASE_CONNECTIONS.',
          ),
        ]
      : []),
    ...(versions.length > 1
      ? [
          warning(
            'versions',
            `Processes of ${versions.join(' and ')} run.`,
            'Finish the upgrade: replace the older ones.',
          ),
        ]
      : []),
  ]
}

function checkRole(status: RoleStatus): CheckResult {
  const about = `role ${status.role}`
  const missing = describeMissingRole(status, Date.now())
  if (missing !== undefined)
    return failed(
      about,
      `${missing[0]?.toUpperCase()}${missing.slice(1)}.`,
      `Start a process with ROLES=${status.role}.`,
    )
  const names = status.processes.map(({ pid, host, version }) => `${pid} on ${host} (${version})`)
  return passed(about, `Running: ${names.join(', ')}.`)
}
