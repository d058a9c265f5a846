/** Judges a governor: the delay between a vote and its effect, and accounts that decide without a vote. */
import type { Hex } from 'viem'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { CodePower, CodePowers } from '../powers/code-powers.ts'
import { type Account, classify } from './account.ts'
import { codeThatRan } from './code-history.ts'
import { type ControlNode, labelByDelay } from './control-node.ts'
import { child, type Hop, type Judgment, namedControllers, through, type Walk } from './control-path.ts'
import { ownControl, ownUpgrade, unknownNode } from './controller-nodes.ts'
import { controllersOf, isBurnAddress, isUnusable } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import type { Weigher } from './gates.ts'
import { holdersOf } from './guard-holders.ts'
import { proveActs } from './proof.ts'
import { grantersOf, PROPOSER } from './roles.ts'
import { powersInCode } from './running-codes.ts'
import { refKey } from './state.ts'
import { isPrevented, withTakenKeys } from './taken-keys.ts'
import { enforcedDelay } from './timelock.ts'
import { upgradeAuthority } from './upgrade-authority.ts'

/** `__queueSetTimelockPendingAdmin(address,uint256)` of GovernorAlpha. */
const ALPHA_GUARDIAN: Hex = '0x91500671'

/** A vote takes days, but only a timelock that no other account can use is a guaranteed delay. */
export function judgeGovernor(walk: Walk, facts: Facts, governor: Account & { kind: 'governor' }, hop: Hop): Judgment {
  const { timelock } = governor
  const delaySeconds = Math.max(hop.delaySeconds, timelock === undefined ? 0 : delayOfVotes(facts, timelock))
  const weak = weakVotes(governor)
  const notes: readonly Reason[] = [...(delaySeconds > 0 ? [] : [{ code: 'no_timelock' } as const]), ...weak]
  // Controllers of the governor and the guardian of GovernorAlpha decide without a vote.
  const guardian = facts.code()?.selectors.has(ALPHA_GUARDIAN) === true ? facts.address('guardian') : undefined
  const delayed: Hop = { ...hop, delaySeconds }
  const of = { kind: 'governor', address: facts.state.address } as const
  const guardians =
    guardian === undefined || isBurnAddress(guardian)
      ? []
      : [child(walk, facts, guardian, { ...delayed, role: { code: 'controller', name: 'guardian', of } })]
  const named = [...namedControllers(walk, facts, 'governor', delayed), ...guardians]
  const { weighers, repeated, asked } = proveActs(facts, 'vote')
  const votes = each(weighers, (weigher) =>
    votingPower(walk, facts.sameChain(weigher.address), weigher, delayed),
  ).flat()
  // What waits in a timelock is announced again, and a timelock does only what was queued in it, whatever it answers.
  const isOther = (address: Hex | undefined): boolean => delaySeconds === 0 || address !== timelock
  const faults: Reason[] = []
  if (repeated.some(isOther)) faults.push({ code: 'repeated_proposals', address: facts.state.address })
  if (asked.some(isOther)) faults.push({ code: 'answered_calls', address: facts.state.address })
  const doubts = faults.length === 0 ? [] : [unknownNode(facts, delayed, faults)]
  return through([...named, ...votes, ...doubts, ...ownControl(walk, facts, hop, 'vote', named)], {
    delaySeconds,
    own: delaySeconds === 0 && weak.length > 0 ? 'unknown' : labelByDelay(delaySeconds),
    notes,
  })
}

/** The shortest vote that leaves the other voters time to vote against, by the clock that it is counted in. */
const LEAST_PERIOD = { blocks: 50n, seconds: 600n } as const

/** Why one voter may decide alone, by what the governor answers itself. */
function weakVotes({ quorumPercent, quorumVotes, period, clock }: Account & { kind: 'governor' }): readonly Reason[] {
  const hasNoQuorum = quorumPercent === 0n || quorumVotes === 0n
  const isShort = period !== undefined && period < LEAST_PERIOD[clock ?? 'blocks']
  return [
    ...(hasNoQuorum ? [{ code: 'no_quorum' } as const] : []),
    ...(isShort ? [{ code: 'short_vote' } as const] : []),
  ]
}

/** Powers over a token that seem to give its holder no votes. What votes depend on is not proven. */
const OTHER_POWERS: ReadonlySet<PowerEffect> = new Set(['freeze', 'pause', 'set_terms'])
const givesVotes = ({ effect, grants }: CodePower): boolean =>
  effect === 'grant' && grants !== undefined
    ? grants.some((granted) => !OTHER_POWERS.has(granted))
    : !OTHER_POWERS.has(effect)

/** Whether the code gives no account votes that it has not earned. What a library stores is not judged. */
const isEarned = (token: Facts, { gifts, libraryCalls }: CodePowers, weighs: Hex): boolean =>
  gifts !== undefined &&
  each(
    gifts.filter(({ readBy }) => readBy.includes(weighs)),
    ({ selector, isOnce }) => isOnce === true && isPrevented(token, selector),
  ).every(Boolean) &&
  libraryCalls.every(({ guards }) => guards.length > 0)

