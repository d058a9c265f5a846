/** Who can change the target of a proxy that calls it instead of running its code, as Synthetix' does. */
import type { Hex } from 'viem'
import { toWord } from './abi-values.ts'
import { controllersOf, hasRoles, isNobody } from './account.ts'
import type { Authority } from './authority.ts'
import { asksOthers, type CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import { maySend } from './simulated-calls.ts'
import { distinctRoots, everyMember, keysInCode, rootOf, whoElsePasses } from './upgrader.ts'
import { roleRoots, thosePassing, wardRoots, withGranters } from './uups-proxy.ts'

/** `setTarget(address)`. */
const SET_TARGET: Hex = '0x776d1a01'

export function ofCallProxy(facts: Facts, code: CodeFacts): Authority | undefined {
  const target = facts.address('target')
  if (target === undefined || !asksOthers(code) || !code.selectors.has(SET_TARGET)) return undefined
  const mayPass = (from: Hex): boolean => maySend(facts, [`${SET_TARGET}${toWord(target).slice(2)}`], from)
  // Whoever else it asks for may be about to take it over; its target it asks only who speaks through it.
  const asked = keysInCode(facts, code).filter(({ address }) => !isNobody(address) && address !== target)
  const named = distinctRoots([
    ...controllersOf(facts).map(({ role, address }) => rootOf(address, `Proxy ${role}`)),
    ...(hasRoles(facts) ? roleRoots(facts, 'Proxy') : []),
    ...wardRoots(facts, 'Proxy'),
    ...asked,
  ])
  const roots = [...named, ...whoElsePasses(named, everyMember(facts, 'Proxy'), mayPass)]
  const passing = thosePassing(roots, mayPass)
  const base = { kind: 'proxy_custom', implementation: target } as const
  const note = `It is a proxy that calls its target ${target}.`
  if (passing.length > 0)
    return { ...base, type: 'roots', roots: withGranters(facts, roots, passing, 'Proxy'), notes: [note] }
  const doubt = 'The chain refuses another target from everyone it names: who else may set it is not known.'
  return { ...base, type: 'unresolved', roots, notes: [note, doubt] }
}
