/**
 * Checks of contracts that are not watched. A visitor requests one, and a process with the poll role profiles the contract.
 *
 * A check stores nothing about the contract except its result, for a day: it neither watches the contract nor publishes
 * anything.
 */
import type { Leader } from '../../../../vocabulary/labels.ts'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import type { Logger } from '../../lib/log.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { PowerPath } from '../profile/contract-powers.ts'
import type { Profile } from '../profile/profile.ts'
import { refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { inAnalysisContext } from './analysis-queue.ts'
import { CodeAnalysisPendingError } from './code-analyzer.ts'
import { probeTwice } from './probe.ts'
import { openSession, type SessionDeps } from './session.ts'

/** `slow_code`: the analysis of the code goes on, and a later check uses it. */
export type CheckFailure = 'slow_code' | 'unreadable'

export type CheckedProfile = Omit<Profile, 'leader' | 'powerPaths' | 'running' | 'roles'> & {
  readonly leader: Leader | null
  readonly powerPaths: readonly PowerPath[] | null
}

export type CheckResult =
  | { readonly failure: CheckFailure }
  /** `profile`: null where there is no contract. */
  | { readonly blockNumber: number; readonly profile: CheckedProfile | null }

export type Check = {
  readonly requestedAt: Date
  readonly checkedAt: Date | null
  readonly result: CheckResult | null
}

/** A result is used again for so long. */
const FRESH_MINUTES = 10
/** More checks are refused until some are done. */
const MAX_WAITING = 100
const KEPT_HOURS = 24
/** A check takes less than this, or its process has ended. */
const LOST_MINUTES = 5

export async function findCheck(database: Queryable, { chainId, address }: ContractRef): Promise<Check | undefined> {
  const { rows } = await database.query<Check>(
    sql`select requested_at as "requestedAt", checked_at as "checkedAt", result from contract_check
     where chain_id = $1 and address = $2`,
    [chainId, toBytes(address)],
  )
  return rows[0]
}

/** Requests a check unless a fresh result is there. A contract may be deployed where none was found. Returns undefined if too many are waiting. */
export async function requestCheck(database: Queryable, ref: ContractRef): Promise<Check | undefined> {
  await database.query(
    sql`insert into contract_check as known (chain_id, address)
     select $1, $2 where (select count(*) from contract_check where checked_at is null) < $3
     on conflict (chain_id, address) do update set requested_at = now(), started_at = null, checked_at = null, result = null
       where known.checked_at < now() - make_interval(mins => $4) or known.result ? 'failure' or known.result -> 'profile' = 'null'::jsonb`,
    [ref.chainId, toBytes(ref.address), MAX_WAITING, FRESH_MINUTES],
  )
  return await findCheck(database, ref)
}

/** How long a subscription waits for the check of its contract. */
const CODE_WAIT_MS = 3_000
const CODE_EVERY_MS = 100

/** Whether a check finds no code at an address. False if no process has checked it in time. */
export async function isWithoutCode(
  database: Queryable,
  ref: ContractRef,
  timing: Timing = systemTiming,
): Promise<boolean> {
  const until = timing.now() + CODE_WAIT_MS
  let check = await requestCheck(database, ref)
  while (check?.result === null && timing.now() < until) {
    await timing.sleep(CODE_EVERY_MS)
    check = await findCheck(database, ref)
  }
  const result = check?.result ?? null
  return result !== null && 'profile' in result && result.profile === null
}

/** Takes the check that has waited longest. */
async function takeCheck(database: Queryable, chainIds: readonly number[]): Promise<ContractRef | undefined> {
  const { rows } = await database.query<{ chainId: number; address: Buffer }>({
    name: 'take_check',
    text: sql`update contract_check c set started_at = now() from (
        select chain_id, address from contract_check
        where checked_at is null and chain_id = any($1)
          and (started_at is null or started_at < now() - make_interval(mins => $2))
        order by requested_at limit 1 for update skip locked) as next
      where c.chain_id = next.chain_id and c.address = next.address
      returning c.chain_id as "chainId", c.address`,
    values: [chainIds, LOST_MINUTES],
  })
  const [found] = rows
  return found === undefined ? undefined : { chainId: found.chainId, address: toHex(found.address) }
}

async function saveResult(database: Queryable, { chainId, address }: ContractRef, result: CheckResult): Promise<void> {
  await database.query(
    sql`update contract_check set checked_at = now(), result = $3 where chain_id = $1 and address = $2`,
    [chainId, toBytes(address), JSON.stringify(result)],
  )
}

/** Another process can start it at once. */
async function returnCheck(database: Queryable, { chainId, address }: ContractRef): Promise<void> {
  await database.query(
    sql`update contract_check set started_at = null where chain_id = $1 and address = $2 and checked_at is null`,
    [chainId, toBytes(address)],
  )
}

export async function deleteOldChecks(database: Queryable): Promise<void> {
  await database.query(sql`delete from contract_check where requested_at < now() - make_interval(hours => $1)`, [
    KEPT_HOURS,
  ])
}

export type CheckDeps = Omit<SessionDeps, 'logs' | 'report'> & {
  readonly database: Queryable
  readonly log: Logger
  readonly timing?: Timing
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

/** All visitors share one turn of the analyzer, so that they do not delay the analyses of accounts. */
const VISITORS = 'visitors'
/** Most codes take less than a second, the largest a minute. */
const ANALYSIS_WAIT_MS = 60_000

/** Profiles a contract now. */
export async function checkContract(deps: Omit<CheckDeps, 'database'>, ref: ContractRef): Promise<CheckResult> {
  const { log, nameOf, timing = systemTiming, ...reads } = deps
  try {
    const waitUntil = timing.now() + ANALYSIS_WAIT_MS
    return await inAnalysisContext({ owner: VISITORS, waitUntil }, async () => {
      const session = openSession(reads)
      const block = await session.blockOf(ref.chainId)
      if (block === undefined) return { failure: 'unreadable' }
      const { profile, graph } = await probeTwice({ session, nameOf }, ref)
      const code = graph.get(refKey(ref))?.code
      if (code?.type === 'unread') return { failure: 'unreadable' }
      return { blockNumber: block.number, profile: code?.type === 'absent' ? null : checkedOf(profile) }
    })
  } catch (error) {
    if (error instanceof CodeAnalysisPendingError) return { failure: 'slow_code' }
    log.warn({ ...ref, reason: reasonOf(error) }, 'a contract could not be checked for a visitor')
    return { failure: 'unreadable' }
  }
}

/** Without what only the comparison with a later poll needs. */
function checkedOf({ label, tone, reasons, kind, stale, tree, leader, powers, powerPaths }: Profile): CheckedProfile {
  return { label, tone, reasons, kind, stale, tree, powers, leader: leader ?? null, powerPaths: powerPaths ?? null }
}

const LOOK_EVERY_MS = 500
/** A contract with slow code must not delay others. */
const CONCURRENT_CHECKS = 4

/** Serves the checks of these chains until it is stopped. Checks that are not done then are left to other processes. */
export function startChecks(deps: CheckDeps, chainIds: readonly number[]): { readonly stop: () => Promise<void> } {
  const { database, log, timing = systemTiming } = deps
  const stop = new AbortController()
  const active = new Set<ContractRef>()
  const warn = (error: unknown): void =>
    log.warn({ reason: reasonOf(error) }, 'checks for visitors could not be read or stored')
  const serve = async (ref: ContractRef): Promise<void> => {
    active.add(ref)
    try {
      const result = await checkContract(deps, ref)
      if (!stop.signal.aborted) await saveResult(database, ref, result)
    } catch (error) {
      warn(error)
    } finally {
      active.delete(ref)
    }
  }
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const isFree = active.size < CONCURRENT_CHECKS
      const ref = isFree ? await takeCheck(database, chainIds).catch(warn) : undefined
      if (ref === undefined) await timing.sleep(LOOK_EVERY_MS, stop.signal)
      else void serve(ref)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stop.abort()
      await running
      await Promise.all([...active].map((ref) => returnCheck(database, ref)))
    },
  }
}