/** A key that may give itself votes, or may not. */
const doubtful = (node: ControlNode): ControlNode =>
  node.label === 'single_key' ? { ...node, label: 'unknown' } : node

/**
 * Accounts that can replace the contract that weighs votes, or that can give themselves votes. `selector`: the function that
 * answers how many votes an account has, or had at a time.
 */
function votingPower(walk: Walk, token: Facts, { selector, isAtTime }: Weigher, hop: Hop): readonly ControlNode[] {
  const path = [...hop.path, token.ref]
  // A caller may make the token act on the account that mints.
  walk.passive.add(refKey(token.ref))
  const inner: Walk = {
    ...walk,
    visit: (ref, next) =>
      walk.visit(ref, { ...next, delaySeconds: Math.max(hop.delaySeconds, next.delaySeconds), path }),
  }
  const { found: inCode, running, isFollowed, hasLibraries } = powersInCode(token)
  const powers = withTakenKeys(token, inCode)
  const codes = running.codes.map((code) => code.powers)
  const answering = codes.filter(({ functions }) => functions.some((each) => each.selector === selector))
  const found = each(
    powers.flatMap((power) => power.guards.map((guard) => ({ power, guard }))),
    ({ power, guard }) => {
      const { nodes, unknown } = holdersOf(inner, token, guard, [power.selector])
      return { nodes: givesVotes(power) ? nodes : nodes.map(doubtful), unknown }
    },
  )
  // Other code on the same storage may store votes that the answering code does not know of.
  const others = codes.filter((code) => !answering.includes(code))
  const isLasting = answering.every(
    ({ answers: { timed, lasting } }) => lasting.includes(selector) || (isAtTime && timed.includes(selector)),
  )
  // Votes that other logic answered stay counted, and so do those that it stored.
  const hashes = new Set(running.codes.map(({ hash }) => hash))
  const wasOther = codeThatRan(token, running.codes)?.every(({ hash }) => hashes.has(hash)) !== true
  const isUnknown =
    !isFollowed ||
    !hasLibraries ||
    running.isListed ||
    answering.length === 0 ||
    !isLasting ||
    wasOther ||
    others.some(({ openStores }) => openStores.length > 0) ||
    !each(codes, (code) => isEarned(token, code, selector)).every(Boolean) ||
    powers.some(({ unknown, isTaken }) => unknown !== undefined || isTaken === true) ||
    found.some(({ unknown }) => unknown !== undefined && unknown !== 'self') ||
    // Which accounts a manager lets mint is not read.
    found.some(({ nodes }) => nodes.some(({ account }) => account.kind === 'access_manager'))
  const { address } = token.state
  const notes: readonly Reason[] =
    (isLasting && !wasOther) || answering.length === 0
      ? [{ code: 'permissions_not_read', address }]
      : [{ code: isAtTime ? 'past_votes_change' : 'present_votes', address, selector }]
  const isOwn = found.some(({ unknown }) => unknown === 'self')
  return [
    ...ownUpgrade(walk, token, { ...hop, path }),
    ...found.flatMap(({ nodes }) => nodes),
    ...(isOwn ? [inner.visit(token.ref, { ...hop, path, role: { code: 'own_logic' } })] : []),
    ...(isUnknown ? [unknownNode(token, hop, notes)] : []),
  ]
}

/** The delay of its timelock, if the governor calls nothing else after a vote. */
function delayOfVotes(facts: Facts, timelock: Hex): number {
  const { calls } = proveActs(facts, 'vote')
  return calls.every((address) => address === timelock) ? soleDelay(facts, timelock) : 0
}

/** The delay of a timelock that only this governor controls, and that no account can replace or bypass; otherwise zero. */
function soleDelay(facts: Facts, timelock: Hex): number {
  const there = facts.sameChain(timelock)
  const account = classify(there)
  const self = facts.state.address
  if (upgradeAuthority(there).type !== 'immutable') return 0
  const { holders, unproven } = proveActs(there, 'queue')
  const isBypassed = holders.some(({ address }) => address !== timelock && !isUnusable(there, address))
  if (unproven.length > 0 || isBypassed) return 0
  if (account.kind === 'timelock_compound') return account.admin === self ? enforcedDelay(there, account.delay) : 0
  if (account.kind !== 'timelock_oz' || controllersOf(there).some(({ address }) => !isBurnAddress(address))) return 0
  const members = there.members('roles')
  if (members === undefined) return 0
  const able = [PROPOSER, ...grantersOf(members, PROPOSER)].flatMap((role) => members.roles.get(role)?.members ?? [])
  return members.complete && able.length > 0 && able.every((address) => address === self || address === timelock)
    ? enforcedDelay(there, account.delay)
    : 0
}
