/**
 * How much an event matters, given what is known around it.
 *
 * Owns the rules that move a severity away from the catalog's, each with the sentence that explains it. A fact that is
 * not known is left out by the caller and then decides nothing: no severity is ever lowered by ignorance.
 */

import { type Hex, keccak256, stringToHex } from 'viem'
import type { Severity } from '../../../../vocabulary/severities.ts'
import type { DecodedEvent } from './catalog.ts'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, nextOf, previousOf, THRESHOLDS, textOf } from './control-arguments.ts'
import { type ScheduledCall, scheduledCalls } from './scheduled-calls.ts'

/** What stands at an address. An account with an EIP-7702 delegation still obeys one key. */
export type AccountKind = 'single_key' | 'contract' | 'l1_alias'

/** Everything but `emitter` may be unknown. */
export type Facts = {
  readonly emitter: Hex
  readonly isInit?: boolean
  /** Seconds. */
  readonly blockTime?: number
  /** In force before this event, where the event itself does not tell it. */
  readonly previousThreshold?: bigint
  readonly previousDelay?: bigint
  readonly previousImplementation?: Hex
  readonly previousController?: AccountKind
  readonly nextController?: AccountKind
  /** Whether the runtime code of old and new implementation is the same. */
  readonly hasSameCode?: boolean
  /** Whether the same transaction upgraded the emitter. */
  readonly isUpgradedHere?: boolean
  readonly wasInitializedBefore?: boolean
  /** A Safe whose setup ran before this transaction. */
  readonly wasSetUpBefore?: boolean
  /** Holders of the role after the event. */
  readonly roleHoldersLeft?: number
  readonly wasMinterBefore?: boolean
  readonly isWatched?: (contract: Hex) => boolean
  /** What a proposal that is only named by its id will call. */
  readonly announced?: readonly ScheduledCall[]
  /** The announcement that an execution closes; `unseen` where all of them were read and it was not among them. */
  readonly operation?: { readonly readyAt: number } | 'unseen'
}

export type Verdict = { readonly severity: Severity; readonly reasons: readonly string[] }

type Rule = (event: DecodedEvent, facts: Facts) => Verdict | undefined

export function judge(event: DecodedEvent, facts: Facts): Verdict {
  for (const rule of RULES) {
    const verdict = rule(event, facts)
    if (verdict !== undefined) return verdict
  }
  return { severity: event.severity, reasons: [] }
}

function because(severity: Severity, reason: string): Verdict {
  return { severity, reasons: [reason] }
}

const setup: Rule = (_event, { isInit }) => (isInit === true ? because('info', 'part of the deployment') : undefined)

const raw: Rule = ({ decode, severity }) =>
  decode === 'mismatch' ? because(severity, 'the log has an unknown layout; its arguments were not read') : undefined

const ZERO_WORD = `0x${'0'.repeat(64)}`
const EVERYBODY = String(2n ** 64n - 1n)

/** Roles that reach everything, by the value of the argument. */
const GREAT_ROLES: ReadonlyMap<string, string> = new Map([
  [ZERO_WORD, 'DEFAULT_ADMIN_ROLE'],
  ...['UPGRADER_ROLE', 'MINTER_ROLE', 'PROPOSER_ROLE', 'TIMELOCK_ADMIN_ROLE'].map(
    (name) => [keccak256(stringToHex(name)), name] as const,
  ),
])
const GREAT_MANAGER_ROLES: ReadonlyMap<string, string> = new Map([
  ['0', 'ADMIN_ROLE'],
  [EVERYBODY, 'PUBLIC_ROLE'],
])

/** Key of a grant → the argument that names the role, and the roles that matter most. */
const GRANTS: Readonly<Record<string, readonly [argument: string, roles: ReadonlyMap<string, string>]>> = {
  'access.role_granted': ['role', GREAT_ROLES],
  'zk.chain_role_granted': ['role', GREAT_ROLES],
  'manager.role_granted': ['roleId', GREAT_MANAGER_ROLES],
}

const roleGranted: Rule = (event) => {
  const [argument, roles] = GRANTS[event.key] ?? []
  const name = argument === undefined ? undefined : roles?.get(textOf(event, argument) ?? '')
  return name === undefined ? undefined : because('critical', `grants ${name}`)
}

const roleRevoked: Rule = (event, { roleHoldersLeft }) => {
  if (event.key !== 'access.role_revoked') return undefined
  const { role, sender, account } = event.args
  if (role === ZERO_WORD && roleHoldersLeft === 0) return because('critical', 'renounced: no admin is left')
  const isMinor = !GREAT_ROLES.has(textOf(event, 'role') ?? '')
  return isMinor && sender !== undefined && sender === account
    ? because('info', 'the holder gave up the role itself')
    : undefined
}

const threshold: Rule = (event, { previousThreshold }) => {
  const next = integer(nextOf(THRESHOLDS, event))
  if (next === undefined) return undefined
  const previous = integer(previousOf(THRESHOLDS, event)) ?? previousThreshold
  if (previous !== undefined && next < previous) {
    return because('critical', `threshold lowered from ${previous} to ${next}`)
  }
  if (next === 1n) return because('critical', 'one signature is enough')
  return previous !== undefined && next > previous
    ? because('high', `threshold raised from ${previous} to ${next}`)
    : undefined
}

