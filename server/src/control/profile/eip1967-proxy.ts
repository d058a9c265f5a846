/**
 * Who can move the pointer that a proxy keeps in a slot, of whatever family.
 *
 * The slot of the admin says who should; the code of proxy and logic says whom it asks. Where the two differ, or where
 * the code asks a table that cannot be listed, there are others than those who are named.
 */
import type { Hex } from 'viem'
import type { ContractKind } from '../registry/kinds.ts'
import { addressOf, boolOf, toWord } from './abi-values.ts'
import { askersOf, GIVEN } from './arbitrary-delegatecall.ts'
import { type Authority, runningCode } from './authority.ts'
import type { DelegateSource } from './code-behavior.ts'
import { asksOthers, type CodeFacts, mayWrite } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { isMentionOnly, logicRoots } from './logic-roots.ts'
import { SLOTS, type SlotName } from './slots.ts'
import { guardianRoot } from './starkware-proxy.ts'
import { keysInCode, type Root, rootOf } from './upgrader.ts'
import type { LogicRoots } from './uups-proxy.ts'

/** Where a proxy keeps its logic, and its admin where it keeps one. */
export type Family = {
  readonly kind: ContractKind
  readonly logic: SlotName
  readonly admin?: SlotName
  readonly role: string
}

export const FAMILIES: readonly Family[] = [
  { kind: 'proxy_transparent', logic: 'implementation', admin: 'admin', role: 'Proxy admin' },
  { kind: 'proxy_zos', logic: 'zosImplementation', admin: 'zosAdmin', role: 'ZeppelinOS proxy admin' },
  { kind: 'proxy_uups', logic: 'proxiable', role: 'Proxy admin' },
  { kind: 'proxy_polygon', logic: 'polygonImplementation', admin: 'polygonOwner', role: 'Proxy owner' },
  { kind: 'proxy_custom', logic: 'implementationOffByOne', admin: 'admin', role: 'Proxy admin' },
]

export function ofSlots(facts: Facts, code: CodeFacts, family: Family, implementation: Hex): Authority {
  const logic = runningCode(facts, implementation)
  const admin = family.admin === undefined ? undefined : facts.slot(family.admin)
  const secondary = facts.slot('secondaryImplementation')
  const logics = [implementation, ...(secondary === undefined ? [] : [secondary])]
  const { roots: byProxy, isFixed, doubts } = proxyRoots(facts, code, family, admin)
  const inLogic = logics.map((address) => ownRoots(facts, address, family, byProxy.length > 0))
  const isUups = inLogic.some((found) => found !== undefined)
  const kind: ContractKind =
    secondary !== undefined ? 'proxy_arbitrum' : admin === undefined && isUups ? 'proxy_uups' : family.kind
  const base = { kind, implementation }
  if (logic === undefined)
    return {
      ...base,
      type: 'unresolved',
      roots: byProxy,
      notes: [`Its implementation is ${implementation}, where no code is.`],
    }
  const roots = [...byProxy, ...inLogic.flatMap((found) => found?.roots ?? [])]
  const guardians = roots.length === 0 ? guardianRoot(facts, logic) : undefined
  if (guardians !== undefined) return { ...base, type: 'roots', roots: [guardians], notes: [] }
  if (inLogic.some((found) => found?.roots.length === 0))
    return {
      ...base,
      type: 'unresolved',
      roots,
      notes: ['Its logic can be upgraded (UUPS), and by whom could not be told.'],
    }
  if (roots.length === 0) return { ...base, ...withoutAdmin(facts, code, family, logics) }
  // An admin whom the proxy's code cannot obey is only for show: then the logic must be known not to move the pointer.
  const isForShow = !mayWrite(code, SLOTS[family.logic]) && !isUups
  const slots = watchedBy(family)
  const rewriting = logics.filter((address) =>
    isForShow ? mayMove(facts, address, slots) : isUups ? false : doesMove(facts, address, slots),
  )
  const lent = lentBy(facts, logics, isUups)
  const all = [
    ...doubts,
    ...inLogic.flatMap((found) => found?.doubt ?? []),
    ...rewriting.map((address) => rewrites(address)),
    ...lent.doubts,
  ]
  roots.push(...lent.roots.filter(({ address }) => !roots.some((root) => root.address === address)))
  if (all.length > 0) return { ...base, type: 'unresolved', roots, notes: all }
  const fixedKind = admin === undefined && isFixed && !isUups ? 'proxy_immutable_admin' : kind
  return { ...base, kind: fixedKind, type: 'roots', roots, notes: [] }
}

