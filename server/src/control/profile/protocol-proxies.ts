/** Proxies that single protocols use: Compound's delegators, StarkWare's and Synthetix's proxies, Wormhole's guardians. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { addressesOf, addressOf, holds, toWord, uintOf } from './abi-values.ts'
import { callsOthers, mayWrite, replaceable } from './code-behavior.ts'
import type { CodeFacts } from './code-facts.ts'
import { controllersOf, isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { isAllowed } from './simulated-calls.ts'
import { SLOTS } from './slots.ts'
import {
  type Authority,
  callersInCode,
  distinctUpgraders,
  everyRoleMember,
  namedUpgraders,
  othersAllowed,
  runningCode,
  thoseAllowed,
  type Upgrader,
  upgrader,
  withGranters,
} from './upgrader.ts'

/** `admin()`, `pendingComptrollerImplementation()`. */
const ADMIN: Hex = '0xf851a440'
const PENDING_IMPLEMENTATION: Hex = '0xdcfbc0c7'

/** Compound's delegators (Unitroller, CErc20Delegator): logic and admin have getters in the delegator's own code. */
export function delegatorAuthority(facts: Facts, code: CodeFacts): Authority | undefined {
  const stored = replaceable(code).flatMap((source) => (source.from === 'slot' ? [source.slot] : []))
  const implementation = facts.address('comptrollerImplementation') ?? facts.address('implementation')
  const admin = facts.address('admin')
  if (stored.length === 0 || implementation === undefined || admin === undefined) return undefined
  // Getters of the logic could be forged, so admin() must be in the delegator's own code.
  if (!code.selectors.has(ADMIN) || stored.length < replaceable(code).length) return undefined
  const of = { kind: 'compound_delegator', address: facts.state.address } as const
  const pending = controllersOf(facts).filter(({ name }) => name === 'pending_admin')
  const { others, isAdminChecked, isPacked, isOffered } = comparedCallers(facts, code, admin)
  const upgraders = [
    upgrader(admin, { code: 'controller', name: 'admin', of }),
    ...pending.map(({ name, address }) => upgrader(address, { code: 'controller', name, of })),
    ...others,
  ]
  const doubts: readonly Reason[] = [
    ...(code.looksUpSender ? [{ code: 'caller_lookup_in_delegator' } as const] : []),
    ...(code.settled && !code.writesAnywhere ? [] : [{ code: 'writes_not_followed' } as const]),
    ...(isPacked ? [{ code: 'caller_slot_packed' } as const] : []),
    ...(stored.some((slot) => logicWrites(facts, slot, implementation))
      ? [{ code: 'pointer_writable_by_logic' } as const]
      : []),
    ...(isOffered ? [{ code: 'implementation_offered' } as const] : []),
    ...(isAdminChecked || !stored.some((slot) => mayWrite(code, slot)) ? [] : [{ code: 'admin_not_checked' } as const]),
  ]
  const base = {
    kind: 'proxy_compound',
    implementation,
    upgraders: distinctUpgraders(upgraders),
    notes: doubts,
  } as const
  return { ...base, type: doubts.length > 0 ? 'unresolved' : 'upgradeable' }
}

/** Whether the logic in a slot writes that slot, as far as was found. The getter may name other logic than the slot. */
function logicWrites(facts: Facts, slot: Hex, named: Hex): boolean {
  const word = facts.storage(slot)
  const address = word === undefined ? named : addressOf(word)
  return address !== undefined && runningCode(facts, address)?.writes.includes(slot) === true
}

type ComparedCallers = {
  readonly others: readonly Upgrader[]
  readonly isAdminChecked: boolean
  readonly isPacked: boolean
  readonly isOffered: boolean
}

/** Accounts that the delegator's code compares its caller with. The admin may share its slot with a small number. */
function comparedCallers(facts: Facts, code: CodeFacts, admin: Hex): ComparedCallers {
  const words = each(code.senderSlots, (slot) => facts.storage(slot) ?? toWord(0))
  const unnamed = words.filter((word) => BigInt(word) !== 0n && !holds(word, admin))
  const isOffered = offersImplementation(facts, code)
  const compared = callersInCode(facts, code, isOffered ? [SLOTS.slot3] : [])
  return {
    others: compared.filter(({ address }) => !isBurnAddress(address) && address !== admin),
    isAdminChecked: code.senders.includes(admin) || words.some((word) => holds(word, admin)),
    isPacked: unnamed.some((word) => addressOf(word) === undefined),
    isOffered,
  }
}

