/** Who can change what a beacon names, for a proxy that asks it. */
import type { Hex } from 'viem'
import { controllersOf, hasRoles } from './account.ts'
import { type Authority, runningCode } from './authority.ts'
import { asksOthers, type CodeFacts } from './code-facts.ts'
import { doesMove, lentBy, mayMove, rewrites } from './eip1967-proxy.ts'
import type { Facts } from './facts.ts'
import { isMentionOnly, logicRoots } from './logic-roots.ts'
import { maySend, upgradeTrials } from './simulated-calls.ts'
import { SLOTS } from './slots.ts'
import { distinctRoots, everyMember, keysInCode, type Root, rootOf, whoElsePasses } from './upgrader.ts'
import { roleRoots, thosePassing, wardRoots, withGranters } from './uups-proxy.ts'

type AuthorityOf = (facts: Facts) => Authority

/** `authorityOf`: who can replace the beacon's own logic. */
export function ofBeacon(authorityOf: AuthorityOf, facts: Facts, code: CodeFacts, beacon: Hex): Authority {
  const there = facts.beside(beacon)
  const implementation = there.address('implementation')
  const base = { kind: 'proxy_beacon', ...(implementation === undefined ? {} : { implementation }) } as const
  const admin = facts.slot('admin')
  const owners = beaconRoots(authorityOf, there, implementation)
  const found = implementation === undefined ? undefined : logicRoots(facts, implementation)
  const isMentioned = found !== undefined && implementation !== undefined && isMentionOnly(facts, implementation, found)
  const inLogic = isMentioned ? undefined : found
  const lent = implementation === undefined ? undefined : lentBy(facts, [implementation], inLogic !== undefined)
  const roots = [
    ...owners.roots,
    ...(admin === undefined ? [] : [rootOf(admin, 'Proxy admin')]),
    ...(inLogic?.roots ?? []),
    ...(lent?.roots ?? []),
  ]
  // That nobody can change it is believed only of logic that was followed to its end.
  const mayRewrite = roots.length === 0 ? mayMove : doesMove
  const isRewriting = implementation !== undefined && mayRewrite(facts, implementation, [SLOTS.beacon])
  const doubts = [
    ...(owners.doubt === undefined ? [] : [owners.doubt]),
    ...(inLogic?.doubt === undefined ? [] : [inLogic.doubt]),
    ...(isRewriting ? [rewrites(implementation)] : []),
    ...(lent?.doubts ?? []),
    ...(isAsked(code, beacon) ? [] : ['The code of the proxy does not ask the beacon in its slot alone.']),
    ...(code.writes.includes(SLOTS.beacon) ? ['The code of the proxy can change its beacon.'] : []),
  ]
  const notes = [`Its logic comes from beacon ${beacon}.`]
  if (doubts.length > 0) return { ...base, type: 'unresolved', roots, notes: [...notes, ...doubts] }
  if (roots.length === 0) return { ...base, type: 'immutable', notes: [...notes, 'The beacon cannot change either.'] }
  return { ...base, type: 'roots', roots, notes }
}

/** The code finds its beacon in the slot, or carries it; and it knows no other place where logic could come from. */
function isAsked(code: CodeFacts, beacon: Hex): boolean {
  if (code.delegates.every(({ from }) => from !== 'anything')) return true // what it runs stands in slots, not in a beacon
  const known: readonly Hex[] = [SLOTS.beacon, SLOTS.admin, SLOTS.implementation]
  const others = [...code.addresses].filter((address) => address !== beacon)
  const isFound = code.reads.includes(SLOTS.beacon) || code.addresses.has(beacon)
  return isFound && others.length === 0 && code.reads.every((slot) => known.includes(slot))
}

/** The owner of a beacon, whoever else may change it, and whoever can replace the beacon's own logic. */
function beaconRoots(
  authorityOf: AuthorityOf,
  beacon: Facts,
  implementation: Hex | undefined,
): { readonly roots: readonly Root[]; readonly doubt?: string } {
  const own = beacon.code() === undefined ? undefined : authorityOf(beacon)
  const code = own?.implementation === undefined ? beacon.code() : runningCode(beacon, own.implementation)
  if (own === undefined || code === undefined) return { roots: [], doubt: 'Who controls the beacon could not be told.' }
  const named = [
    ...controllersOf(beacon).map(({ role, address }) => rootOf(address, `Beacon ${role}`)),
    ...(hasRoles(beacon) ? roleRoots(beacon, 'Beacon') : []),
    ...wardRoots(beacon, 'Beacon'),
  ]
  const trials = implementation === undefined ? [] : upgradeTrials(code.selectors, implementation)
  const mayPass = (from: Hex): boolean => maySend(beacon, trials, from)
  const hidden =
    trials.length === 0
      ? []
      : whoElsePasses(named, [...keysInCode(beacon, code), ...everyMember(beacon, 'Beacon')], mayPass)
  const roots = distinctRoots([...named, ...hidden, ...(own.roots ?? [])])
  if (own.type === 'unresolved') return { roots, doubt: 'Who controls the logic of the beacon could not be told.' }
  const cannotChange = code.settled && code.writes.length === 0 && !code.writesAnywhere && !asksOthers(code)
  if (cannotChange) return { roots }
  if (named.length + hidden.length === 0) return { roots, doubt: 'Who controls the beacon could not be told.' }
  if (trials.length === 0) return { roots }
  const passing = thosePassing([...named, ...hidden], mayPass)
  return passing.length === 0
    ? { roots, doubt: 'The beacon refuses a change from everyone it names.' }
    : { roots: withGranters(beacon, roots, passing, 'Beacon') }
}
