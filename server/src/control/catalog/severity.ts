/**
 * Assesses the severity of an event from its arguments and the known facts.
 *
 * Each rule replaces the severity of the catalog row under a condition. The caller omits unknown facts, and an unknown
 * fact never lowers a severity.
 */

import type { Hex } from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { PowerClass } from '../../../../vocabulary/powers.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { DecodedEvent } from './catalog.ts'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, nextOf, previousOf, THRESHOLDS, textOf } from './control-arguments.ts'
import { type ScheduledCall, scheduledCalls } from './scheduled-calls.ts'

/** The kind of account at an address. One with an EIP-7702 delegation is still controlled by a single key. */
export type AccountKind = 'single_key' | 'contract' | 'l1_alias'

/** All facts except `emitter` may be unknown. */
export type SeverityFacts = {
  readonly emitter: Hex
  readonly isInit?: boolean
  /** Seconds. */
  readonly blockTime?: number
  /** The values before this event, if the event does not contain them. */
  readonly previousThreshold?: bigint
  readonly previousDelay?: bigint
  readonly previousImplementation?: Hex
  readonly previousController?: AccountKind
  readonly nextController?: AccountKind
  /** Whether the old and the new implementation have the same runtime code. */
  readonly hasSameCode?: boolean
  /** Whether the same transaction upgraded the emitter. */
  readonly isUpgradedHere?: boolean
  readonly wasInitializedBefore?: boolean
  /** Whether a Safe was set up before this transaction. */
  readonly wasSetUpBefore?: boolean
  /** The worst class of the functions that the role opens. */
  readonly roleClass?: PowerClass
  /** The number of role members after the event. */
  readonly roleMembersLeft?: number
  readonly wasMinterBefore?: boolean
  /** Whether Safe released the code of the new fallback handler. */
  readonly isReleasedHandler?: boolean
  readonly isWatched?: (contract: Hex) => boolean
  /** Seconds between the end of a vote and the execution of the proposal, as the governor's timelock imposes them. */
  readonly delayAfterVote?: bigint
  /** Whether the scheduled call, or one inside it, runs code as the Safe that Safe did not release. */
  readonly delegatesToUnknown?: boolean
  /** The calls of a proposal whose event contains only its id. */
  readonly announced?: readonly ScheduledCall[]
  /** When the executed operation became ready. `unseen` if it was never scheduled. */
  readonly operation?: { readonly readyAt: number } | 'unseen'
}

/** Why the severity differs from the row's. */
export type AssessmentRule =
  | 'setup'
  | 'not_decoded'
  | 'powerful_role_granted'
  | 'role_by_functions'
  | 'last_admin_removed'
  | 'role_renounced'
  | 'threshold_lowered'
  | 'threshold_raised'
  | 'single_signature'
  | 'delay_lowered'
  | 'delay_raised'
  | 'renounced'
  | 'moved_to_single_key'
  | 'same_code'
  | 'same_implementation'
  | 'reinitialized'
  | 'set_up_again'
  | 'unknown_handler'
  | 'control_scheduled'
  | 'delegatecall_scheduled'
  | 'call_proposed'
  | 'no_delay_after_vote'
  | 'never_scheduled'
  | 'executed_early'
  | 'scheduled_execution'
  | 'new_minter'

export type Assessment = { readonly severity: Severity; readonly rule: AssessmentRule | undefined }

type Rule = (event: DecodedEvent, facts: SeverityFacts) => Assessment | undefined

export function assessSeverity(event: DecodedEvent, facts: SeverityFacts): Assessment {
  for (const rule of RULES) {
    const assessment = rule(event, facts)
    if (assessment !== undefined) return assessment
  }
  return { severity: event.severity, rule: undefined }
}

function because(severity: Severity, rule: AssessmentRule): Assessment {
  return { severity, rule }
}

const setup: Rule = (_event, { isInit }) => (isInit === true ? because('info', 'setup') : undefined)

const raw: Rule = ({ decode, severity }) => (decode === 'mismatch' ? because(severity, 'not_decoded') : undefined)

const ZERO_WORD = `0x${'0'.repeat(64)}`
const PUBLIC_ROLE = String(2n ** 64n - 1n)

/** Roles with control over the whole contract, by the value of the argument. */
const POWERFUL_ROLES: ReadonlyMap<string, string> = new Map([
  [ZERO_WORD, 'DEFAULT_ADMIN_ROLE'],
  ...['UPGRADER_ROLE', 'MINTER_ROLE', 'PROPOSER_ROLE', 'TIMELOCK_ADMIN_ROLE'].map(
    (name) => [keccak256(stringToHex(name)), name] as const,
  ),
])
const POWERFUL_MANAGER_ROLES: ReadonlyMap<string, string> = new Map([
  ['0', 'ADMIN_ROLE'],
  [PUBLIC_ROLE, 'PUBLIC_ROLE'],
])

/** The argument with the role, and the powerful roles, by the key of the grant event. */
const GRANTS: Readonly<Record<string, readonly [argument: string, roles: ReadonlyMap<string, string>]>> = {
  'access.role_granted': ['role', POWERFUL_ROLES],
  'zk.chain_role_granted': ['role', POWERFUL_ROLES],
  'manager.role_granted': ['roleId', POWERFUL_MANAGER_ROLES],
}

/** The role that a grant names, as the book of its members keeps it. */
export function grantedRole(event: DecodedEvent): string | undefined {
  const [argument] = GRANTS[event.key] ?? []
  return argument === undefined ? undefined : textOf(event, argument)
}

