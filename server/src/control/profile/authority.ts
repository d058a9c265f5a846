/**
 * Who can replace the logic of a contract: a list of addresses, nobody, or nobody could tell.
 *
 * Slots say where the logic is, code says who can move it. A slot that is set is believed to be used (more paths never
 * make a label greener); that nobody can write it is believed only of code that was followed to its end.
 */
import type { Hex } from 'viem'
import type { ContractKind } from '../registry/kinds.ts'
import { controllersOf, hasRoles, isNobody } from './account.ts'
import { type CodeFacts, mayWrite, replaceable } from './code.ts'
import type { Facts } from './facts.ts'
import { type Root, roleRoots, uupsRoots } from './logic-authority.ts'
import { SLOTS, type SlotName, slotAt } from './slots.ts'
import { addressesOf, addressOf, boolOf, toWord, uintOf } from './words.ts'

export type Authority = {
  readonly kind: ContractKind
  readonly implementation?: Hex
  readonly notes: readonly string[]
} & (
  | { readonly type: 'roots'; readonly roots: readonly Root[] }
  | { readonly type: 'immutable'; readonly roots?: undefined }
  /** Whoever is known to be able to, beside those who are not known. */
  | { readonly type: 'unresolved'; readonly roots?: readonly Root[] }
)

/** Where a proxy keeps its logic, and its admin where it keeps one. */
type Family = {
  readonly kind: ContractKind
  readonly logic: SlotName
  readonly admin?: SlotName
  readonly role: string
}

const FAMILIES: readonly Family[] = [
  { kind: 'proxy_transparent', logic: 'implementation', admin: 'admin', role: 'Proxy admin' },
  { kind: 'proxy_zos', logic: 'zosImplementation', admin: 'zosAdmin', role: 'ZeppelinOS proxy admin' },
  { kind: 'proxy_uups', logic: 'proxiable', role: 'Proxy admin' },
  { kind: 'proxy_polygon', logic: 'polygonImplementation', admin: 'polygonOwner', role: 'Proxy owner' },
  { kind: 'proxy_custom', logic: 'implementationOffByOne', admin: 'admin', role: 'Proxy admin' },
]

/** `code`: what runs with this storage, where that is not its own: a clone runs the code of its target. */
export function upgradeAuthority(facts: Facts, code = facts.code()): Authority {
  if (code === undefined)
    return { type: 'unresolved', kind: 'unknown', notes: ['There is no contract at this address.'] }
  if (code.cloneOf !== undefined) return ofClone(facts, code.cloneOf)
  const pointers = pointersOf(facts, code)
  return pointers.length > 0
    ? combined(facts, code, pointers)
    : (ofDiamond(facts, code) ?? ofDelegator(facts, code) ?? ofPlainCode(code))
}

type Pointer = { readonly slots: readonly SlotName[]; readonly authority: Authority }

/** Every pointer to other code that is set: one of them may stand there only to be looked at. */
function pointersOf(facts: Facts, code: CodeFacts): readonly Pointer[] {
  const pointers: Pointer[] = []
  const beacon = facts.slot('beacon')
  if (beacon !== undefined) pointers.push({ slots: ['beacon'], authority: ofBeacon(facts, code, beacon) })
  if (facts.slot('starkwareImplementation') !== undefined)
    pointers.push({ slots: ['starkwareImplementation'], authority: ofStarkware(facts) })
  for (const family of FAMILIES) {
    const logic = facts.slot(family.logic)
    if (logic === undefined) continue
    pointers.push({ slots: [family.logic, 'secondaryImplementation'], authority: ofSlots(facts, code, family, logic) })
  }
  return pointers
}

/** Whoever can move any of the pointers; and where the code runs what none of them names, nobody can tell. */
function combined(facts: Facts, code: CodeFacts, pointers: readonly Pointer[]): Authority {
  const hasTable = code.delegates.some(({ from }) => from === 'mapping')
  const diamond = hasTable ? ofDiamond(facts, code) : undefined
  const all = [...pointers.map(({ authority }) => authority), ...(diamond === undefined ? [] : [diamond])]
  const named = new Set<Hex>(pointers.flatMap(({ slots }) => slots.map((slot) => SLOTS[slot])))
  const isHidden =
    (hasTable && diamond === undefined) ||
    code.delegates.some((source) => source.from === 'slot' && !named.has(source.slot))
  const [first] = all as [Authority, ...Authority[]]
  if (all.length === 1 && !isHidden) return first
  const why = 'Its code runs other code than its slots name, and who can change that is not known.'
  const notes = [...all.flatMap((authority) => authority.notes), ...(isHidden ? [why] : [])]
  const roots = all.flatMap((authority) => authority.roots ?? [])
  const { kind, implementation } = first
  const base = { kind, notes, ...(implementation === undefined ? {} : { implementation }) }
  if (isHidden || all.some(({ type }) => type === 'unresolved')) return { ...base, type: 'unresolved', roots }
  return roots.length === 0 ? { ...base, type: 'immutable' } : { ...base, type: 'roots', roots }
}

