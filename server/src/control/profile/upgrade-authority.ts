/**
 * Who can replace the logic of a contract: a list of accounts, no account, or not known.
 *
 * Slots show where the logic is, code shows who can move it. A slot that is set is assumed to be used, because more paths
 * never strengthen a label. That no account can write it is concluded only for code that was followed to its end.
 */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { delegatecallers, isPossible } from './arbitrary-delegatecall.ts'
import { beaconAuthority } from './beacon-proxy.ts'
import { mayWrite, replaceable } from './code-behavior.ts'
import type { CodeFacts } from './code-facts.ts'
import { BURN_ADDRESSES, isUnusable } from './controllers.ts'
import { diamondAuthority } from './diamond.ts'
import { SLOT_FAMILIES, slotProxyAuthority } from './eip1967-proxy.ts'
import { each, type Facts } from './facts.ts'
import { prove } from './proof.ts'
import { callProxyAuthority, delegatorAuthority, starkwareAuthority } from './protocol-proxies.ts'
import { SLOTS, type SlotName, slotAt } from './slots.ts'
import { type Authority, MAX_LIBRARY_DEPTH, type Upgrader, upgrader, upgraderKey } from './upgrader.ts'

/** Who can replace the logic of a contract, as far as it is proven by its code. */
export function upgradeAuthority(facts: Facts): Authority {
  const found = recognizedAuthority(facts)
  if (facts.code() === undefined) return found
  const { holders, unproven } = prove(facts)
  const named = found.upgraders ?? []
  const isNamed = (holder: Upgrader): boolean =>
    named.some((known) => upgraderKey(known) === upgraderKey(holder) && known.delaySeconds <= holder.delaySeconds)
  const added = holders.filter((holder) => !isUnusable(facts, holder.address) && !isNamed(holder))
  const [first] = unproven
  if (first !== undefined)
    return {
      ...found,
      type: 'unresolved',
      upgraders: [...named, ...added],
      notes: [...found.notes, { code: 'unproven', ...first }],
    }
  if (added.length === 0) return found
  return found.type === 'immutable'
    ? { ...found, type: 'upgradeable', upgraders: added }
    : { ...found, upgraders: [...named, ...added] }
}

/** `code`: what runs with this storage, where that is not its own: a clone runs the code of its target. */
function recognizedAuthority(facts: Facts, code = facts.code()): Authority {
  if (code === undefined) return { type: 'unresolved', kind: 'unknown', notes: [{ code: 'no_contract' }] }
  if (code.cloneOf !== undefined) return cloneAuthority(facts, code.cloneOf)
  const pointers = pointersOf(facts, code)
  return pointers.length > 0
    ? combined(facts, code, pointers)
    : withTarget(
        facts,
        code,
        diamondAuthority(facts, code) ??
          delegatorAuthority(facts, code) ??
          aragonAuthority(facts, code) ??
          plainAuthority(facts, code),
      )
}

/** The code of a proxy that calls its target is fixed, but its target may change. */
function withTarget(facts: Facts, code: CodeFacts, authority: Authority): Authority {
  return authority.type === 'immutable' ? (callProxyAuthority(facts, code) ?? authority) : authority
}

type Pointer = { readonly slots: readonly SlotName[]; readonly authority: Authority }

/** Every pointer to other code that is set, because any one of them may be a decoy. */
function pointersOf(facts: Facts, code: CodeFacts): readonly Pointer[] {
  const pointers: Pointer[] = []
  const beacon = facts.slot('beacon')
  if (beacon !== undefined)
    pointers.push({ slots: ['beacon'], authority: beaconAuthority(upgradeAuthority, facts, code, beacon) })
  if (facts.slot('starkwareImplementation') !== undefined)
    pointers.push({ slots: ['starkwareImplementation'], authority: starkwareAuthority(facts) })
  for (const family of SLOT_FAMILIES) {
    const logic = facts.slot(family.logic)
    if (logic === undefined) continue
    const authority = slotProxyAuthority(facts, code, family, logic)
    pointers.push({ slots: [family.logic, 'secondaryImplementation'], authority })
  }
  return pointers
}

/** Every account that can move any of the pointers; not known where the code runs what none of them names. */
function combined(facts: Facts, code: CodeFacts, pointers: readonly Pointer[]): Authority {
  const hasTable = code.delegates.some(({ from }) => from === 'mapping')
  const diamond = hasTable ? diamondAuthority(facts, code) : undefined
  const all = [...pointers.map(({ authority }) => authority), ...(diamond === undefined ? [] : [diamond])]
  const named = new Set<Hex>(pointers.flatMap(({ slots }) => slots.map((slot) => SLOTS[slot])))
  const guards = guardsOf(code, named)
  const hasOtherDelegate =
    (hasTable && diamond === undefined) ||
    code.delegates.some((source) => {
      if (source.from === 'slot') return !named.has(source.slot)
      // An upgrade delegatecalls to its input behind the same guard.
      if (source.from === 'input')
        return (source.sender === undefined || !guards.has(source.sender)) && isPossible(facts, source)
      return (source.from === 'anything' || source.from === 'answer') && !named.has(SLOTS.beacon)
    })
  const [first] = all as [Authority, ...Authority[]]
  if (all.length === 1 && !hasOtherDelegate) return first
  const notes: readonly Reason[] = [
    ...all.flatMap((authority) => authority.notes),
    ...(hasOtherDelegate ? [{ code: 'delegate_outside_slots' } as const] : []),
  ]
  const upgraders = all.flatMap((authority) => authority.upgraders ?? [])
  const { kind, implementation } = first
  const base = { kind, notes, ...(implementation === undefined ? {} : { implementation }) }
  if (hasOtherDelegate || all.some(({ type }) => type === 'unresolved'))
    return { ...base, type: 'unresolved', upgraders }
  return upgraders.length === 0 ? { ...base, type: 'immutable' } : { ...base, type: 'upgradeable', upgraders }
}

