/** Who can change the logic of a proxy that takes it from a beacon. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { callsOthers } from './code-behavior.ts'
import type { CodeFacts } from './code-facts.ts'
import { doesMove, logicDelegatecallers, mayMove } from './eip1967-proxy.ts'
import type { Facts } from './facts.ts'
import { isAllowed, upgradeCalls } from './simulated-calls.ts'
import { SLOTS } from './slots.ts'
import {
  type Authority,
  distinctUpgraders,
  namedUpgraders,
  othersAllowed,
  runningCode,
  thoseAllowed,
  type Upgrader,
  unnamedCallers,
  upgrader,
  upgradersThrough,
  withGranters,
} from './upgrader.ts'
import { isMentionOnly, uupsUpgraders } from './uups-proxy.ts'

type AuthorityOf = (facts: Facts) => Authority

/** `authorityOf`: who can replace the beacon's own logic. */
export function beaconAuthority(authorityOf: AuthorityOf, facts: Facts, code: CodeFacts, beacon: Hex): Authority {
  const there = facts.sameChain(beacon)
  const implementation = there.address('implementation')
  const base = { kind: 'proxy_beacon', ...(implementation === undefined ? {} : { implementation }) } as const
  const admin = facts.slot('admin')
  const ofBeacon = beaconUpgraders(authorityOf, there, implementation)
  const found = implementation === undefined ? undefined : uupsUpgraders(facts, implementation)
  const isMentioned = found !== undefined && implementation !== undefined && isMentionOnly(facts, implementation, found)
  const uups = isMentioned ? undefined : found
  const delegatecalls =
    implementation === undefined ? undefined : logicDelegatecallers(facts, [implementation], uups !== undefined)
  const upgraders = [
    ...upgradersThrough(ofBeacon.upgraders, beacon),
    ...(admin === undefined ? [] : [upgrader(admin, { code: 'proxy_admin', family: 'eip1967' })]),
    ...(uups?.upgraders ?? []),
    ...(delegatecalls?.upgraders ?? []),
  ]
  // That no account can change it is concluded only for logic that was followed to its end.
  const mayRewrite = upgraders.length === 0 ? mayMove : doesMove
  const isRewriting = implementation !== undefined && mayRewrite(facts, implementation, [SLOTS.beacon])
  const doubts: readonly Reason[] = [
    ...(ofBeacon.doubt === undefined ? [] : [ofBeacon.doubt]),
    ...(uups?.doubt === undefined ? [] : [uups.doubt]),
    ...(isRewriting ? [{ code: 'pointer_writable_by_logic', logic: implementation } as const] : []),
    ...(delegatecalls?.doubts ?? []),
    ...(isSoleSource(code, beacon) ? [] : [{ code: 'beacon_not_sole_source' } as const]),
    ...(code.writes.includes(SLOTS.beacon) ? [{ code: 'beacon_replaceable' } as const] : []),
  ]
  const note: Reason = { code: 'beacon', beacon }
  if (doubts.length > 0) return { ...base, type: 'unresolved', upgraders, notes: [note, ...doubts] }
  if (upgraders.length === 0) return { ...base, type: 'immutable', notes: [note, { code: 'beacon_fixed' }] }
  return { ...base, type: 'upgradeable', upgraders, notes: [note] }
}

/** What runs is in slots, or is the answer of the beacon in the slot or in the code. */
const isSoleSource = (code: CodeFacts, beacon: Hex): boolean =>
  code.delegates.every((source) =>
    source.from === 'answer' ? source.by === SLOTS.beacon || source.by === beacon : source.from !== 'anything',
  )

/** Accounts that can change a beacon, or replace the beacon's own logic. */
function beaconUpgraders(
  authorityOf: AuthorityOf,
  beacon: Facts,
  implementation: Hex | undefined,
): { readonly upgraders: readonly Upgrader[]; readonly doubt?: Reason } {
  const own = beacon.code() === undefined ? undefined : authorityOf(beacon)
  const code = own?.implementation === undefined ? beacon.code() : runningCode(beacon, own.implementation)
  if (own === undefined || code === undefined) return { upgraders: [], doubt: { code: 'beacon_controller_unknown' } }
  const named = namedUpgraders(beacon, 'beacon')
  const calls = implementation === undefined ? [] : upgradeCalls(code.selectors, implementation)
  const allows = (from: Hex): boolean => isAllowed(beacon, calls, from)
  const hidden = calls.length === 0 ? [] : othersAllowed(named, unnamedCallers(beacon, code, 'beacon'), allows)
  const upgraders = distinctUpgraders([...named, ...hidden, ...(own.upgraders ?? [])])
  if (own.type === 'unresolved') return { upgraders, doubt: { code: 'beacon_logic_controller_unknown' } }
  const cannotChange = code.settled && code.writes.length === 0 && !code.writesAnywhere && !callsOthers(code)
  if (cannotChange) return { upgraders }
  if (named.length + hidden.length === 0) return { upgraders, doubt: { code: 'beacon_controller_unknown' } }
  if (calls.length === 0) return { upgraders }
  const allowed = thoseAllowed([...named, ...hidden], allows)
  return allowed.length === 0
    ? { upgraders, doubt: { code: 'beacon_change_refused' } }
    : { upgraders: withGranters(beacon, upgraders, allowed, 'beacon') }
}
