/**
 * Contracts that keep roles for others: whether one answers `hasRole` from the table that its events report, and who can add
 * members to that table.
 */
import type { Hex } from 'viem'
import type { UnknownHolders } from '../../../../vocabulary/powers.ts'
import { EVERY_CALLER } from '../../../../vocabulary/upgrades.ts'
import { mayHit } from '../code/hits.ts'
import type { Position } from '../code/positions.ts'
import type { Guard } from '../powers/guards.ts'
import type { CodeFacts } from './code-facts.ts'
import { isNamedByEvents } from './complete-lists.ts'
import type { ControlNode } from './control-node.ts'
import type { Walk } from './control-path.ts'
import { each, type Facts } from './facts.ts'
import { entryOf } from './listed-entries.ts'
import { isAdminOf, ROLE_GRANTED } from './listed-holders.ts'
import { grantersOf } from './roles.ts'
import { codesOf } from './running-codes.ts'
import { MalformedSignal, type RoleMembers, UnreadSignal } from './state.ts'

/** `hasRole(bytes32,address)`. */
export const HAS_ROLE: Hex = '0x91d14854'

/** The accounts that pass, and why there may be others. */
export type Holders = {
  readonly nodes: readonly ControlNode[]
  readonly unknown?: UnknownHolders
  /** Every caller can become one. */
  readonly isOpen?: true
}

type Doubt = Pick<Holders, 'unknown'>

/** Why a list may have other members than those that events name. */
export function othersIn(walk: Walk, facts: Facts, list: Position, event: Hex): Doubt {
  try {
    return isNamedByEvents(facts, list, event) ? {} : { unknown: 'table' }
  } catch (signal) {
    if (signal instanceof MalformedSignal) return { unknown: 'table' }
    if (!(signal instanceof UnreadSignal)) throw signal
    walk.failedReads.push({ address: facts.state.address, read: signal.read, cause: signal.message })
    return { unknown: 'read' }
  }
}

const listAt = (base: Hex) => ({ type: 'table', base, keys: ['?0', '?0'], member: 0 }) as const

/**
 * Why a contract that keeps roles may answer yes for other accounts than those that its events name: it may not answer from
 * its table, or the table may hold others.
 */
export function doubtOfBook(walk: Walk, there: Facts, members: RoleMembers, role: Hex): Doubt {
  const base = roleBase(codesOf(there))
  if (base === undefined) return { unknown: 'answer' }
  // The roles that grant it must be those that the table names.
  const granters = new Set(grantersOf(members, role))
  const seen = new Set<Hex>()
  for (let next = role; !seen.has(next); ) {
    seen.add(next)
    const above = entryOf(there, { type: 'table', base, keys: [next], member: 1 })
    if (above === undefined || !granters.has(above)) return { unknown: 'answer' }
    next = above
  }
  return othersIn(walk, there, listAt(base), ROLE_GRANTED)
}

/** The table that all code of a contract answers `hasRole` from. */
function roleBase({ codes, isComplete, isListed }: ReturnType<typeof codesOf>): Hex | undefined {
  const bases = new Set(codes.flatMap(({ powers }) => powers.roleTable?.base ?? []))
  const [base] = bases
  return isComplete && !isListed && bases.size === 1 && codes.every(isAnswering) ? base : undefined
}

/** Whether code answers from its table, or passes on what other code answers. */
const isAnswering = ({ powers, effects, cloneOf }: CodeFacts): boolean =>
  powers.roleTable !== undefined ||
  cloneOf !== undefined ||
  (effects.settled &&
    !powers.functions.some(({ selector }) => selector === HAS_ROLE) &&
    effects.answers.every(({ selector, is }) => selector !== undefined || is.type === 'forwarded'))

/** Accounts that can add members by other functions than those that a role is asked for. */
export function appointingIn(there: Facts, holdersOf: (guard: Guard, selector: Hex) => Holders): Holders {
  const running = codesOf(there)
  const base = roleBase(running)
  if (base === undefined) return { nodes: [], unknown: 'answer' }
  const found = each(running.codes, ({ effects, powers }) => {
    const stores = effects.effects.filter(
      ({ kind, position, isClear }) =>
        kind === 'store' && isClear !== true && position !== undefined && mayHit(position, listAt(base)),
    )
    const selectors = [...new Set(stores.map(({ selector }) => selector))].filter(
      (selector) => selector === undefined || !powers.once.includes(selector),
    )
    return each(selectors, (selector): readonly Holders[] => {
      const access = powers.functions.find((each) => each.selector === selector)?.access
      const guards = powers.powers.filter((power) => power.selector === selector)
      const isKnown = guards.every(({ unknown }) => unknown === undefined)
      // Roles that grant others are known already.
      const added = stores.filter((store) => store.selector === selector).map(({ position }) => position)
      const others = guards.flatMap((power) => power.guards).filter((guard) => !isOfAdmins(guard, base, added))
      if (selector === undefined || access === undefined || access === EVERY_CALLER || !isKnown || guards.length === 0)
        return [{ nodes: [], unknown: 'answer' }]
      return each(others, (guard) => holdersOf(guard, selector))
    }).flat()
  }).flat()
  const doubt = found.find(({ unknown }) => unknown !== undefined)?.unknown
  return { nodes: found.flatMap(({ nodes }) => nodes), ...(doubt && { unknown: doubt }) }
}

/** The role that the table itself names as the one that grants the role of each member that is added. */
const isOfAdmins = (guard: Guard, base: Hex, added: readonly (Position | undefined)[]): boolean =>
  guard.type === 'member' &&
  guard.table.base === base &&
  added.every((member) => member?.type === 'table' && isAdminOf(guard.table.keys[0], base, member.keys[0]))
