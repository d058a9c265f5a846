/**
 * Who can replace the logic of a contract: a list of addresses, nobody, or nobody could tell.
 *
 * Slots say where the logic is, code says who can move it. A slot that is set is believed to be used (more paths never
 * make a label greener); that nobody can write it is believed only of code that was followed to its end.
 */
import type { Hex } from 'viem'
import { NOBODY } from './account.ts'
import { askersOf, GIVEN } from './arbitrary-delegatecall.ts'
import type { Authority } from './authority.ts'
import { ofBeacon } from './beacon-proxy.ts'
import { type CodeFacts, mayWrite, replaceable } from './code-facts.ts'
import { ofDelegator, ofDiamond } from './diamond.ts'
import { FAMILIES, ofSlots } from './eip1967-proxy.ts'
import { each, type Facts } from './facts.ts'
import { SLOTS, type SlotName, slotAt } from './slots.ts'
import { ofStarkware } from './starkware-proxy.ts'
import { ofCallProxy } from './synthetix-proxy.ts'
import { rootOf } from './upgrader.ts'

/** `code`: what runs with this storage, where that is not its own: a clone runs the code of its target. */
export function upgradeAuthority(facts: Facts, code = facts.code()): Authority {
  if (code === undefined)
    return { type: 'unresolved', kind: 'unknown', notes: ['There is no contract at this address.'] }
  if (code.cloneOf !== undefined) return ofClone(facts, code.cloneOf)
  const pointers = pointersOf(facts, code)
  return pointers.length > 0
    ? combined(facts, code, pointers)
    : withTarget(
        facts,
        code,
        ofDiamond(facts, code) ?? ofDelegator(facts, code) ?? ofAragon(facts, code) ?? ofPlainCode(facts, code),
      )
}

/** A proxy that calls its target is fixed code to look at. */
function withTarget(facts: Facts, code: CodeFacts, authority: Authority): Authority {
  return authority.type === 'immutable' ? (ofCallProxy(facts, code) ?? authority) : authority
}

type Pointer = { readonly slots: readonly SlotName[]; readonly authority: Authority }

/** Every pointer to other code that is set: one of them may stand there only to be looked at. */
function pointersOf(facts: Facts, code: CodeFacts): readonly Pointer[] {
  const pointers: Pointer[] = []
  const beacon = facts.slot('beacon')
  if (beacon !== undefined)
    pointers.push({ slots: ['beacon'], authority: ofBeacon(upgradeAuthority, facts, code, beacon) })
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
  const guards = guardsOf(code, named)
  const isHidden =
    (hasTable && diamond === undefined) ||
    code.delegates.some((source) => {
      if (source.from === 'slot') return !named.has(source.slot)
      // An upgrade runs code of the caller's choice in the same breath, behind the same guard.
      if (source.from === 'input') return source.sender === undefined || !guards.has(source.sender)
      return source.from === 'anything' && !named.has(SLOTS.beacon) // a beacon is asked, and its answer not followed
    })
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

/** Whom a proxy asks that can move a pointer of these: its admin, addresses in its code, and nobody; all are walked. */
function guardsOf(code: CodeFacts, pointers: ReadonlySet<Hex>): ReadonlySet<Hex> {
  const movable = FAMILIES.filter(({ logic }) => pointers.has(SLOTS[logic]) && mayWrite(code, SLOTS[logic]))
  if (movable.length === 0) return new Set()
  const admins = movable.flatMap(({ admin }) => (admin === undefined ? [] : [SLOTS[admin]]))
  return new Set([...admins, ...code.senders, ...NOBODY])
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
      roots: [rootOf(target, 'The account it is a clone of')],
      notes: [note],
    }
  if (withTarget(facts, code, ofPlainCode(facts, code)).type === 'immutable')
    return { ...base, type: 'immutable', notes: [note] }
  const above = upgradeAuthority(facts, code)
  return { ...above, ...base, notes: [note, ...above.notes] }
}

const MOST_CLONES = 4

/** Aragon's apps ask their kernel for their code; who may set it there is written in its access lists. */
function ofAragon(facts: Facts, code: CodeFacts): Authority | undefined {
  const kernel = facts.address('kernel')
  if (kernel === undefined || facts.answer('appId') === undefined || !code.delegating) return undefined
  const notes = [`It is an Aragon app of kernel ${kernel}: whoever the access lists of the kernel let manage apps.`]
  return { kind: 'proxy_aragon', type: 'unresolved', notes }
}

function ofPlainCode(facts: Facts, code: CodeFacts): Authority {
  const { delegates, settled } = withLibraries(facts, code)
  const unexplained = replaceable({ delegates })
  const askers = askersOf(facts, delegates)
  if (askers === undefined) return { kind: 'unknown', type: 'unresolved', notes: [`It ${GIVEN}`] }
  if (!code.delegating || (settled && unexplained.length === 0))
    return askers.length === 0
      ? { kind: 'immutable', type: 'immutable', notes: ['It is not a proxy: its code is fixed.'] }
      : { kind: 'immutable', type: 'roots', roots: askers, notes: [`It is not a proxy, but it ${GIVEN}`] }
  if (unexplained.length === 0)
    return { kind: 'unknown', type: 'unresolved', roots: askers, notes: ['Its code could not be followed to its end.'] }
  const where = unexplained.flatMap((source) => (source.from === 'slot' ? [slotAt(source.slot) ?? source.slot] : []))
  const by = where.length === 0 ? 'that could not be told' : `in slot ${where.join(', ')}`
  return {
    kind: 'proxy_custom',
    type: 'unresolved',
    roots: askers,
    notes: [`Its code runs other code whose address is ${by}: who can change it is not known.`],
  }
}

/** What the code runs, and what that runs in turn: it all runs on the same storage. */
function withLibraries(facts: Facts, code: CodeFacts, hops = 0): Pick<CodeFacts, 'delegates' | 'settled'> {
  if (!code.delegating) return { delegates: [], settled: true }
  if (hops > MOST_LIBRARIES) return { delegates: code.delegates, settled: false }
  const libraries = each(
    code.delegates.flatMap((source) => (source.from === 'fixed' ? [source.address] : [])),
    (address) => {
      const library = facts.beside(address).code()
      // Somebody could still put code there; and what is an account's own code, its key replaces.
      if (library === undefined || library.delegatedTo !== undefined)
        return isPrecompile(address) ? { delegates: [], settled: true } : { delegates: [], settled: false }
      const target = library.cloneOf === undefined ? library : facts.beside(library.cloneOf).code()
      return target === undefined ? { delegates: [], settled: false } : withLibraries(facts, target, hops + 1)
    },
  )
  return {
    delegates: [...code.delegates, ...libraries.flatMap(({ delegates }) => delegates)],
    settled: code.settled && libraries.every(({ settled }) => settled),
  }
}

const MOST_LIBRARIES = 4
const isPrecompile = (address: Hex): boolean => BigInt(address) <= 0xffffn