/** A clone's pointer is in its code. Its target may be a proxy in turn, which then finds its logic in the clone's storage. */
function ofClone(facts: Facts, target: Hex, hops = 1): Authority {
  const code = facts.beside(target).code()
  const base = { kind: 'proxy_minimal', implementation: target } as const
  if (code === undefined)
    return { ...base, type: 'unresolved', notes: [`The clone points to ${target}, where no code is.`] }
  const note = `It is a fixed clone (EIP-1167) of ${target}: the pointer is in its code and cannot change.`
  if (code.cloneOf !== undefined) {
    if (hops > MOST_CLONES) return { ...base, type: 'unresolved', notes: ['It is a clone of clones without end.'] }
    const above = ofClone(facts, code.cloneOf, hops + 1)
    return { ...above, ...base, notes: [note, ...above.notes] }
  }
  if (code.delegatedTo !== undefined)
    return {
      ...base,
      type: 'roots',
      roots: [{ address: target, role: 'The account it is a clone of', delay: 0 }],
      notes: [note],
    }
  if (replaceable(code).length === 0) return { ...base, type: 'immutable', notes: [note] }
  const above = upgradeAuthority(facts, code)
  return { ...above, ...base, notes: [note, ...above.notes] }
}

const MOST_CLONES = 4

function ofBeacon(facts: Facts, code: CodeFacts, beacon: Hex): Authority {
  const there = facts.beside(beacon)
  const implementation = there.address('implementation')
  const base = { kind: 'proxy_beacon', ...(implementation === undefined ? {} : { implementation }) } as const
  const admin = facts.slot('admin')
  const owners = beaconRoots(there)
  const notes = [`Its logic comes from beacon ${beacon}.`]
  if (owners === 'unresolved')
    return { ...base, type: 'unresolved', notes: [...notes, 'Who controls the beacon could not be told.'] }
  const roots = [
    ...owners,
    ...(admin === undefined ? [] : [{ address: admin, role: 'Proxy admin', delay: 0 }]),
    ...logicRoots(facts, implementation, code),
  ]
  if (roots.length === 0) return { ...base, type: 'immutable', notes: [...notes, 'The beacon cannot change either.'] }
  return { ...base, type: 'roots', roots, notes }
}

/** The owner of a beacon, and whoever can replace the beacon's own logic. */
function beaconRoots(beacon: Facts): readonly Root[] | 'unresolved' {
  const code = beacon.code()
  if (code === undefined) return 'unresolved'
  const own = upgradeAuthority(beacon)
  if (own.type === 'unresolved') return 'unresolved'
  const proxied = own.type === 'roots' ? own.roots : []
  const named = controllersOf(beacon).map(({ role, address }) => ({ address, role: `Beacon ${role}`, delay: 0 }))
  if (named.length > 0) return [...named, ...proxied]
  if (hasRoles(beacon)) return [...roleRoots(beacon, 'Beacon'), ...proxied]
  const cannotChange = code.settled && code.writes.length === 0 && !code.writesAnywhere
  return cannotChange || proxied.length > 0 ? proxied : 'unresolved'
}

function ofSlots(facts: Facts, code: CodeFacts, family: Family, implementation: Hex): Authority {
  const logic = logicCode(facts, implementation)
  const uups = isUups(logic)
  const admin = family.admin === undefined ? undefined : facts.slot(family.admin)
  const secondary = facts.slot('secondaryImplementation')
  const kind: ContractKind =
    secondary !== undefined ? 'proxy_arbitrum' : admin === undefined && uups ? 'proxy_uups' : family.kind
  const base = { kind, implementation }
  if (logic === undefined)
    return { ...base, type: 'unresolved', notes: [`Its implementation is ${implementation}, where no code is.`] }
  const roots: Root[] = admin === undefined ? [] : [{ address: admin, role: family.role, delay: 0 }]
  // The admin of the newer transparent proxies is in the code; the slot only repeats it for explorers.
  const fixed = mayWrite(code, SLOTS[family.logic]) ? code.senders.filter((sender) => sender !== admin) : []
  for (const address of fixed)
    roots.push(inFactory(facts, address) ?? { address, role: 'Proxy admin (fixed in its code)', delay: 0 })
  const logics = [implementation, ...(secondary === undefined ? [] : [secondary])]
  const inLogic = logics.flatMap((address) => logicRoots(facts, address, code))
  const isUnsettledUups = inLogic.length === 0 && logics.some((address) => isUups(logicCode(facts, address)))
  const all = [...roots, ...inLogic]
  const guardians = all.length === 0 ? guardianRoot(facts, logic) : undefined
  if (guardians !== undefined) return { ...base, type: 'roots', roots: [guardians], notes: [] }
  if (isUnsettledUups)
    return { ...base, type: 'unresolved', notes: ['Its logic can be upgraded (UUPS), and by whom could not be told.'] }
  if (all.length > 0) {
    const fixedKind = admin === undefined && fixed.length > 0 && !uups ? 'proxy_immutable_admin' : kind
    return { ...base, kind: fixedKind, type: 'roots', roots: all, notes: [] }
  }
  return { ...base, ...withoutAdmin(facts, code, family, logics) }
}

