/**
 * Who decides what another contract answers: the accounts that may replace its code or change what its answer is computed
 * from, and those that decide about the contracts that it asks in turn.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { CodePower } from '../powers/code-powers.ts'
import type { Guard } from '../powers/guards.ts'
import type { Asked, Deciding } from '../powers/sources.ts'
import { child, type Walk } from './control-path.ts'
import { upgraderNode } from './controller-nodes.ts'
import { isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import type { Holders } from './role-books.ts'
import { powersInCode, targetsOf } from './running-codes.ts'
import { withTakenKeys } from './taken-keys.ts'
import { upgradeAuthority } from './upgrade-authority.ts'

/** Contracts that ask each other in a row. */
const MAX_DEPTH = 4
/** A proxy and its logic. What the facets of a diamond change for each other is not known. */
const MAX_CODES = 2

const NOT_KNOWN: Holders = { nodes: [], unknown: 'source' }

/** Who passes a guard of a contract. */
export type HoldersOf = (walk: Walk, facts: Facts, guard: Guard, selectors: readonly Hex[]) => Holders

/** `facts`: the contract that asks. */
export function sourceHolders(
  walk: Walk,
  facts: Facts,
  { by, selector }: Asked,
  holdersOf: HoldersOf,
  depth = 0,
): Holders {
  if (depth > MAX_DEPTH) return NOT_KNOWN
  const further = (at: Facts, asked: Asked): Holders => sourceHolders(walk, at, asked, holdersOf, depth + 1)
  // Its own powers are shown as they are.
  if (by.type === 'self')
    return all(each(decidingOf(facts, selector)?.flatMap(asksOf) ?? [], (ask) => further(facts, ask)))
  if (by.type !== 'constant' && by.type !== 'slot' && by.type !== 'returned') return NOT_KNOWN
  const naming = by.type === 'returned' ? [further(facts, by)] : []
  const [address] = targetsOf(facts, by) ?? []
  if (address === undefined) return all([...naming, NOT_KNOWN])
  if (isBurnAddress(address)) return all(naming)
  const there = facts.sameChain(address)
  const code = there.code()
  if (code === undefined || code.delegatedTo !== undefined) {
    const hop = { role: { code: 'caller_in_code' }, delaySeconds: 0, path: [facts.ref] } as const
    return all([...naming, { nodes: [child(walk, facts, address, hop)] }])
  }
  const deciding = decidingOf(there, selector)
  if (deciding === undefined) return all([...naming, upgradersOf(walk, facts, there), NOT_KNOWN])
  const asked = each(deciding.flatMap(asksOf), (ask) => further(there, ask))
  return all([...naming, upgradersOf(walk, facts, there), changingIn(walk, there, deciding, holdersOf), ...asked])
}

const asksOf = ({ asks = [] }: Deciding): readonly Asked[] => asks

/** What decides the answer of a function in the code of a contract; undefined where it is not known. */
function decidingOf(facts: Facts, selector: Hex | undefined): readonly Deciding[] | undefined {
  const { running, isFollowed, hasLibraries } = powersInCode(facts)
  const { codes } = running
  const isFound = codes.some(({ powers }) => powers.functions.some((one) => one.selector === selector))
  if (!isFollowed || !hasLibraries || !isFound || codes.length > MAX_CODES) return undefined
  return codes.flatMap(({ powers }) => powers.deciding.filter((one) => one.selector === selector))
}

function upgradersOf(walk: Walk, facts: Facts, there: Facts): Holders {
  const { type, upgraders = [] } = upgradeAuthority(there)
  const hop = { delaySeconds: 0, path: [facts.ref, there.ref] }
  return {
    nodes: upgraders.map((upgrader) => upgraderNode(walk, facts.state.chainId, upgrader, hop)),
    ...(type === 'unresolved' && { unknown: 'source' }),
  }
}

/** Effects by which an account changes more than the functions show that have them. */
const WIDE: ReadonlySet<PowerEffect> = new Set(['execute', 'grant'])

/** The accounts that may call functions which change an answer. */
function changingIn(walk: Walk, there: Facts, deciding: readonly Deciding[], holdersOf: HoldersOf): Holders {
  const changing = new Set(deciding.flatMap(({ changedBy = [] }) => changedBy))
  if (changing.size === 0) return deciding.some(({ isOpen }) => isOpen === true) ? NOT_KNOWN : { nodes: [] }
  const isChanging = ({ selector, effect }: CodePower): boolean => changing.has(selector) || WIDE.has(effect)
  const powers = withTakenKeys(there, powersInCode(there).found).filter(isChanging)
  const isMissing = [...changing].some((selector) => !powers.some((power) => power.selector === selector))
  const held = each(
    powers.flatMap(({ guards, selector }) => guards.map((guard) => ({ guard, selector }))),
    ({ guard, selector }) => holdersOf(walk, there, guard, [selector]),
  )
  const unknown = powers.find((power) => power.unknown !== undefined)?.unknown
  return all([
    ...held,
    {
      nodes: [],
      ...(unknown && { unknown }),
      ...(powers.some(({ isTaken }) => isTaken === true) && { isOpen: true }),
    },
    ...(isMissing || deciding.some(({ isOpen }) => isOpen === true) ? [NOT_KNOWN] : []),
  ])
}

/** Any of them decides. */
function all(holders: readonly Holders[]): Holders {
  const unknown = holders.find((one) => one.unknown !== undefined)?.unknown
  return {
    nodes: holders.flatMap(({ nodes }) => nodes),
    ...(unknown && { unknown }),
    ...(holders.some(({ isOpen }) => isOpen === true) && { isOpen: true }),
  }
}
