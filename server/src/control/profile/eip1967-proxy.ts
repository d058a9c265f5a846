/**
 * Who can move the implementation pointer that a proxy keeps in a slot: EIP-1967 and the families before it.
 *
 * The admin slot names who should; the code of proxy and logic shows which callers it checks. Where the two differ, or
 * where the code looks the caller up in a table that cannot be listed, there are others than those that are named.
 */
import type { Hex } from 'viem'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import type { ControlRole } from '../../../../vocabulary/control-roles.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { addressOf, boolOf, toWord } from './abi-values.ts'
import { delegatecallers } from './arbitrary-delegatecall.ts'
import { callsOthers, type DelegateSource, mayWrite } from './code-behavior.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { guardianSet } from './protocol-proxies.ts'
import { SLOTS, type SlotName } from './slots.ts'
import { type Authority, callersInCode, MAX_LIBRARY_DEPTH, runningCode, type Upgrader, upgrader } from './upgrader.ts'
import { isMentionOnly, type UupsUpgraders, uupsUpgraders } from './uups-proxy.ts'

/** The slots where a proxy keeps its logic, and its admin if it has one. */
export type SlotFamily = {
  readonly kind: ContractKind
  readonly logic: SlotName
  readonly admin?: SlotName
  readonly role: (ControlRole & { readonly code: 'proxy_admin' })['family']
}

export const SLOT_FAMILIES: readonly SlotFamily[] = [
  { kind: 'proxy_transparent', logic: 'implementation', admin: 'admin', role: 'eip1967' },
  { kind: 'proxy_zos', logic: 'zosImplementation', admin: 'zosAdmin', role: 'zeppelin_os' },
  { kind: 'proxy_uups', logic: 'proxiable', role: 'eip1967' },
  { kind: 'proxy_polygon', logic: 'polygonImplementation', admin: 'polygonOwner', role: 'polygon' },
  { kind: 'proxy_custom', logic: 'implementationOffByOne', admin: 'admin', role: 'eip1967' },
]

export function slotProxyAuthority(facts: Facts, code: CodeFacts, family: SlotFamily, implementation: Hex): Authority {
  const logic = runningCode(facts, implementation)
  const admin = family.admin === undefined ? undefined : facts.slot(family.admin)
  const secondary = facts.slot('secondaryImplementation')
  const logics = [implementation, ...(secondary === undefined ? [] : [secondary])]
  const { upgraders: ofProxy, isFixed, doubts } = proxyUpgraders(facts, code, family, admin)
  const inLogic = logics.map((address) => upgradersInLogic(facts, address, family, ofProxy.length > 0))
  const isUups = inLogic.some((found) => found !== undefined)
  const kind: ContractKind =
    secondary !== undefined ? 'proxy_arbitrum' : admin === undefined && isUups ? 'proxy_uups' : family.kind
  const base = { kind, implementation }
  if (logic === undefined)
    return {
      ...base,
      type: 'unresolved',
      upgraders: ofProxy,
      notes: [{ code: 'implementation_without_code', implementation }],
    }
  const upgraders = [...ofProxy, ...inLogic.flatMap((found) => found?.upgraders ?? [])]
  const guardians = upgraders.length === 0 ? guardianSet(facts, logic) : undefined
  if (guardians !== undefined) return { ...base, type: 'upgradeable', upgraders: [guardians], notes: [] }
  if (inLogic.some((found) => found?.upgraders.length === 0))
    return { ...base, type: 'unresolved', upgraders, notes: [{ code: 'uups_upgrader_unknown' }] }
  if (upgraders.length === 0) return { ...base, ...withoutUpgraders(facts, code, family, logics) }
  // Where the proxy's code cannot serve its admin, the logic must be known not to move the pointer.
  const isAdminUnused = !mayWrite(code, SLOTS[family.logic]) && !isUups
  const slots = slotsOf(family)
  const rewriting = logics.filter((address) =>
    isAdminUnused ? mayMove(facts, address, slots) : isUups ? false : doesMove(facts, address, slots),
  )
  const delegatecalls = logicDelegatecallers(facts, logics, isUups)
  const all: readonly Reason[] = [
    ...doubts,
    ...inLogic.flatMap((found) => found?.doubt ?? []),
    ...rewriting.map((address) => ({ code: 'pointer_writable_by_logic', logic: address }) as const),
    ...delegatecalls.doubts,
  ]
  upgraders.push(
    ...delegatecalls.upgraders.filter(({ address }) => !upgraders.some((known) => known.address === address)),
  )
  if (all.length > 0) return { ...base, type: 'unresolved', upgraders, notes: all }
  const fixedKind = admin === undefined && isFixed && !isUups ? 'proxy_immutable_admin' : kind
  return { ...base, kind: fixedKind, type: 'upgradeable', upgraders, notes: [] }
}