/** Solady's factory keeps the admins of all its proxies; it is the same contract on every chain. */
const FACTORY: Hex = '0x0000000000006396ff2a80c067f99b3d2ab4df24'
const ADMIN_OF: Hex = '0x2abbef15'

function inFactory(facts: Facts, factory: Hex): Root | undefined {
  if (factory !== FACTORY) return undefined
  const answer = facts.beside(factory).call(`${ADMIN_OF}${toWord(facts.state.address).slice(2)}`)
  const address = answer === undefined ? undefined : addressOf(answer)
  return address === undefined ? undefined : { address, role: 'Proxy admin (kept by the ERC1967Factory)', delay: 0 }
}

/** `submitContractUpgrade(bytes)`: more than two thirds of Wormhole's guardians sign for new logic. */
const GUARDIAN_UPGRADE: Hex = '0x5cb8cae2'
const GET_GUARDIAN_SET: Hex = '0xf951975a'

function guardianRoot(facts: Facts, logic: CodeFacts): Root | undefined {
  const index = facts.uint('guardianSetIndex')
  if (index === undefined || !logic.selectors.has(GUARDIAN_UPGRADE)) return undefined
  const answer = facts.call(`${GET_GUARDIAN_SET}${toWord(index).slice(2)}`)
  // A struct with a list in it: the list begins after the pointer to the struct.
  const members = answer === undefined ? undefined : addressesOf(`0x${answer.slice(66)}`)
  if (members === undefined || members.length === 0) return undefined
  const needed = Math.floor((members.length * 2) / 3) + 1
  const text = `guardian set ${index} (${needed} of ${members.length} sign an upgrade)`
  return { address: facts.state.address, role: 'Upgrade authority', delay: 0, quorum: { needed, members, text } }
}

/** Nobody is named: three setups that look alike, told apart by what the code of proxy and logic can write. */
function withoutAdmin(
  facts: Facts,
  code: CodeFacts,
  family: Family,
  logics: readonly Hex[],
): { readonly type: 'immutable' | 'unresolved'; readonly notes: readonly string[]; readonly kind?: ContractKind } {
  const watched = family.admin === undefined ? [SLOTS[family.logic]] : [SLOTS[family.logic], SLOTS[family.admin]]
  const ossified = facts.answer('isOssified')
  if (ossified !== undefined && boolOf(ossified) === true && code.selectors.has('0x13351258'))
    return { type: 'immutable', kind: 'proxy_ossifiable', notes: ['The proxy is ossified: its admin was given up.'] }
  for (const address of logics) {
    const logic = logicCode(facts, address)
    if (
      logic === undefined ||
      logic.cloneOf !== undefined ||
      watched.some((slot) => mayWrite(logic, slot)) ||
      replaceable(logic).length > 0
    )
      return {
        type: 'unresolved',
        notes: [`Its logic ${address} can rewrite the pointer by rules of its own, which are not known.`],
      }
  }
  const adminSlot = family.admin === undefined ? undefined : SLOTS[family.admin]
  if (!mayWrite(code, SLOTS[family.logic]))
    return {
      type: 'immutable',
      notes: ['It is a proxy that cannot be upgraded: neither its own code nor its logic can write the pointer.'],
    }
  const onlyAdmin = code.settled && code.senders.length === 0 && adminSlot !== undefined
  if (onlyAdmin && code.senderSlots.length === 1 && code.senderSlots[0] === adminSlot)
    return { type: 'immutable', notes: ['Its code lets only the admin upgrade, and the admin is zero.'] }
  return { type: 'unresolved', notes: ['The proxy can be upgraded, and its admin is not readable.'] }
}

