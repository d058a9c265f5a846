/**
 * Whether this process can do the work of its roles: `/readyz`, and the faults that it reports to the database.
 *
 * A process that serves is ready while it can answer most requests: one chain without its node must not take the other
 * parts out of a load balancer. A process without the role `serve` is ready while one of its roles works.
 */
import type { RunningCoins } from '../coins/serve/run-coins.ts'
import type { Config, Role } from '../config/config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Fault } from '../lib/health.ts'
import type { Database } from '../platform/database.ts'
import { findMissingMigration, type Migration } from '../platform/migrate.ts'

/** Returns the parts that do not work. Throws if the process cannot do its work. */
export type Readiness = () => Promise<readonly Fault[]>

/** A process is not ready: none of its parts works. */
export class NotReadyError extends Error {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ part, reason }) => `${part}: ${reason}`).join('; '))
    this.faults = faults
  }
}

export type RoleHealth = {
  readonly role: Role
  readonly findFaults: () => readonly Fault[] | Promise<readonly Fault[]>
  /** Whether these faults keep the role from working at all. */
  readonly isDown: (faults: readonly Fault[]) => boolean
}

export type Health = {
  /** Adds a part of a role of this process. */
  readonly add: (health: RoleHealth) => void
  readonly findFaults: () => Promise<readonly Fault[]>
  readonly isReady: Readiness
}

export type HealthDeps = { readonly database: Database; readonly migrations: readonly Migration[] }

export function createHealth({ database, migrations }: HealthDeps, { roles }: Pick<Config, 'roles'>): Health {
  const parts: RoleHealth[] = []
  const read = async () =>
    await Promise.all(
      parts.map(async ({ role, findFaults, isDown }) => {
        const faults = await findFaults()
        return { role, faults, isDown: isDown(faults) }
      }),
    )
  const findFaults = async () => (await read()).flatMap(({ faults }) => faults)
  return {
    add: (health) => parts.push(health),
    findFaults,
    isReady: async () => {
      const missing = await findMissingMigration(database, migrations)
      if (missing !== undefined) throw new Error(`the database lacks migration ${missing}`)
      const found = await read()
      const faults = found.flatMap((part) => part.faults)
      const isDown = (role: Role) => found.some((part) => part.role === role && part.isDown)
      if (roles.includes('serve') ? isDown('serve') : roles.every(isDown)) throw new NotReadyError(faults)
      return faults
    },
  }
}

/** For this long a coin chain is served from its last state. */
const DOWN_AFTER_MS = 30_000

/** The loops of coin chains. `serve` is down if it has nothing else to serve. */
export function coinHealth(coins: RunningCoins, config: Config, clock: Clock): readonly RoleHealth[] {
  const chains = Object.keys(config.coinChains)
  const loopsOf = { serve: ['reader', 'mempool'], index: ['writer', 'merge'] } as const
  return (['serve', 'index'] as const)
    .filter((role) => config.roles.includes(role) && chains.length > 0)
    .map((role) => {
      const own = () => coins.loops().filter(({ loop }) => loopsOf[role].some((name) => name === loop))
      const isLong = (since: number) => clock.now() - since > DOWN_AFTER_MS
      return {
        role,
        // The code stands for the reason, which can name hosts and files.
        findFaults: () =>
          own().flatMap(({ chain, loop, fault }) =>
            fault === undefined ? [] : [{ part: `${chain} ${loop}`, reason: fault.code, since: fault.since }],
          ),
        isDown: () =>
          (role === 'index' || Object.keys(config.evmChains).length === 0) &&
          chains.every((chain) =>
            own().some(
              ({ chain: of, loop, fault }) =>
                of === chain && (loop === 'reader' || loop === 'writer') && fault !== undefined && isLong(fault.since),
            ),
          ),
      }
    })
}