/** UUPS upgraders of the logic, unless the logic only mentions upgrade functions and is upgraded by others or fixed. */
function upgradersInLogic(facts: Facts, logic: Hex, family: SlotFamily, hasAdmin: boolean): UupsUpgraders | undefined {
  const found = uupsUpgraders(facts, logic)
  if (found === undefined || !isMentionOnly(facts, logic, found)) return found
  return hasAdmin || !mayMove(facts, logic, slotsOf(family)) ? undefined : found
}

/**
 * Accounts that may make the logic delegatecall to any address, which lets them move the pointer. An upgrade makes such a
 * delegatecall too, for upgraders that were found already: of UUPS logic only those for another sender are new.
 */
export function logicDelegatecallers(
  facts: Facts,
  logics: readonly Hex[],
  isUups: boolean,
): { readonly upgraders: readonly Upgrader[]; readonly doubts: readonly Reason[] } {
  const isNew = (source: DelegateSource): boolean =>
    !isUups || (source.from === 'input' && source.sender !== undefined && source.notAt === undefined)
  const callers = each(logics, (address) =>
    delegatecallers(facts, runningCode(facts, address)?.delegates.filter(isNew) ?? []),
  )
  return {
    upgraders: callers.flatMap((found) => found ?? []),
    doubts: logics
      .filter((_, at) => callers[at] === undefined)
      .map((logic) => ({ code: 'arbitrary_delegatecall', logic, isProxy: true })),
  }
}

/** Accounts that the code of the proxy itself lets move the pointer. */
function proxyUpgraders(
  facts: Facts,
  code: CodeFacts,
  family: SlotFamily,
  admin: Hex | undefined,
): { readonly upgraders: readonly Upgrader[]; readonly isFixed: boolean; readonly doubts: readonly Reason[] } {
  const role = { code: 'proxy_admin', family: family.role } as const
  const upgraders: Upgrader[] = admin === undefined ? [] : [upgrader(admin, role)]
  if (!mayWrite(code, SLOTS[family.logic])) return { upgraders, isFixed: false, doubts: [] }
  // The admin of newer transparent proxies is in the code; the slot only repeats it for explorers.
  const fixed = code.senders.filter((sender) => sender !== admin)
  for (const address of fixed)
    upgraders.push(
      factoryAdmin(facts, address) ?? upgrader(address, { code: 'proxy_admin', family: 'eip1967', source: 'code' }),
    )
  const adminSlot = family.admin === undefined ? undefined : SLOTS[family.admin]
  const doubts: Reason[] = []
  if (admin !== undefined) {
    const known = adminSlot === undefined ? [] : [adminSlot]
    const hidden = callersInCode(facts, { ...code, senders: [] }, known).filter(({ address }) => address !== admin)
    upgraders.push(...hidden)
    const isChecked = code.senders.includes(admin) || (adminSlot !== undefined && code.senderSlots.includes(adminSlot))
    if (code.settled && !isChecked) doubts.push({ code: 'admin_slot_not_checked' })
  }
  if (isOpen(code, family)) doubts.push({ code: 'pointer_open_to_anyone' })
  // Calls to the admin are no doubt: the admin is walked, and it decides for itself.
  if (code.settled && (code.looksUpSender || callsOthers(code, adminSlot === undefined ? [] : [adminSlot])))
    doubts.push({ code: 'caller_lookup_in_proxy' })
  return { upgraders, isFixed: fixed.length > 0, doubts }
}

