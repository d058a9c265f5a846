/** Who can change the facets of a diamond (https://eips.ethereum.org/EIPS/eip-2535). */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { addressesOf } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { EMPTY_CUT, isAllowed } from './simulated-calls.ts'
import {
  type Authority,
  distinctUpgraders,
  MAX_LIBRARY_DEPTH,
  namedUpgraders,
  othersAllowed,
  runningCode,
  thoseAllowed,
  unnamedCallers,
  withGranters,
} from './upgrader.ts'

export function diamondAuthority(facts: Facts, code: CodeFacts): Authority | undefined {
  const cutFacet = facts.address('diamondCutFacet')
  const hasTable = code.delegates.some(({ from }) => from === 'mapping' || from === 'anything')
  if (cutFacet === undefined || !hasTable) return undefined
  if (isBurnAddress(cutFacet)) return withoutCut(facts, code)
  const named = distinctUpgraders(namedUpgraders(facts, 'diamond_cut'))
  const unnamed = unnamedCallers(facts, facts.sameChain(cutFacet).code(), 'diamond_cut')
  const allows = (from: Hex): boolean => isAllowed(facts, [EMPTY_CUT], from)
  const upgraders = [...named, ...othersAllowed(named, unnamed, allows)]
  const note: Reason = { code: 'diamond', cutFacet }
  if (upgraders.length === 0)
    return { kind: 'diamond', type: 'unresolved', notes: [note, { code: 'cut_caller_unknown' }] }
  const allowed = thoseAllowed(upgraders, allows)
  if (allowed.length > 0)
    return {
      kind: 'diamond',
      type: 'upgradeable',
      upgraders: withGranters(facts, upgraders, allowed, 'diamond_cut'),
      notes: [note],
    }
  return { kind: 'diamond', type: 'unresolved', upgraders, notes: [note, { code: 'cut_refused' }] }
}

/** `diamondCut` was removed; only the code of every facet shows whether another function does the same. */
function withoutCut(facts: Facts, code: CodeFacts): Authority {
  const data = facts.result('facetAddresses')
  const facets = data === undefined ? undefined : addressesOf(data)
  const unresolved = (note: Reason): Authority => ({ kind: 'diamond', type: 'unresolved', notes: [note] })
  if (facets === undefined) return unresolved({ code: 'facets_not_listed' })
  if (mayChangeTable(facts, { ...code, delegates: code.delegates.filter(({ from }) => from !== 'mapping') }))
    return unresolved({ code: 'facet_table_writable' })
  const others = facets.filter((address) => address !== facts.state.address)
  const doubtful = each(others, (address) => mayChangeTable(facts, runningCode(facts, address)))
  const facet = others.find((_, at) => doubtful[at] === true)
  if (facet !== undefined) return unresolved({ code: 'facet_table_writable', facet })
  return { kind: 'diamond', type: 'immutable', notes: [{ code: 'diamond_fixed' }] }
}

/**
 * Whether code that runs on the storage of a diamond might change its facets. A cut runs an initializer, so its code
 * delegatecalls to an address from its input. Ruled out only for code that was followed to its end, with its libraries.
 */
function mayChangeTable(facts: Facts, code: CodeFacts | undefined, depth = 0): boolean {
  if (code === undefined || code.delegatedTo !== undefined || code.cloneOf !== undefined) return true
  if (!code.settled || code.writesAnywhere || depth > MAX_LIBRARY_DEPTH) return true
  return each(code.delegates, (source) =>
    source.from === 'fixed'
      ? mayChangeTable(facts, runningCode(facts, source.address), depth + 1)
      : source.from !== 'self',
  ).includes(true)
}