/** Callers that a proxy which can move one of these pointers checks: its admin and addresses in its code. */
function guardsOf(code: CodeFacts, pointers: ReadonlySet<Hex>): ReadonlySet<Hex> {
  const movable = SLOT_FAMILIES.filter(({ logic }) => pointers.has(SLOTS[logic]) && mayWrite(code, SLOTS[logic]))
  if (movable.length === 0) return new Set()
  const admins = movable.flatMap(({ admin }) => (admin === undefined ? [] : [SLOTS[admin]]))
  return new Set([...admins, ...code.senders, ...BURN_ADDRESSES])
}

const MAX_CLONE_DEPTH = 4

/** The pointer of a clone is in its code. A target that is a proxy finds its logic in the storage of the clone. */
function cloneAuthority(facts: Facts, target: Hex, depth = 1): Authority {
  const code = facts.sameChain(target).code()
  const base = { kind: 'proxy_minimal', implementation: target } as const
  if (code === undefined) return { ...base, type: 'unresolved', notes: [{ code: 'clone_without_code', target }] }
  const note: Reason = { code: 'fixed_clone', target }
  if (code.cloneOf !== undefined) {
    if (depth > MAX_CLONE_DEPTH) return { ...base, type: 'unresolved', notes: [{ code: 'clone_chain_too_long' }] }
    const above = cloneAuthority(facts, code.cloneOf, depth + 1)
    return { ...above, ...base, notes: [note, ...above.notes] }
  }
  if (code.delegatedTo !== undefined)
    return { ...base, type: 'upgradeable', upgraders: [upgrader(target, { code: 'clone_target' })], notes: [note] }
  if (withTarget(facts, code, plainAuthority(facts, code)).type === 'immutable')
    return { ...base, type: 'immutable', notes: [note] }
  const above = recognizedAuthority(facts, code)
  return { ...above, ...base, notes: [note, ...above.notes] }
}

/** Aragon's apps take their code from their kernel, whose access lists are not read. */
function aragonAuthority(facts: Facts, code: CodeFacts): Authority | undefined {
  const kernel = facts.address('kernel')
  if (kernel === undefined || facts.result('appId') === undefined || !code.delegating) return undefined
  return { kind: 'proxy_aragon', type: 'unresolved', notes: [{ code: 'aragon_app', kernel }] }
}

/** Code without a known pointer. */
function plainAuthority(facts: Facts, code: CodeFacts): Authority {
  const { delegates, settled } = withLibraries(facts, code)
  const unexplained = replaceable({ delegates })
  const upgraders = delegatecallers(facts, delegates)
  if (upgraders === undefined)
    return { kind: 'unknown', type: 'unresolved', notes: [{ code: 'arbitrary_delegatecall', isProxy: true }] }
  if (!code.delegating || (settled && unexplained.length === 0))
    return upgraders.length === 0
      ? { kind: 'immutable', type: 'immutable', notes: [{ code: 'not_a_proxy' }] }
      : {
          kind: 'immutable',
          type: 'upgradeable',
          upgraders,
          notes: [{ code: 'arbitrary_delegatecall', isProxy: false }],
        }
  if (unexplained.length === 0)
    return { kind: 'unknown', type: 'unresolved', upgraders, notes: [{ code: 'code_not_followed' }] }
  const slots = unexplained.flatMap((source) => (source.from === 'slot' ? [slotAt(source.slot) ?? source.slot] : []))
  return { kind: 'proxy_custom', type: 'unresolved', upgraders, notes: [{ code: 'replaceable_delegate', slots }] }
}

const isPrecompile = (address: Hex): boolean => BigInt(address) <= 0xffffn

/** The delegatecalls of the code and of its libraries, which run on the same storage. */
function withLibraries(facts: Facts, code: CodeFacts, depth = 0): Pick<CodeFacts, 'delegates' | 'settled'> {
  if (!code.delegating) return { delegates: [], settled: true }
  if (depth > MAX_LIBRARY_DEPTH) return { delegates: code.delegates, settled: false }
  const libraries = each(
    code.delegates.flatMap((source) => (source.from === 'fixed' ? [source.address] : [])),
    (address) => {
      const library = facts.sameChain(address).code()
      // Code may still be deployed there; and the key of an EIP-7702 account can replace the account's code.
      if (library === undefined || library.delegatedTo !== undefined)
        return isPrecompile(address) ? { delegates: [], settled: true } : { delegates: [], settled: false }
      const target = library.cloneOf === undefined ? library : facts.sameChain(library.cloneOf).code()
      return target === undefined ? { delegates: [], settled: false } : withLibraries(facts, target, depth + 1)
    },
  )
  return {
    delegates: [...code.delegates, ...libraries.flatMap(({ delegates }) => delegates)],
    settled: code.settled && libraries.every(({ settled }) => settled),
  }
}
