/** Who can change the table of a diamond, or the slot of a Compound delegator. */
import type { Hex } from 'viem'
import { addressesOf, addressOf, holds, toWord } from './abi-values.ts'
import { controllersOf, hasRoles, isNobody } from './account.ts'
import { type Authority, runningCode } from './authority.ts'
import { type CodeFacts, mayWrite, replaceable } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { CUT_TRIAL, maySend } from './simulated-calls.ts'
import { SLOTS } from './slots.ts'
import { distinctRoots, everyMember, keysInCode, type Root, rootOf, whoElsePasses } from './upgrader.ts'
import { roleRoots, thosePassing, wardRoots, withGranters } from './uups-proxy.ts'

export function ofDiamond(facts: Facts, code: CodeFacts): Authority | undefined {
  const facet = facts.address('diamondCutFacet')
  const delegatesByTable = code.delegates.some(({ from }) => from === 'mapping' || from === 'anything')
  if (facet === undefined || !delegatesByTable) return undefined
  if (isNobody(facet)) return withoutCut(facts, code)
  const named = distinctRoots([
    ...controllersOf(facts).map(({ role, address }) => rootOf(address, `diamondCut by ${role}`)),
    ...(hasRoles(facts) ? roleRoots(facts, 'diamondCut by') : []),
    ...wardRoots(facts, 'diamondCut by'),
  ])
  const unnamed = [...keysInCode(facts, facts.beside(facet).code()), ...everyMember(facts, 'diamondCut by')]
  const mayPass = (from: Hex): boolean => maySend(facts, [CUT_TRIAL], from)
  const roots = [...named, ...whoElsePasses(named, unnamed, mayPass)]
  const note = `It is a diamond (EIP-2535); diamondCut is in facet ${facet}.`
  if (roots.length === 0)
    return { kind: 'diamond', type: 'unresolved', notes: [note, 'Who may call it could not be told.'] }
  const passing = thosePassing(roots, mayPass)
  if (passing.length > 0)
    return {
      kind: 'diamond',
      type: 'roots',
      roots: withGranters(facts, roots, passing, 'diamondCut by'),
      notes: [note],
    }
  const doubt = 'The chain refuses a cut from everyone it names: who else may is not known.'
  return { kind: 'diamond', type: 'unresolved', roots, notes: [note, doubt] }
}

/** The standard's function is gone; whether another does its work, only the code of every facet can tell. */
function withoutCut(facts: Facts, code: CodeFacts): Authority {
  const answer = facts.answer('facetAddresses')
  const facets = answer === undefined ? undefined : addressesOf(answer)
  const unresolved = (why: string): Authority => ({
    kind: 'diamond',
    type: 'unresolved',
    notes: [`It is a diamond without diamondCut, and ${why}.`],
  })
  if (facets === undefined) return unresolved('it does not list its facets')
  if (mayChangeTable(facts, { ...code, delegates: code.delegates.filter(({ from }) => from !== 'mapping') }))
    return unresolved('its own code might change its table or run other code')
  const others = facets.filter((address) => address !== facts.state.address)
  const doubtful = each(others, (address) => mayChangeTable(facts, runningCode(facts, address)))
  const cutting = others.find((_, at) => doubtful[at] === true)
  if (cutting !== undefined) return unresolved(`its facet ${cutting} might change its table by a function of its own`)
  return { kind: 'diamond', type: 'immutable', notes: ['It is a diamond without diamondCut: its facets are fixed.'] }
}

/**
 * Whether code that runs on the storage of a diamond might change its facets. A cut runs its initialiser, so it delegates
 * to an address it is given. Believed impossible only of code that was followed to its end, libraries included.
 */
function mayChangeTable(facts: Facts, code: CodeFacts | undefined, hops = 0): boolean {
  if (code === undefined || code.delegatedTo !== undefined || code.cloneOf !== undefined) return true
  if (!code.settled || code.writesAnywhere || hops > MOST_LIBRARIES) return true
  return each(code.delegates, (source) =>
    source.from === 'fixed'
      ? mayChangeTable(facts, runningCode(facts, source.address), hops + 1)
      : source.from !== 'self',
  ).includes(true)
}