const delay: Rule = (event, { previousDelay }) => {
  const next = integer(nextOf(DELAYS, event))
  const previous = integer(previousOf(DELAYS, event)) ?? previousDelay
  if (next === undefined || previous === undefined || next === previous) return undefined
  return next < previous
    ? because('critical', `delay lowered from ${previous} to ${next} seconds`)
    : because('high', `delay raised from ${previous} to ${next} seconds`)
}

function integer(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(text)
}

/** Addresses nobody can act for. */
const NOBODY: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000dead',
])

const controller: Rule = (event, { previousController, nextController }) => {
  const next = nextOf(CONTROLLERS, event)
  if (next === undefined) return undefined
  if (NOBODY.has(next)) return because('critical', 'renounced')
  return previousController === 'contract' && nextController === 'single_key'
    ? because('critical', 'moved from contract to single key')
    : undefined
}

const upgrade: Rule = (event, { previousImplementation, hasSameCode }) => {
  const next = nextOf(IMPLEMENTATIONS, event)
  if (next === undefined) return undefined
  const previous = previousOf(IMPLEMENTATIONS, event) ?? previousImplementation
  // Code can change at one address (self-destruct and re-creation): code known to differ outweighs the same address.
  if (hasSameCode === true) return because('info', 'the new implementation has the same code')
  return next === previous && hasSameCode === undefined
    ? because('info', 'the same implementation as before')
    : undefined
}

const initialized: Rule = (event, { isUpgradedHere, wasInitializedBefore }) => {
  const version = event.key === 'proxy.initialized' ? integer(textOf(event, 'version')) : undefined
  if (version === undefined) return undefined
  const isAgain = version > 1n ? isUpgradedHere === false : wasInitializedBefore === true
  return isAgain ? because('critical', `re-initialised to version ${version}`) : undefined
}

const setUpAgain: Rule = ({ key }, { wasSetUpBefore }) =>
  key === 'safe.setup' && wasSetUpBefore === true ? because('critical', 'set up a second time') : undefined

/** Announcements that only time stands before. */
const SCHEDULING: ReadonlySet<string> = new Set([
  'timelock.scheduled',
  'timelock.queued',
  'timelock.proposed',
  'aave2.action_queued',
  'aave2.proposal_queued',
  'aave3.proposal_queued',
  'aave3.payload_queued',
  'axelar.proposal_scheduled',
  'dspause.plotted',
  'governor.proposal_queued',
  'lido.proposal_submitted',
  'manager.op_scheduled',
  'morpho2.submitted',
  'zk.handler_started',
  'zodiac.tx_added',
])
/** Announcements that a vote stands before. */
const PROPOSING: ReadonlySet<string> = new Set([
  'aave2.proposal_created',
  'aave3.payload_created',
  'aave3.proposal_created',
  'governor.proposal_created',
])

const announcement: Rule = (event, { emitter, isWatched, announced }) => {
  const isScheduling = SCHEDULING.has(event.key)
  if (isWatched === undefined || (!isScheduling && !PROPOSING.has(event.key))) return undefined
  const calls = announced ?? scheduledCalls(event, emitter)
  const isAboutOurs = (call: ScheduledCall): boolean => call.affects.some(isWatched)
  const ours = calls.filter((call) => isAboutOurs(call) && (call.isControl || !isScheduling))
  const worst = ours.find((call) => call.isControl) ?? ours[0]
  if (worst === undefined) return undefined
  const what = worst.signature ?? worst.selector ?? 'a transfer of value'
  const where = worst.affects.find(isWatched) ?? worst.target
  return because(isScheduling ? 'critical' : 'high', `${isScheduling ? 'schedules' : 'proposes'} ${what} on ${where}`)
}

const EXECUTING: ReadonlySet<string> = new Set([
  'timelock.executed',
  'timelock.executed_tx',
  'timelock.executed_solady',
  'aave2.action_executed',
  'axelar.proposal_executed',
  'dspause.executed',
  'manager.op_executed',
])

const execution: Rule = ({ key }, { operation, blockTime }) => {
  if (!EXECUTING.has(key) || operation === undefined) return undefined
  if (operation === 'unseen') return because('critical', 'executed without delay: it was never scheduled')
  if (blockTime === undefined) return undefined
  return blockTime < operation.readyAt
    ? because('critical', `executed without delay: ready only ${operation.readyAt - blockTime} seconds later`)
    : because('info', 'closes a scheduled operation')
}

const minter: Rule = ({ key }, { wasMinterBefore }) =>
  key === 'fiat.minter_configured' && wasMinterBefore === false
    ? because('critical', 'a minter never seen before')
    : undefined

/** The first that has something to say decides; below `raw` an event's arguments are there. */
const RULES: readonly Rule[] = [
  setup,
  raw,
  roleGranted,
  roleRevoked,
  threshold,
  delay,
  controller,
  upgrade,
  initialized,
  setUpAgain,
  announcement,
  execution,
  minter,
]