/**
 * A pending implementation accepts by itself, so it is not a key of the contract. An address without code in that slot
 * is a key like any other.
 */
function offersImplementation(facts: Facts, code: CodeFacts): boolean {
  if (!code.selectors.has(PENDING_IMPLEMENTATION) || !code.senderSlots.includes(SLOTS.slot3)) return false
  const word = facts.storage(SLOTS.slot3)
  const address = word === undefined ? undefined : addressOf(word)
  const logic = address === undefined || isBurnAddress(address) ? undefined : facts.sameChain(address).code()
  return logic !== undefined && logic.delegatedTo === undefined
}

/** StarkWare's proxy: governors announce an upgrade, which can be activated after a delay. */
export function starkwareAuthority(facts: Facts): Authority {
  const implementation = facts.slot('starkwareImplementation') as Hex
  const base = { kind: 'proxy_custom', implementation } as const
  // The logic behind the proxy may forge the getter, so the shorter of the two delays counts.
  const stored = facts.word('starkwareDelay')
  const delays = [facts.uint('upgradeActivationDelay'), stored === undefined ? undefined : uintOf(stored)]
  const known = delays.filter((delay) => delay !== undefined).map((delay) => Math.min(Number(delay), 10 ** 12))
  const governors = facts.members('governors')
  if (governors === undefined || governors.length === 0)
    return { ...base, type: 'unresolved', notes: [{ code: 'governors_unknown' }] }
  const delaySeconds = known.length === 0 ? 0 : Math.min(...known)
  const upgraders = governors.map((address) => upgrader(address, { code: 'starkware_governor' }, delaySeconds))
  return { ...base, type: 'upgradeable', upgraders, notes: [{ code: 'activation_delay', delaySeconds }] }
}

/** `setTarget(address)`. */
const SET_TARGET: Hex = '0x776d1a01'

/** Synthetix's proxy, which calls its target instead of delegating to it. */
export function callProxyAuthority(facts: Facts, code: CodeFacts): Authority | undefined {
  const target = facts.address('target')
  if (target === undefined || !callsOthers(code) || !code.selectors.has(SET_TARGET)) return undefined
  const allows = (from: Hex): boolean => isAllowed(facts, [`${SET_TARGET}${toWord(target).slice(2)}`], from)
  // Other accounts it compares its caller with may take it over. The target only passes events through it.
  const compared = callersInCode(facts, code).filter(({ address }) => !isBurnAddress(address) && address !== target)
  const named = distinctUpgraders([...namedUpgraders(facts, 'call_proxy'), ...compared])
  const upgraders = [...named, ...othersAllowed(named, everyRoleMember(facts, 'call_proxy'), allows)]
  const allowed = thoseAllowed(upgraders, allows)
  const base = { kind: 'proxy_custom', implementation: target } as const
  if (allowed.length > 0)
    return {
      ...base,
      type: 'upgradeable',
      upgraders: withGranters(facts, upgraders, allowed, 'call_proxy'),
      notes: [{ code: 'call_proxy', target }],
    }
  return {
    ...base,
    type: 'unresolved',
    upgraders,
    notes: [{ code: 'call_proxy', target }, { code: 'target_change_refused' }],
  }
}

/** `submitContractUpgrade(bytes)`. */
const GUARDIAN_UPGRADE: Hex = '0x5cb8cae2'
const GET_GUARDIAN_SET: Hex = '0xf951975a'

/** Wormhole's guardians: more than two thirds of the current set sign for new logic. */
export function guardianSet(facts: Facts, logic: CodeFacts): Upgrader | undefined {
  const index = facts.uint('guardianSetIndex')
  if (index === undefined || !logic.selectors.has(GUARDIAN_UPGRADE)) return undefined
  const result = facts.call(`${GET_GUARDIAN_SET}${toWord(index).slice(2)}`)
  // A struct with a list in it: the list begins after the offset of the struct.
  const owners = result === undefined ? undefined : addressesOf(`0x${result.slice(66)}`)
  if (owners === undefined || owners.length === 0) return undefined
  const threshold = Math.floor((owners.length * 2) / 3) + 1
  return {
    ...upgrader(facts.state.address, { code: 'guardian_set' }),
    quorum: { threshold, owners, guardianSet: String(index) },
  }
}
