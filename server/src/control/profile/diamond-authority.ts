/** Who can change the table of a diamond, or the slot of a Compound delegator. */
import type { Hex } from 'viem'
import { controllersOf, hasRoles, isNobody } from './account.ts'
import type { Authority } from './authority-result.ts'
import { type CodeFacts, replaceable } from './code.ts'
import type { Facts } from './facts.ts'
import { roleRoots, wardRoots } from './logic-authority.ts'
import { distinctRoots, everyMember, keysInCode, rootOf, whoElsePasses } from './root.ts'
import { CUT_TRIAL, maySend } from './trials.ts'

export function ofDiamond(facts: Facts, code: CodeFacts): Authority | undefined {
  const facet = facts.address('diamondCutFacet')
  const delegatesByTable = code.delegates.some(({ from }) => from === 'mapping' || from === 'anything')
  if (facet === undefined || !delegatesByTable) return undefined
  if (isNobody(facet))
    return { kind: 'diamond', type: 'immutable', notes: ['It is a diamond without diamondCut: its facets are fixed.'] }
  const named = distinctRoots([
    ...controllersOf(facts).map(({ role, address }) => rootOf(address, `diamondCut by ${role}`)),
    ...(hasRoles(facts) ? roleRoots(facts, 'diamondCut by') : []),
    ...wardRoots(facts, 'diamondCut by'),
  ])
  const unnamed = [...keysInCode(facts, facts.beside(facet).code()), ...everyMember(facts, 'diamondCut by')]
  const roots = [...named, ...whoElsePasses(named, unnamed, (from) => maySend(facts, [CUT_TRIAL], from))]
  const note = `It is a diamond (EIP-2535); diamondCut is in facet ${facet}.`
  if (roots.length === 0)
    return { kind: 'diamond', type: 'unresolved', notes: [note, 'Who may call it could not be told.'] }
  return { kind: 'diamond', type: 'roots', roots, notes: [note] }
}

/** `admin()`, `pendingComptrollerImplementation()`. */
const ADMIN: Hex = '0xf851a440'
const OFFERED_LOGIC: Hex = '0xdcfbc0c7'

/** Compound's delegators name logic and admin by functions of their own code; functions of the logic might lie. */
export function ofDelegator(facts: Facts, code: CodeFacts): Authority | undefined {
  const stored = replaceable(code)
  const implementation = facts.address('comptrollerImplementation') ?? facts.address('implementation')
  const admin = facts.address('admin')
  if (stored.length === 0 || implementation === undefined || admin === undefined) return undefined
  if (!code.selectors.has(ADMIN) || stored.some(({ from }) => from !== 'slot')) return undefined
  const named = controllersOf(facts).filter(({ role }) => role === 'pending admin')
  // Logic that was offered its place asks for it itself; the admin offered it.
  const isOffering = code.selectors.has(OFFERED_LOGIC)
  const hidden = keysInCode(facts, code).filter(
    ({ address }) => address !== admin && address !== facts.address('pendingAdmin') && !isNobody(address),
  )
  const roots = [
    rootOf(admin, 'Admin of the Compound delegator'),
    ...named.map(({ role, address }) => rootOf(address, `The ${role} of the Compound delegator`)),
    ...hidden.filter(() => !isOffering),
  ]
  const base = { kind: 'proxy_compound', implementation, roots: distinctRoots(roots) } as const
  return code.looksUpSender
    ? { ...base, type: 'unresolved', notes: ['Its code asks a table who may change its logic: there may be others.'] }
    : { ...base, type: 'roots', notes: [] }
}