const MOST_LIBRARIES = 4

/** `admin()`, `pendingComptrollerImplementation()`. */
const ADMIN: Hex = '0xf851a440'
const OFFERED_LOGIC: Hex = '0xdcfbc0c7'

/** Compound's delegators name logic and admin by functions of their own code; functions of the logic might lie. */
export function ofDelegator(facts: Facts, code: CodeFacts): Authority | undefined {
  const stored = replaceable(code).flatMap((source) => (source.from === 'slot' ? [source.slot] : []))
  const implementation = facts.address('comptrollerImplementation') ?? facts.address('implementation')
  const admin = facts.address('admin')
  if (stored.length === 0 || implementation === undefined || admin === undefined) return undefined
  if (!code.selectors.has(ADMIN) || stored.length < replaceable(code).length) return undefined
  const named = controllersOf(facts).filter(({ role }) => role === 'pending admin')
  const { roots: hidden, isAsked, isPacked, isOffering } = othersAsked(facts, code, admin)
  const roots = [
    rootOf(admin, 'Admin of the Compound delegator'),
    ...named.map(({ role, address }) => rootOf(address, `The ${role} of the Compound delegator`)),
    ...hidden,
  ]
  const doubts = [
    ...(code.looksUpSender ? ['Its code asks a table who may change its logic: there may be others.'] : []),
    ...(code.settled && !code.writesAnywhere ? [] : ['Its code could not be followed to everything it writes.']),
    ...(isPacked ? ['It compares its sender with a slot that holds something else than an address.'] : []),
    ...(stored.some((slot) => logicWrites(facts, slot, implementation))
      ? ['Its logic can rewrite the pointer by rules of its own, which are not known.']
      : []),
    ...(isOffering ? ['It offers its place to other logic, and whom that obeys is not known.'] : []),
    ...(isAsked || !stored.some((slot) => mayWrite(code, slot))
      ? []
      : ['Its code does not ask the admin it names who may change its logic.']),
  ]
  const base = { kind: 'proxy_compound', implementation, roots: distinctRoots(roots), notes: doubts } as const
  return { ...base, type: doubts.length > 0 ? 'unresolved' : 'roots' }
}

/** Whether what runs from a slot writes that slot itself, as far as was seen; the getter may name other logic. */
function logicWrites(facts: Facts, slot: Hex, named: Hex): boolean {
  const word = facts.storage(slot)
  const address = word === undefined ? named : addressOf(word)
  return address !== undefined && runningCode(facts, address)?.writes.includes(slot) === true
}

type Asked = {
  readonly roots: readonly Root[]
  readonly isAsked: boolean
  readonly isPacked: boolean
  readonly isOffering: boolean
}

/** Whom the code of a delegator asks beside the admin it names, who may share a slot with a small number. */
function othersAsked(facts: Facts, code: CodeFacts, admin: Hex): Asked {
  const words = each(code.senderSlots, (slot) => facts.storage(slot) ?? toWord(0))
  const unnamed = words.filter((word) => BigInt(word) !== 0n && !holds(word, admin))
  const isOffering = offersPlace(facts, code)
  const others = keysInCode(facts, code, isOffering ? [SLOTS.slot3] : [])
  return {
    roots: others.filter(({ address }) => !isNobody(address) && address !== admin),
    isAsked: code.senders.includes(admin) || words.some((word) => holds(word, admin)),
    isPacked: unnamed.some((word) => addressOf(word) === undefined),
    isOffering,
  }
}

/**
 * Logic that was offered its place asks for it itself, so it is no key of the contract, whoever deployed it; what is not
 * code in that place is a key like any other.
 */
function offersPlace(facts: Facts, code: CodeFacts): boolean {
  if (!code.selectors.has(OFFERED_LOGIC) || !code.senderSlots.includes(SLOTS.slot3)) return false
  const word = facts.storage(SLOTS.slot3)
  const address = word === undefined ? undefined : addressOf(word)
  const logic = address === undefined || isNobody(address) ? undefined : facts.beside(address).code()
  return logic !== undefined && logic.delegatedTo === undefined
}
