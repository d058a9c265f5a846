/** Judges a governor: the delay between a vote and its effect, and accounts that decide without a vote. */
import type { Hex } from 'viem'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { type Account, classify } from './account.ts'
import { type ControlNode, labelByDelay } from './control-node.ts'
import { child, type Hop, type Judgment, namedControllers, through, type Walk } from './control-path.ts'
import { ownControl, ownUpgrade, unknownNode } from './controller-nodes.ts'
import { controllersOf, isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { holdersOf } from './guard-holders.ts'
import { proveActs } from './proof.ts'
import { grantersOf, PROPOSER } from './roles.ts'
import { upgradeAuthority } from './upgrade-authority.ts'

/** `__queueSetTimelockPendingAdmin(address,uint256)` of GovernorAlpha. */
const ALPHA_GUARDIAN: Hex = '0x91500671'

/** A vote takes days, but only a timelock that no other account can use is a guaranteed delay. */
export function judgeGovernor(walk: Walk, facts: Facts, governor: Account & { kind: 'governor' }, hop: Hop): Judgment {
  const { timelock } = governor
  const delaySeconds = Math.max(hop.delaySeconds, timelock === undefined ? 0 : enforcedDelay(facts, timelock))
  const notes: Reason[] = delaySeconds > 0 ? [] : [{ code: 'no_timelock' }]
  if (governor.quorumPercent === 0n || governor.quorumVotes === 0n) notes.push({ code: 'no_quorum' })
  // Controllers of the governor and the guardian of GovernorAlpha decide without a vote.
  const guardian = facts.code()?.selectors.has(ALPHA_GUARDIAN) === true ? facts.address('guardian') : undefined
  const delayed: Hop = { ...hop, delaySeconds }
  const of = { kind: 'governor', address: facts.state.address } as const
  const guardians =
    guardian === undefined || isBurnAddress(guardian)
      ? []
      : [child(walk, facts, guardian, { ...delayed, role: { code: 'controller', name: 'guardian', of } })]
  const named = [...namedControllers(walk, facts, 'governor', delayed), ...guardians]
  const { weighers } = proveActs(facts, 'vote')
  const votes = each(weighers, (address) => votingPower(walk, facts.sameChain(address), delayed)).flat()
  return through([...named, ...votes, ...ownControl(walk, facts, hop, 'vote', named)], {
    delaySeconds,
    own: labelByDelay(delaySeconds),
    notes,
  })
}

/** Powers over a token that give as many votes as its holder likes. */
const VOTE_POWERS: ReadonlySet<PowerEffect> = new Set(['mint', 'move_funds'])

/** Accounts that can replace the contract that weighs votes, or that can give themselves votes. */
function votingPower(walk: Walk, token: Facts, hop: Hop): readonly ControlNode[] {
  const path = [...hop.path, token.ref]
  const inner: Walk = {
    ...walk,
    visit: (ref, next) =>
      walk.visit(ref, { ...next, delaySeconds: Math.max(hop.delaySeconds, next.delaySeconds), path }),
  }
  const powers = (token.code()?.powers.powers ?? []).filter(
    ({ effect, grants = [] }) => VOTE_POWERS.has(effect) || grants.some((granted) => VOTE_POWERS.has(granted)),
  )
  const found = each(
    powers.flatMap(({ guards, selector }) => guards.map((guard) => ({ guard, selector }))),
    ({ guard, selector }) => holdersOf(inner, token, guard, selector),
  )
  // What a token lets its own code do is judged with that code.
  const isUnknown =
    powers.some(({ effect, unknown }) => effect === 'mint' && unknown !== undefined) ||
    found.some(({ unknown }) => unknown !== undefined && unknown !== 'self')
  const notes: readonly Reason[] = [{ code: 'permissions_not_read', address: token.state.address }]
  return [
    ...ownUpgrade(walk, token, { ...hop, path }),
    ...found.flatMap(({ nodes }) => nodes),
    ...(isUnknown ? [unknownNode(token, hop, notes)] : []),
  ]
}

/** The delay of its timelock, if the governor calls nothing else after a vote. */
function enforcedDelay(facts: Facts, timelock: Hex): number {
  const { calls } = proveActs(facts, 'vote')
  return calls.every((address) => address === timelock) ? soleDelay(facts, timelock) : 0
}

/** The delay of a timelock that only this governor controls and no account can replace; otherwise zero. */
function soleDelay(facts: Facts, timelock: Hex): number {
  const there = facts.sameChain(timelock)
  const account = classify(there)
  const self = facts.state.address
  if (upgradeAuthority(there).type !== 'immutable') return 0
  if (account.kind === 'timelock_compound') return account.admin === self ? account.delay : 0
  if (account.kind !== 'timelock_oz' || controllersOf(there).some(({ address }) => !isBurnAddress(address))) return 0
  const members = there.members('roles')
  if (members === undefined) return 0
  const able = [PROPOSER, ...grantersOf(members, PROPOSER)].flatMap((role) => members.roles.get(role)?.members ?? [])
  return members.complete && able.length > 0 && able.every((address) => address === self || address === timelock)
    ? account.delay
    : 0
}
