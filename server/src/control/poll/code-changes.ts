/** Changes of the code that runs for a contract, and the report of what each altered: functions, guards, powers. */
import { LABELS, type Label } from '../../../../vocabulary/labels.ts'
import type { Power } from '../../../../vocabulary/powers.ts'
import { type UpgradedFunction, type UpgradeReport, upgradeSeverity } from '../../../../vocabulary/upgrades.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { UPGRADE_REPORTED } from '../catalog/slot-events.ts'
import { findNamed } from '../powers/names.ts'
import type { RunningCode } from '../profile/contract-powers.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type DerivedEvent, derivedHash } from './derived-events.ts'

type Functions = RunningCode['functions']
type Side = { readonly functions: Functions; readonly powers: readonly Power[] }

/** `openInitializers`: selectors that an unprivileged caller could call in a simulation. */
export function reportOf(before: Side, now: Side, openInitializers: readonly Hex[] = []): UpgradeReport {
  const whole = wholeReport(before, now, openInitializers)
  const cut = <T>(list: readonly T[]): readonly T[] => list.slice(0, MAX_FUNCTIONS)
  const [functionsAdded, functionsRemoved, guardsChanged] = [
    cut(whole.functionsAdded),
    cut(whole.functionsRemoved),
    cut(whole.guardsChanged),
  ]
  const isComplete =
    functionsAdded.length === whole.functionsAdded.length &&
    functionsRemoved.length === whole.functionsRemoved.length &&
    guardsChanged.length === whole.guardsChanged.length
  return { ...whole, functionsAdded, functionsRemoved, guardsChanged, isComplete }
}

/** Functions in one list of a report: code can be made to have thousands. */
const MAX_FUNCTIONS = 100

function wholeReport(before: Side, now: Side, openInitializers: readonly Hex[]): Omit<UpgradeReport, 'isComplete'> {
  const named = (selector: Hex, functions: Functions): UpgradedFunction => ({
    selector,
    signature: findNamed(selector)?.signature ?? null,
    access: functions[selector] ?? '',
  })
  const selectorsOf = (functions: Functions): readonly Hex[] => (Object.keys(functions) as Hex[]).sort()
  const [old, fresh] = [selectorsOf(before.functions), selectorsOf(now.functions)]
  const heldBefore = heldPowers(before.powers)
  const heldNow = heldPowers(now.powers)
  return {
    functionsAdded: fresh
      .filter((selector) => !(selector in before.functions))
      .map((selector) => named(selector, now.functions)),
    functionsRemoved: old
      .filter((selector) => !(selector in now.functions))
      .map((selector) => named(selector, before.functions)),
    guardsChanged: fresh.flatMap((selector) => {
      const previousAccess = before.functions[selector]
      return previousAccess === undefined || previousAccess === now.functions[selector]
        ? []
        : [{ ...named(selector, now.functions), previousAccess }]
    }),
    powersGained: heldNow.filter(({ effect }) => !heldBefore.some((power) => power.effect === effect)).map(summary),
    powersLost: heldBefore.filter(({ effect }) => !heldNow.some((power) => power.effect === effect)).map(summary),
    powersWeakened: heldNow.flatMap((power) => {
      const previous = heldBefore.find(({ effect }) => effect === power.effect)
      return previous === undefined || !isWeaker(power.label, previous.label)
        ? []
        : [{ ...summary(power), previousLabel: previous.label }]
    }),
    openInitializers: openInitializers.map((selector) => named(selector, now.functions)),
  }
}

const heldPowers = (powers: readonly Power[]): readonly Power[] =>
  powers.filter(({ label, effect }) => label !== 'immutable' && effect !== 'other')

const summary = ({ effect, class: of, label }: Power) => ({ effect, class: of, label })

const isWeaker = (now: Label, before: Label): boolean => LABELS.indexOf(now) > LABELS.indexOf(before)

export type RunningPoll = ContractRef & {
  readonly block: { readonly number: number; readonly hash: Hex }
  readonly running: RunningCode
  /** Before and after. */
  readonly powers: readonly [readonly Power[], readonly Power[]]
}

/** Stores the code that runs now; returns the event for a change. What is found first is not an upgrade. */
export async function saveCodeChange(
  client: Queryable,
  { chainId, address, block, running, powers: [before, now] }: RunningPoll,
): Promise<readonly DerivedEvent[]> {
  const { rows } = await client.query<{ codes: readonly string[]; functions: Functions }>(
    sql`select codes, functions from code_change where chain_id = $1 and address = $2 order by block_number desc, id desc limit 1`,
    [chainId, toBytes(address)],
  )
  const [last] = rows
  if (last !== undefined && last.codes.join() === running.codes.join()) return []
  const report =
    last === undefined
      ? undefined
      : reportOf(
          { functions: last.functions, powers: before },
          { functions: running.functions, powers: now },
          running.openInitializers,
        )
  await client.query(
    sql`insert into code_change (chain_id, address, block_number, block_hash, codes, functions, report)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      chainId,
      toBytes(address),
      block.number,
      toBytes(block.hash),
      running.codes,
      JSON.stringify(running.functions),
      report === undefined ? null : JSON.stringify(report),
    ],
  )
  if (report === undefined || last === undefined) return []
  const event: DerivedEvent = {
    ...UPGRADE_REPORTED,
    severity: upgradeSeverity(report),
    txHash: derivedHash('slot', { chainId, address }, { field: 'running', block: block.number }),
    logIndex: 0,
    args: {
      field: 'running',
      previous: last.codes.join(', '),
      current: running.codes.join(', '),
      effects: [...report.powersGained, ...report.powersLost, ...report.powersWeakened].map(({ effect }) => effect),
      report,
    },
  }
  return [event]
}

export type CodeChange = {
  readonly at: Date
  readonly blockNumber: number
  readonly report: UpgradeReport
}

/** The upgrades of a contract, newest first. */
export async function getUpgrades(
  database: Queryable,
  { chainId, address }: ContractRef,
  limit: number,
): Promise<readonly CodeChange[]> {
  const { rows } = await database.query<CodeChange>(
    sql`select changed_at as at, block_number as "blockNumber", report from code_change
     where chain_id = $1 and address = $2 and report is not null order by block_number desc, id desc limit $3`,
    [chainId, toBytes(address), limit],
  )
  return rows
}