/** Who can upgrade through the logic itself (UUPS): empty where it has no such function, or where nobody is named. */
function logicRoots(facts: Facts, implementation: Hex | undefined, proxy: CodeFacts | undefined): readonly Root[] {
  if (implementation === undefined || proxy === undefined) return []
  return isUups(logicCode(facts, implementation))
    ? uupsRoots(facts, implementation, logicCode(facts, implementation))
    : []
}

/** The code that runs as this logic: a clone's is that of its target. */
function logicCode(facts: Facts, address: Hex): CodeFacts | undefined {
  const code = facts.beside(address).code()
  return code?.cloneOf === undefined ? code : facts.beside(code.cloneOf).code()
}

const UPGRADE: readonly Hex[] = ['0x3659cfe6', '0x4f1ef286', '0x52d1902d']

function isUups(logic: CodeFacts | undefined): boolean {
  return logic !== undefined && UPGRADE.some((selector) => logic.selectors.has(selector))
}

/** Governors announce an upgrade and wait; they stand in a mapping that only their events list. */
function ofStarkware(facts: Facts): Authority {
  const implementation = facts.slot('starkwareImplementation') as Hex
  const base = { kind: 'proxy_custom', implementation } as const
  const stored = facts.word('starkwareDelay')
  const delay = facts.uint('upgradeActivationDelay') ?? (stored === undefined ? undefined : uintOf(stored))
  const governors = facts.book('governors')
  if (governors === undefined || governors.length === 0)
    return { ...base, type: 'unresolved', notes: ['Its governors could not be told.'] }
  const seconds = Number(delay ?? 0n)
  const roots = governors.map((address) => ({ address, role: 'Governor of the StarkWare proxy', delay: seconds }))
  return { ...base, type: 'roots', roots, notes: [`The activation delay of an upgrade is ${seconds} seconds.`] }
}

function ofDiamond(facts: Facts, code: CodeFacts): Authority | undefined {
  const facet = facts.address('diamondCutFacet')
  const delegatesByTable = code.delegates.some(({ from }) => from === 'mapping' || from === 'anything')
  if (facet === undefined || !delegatesByTable) return undefined
  if (isNobody(facet))
    return { kind: 'diamond', type: 'immutable', notes: ['It is a diamond without diamondCut: its facets are fixed.'] }
  const named = controllersOf(facts).map(({ role, address }) => ({ address, role: `diamondCut by ${role}`, delay: 0 }))
  const roots = named.length > 0 ? named : hasRoles(facts) ? roleRoots(facts, 'diamondCut by') : []
  const note = `It is a diamond (EIP-2535); diamondCut is in facet ${facet}.`
  if (roots.length === 0)
    return { kind: 'diamond', type: 'unresolved', notes: [note, 'Who may call it could not be told.'] }
  return { kind: 'diamond', type: 'roots', roots, notes: [note] }
}

/** Compound's delegators name logic and admin by functions of their own code; functions of the logic might lie. */
function ofDelegator(facts: Facts, code: CodeFacts): Authority | undefined {
  const stored = replaceable(code)
  const implementation = facts.address('comptrollerImplementation') ?? facts.address('implementation')
  const admin = facts.address('admin')
  if (stored.length === 0 || implementation === undefined || admin === undefined) return undefined
  const own = (['0xf851a440'] as const).every((selector) => code.selectors.has(selector))
  if (!own || stored.some(({ from }) => from !== 'slot')) return undefined
  const roots = [{ address: admin, role: 'Admin of the Compound delegator', delay: 0 }]
  return { kind: 'proxy_compound', implementation, type: 'roots', roots, notes: [] }
}

function ofPlainCode(code: CodeFacts): Authority {
  const unexplained = replaceable(code)
  const runsAnything = code.delegates.some(({ from }) => from === 'input') && !isUups(code)
  if (runsAnything)
    return {
      kind: 'unknown',
      type: 'unresolved',
      notes: ['It runs code at addresses it is given: whoever may ask for that can do anything in its name.'],
    }
  if (!code.delegating || (code.settled && unexplained.length === 0))
    return { kind: 'immutable', type: 'immutable', notes: ['It is not a proxy: its code is fixed.'] }
  if (unexplained.length === 0)
    return { kind: 'unknown', type: 'unresolved', notes: ['Its code could not be followed to its end.'] }
  const where = unexplained.flatMap((source) => (source.from === 'slot' ? [slotAt(source.slot) ?? source.slot] : []))
  const by = where.length === 0 ? 'that could not be told' : `in slot ${where.join(', ')}`
  return {
    kind: 'proxy_custom',
    type: 'unresolved',
    notes: [`Its code runs other code whose address is ${by}: who can change it is not known.`],
  }
}
