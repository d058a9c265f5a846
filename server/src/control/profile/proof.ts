/**
 * Proves who can change the code that runs on a contract's storage.
 *
 * Everything that could change it is found in the code: writes of a pointer to other code or of a slot that names a
 * holder, delegatecalls to an address that is not fixed, self-destructs. Each must be reserved to accounts that are known,
 * or be impossible in the present state. What is neither is unproven, and the contract's label can then not be better than
 * unknown: green and amber need proof, everything else may only lower a label.
 */
import type { Hex } from 'viem'
import type { Condition } from '../code/effects.ts'
import { accountIn, toWord } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { type Gate, NO_QUEUE, type Queue } from './gates.ts'
import { hasOnlyKnownEntries } from './known-entries.ts'
import { elementOf } from './listed-entries.ts'
import { ROLE_GRANTED } from './listed-holders.ts'
import { ProtectedStorage } from './protected-storage.ts'
import { type Proof, Prover } from './prover.ts'
import { PROPOSER } from './roles.ts'
import { callsTokens, mayName, type Unproven } from './running-code.ts'

/** Published contracts that cannot change their code, and what lets them act: the walk knows who that is. */
const RULES: ReadonlyMap<string, Gate> = new Map([
  ['TimelockController', 'queue'],
  ['AccessManager', 'caller'],
  ['ProxyAdmin', 'caller'],
])

/** The rules of a published contract. */
const rulesOf = ({ release }: CodeFacts): Gate | undefined =>
  release?.isFixed === true && release.package.startsWith('@openzeppelin/') ? RULES.get(release.contract) : undefined

const OF_CODE: ReadonlySet<Unproven['effect']> = new Set(['store', 'delegatecall', 'call', 'selfdestruct', 'code'])

/** What is left to prove where the rules of the code are known: nothing that its code does, but what its storage holds. */
const beyondCode = (unproven: readonly Unproven[], self: Hex): readonly Unproven[] =>
  unproven.filter(({ address, effect }) => address !== self || !OF_CODE.has(effect))

/** Who can change the code that runs on the storage of a contract. */
export function prove(facts: Facts): Proof {
  const code = facts.code()
  if (code === undefined) return { holders: [], unproven: [] }
  const proof = new Prover(facts, 0).run(code)
  if (rulesOf(code) === undefined) return proof
  return { ...proof, unproven: beyondCode(proof.unproven, facts.state.address) }
}

/** Who can make a contract act on the contracts it controls, which are given. */
export function proveActs(facts: Facts, gate: Gate, controlled: readonly Facts[] = []): Proof & Queue {
  const code = facts.code()
  if (code === undefined) return { holders: [], unproven: [], ...NO_QUEUE }
  const prover = new Prover(facts, 0, gate, new Set(controlled.flatMap((below) => reservedSelectors(below))))
  const proof = prover.run(code)
  if (rulesOf(code) !== gate) return { ...proof, ...prover.queue }
  const unproven = [...beyondCode(proof.unproven, facts.state.address), ...silentMembers(facts, code)]
  return { ...proof, unproven, ...prover.queue }
}

/** Which accounts a contract names by a function, and who can change them. */
export function proveAnswer(facts: Facts, selector: Hex): Proof & { readonly accounts: readonly Hex[] | undefined } {
  const code = facts.code()
  if (code === undefined) return { holders: [], unproven: [], accounts: undefined }
  return new Prover(facts, 0).runAnswer(code, selector)
}

/** Where an AccessManager stores members of its admin role: in the first member of an element of the mapping in slot 1. */
const ADMIN_MEMBERS = elementOf(toWord(1), toWord(0))

/**
 * An AccessManager reports every member that it adds. Code that created it may have added others: the storage that it was
 * created with must hold administrators alone that its events name.
 */
function silentMembers(facts: Facts, { release }: CodeFacts): readonly Unproven[] {
  if (release?.contract === 'TimelockController') return silentOperations(facts)
  if (release?.contract !== 'AccessManager') return []
  const administrators = facts.members('history')?.administrators ?? []
  const positions = administrators.map((account) => elementOf(ADMIN_MEMBERS, account))
  const isKnown = facts.holdsOnly(positions, 'created') === true
  return isKnown ? [] : [{ address: facts.state.address, at: 0, effect: 'entries' }]
}

/**
 * A TimelockController has roles in slot 0, operations in slot 1 and its delay in slot 2. Their entries are proven also
 * where the analysis of its code does not find these tables.
 */
function silentOperations(facts: Facts): readonly Unproven[] {
  const storage = new ProtectedStorage()
  storage.addList({ type: 'table', base: toWord(0), keys: [PROPOSER, '?0'], member: 0 }, ROLE_GRANTED)
  storage.addQueue({ type: 'table', base: toWord(1), keys: ['#0'], member: 0 }, 'entries')
  storage.addDelay(toWord(2))
  const isKnown = hasOnlyKnownEntries(facts, storage, 'now') || hasOnlyKnownEntries(facts, storage, 'created')
  return isKnown ? [] : [{ address: facts.state.address, at: 0, effect: 'entries' }]
}

/** The functions by which an account controls a contract, or makes it act if `acts`; undefined among them: any. */
export function functionsOf(facts: Facts, holder: Hex, acts: boolean): ReadonlySet<Hex | undefined> {
  const code = facts.code()
  if (code === undefined) return new Set()
  const prover = new Prover(facts, 0, acts ? 'caller' : undefined)
  prover.run(code)
  return prover.functionsOf(holder)
}

/** `transfer(address,uint256)`. */
const TRANSFER: Hex = '0xa9059cbb'

/** Whether one of these contracts takes a transfer of tokens by an account for more than that. */
export const obeysTransfers = (controlled: readonly Facts[], by: Hex): boolean =>
  each(controlled, (facts) => mayName(new Set(reservedSelectors(facts, by)), TRANSFER)).includes(true)

/**
 * Whether a contract acts by more accounts, or by unknown ones, where its calls of tokens may reach these other contracts too.
 * In a circle of control they are above the contract, and were not known when it was judged.
 */
export function actsThroughTokens(facts: Facts, below: readonly Facts[], above: readonly Facts[]): boolean {
  const code = facts.code()
  if (code === undefined) return false
  const proofOf = (controlled: readonly Facts[]) => {
    const prover = new Prover(facts, 0, 'caller', new Set(each(controlled, reservedSelectors).flat()))
    return { proof: prover.run(code), prover }
  }
  const { proof, prover } = proofOf(below)
  if (!callsTokens(prover.effects)) return false
  return JSON.stringify(proofOf([...below, ...above]).proof) !== JSON.stringify(proof)
}

/**
 * Functions that a contract reserves to some callers; undefined among them: code outside of functions does. With `by`, only those
 * that this account may call.
 */
function reservedSelectors(facts: Facts, by?: Hex): readonly (Hex | undefined)[] {
  const code = facts.code()
  if (code === undefined) return []
  const prover = new Prover(facts, 0)
  prover.run(code)
  const mayCall = (condition: Condition): boolean => {
    if (condition.type !== 'caller' || by === undefined) return true
    const { is } = condition
    if (is.type === 'constant') return is.address === by
    const stored = is.type === 'slot' ? facts.storage(is.slot) : undefined
    return is.type !== 'slot' || stored === undefined || accountIn(stored, is.shift) === by
  }
  const isReserved = ({ type }: Condition): boolean => type === 'caller' || type === 'listed' || type === 'permitted'
  return prover.effects.flatMap(({ conditions, selector }) =>
    conditions.some(isReserved) && conditions.every(mayCall) ? [selector] : [],
  )
}
