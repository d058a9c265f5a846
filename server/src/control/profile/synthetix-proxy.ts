/** Synthetix's proxy, which calls its target instead of delegating to it. */
import type { Hex } from 'viem'
import { toWord } from './abi-values.ts'
import type { Authority } from './authority.ts'
import { type CodeFacts, callsOthers } from './code-facts.ts'
import { isBurnAddress } from './controllers.ts'
import type { Facts } from './facts.ts'
import { namedUpgraders, withGranters } from './role-upgraders.ts'
import { isAllowed } from './simulated-calls.ts'
import { callersInCode, distinctUpgraders, everyRoleMember, othersAllowed, thoseAllowed } from './upgrader.ts'

/** `setTarget(address)`. */
const SET_TARGET: Hex = '0x776d1a01'

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
