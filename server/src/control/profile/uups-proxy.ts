/**
 * Who passes the guard of an upgrade function that is part of the logic (UUPS).
 *
 * The function asks an owner, a role, wards or a manager, and its code does not say which. So everybody who could be
 * meant is a root, and the chain is asked whom it would let pass. Where it lets nobody pass whom the contract names, the
 * names are not the guard, and nobody can tell.
 */
import type { Hex } from 'viem'
import { managedRoots, UPGRADES } from './access-manager.ts'
import { classify, controllersOf, hasRoles, hasWards, isNobody } from './account.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { takersOf } from './pending-owner.ts'
import { MalformedSignal } from './read.ts'
import { DEFAULT_ADMIN, grantersOf, incomplete, ROLE_NAMES, roleNamed } from './roles.ts'
import { maySend, roleAskedFor, upgradeTrials } from './simulated-calls.ts'
import type { RoleBook } from './state.ts'
import { distinctRoots, everyMember, keysInCode, type Root, rootOf, whoElsePasses } from './upgrader.ts'

/** Those who may upgrade; with a doubt, there may be others. `isRefused`: the chain lets none of them, nor a stranger. */
export type LogicRoots = { readonly roots: readonly Root[]; readonly doubt?: string; readonly isRefused?: boolean }

export function uupsRoots(facts: Facts, implementation: Hex, logic: CodeFacts | undefined): LogicRoots {
  const owner = ownerOf(facts)
  const authority = facts.address('authority')
  const hasAuthority = authority !== undefined && !isNobody(authority)
  const isManaged = hasAuthority && classify(facts.beside(authority)).kind === 'access_manager'
  const trials = upgradeTrials(logic?.selectors, implementation)
  const mayPass = (from: Hex): boolean => maySend(facts, trials, from)
  const named = controllersOf(facts).map(({ role, address }) => rootOf(address, `UUPS ${role}`))
  const asked = hasRoles(facts) ? askedRoles(facts, trials) : []
  const sure: Root[] = [
    ...(isManaged ? managedRoots(facts, authority, UPGRADES) : []),
    // An authority lets pass whom it likes: whoever leads it can let himself.
    ...(hasAuthority && !isManaged ? [rootOf(authority, 'UUPS authority')] : []),
    ...(hasRoles(facts) ? roleRoots(facts, 'UUPS', { isAnyRole: true, asked }) : []),
    ...wardRoots(facts, 'UUPS'),
    ...takersOf(facts).map(({ role, address }) => rootOf(address, `UUPS ${role}`)),
  ]
  const isPlain = !isManaged && !hasRoles(facts) && !hasWards(facts)
  if (sure.length === 0 || isPlain)
    sure.push(...(owner === undefined ? named : [rootOf(owner, 'UUPS owner')]).filter(isNew(sure)))
  const unnamed = [...named, ...keysInCode(facts, logic), ...everyMember(facts, 'UUPS')]
  const others = whoElsePasses(sure, unnamed, mayPass)
  const roots = distinctRoots([...sure, ...others])
  if (roots.length === 0) {
    const isRenounced = asked.length > 0 && facts.book('roles')?.complete === true
    return isRenounced ? { roots: [rootOf(NOBODY, 'Holder of the role that may upgrade')] } : { roots, isRefused: true }
  }
  // A refusal that names a role tells the guard; a manager refuses now whom it lets pass after a delay.
  if (asked.length > 0 || (isManaged && !hasRoles(facts))) return { roots }
  const passing = thosePassing(roots, mayPass)
  const doubt = 'The chain refuses an upgrade from everyone it names: who else may is not known.'
  return passing.length === 0
    ? { roots, doubt, isRefused: true }
    : { roots: withGranters(facts, roots, passing, 'UUPS') }
}

const NOBODY: Hex = '0x0000000000000000000000000000000000000000'
const isNew =
  (known: readonly Root[]) =>
  ({ address }: Root): boolean =>
    !known.some((root) => root.address === address)

const askedRoles = (facts: Facts, trials: readonly Hex[]): readonly Hex[] =>
  each(trials, (trial) => roleAskedFor(facts, trial)).filter((role) => role !== undefined)

/** What the getter says, held against the slot where OpenZeppelin 5 keeps it. */
function ownerOf(facts: Facts): Hex | undefined {
  const owner = facts.address('owner') ?? facts.address('getOwner')
  const stored = facts.slot('ownable5')
  if (stored !== undefined && owner !== undefined && stored !== owner)
    throw new MalformedSignal('owner() and the slot of the owner disagree')
  return owner
}

export function thosePassing(roots: readonly Root[], mayPass: (from: Hex) => boolean): readonly Root[] {
  const passes = each(roots, ({ address }) => mayPass(address))
  return roots.filter((_, at) => passes[at] === true)
}

/** Which role is asked for is told by who passes; whoever may grant it passes tomorrow. */
export function withGranters(
  facts: Facts,
  roots: readonly Root[],
  passing: readonly Root[],
  what: string,
): readonly Root[] {
  const book = hasRoles(facts) ? facts.book('roles') : undefined
  if (book === undefined) return roots
  const held = [...book.roles].filter(([, { members }]) => passing.some(({ address }) => members.includes(address)))
  return distinctRoots([...roots, ...held.flatMap(([role]) => membersOf(book, grantersOf(book, role), what))])
}

/** Members of the role that is asked for or named for it, of whatever role may grant it, and of the role above all. */
export function roleRoots(
  facts: Facts,
  what: string,
  { isAnyRole = false, asked = [] }: { readonly isAnyRole?: boolean; readonly asked?: readonly Hex[] } = {},
): readonly Root[] {
  const book = facts.book('roles')
  if (book === undefined) return []
  if (isAnyRole && !book.complete) throw incomplete(book)
  const roles = [roleNamed('UPGRADER_ROLE'), ...asked]
  const wanted = new Set<Hex>([...roles, ...roles.flatMap((role) => grantersOf(book, role)), DEFAULT_ADMIN])
  return distinctRoots(membersOf(book, [...wanted], what))
}

const membersOf = (book: RoleBook, roles: readonly Hex[], what: string): readonly Root[] =>
  roles.flatMap((role) =>
    (book.roles.get(role)?.members ?? []).map((address) =>
      rootOf(address, `${what} ${ROLE_NAMES.get(role) ?? `role ${role}`} member`),
    ),
  )

/** Maker's wards: each of them may do everything, and make others wards. */
export function wardRoots(facts: Facts, what: string): readonly Root[] {
  if (!hasWards(facts)) return []
  const wards = facts.book('wards')
  if (wards === undefined) throw new MalformedSignal('it has wards and lists none')
  return wards.map((address) => rootOf(address, `${what} ward`))
}