/** Logic that others upgrade, or that cannot move the pointer anyway, is held to what it does, not to what it mentions. */
function ownRoots(facts: Facts, logic: Hex, family: Family, hasAdmin: boolean): LogicRoots | undefined {
  const found = logicRoots(facts, logic)
  if (found === undefined || !isMentionOnly(facts, logic, found)) return found
  return hasAdmin || !mayMove(facts, logic, watchedBy(family)) ? undefined : found
}

export const rewrites = (logic: Hex): string =>
  `Its logic ${logic} can rewrite the pointer by rules of its own, which are not known.`

/**
 * Those to whom logic lends the storage it runs on, which they could use to move the pointer. An upgrade lends it too, to
 * those who were tried already: of upgradeable logic only what asks for another sender tells something new.
 */
export function lentBy(
  facts: Facts,
  logics: readonly Hex[],
  isUups: boolean,
): { readonly roots: readonly Root[]; readonly doubts: readonly string[] } {
  const isNews = (source: DelegateSource): boolean =>
    !isUups || (source.from === 'input' && source.sender !== undefined && source.notAt === undefined)
  const askers = each(logics, (address) => askersOf(facts, runningCode(facts, address)?.delegates.filter(isNews) ?? []))
  return {
    roots: askers.flatMap((roots) => roots ?? []),
    doubts: logics.filter((_, at) => askers[at] === undefined).map((address) => `Its logic ${address} ${GIVEN}`),
  }
}

/** Whom the code of the proxy itself lets move the pointer. */
function proxyRoots(
  facts: Facts,
  code: CodeFacts,
  family: Family,
  admin: Hex | undefined,
): { readonly roots: readonly Root[]; readonly isFixed: boolean; readonly doubts: readonly string[] } {
  const roots: Root[] = admin === undefined ? [] : [rootOf(admin, family.role)]
  if (!mayWrite(code, SLOTS[family.logic])) return { roots, isFixed: false, doubts: [] }
  // The admin of the newer transparent proxies is in the code; the slot only repeats it for explorers.
  const fixed = code.senders.filter((sender) => sender !== admin)
  for (const address of fixed)
    roots.push(inFactory(facts, address) ?? rootOf(address, 'Proxy admin (fixed in its code)'))
  const adminSlot = family.admin === undefined ? undefined : SLOTS[family.admin]
  const doubts: string[] = []
  if (admin !== undefined) {
    const known = adminSlot === undefined ? [] : [adminSlot]
    const hidden = keysInCode(facts, { ...code, senders: [] }, known).filter(({ address }) => address !== admin)
    roots.push(...hidden)
    const isAsked = code.senders.includes(admin) || (adminSlot !== undefined && code.senderSlots.includes(adminSlot))
    if (code.settled && !isAsked)
      doubts.push('The code of the proxy does not ask the admin in its slot who may upgrade.')
  }
  if (isOpen(code, family)) doubts.push('The code of the proxy moves its pointer, on some way, for anyone.')
  // Whom it asks beside may only be its admin, who is walked: whatever that answers, it answers for itself.
  if (code.settled && (code.looksUpSender || asksOthers(code, adminSlot === undefined ? [] : [adminSlot])))
    doubts.push('The code of the proxy asks a table or another contract who may upgrade: there may be others.')
  return { roots, isFixed: fixed.length > 0, doubts }
}

