/**
 * The processes of the service in the database: each reports its roles and faults every few seconds, so that a role that
 * no process has, or a part that does not work on another machine, is noticed everywhere.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Gauge } from 'prom-client'
import { type Config, ROLES, type Role } from '../config/config.ts'
import { systemTiming, type Timing } from '../lib/clock.ts'
import { reasonOf } from '../lib/errors.ts'
import type { Fault } from '../lib/health.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { ownVersion } from '../lib/version.ts'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

export type ServiceProcess = {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly roles: readonly Role[]
  readonly faults: readonly Fault[]
  /** When it last reported, or when it stopped. */
  readonly seenAt: Date
  /** It has reported recently and has not stopped. */
  readonly isRunning: boolean
}

const REPORT_EVERY_MS = 5_000
/** Three missed reports. */
const GONE_AFTER = sql`interval '15 seconds'`
const FORGOTTEN_AFTER = sql`interval '30 days'`

export type ReportDeps = {
  readonly database: Queryable
  readonly log: Logger
  readonly roles: readonly Role[]
  readonly findFaults: () => Promise<readonly Fault[]>
  readonly timing?: Timing
}

/** Reports this process until it is stopped. */
export function reportProcess({ database, log, roles, findFaults, timing = systemTiming }: ReportDeps): {
  readonly stop: () => Promise<void>
} {
  const id = randomUUID()
  const stopping = new AbortController()
  let isFailing = false
  const report = async (): Promise<void> => {
    try {
      await database.query(
        sql`with gone as (delete from process where seen_at < now() - ${FORGOTTEN_AFTER})
         insert into process (id, host, pid, version, roles, faults) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set faults = excluded.faults, seen_at = now()`,
        [id, hostname(), process.pid, ownVersion(), roles, JSON.stringify(await findFaults())],
      )
      isFailing = false
    } catch (error) {
      // The parts that need the database report its outages.
      if (!isFailing) log.debug({ reason: reasonOf(error) }, 'this process cannot report that it runs')
      isFailing = true
    }
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await report()
      await timing.sleep(REPORT_EVERY_MS, stopping.signal)
    }
    await database.query(sql`update process set stopped_at = now() where id = $1`, [id]).catch(() => undefined)
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** The running processes, and the last one of every role. */
export async function getProcesses(database: Queryable): Promise<readonly ServiceProcess[]> {
  const { rows } = await database.query<ServiceProcess>(
    sql`select id, host, pid, version, roles, faults, coalesce(stopped_at, seen_at) as "seenAt",
       stopped_at is null and seen_at > now() - ${GONE_AFTER} as "isRunning"
     from process where seen_at > now() - ${FORGOTTEN_AFTER} order by started_at, id`,
  )
  return rows.filter(
    ({ isRunning, roles, seenAt }) =>
      isRunning ||
      roles.some((role) =>
        rows.every((other) => !other.roles.includes(role) || other.seenAt.getTime() <= seenAt.getTime()),
      ),
  )
}

/** The state of one role: its processes, or since when it has none. */
export type RoleStatus = {
  readonly role: Role
  readonly processes: readonly ServiceProcess[]
  /** When the last process with this role was seen, if none runs. */
  readonly lastSeenAt: Date | undefined
}

/** The roles that this configuration needs. */
export function neededRoles({ evmChains, coinChains }: Pick<Config, 'evmChains' | 'coinChains'>): readonly Role[] {
  const [hasContracts, hasCoins] = [Object.keys(evmChains).length > 0, Object.keys(coinChains).length > 0]
  const needs: Readonly<Record<Role, boolean>> = {
    serve: true,
    watch: hasContracts,
    poll: hasContracts,
    index: hasCoins,
    deliver: hasContracts,
  }
  return ROLES.filter((role) => needs[role])
}

export function statusOfRoles(roles: readonly Role[], processes: readonly ServiceProcess[]): readonly RoleStatus[] {
  return roles.map((role) => {
    const all = processes.filter((process) => process.roles.includes(role))
    const running = all.filter(({ isRunning }) => isRunning)
    const last = all.toSorted((a, b) => b.seenAt.getTime() - a.seenAt.getTime())[0]
    return { role, processes: running, lastSeenAt: running.length > 0 ? undefined : last?.seenAt }
  })
}

const WORK: Readonly<Record<Role, string>> = {
  serve: 'serves requests',
  watch: 'watches contracts',
  poll: 'polls contract state',
  index: 'writes coin indexes',
  deliver: 'delivers alerts',
}

/** `no process delivers alerts since 2026-01-01T00:00:00.000Z (70 s)`; undefined while the role has a process. */
export function describeMissingRole({ role, processes, lastSeenAt }: RoleStatus, now: number): string | undefined {
  if (processes.length > 0) return undefined
  return lastSeenAt === undefined
    ? `no process ${WORK[role]}, and none ever did`
    : `no process ${WORK[role]} since ${lastSeenAt.toISOString()} (${Math.round((now - lastSeenAt.getTime()) / 1_000)} s)`
}

/** Registers the number of processes of each needed role, read from the database so that every process exports it. */
export function measureRoles(metrics: Metrics, database: Queryable, roles: readonly Role[]): void {
  metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_role_processes',
      help: 'Running processes of each role that this installation needs',
      labelNames: ['role'],
      registers: [],
      async collect() {
        this.reset() // Without a database an old value would look current.
        const processes = await getProcesses(database).catch(() => undefined)
        if (processes === undefined) return
        for (const status of statusOfRoles(roles, processes)) this.set({ role: status.role }, status.processes.length)
      },
    }),
  )
}