/** Solady's ERC1967Factory keeps the admins of all its proxies. It has the same address on every chain. */
const ERC1967_FACTORY: Hex = '0x0000000000006396ff2a80c067f99b3d2ab4df24'
const ADMIN_OF: Hex = '0x2abbef15'

export function factoryAdmin(facts: Facts, factory: Hex): Upgrader | undefined {
  if (factory !== ERC1967_FACTORY) return undefined
  const result = facts.sameChain(factory).call(`${ADMIN_OF}${toWord(facts.state.address).slice(2)}`)
  const address = result === undefined ? undefined : addressOf(result)
  return address === undefined
    ? undefined
    : upgrader(address, { code: 'proxy_admin', family: 'eip1967', source: 'erc1967_factory' })
}

const slotsOf = (family: SlotFamily): readonly Hex[] =>
  family.admin === undefined ? [SLOTS[family.logic]] : [SLOTS[family.logic], SLOTS[family.admin]]

/** Whether any caller may move the pointer or the admin. A write that needs an empty pointer is no longer possible. */
const isOpen = (code: CodeFacts, family: SlotFamily): boolean =>
  code.settled &&
  code.unguardedWrites.some(({ slot, unless }) => slotsOf(family).includes(slot) && unless !== SLOTS[family.logic])

/** Pointer slots that are judged in every contract where they are set. */
const POINTER_SLOTS: ReadonlySet<Hex> = new Set([
  SLOTS.beacon,
  SLOTS.starkwareImplementation,
  SLOTS.secondaryImplementation,
  ...SLOT_FAMILIES.map(({ logic }) => SLOTS[logic]),
])

/** Whether the logic was found to write one of the slots, or to run code from a slot that no family explains. */
export function doesMove(facts: Facts, address: Hex, slots: readonly Hex[]): boolean {
  const logic = runningCode(facts, address)
  if (logic === undefined) return true
  return (
    slots.some((slot) => logic.writes.includes(slot)) ||
    logic.delegates.some((source) =>
      source.from === 'slot' ? !POINTER_SLOTS.has(source.slot) : source.from === 'mapping',
    )
  )
}

/** Whether the logic might write one of the slots. Ruled out only for code followed to its end, with its libraries. */
export function mayMove(facts: Facts, address: Hex, slots: readonly Hex[], depth = 0): boolean {
  const logic = runningCode(facts, address)
  if (logic === undefined || depth > MAX_LIBRARY_DEPTH) return true
  if (slots.some((slot) => mayWrite(logic, slot))) return true
  return logic.delegates.some((source) =>
    source.from === 'fixed' ? mayMove(facts, source.address, slots, depth + 1) : source.from !== 'self',
  )
}

/** No upgrader is named: what the code of proxy and logic can write distinguishes three setups that look alike. */
function withoutUpgraders(
  facts: Facts,
  code: CodeFacts,
  family: SlotFamily,
  logics: readonly Hex[],
): { readonly type: 'immutable' | 'unresolved'; readonly notes: readonly Reason[]; readonly kind?: ContractKind } {
  const [moving] = logics.filter((address) => mayMove(facts, address, slotsOf(family)))
  if (moving !== undefined) return { type: 'unresolved', notes: [{ code: 'pointer_writable_by_logic', logic: moving }] }
  if (!mayWrite(code, SLOTS[family.logic])) return { type: 'immutable', notes: [{ code: 'pointer_fixed' }] }
  const checksNoOther =
    code.settled && !isOpen(code, family) && code.senders.length === 0 && !code.looksUpSender && !callsOthers(code)
  const adminSlot = family.admin === undefined ? undefined : SLOTS[family.admin]
  if (checksNoOther && code.senderSlots.length === 1 && code.senderSlots[0] === adminSlot) {
    const ossified = facts.result('isOssified')
    return ossified !== undefined && boolOf(ossified) === true && code.selectors.has('0x13351258')
      ? { type: 'immutable', kind: 'proxy_ossifiable', notes: [{ code: 'ossified' }] }
      : { type: 'immutable', notes: [{ code: 'admin_is_zero' }] }
  }
  return { type: 'unresolved', notes: [{ code: 'admin_not_readable' }] }
}