/** Solady's factory keeps the admins of all its proxies; it is the same contract on every chain. */
const FACTORY: Hex = '0x0000000000006396ff2a80c067f99b3d2ab4df24'
const ADMIN_OF: Hex = '0x2abbef15'

function inFactory(facts: Facts, factory: Hex): Root | undefined {
  if (factory !== FACTORY) return undefined
  const answer = facts.beside(factory).call(`${ADMIN_OF}${toWord(facts.state.address).slice(2)}`)
  const address = answer === undefined ? undefined : addressOf(answer)
  return address === undefined ? undefined : rootOf(address, 'Proxy admin (kept by the ERC1967Factory)')
}

const watchedBy = (family: Family): readonly Hex[] =>
  family.admin === undefined ? [SLOTS[family.logic]] : [SLOTS[family.logic], SLOTS[family.admin]]

/** Whether anyone may have the proxy move its pointer or its admin. What it does only while the pointer is empty is past. */
const isOpen = (code: CodeFacts, family: Family): boolean =>
  code.settled &&
  code.openWrites.some(({ slot, unless }) => watchedBy(family).includes(slot) && unless !== SLOTS[family.logic])

/** Slots that are judged wherever they are set. */
const POINTERS: ReadonlySet<Hex> = new Set([
  SLOTS.beacon,
  SLOTS.starkwareImplementation,
  SLOTS.secondaryImplementation,
  ...FAMILIES.map(({ logic }) => SLOTS[logic]),
])

/** Whether the logic writes the pointer, or runs what stands in a slot that nothing explains: as far as was seen. */
export function doesMove(facts: Facts, address: Hex, slots: readonly Hex[]): boolean {
  const logic = runningCode(facts, address)
  if (logic === undefined) return true
  return (
    slots.some((slot) => logic.writes.includes(slot)) ||
    logic.delegates.some((source) => (source.from === 'slot' ? !POINTERS.has(source.slot) : source.from === 'mapping'))
  )
}

/** Whether the logic might: believed impossible only of code that was followed to its end, libraries included. */
export function mayMove(facts: Facts, address: Hex, slots: readonly Hex[], hops = 0): boolean {
  const logic = runningCode(facts, address)
  if (logic === undefined || hops > MOST_LIBRARIES) return true
  if (slots.some((slot) => mayWrite(logic, slot))) return true
  return logic.delegates.some((source) =>
    source.from === 'fixed' ? mayMove(facts, source.address, slots, hops + 1) : source.from !== 'self',
  )
}

const MOST_LIBRARIES = 4

/** Nobody is named: three setups that look alike, told apart by what the code of proxy and logic can write. */
function withoutAdmin(
  facts: Facts,
  code: CodeFacts,
  family: Family,
  logics: readonly Hex[],
): { readonly type: 'immutable' | 'unresolved'; readonly notes: readonly string[]; readonly kind?: ContractKind } {
  const [moving] = logics.filter((address) => mayMove(facts, address, watchedBy(family)))
  if (moving !== undefined) return { type: 'unresolved', notes: [rewrites(moving)] }
  if (!mayWrite(code, SLOTS[family.logic]))
    return {
      type: 'immutable',
      notes: ['It is a proxy that cannot be upgraded: neither its own code nor its logic can write the pointer.'],
    }
  const asksNobodyElse =
    code.settled && !isOpen(code, family) && code.senders.length === 0 && !code.looksUpSender && !asksOthers(code)
  const adminSlot = family.admin === undefined ? undefined : SLOTS[family.admin]
  if (asksNobodyElse && code.senderSlots.length === 1 && code.senderSlots[0] === adminSlot) {
    const ossified = facts.answer('isOssified')
    return ossified !== undefined && boolOf(ossified) === true && code.selectors.has('0x13351258')
      ? { type: 'immutable', kind: 'proxy_ossifiable', notes: ['The proxy is ossified: its admin was given up.'] }
      : { type: 'immutable', notes: ['Its code lets only the admin upgrade, and the admin is zero.'] }
  }
  return { type: 'unresolved', notes: ['The proxy can be upgraded, and its admin is not readable.'] }
}