/** What a role opens decides; where that is not known, its name. */
const roleGranted: Rule = (event, { roleClass }) => {
  const role = grantedRole(event)
  if (role === undefined) return undefined
  const isNamed = GRANTS[event.key]?.[1].has(role) === true
  // Admins can replace every guard, and the public role has every account.
  const isAbsolute = role === ZERO_WORD || (event.key === 'manager.role_granted' && isNamed)
  if (roleClass !== undefined && !isAbsolute)
    return because(roleClass, roleClass === 'critical' ? 'powerful_role_granted' : 'role_by_functions')
  return isNamed ? because('critical', 'powerful_role_granted') : undefined
}

const roleRevoked: Rule = (event, { roleMembersLeft }) => {
  if (event.key !== 'access.role_revoked') return undefined
  const { role, sender, account } = event.args
  if (role === ZERO_WORD && roleMembersLeft === 0) return because('critical', 'last_admin_removed')
  const isMinor = !POWERFUL_ROLES.has(textOf(event, 'role') ?? '')
  return isMinor && sender !== undefined && sender === account ? because('info', 'role_renounced') : undefined
}

const threshold: Rule = (event, { previousThreshold }) => {
  const next = integer(nextOf(THRESHOLDS, event))
  if (next === undefined) return undefined
  const previous = integer(previousOf(THRESHOLDS, event)) ?? previousThreshold
  if (previous !== undefined && next < previous) {
    return because('critical', 'threshold_lowered')
  }
  if (next === 1n) return because('critical', 'single_signature')
  return previous !== undefined && next > previous ? because('high', 'threshold_raised') : undefined
}

const delay: Rule = (event, { previousDelay }) => {
  const next = integer(nextOf(DELAYS, event))
  const previous = integer(previousOf(DELAYS, event)) ?? previousDelay
  if (next === undefined || previous === undefined || next === previous) return undefined
  return next < previous ? because('critical', 'delay_lowered') : because('high', 'delay_raised')
}

function integer(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(text)
}

/** Burn addresses: no account can act for them. */
const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  ZERO_ADDRESS,
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000dead',
])

const controller: Rule = (event, { previousController, nextController }) => {
  const next = nextOf(CONTROLLERS, event)
  if (next === undefined) return undefined
  if (BURN_ADDRESSES.has(next)) return because('critical', 'renounced')
  return previousController === 'contract' && nextController === 'single_key'
    ? because('critical', 'moved_to_single_key')
    : undefined
}

const upgrade: Rule = (event, { previousImplementation, hasSameCode }) => {
  const next = nextOf(IMPLEMENTATIONS, event)
  if (next === undefined) return undefined
  const previous = previousOf(IMPLEMENTATIONS, event) ?? previousImplementation
  // Code can change at one address (self-destruct and re-creation): different code outweighs an equal address.
  if (hasSameCode === true) return because('info', 'same_code')
  return next === previous && hasSameCode === undefined ? because('info', 'same_implementation') : undefined
}

const initialized: Rule = (event, { isUpgradedHere, wasInitializedBefore }) => {
  const version = event.key === 'proxy.initialized' ? integer(textOf(event, 'version')) : undefined
  if (version === undefined) return undefined
  const isAgain = version > 1n ? isUpgradedHere === false : wasInitializedBefore === true
  return isAgain ? because('critical', 'reinitialized') : undefined
}

const setUpAgain: Rule = ({ key }, { wasSetUpBefore }) =>
  key === 'safe.setup' && wasSetUpBefore === true ? because('critical', 'set_up_again') : undefined

/** The Safe passes calls of any account to its fallback handler: a token as handler lets every account move the Safe's tokens. */
const fallbackHandler: Rule = (event, { isReleasedHandler }) =>
  event.key === 'safe.changed_fallback_handler' && isReleasedHandler === false && !isBurned(textOf(event, 'handler'))
    ? because('critical', 'unknown_handler')
    : undefined

const isBurned = (address: string | undefined): boolean => address !== undefined && BURN_ADDRESSES.has(address)

/** Events after which only a delay precedes the execution. */
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
/** Events after which a vote precedes the execution. */
const PROPOSING: ReadonlySet<string> = new Set([
  'aave2.proposal_created',
  'aave3.payload_created',
  'aave3.proposal_created',
  'governor.proposal_created',
])

/** Without a delay, a vote and the execution can be one transaction: the proposal is the last warning. */
const scheduled: Rule = (event, { emitter, isWatched, announced, delayAfterVote, delegatesToUnknown }) => {
  const isScheduling = SCHEDULING.has(event.key)
  if (isScheduling && delegatesToUnknown === true) return because('critical', 'delegatecall_scheduled')
  if (isWatched === undefined || (!isScheduling && !PROPOSING.has(event.key))) return undefined
  const calls = announced ?? scheduledCalls(event, emitter)
  const affectsWatched = (call: ScheduledCall): boolean => call.affects.some(isWatched)
  const changesControl = calls.some((call) => affectsWatched(call) && call.isControl)
  if (changesControl && isScheduling) return because('critical', 'control_scheduled')
  if (changesControl && delayAfterVote === 0n) return because('critical', 'no_delay_after_vote')
  return !isScheduling && calls.some(affectsWatched) ? because('high', 'call_proposed') : undefined
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
  if (operation === 'unseen') return because('critical', 'never_scheduled')
  if (blockTime === undefined) return undefined
  return blockTime < operation.readyAt ? because('critical', 'executed_early') : because('info', 'scheduled_execution')
}

const minter: Rule = ({ key }, { wasMinterBefore }) =>
  key === 'fiat.minter_configured' && wasMinterBefore === false ? because('critical', 'new_minter') : undefined

/** The first rule that applies decides. After `raw` the arguments are decoded. */
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
  fallbackHandler,
  scheduled,
  execution,
  minter,
]
