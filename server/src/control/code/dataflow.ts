/**
 * Follows every path of EVM bytecode and collects its effects: writes to storage, delegatecalls, calls, self-destructs,
 * each with the conditions that hold whenever it is reached.
 *
 * Paths that meet at a jump destination are joined, unless they will return to different places, belong to different
 * functions, or have checked the caller differently. Where they are joined, a value that differs becomes opaque, and
 * only conditions that hold on both paths remain. The result holds for every path; code that cannot be followed to its
 * end is not settled, and nothing may be concluded from it.
 */

import { executeBlock, NO_CALL, type Reached, type State } from './block.ts'
import {
  common,
  type Fact,
  indexFor,
  isCallerCheck,
  isEntryCheck,
  isSelectorTest,
  isShortAnswer,
  learn,
  union,
} from './conditions.ts'
import { jumpDestinations, OP } from './instructions.ts'
import { type Address, addressOf, Memory } from './memory.ts'
import { isPointerSum, isSmallOnPath } from './positions.ts'
import { ReportedStores } from './reported-stores.ts'
import { isBoolean, isPointer, type Term, Terms } from './terms.ts'
import { Worklist } from './worklist.ts'

/** One effect with the terms that describe it. Facts are conditions that hold where it is reached. */
export type RawEffect = Reached & {
  readonly facts: readonly Fact[]
  readonly selector: bigint | undefined
  /** The last write or call before it. */
  readonly epoch: string
  /** The first topic of the log that reports the key of a store into a mapping whenever the call succeeds. */
  readonly reportedBy?: bigint
}

export type Dataflow = {
  readonly effects: readonly RawEffect[]
  /** The functions that the dispatcher compares the input with, and the positions that each reads. */
  readonly functions: ReadonlyMap<bigint, ReadonlySet<Term>>
  /** Every path was followed to its end. */
  readonly settled: boolean
  /** Functions that could not be followed to their end; undefined: code outside of functions. The others were. */
  readonly unsettledIn: ReadonlySet<bigint | undefined>
  /** Where it could not be followed, and why. */
  readonly unsettledAt?: number
  readonly isOverBudget?: boolean
  readonly steps: number
}

export type Budget = { readonly steps: number; readonly nodes: number }
/** OpenZeppelin's governor needs 210,000 steps and 9,000 nodes. */
const BUDGET: Budget = { steps: 5_000_000, nodes: 120_000 }
/** Beyond the budget the largest functions are given up, one by one, up to so many times the budget in all. */
const MOST = 2

type Node = { readonly id: number; readonly at: number; readonly depth: number; state: State; isQueued: boolean }
type Used = { steps: number; nodes: number; isGivenUp: boolean }

/** Checks of the caller and of storage that keep paths apart. */
const MAX_CHECKS = 6
/** Values that keep paths apart at one place, and how deep on the stack they are. */
const MAX_CHOICES = 8
const NUMBERS_DEPTH = 2
const CHOICES_DEPTH = 8

export function followCode(code: Uint8Array, budget: Budget = BUDGET): Dataflow {
  return new Follower(code, budget).run()
}

class Follower {
  readonly code: Uint8Array
  readonly terms: Terms
  readonly #budget: Budget
  readonly #destinations: ReadonlySet<number>
  readonly #byId: Term[] = []
  readonly #nodes = new Map<string, Node>()
  readonly #queue = new Worklist<Node>()
  readonly #reports = new ReportedStores()
  readonly #choices = new Map<string, Set<string>>()
  #steps = 0
  #unsettledAt: number | undefined
  readonly #unsettledIn = new Set<bigint | undefined>()
  /** What each function has taken of the budget. */
  readonly #used = new Map<bigint | undefined, Used>()
  /** What the functions that are not given up have taken. */
  readonly #active = { steps: 0, nodes: 0 }
  #hasGivenUp = false
  #isRecording = false
  readonly #effects = new Map<string, RawEffect>()
  readonly #functions = new Map<bigint, Set<Term>>()

  constructor(code: Uint8Array, budget: Budget) {
    this.code = code
    this.terms = new Terms(code)
    this.#budget = budget
    this.#destinations = jumpDestinations(code)
  }

  run(): Dataflow {
    const stack: readonly Term[] = []
    const none: readonly number[] = []
    const base = { stack, memory: Memory.EMPTY, facts: none, selector: undefined, unreported: none }
    this.enter(0, { ...base, epoch: '', lastCall: NO_CALL })
    for (let node = this.#queue.next(); node !== undefined; node = this.#queue.next()) {
      node.isQueued = false
      const used = this.#usedBy(node.state.selector)
      if (used.isGivenUp) continue
      const steps = executeBlock(this, node.id, node.at, node.state)
      this.#steps += steps
      used.steps += steps
      this.#active.steps += steps
      if (!this.#isOverBudget(this.#active, 1)) continue
      if (this.#isOverBudget({ steps: this.#steps, nodes: this.#nodes.size }, MOST)) return this.#nothing(node.at)
      this.#giveUpLargest(node.at)
    }
    this.#isRecording = true
    for (const node of this.#nodes.values())
      if (!this.#usedBy(node.state.selector).isGivenUp) this.#steps += executeBlock(this, node.id, node.at, node.state)
    return {
      effects: [...this.#effects.values()].map((effect) => this.#reports.reported(effect)),
      functions: this.#functions,
      settled: this.#unsettledAt === undefined,
      unsettledIn: this.#unsettledIn,
      ...(this.#unsettledAt === undefined ? {} : { unsettledAt: this.#unsettledAt }),
      ...(this.#hasGivenUp ? { isOverBudget: true } : {}),
      steps: this.#steps,
    }
  }

  /** What is known of code that takes far more than the budget. */
  #nothing(unsettledAt: number): Dataflow {
    const unsettledIn = new Set([undefined, ...this.#functions.keys()])
    const steps = this.#steps
    return {
      effects: [],
      functions: this.#functions,
      settled: false,
      unsettledIn,
      unsettledAt,
      isOverBudget: true,
      steps,
    }
  }

  #usedBy(selector: bigint | undefined): Used {
    const used = this.#used.get(selector) ?? { steps: 0, nodes: 0, isGivenUp: false }
    this.#used.set(selector, used)
    return used
  }

  #isOverBudget({ steps, nodes }: Budget, times: number): boolean {
    return steps > this.#budget.steps * times || nodes > this.#budget.nodes * times
  }

  /** Gives up the function that takes the most, so that the others are followed. */
  #giveUpLargest(at: number): void {
    const share = ({ steps, nodes }: Used): number => steps / this.#budget.steps + nodes / this.#budget.nodes
    const left = [...this.#used].filter(([, { isGivenUp }]) => !isGivenUp)
    const [largest] = left.toSorted(([, a], [, b]) => share(b) - share(a))
    if (largest === undefined) return
    const [selector, used] = largest
    used.isGivenUp = true
    this.#active.steps -= used.steps
    this.#active.nodes -= used.nodes
    this.#hasGivenUp = true
    this.unsettled(at, selector)
  }

  unsettled(at: number, selector: bigint | undefined): void {
    this.#unsettledAt ??= at
    this.#unsettledIn.add(selector)
  }

  /** Brings a state to a block: a new node, or joined with what is known there. */
  enter(at: number, state: State): void {
    if (this.#isRecording) return
    const key = this.#keyOf(at, state)
    const known = this.#nodes.get(key)
    if (known === undefined) {
      const node: Node = { id: this.#nodes.size, at, depth: state.stack.length, state, isQueued: true }
      this.#nodes.set(key, node)
      this.#usedBy(state.selector).nodes += 1
      this.#active.nodes += 1
      this.#queue.push(node)
      return
    }
    const joined = this.#join(known, state)
    if (joined === known.state) return
    known.state = joined
    if (!known.isQueued) {
      known.isQueued = true
      this.#queue.push(known)
    }
  }

  /** Return addresses on the stack, the function, and checks of the caller and of storage keep paths apart. */
  #keyOf(at: number, { stack, facts, selector }: State): string {
    let key = `${at}/${stack.length}/${selector ?? ''}/`
    for (let index = 0; index < stack.length; index += 1) {
      const term = stack[index] as Term
      if (term.kind === 'constant' && this.#isDestination(term.value)) key += `${index}:${term.value},`
    }
    let checks = 0
    for (const fact of facts) {
      const term = this.#term(fact)
      const isTrue = (fact & 1) === 1
      const isApart = term.isState
        ? !this.#isLength(term)
        : isEntryCheck(term) || (isTrue && (isCallerCheck(term) || isShortAnswer(term)))
      if (!isApart) continue
      key += `/${fact}`
      checks += 1
      // A loop may compare the caller with a new value each time.
      if (checks === MAX_CHECKS) break
    }
    return this.#withChoices(key, stack)
  }

  /** A small number on top of the stack, such as the state of a proposal, and members of structs keep paths apart. */
  #withChoices(key: string, stack: readonly Term[]): string {
    let choices = ''
    for (let index = Math.max(0, stack.length - CHOICES_DEPTH); index < stack.length; index += 1) {
      const term = stack[index] as Term
      const [member, base] = term.args
      if (term.kind === 'constant') {
        const isNumber = term.value > 0n && term.value < 256n && index >= stack.length - NUMBERS_DEPTH
        if (isNumber && !this.#isDestination(term.value)) choices += `!${index}:${term.value}`
      } else if (term.kind === 'hash') choices += `!${index}#`
      else if (term.kind === 'operation' && term.op === OP.ADD && member?.kind === 'constant' && base?.kind === 'hash')
        choices += `!${index}#${member.value}`
    }
    if (choices === '') return key
    const known = this.#choices.get(key) ?? new Set()
    this.#choices.set(key, known)
    // A loop may count without end.
    if (!known.has(choices) && known.size >= MAX_CHOICES) return key
    known.add(choices)
    return key + choices
  }

  /** A test of the length of an array: which elements it has does not decide who may act. */
  #isLength(term: Term): boolean {
    const [position] = term.args
    if (term.kind === 'stored') return position?.kind === 'constant' && this.terms.isArray(position.value)
    return term.args.some((arg) => this.#isLength(arg))
  }

  #isDestination(value: bigint): boolean {
    return value < BigInt(this.code.length) && this.#destinations.has(Number(value))
  }

  #term(fact: number): Term {
    return this.#byId[fact >> 1] as Term
  }

  #join(node: Node, state: State): State {
    const old = node.state
    let isSame = true
    const stack = old.stack.map((term, index) => {
      const other = state.stack[index] as Term
      if (term === other) return term
      const place = `join${node.id}.${index}`
      const joined = this.#joinedTerm(term, old, other, state, place)
      if (joined !== term) isSame = false
      return joined
    })
    const facts = common(old.facts, state.facts)
    if (facts !== old.facts) isSame = false
    const memory = old.memory.joined(state.memory)
    if (memory !== old.memory) isSame = false
    let { epoch } = old
    if (epoch !== state.epoch && epoch !== `join${node.id}`) {
      epoch = `join${node.id}`
      isSame = false
    }
    const lastCall = old.lastCall === state.lastCall ? old.lastCall : ''
    if (lastCall !== old.lastCall) isSame = false
    const unreported = union(old.unreported, state.unreported)
    if (unreported !== old.unreported) isSame = false
    return isSame ? old : { stack, memory, facts, epoch, lastCall, selector: old.selector, unreported }
  }

  /** The term for two values that meet: what both are known to be. */
  #joinedTerm(a: Term, { facts }: State, b: Term, other: State, place: string): Term {
    if (this.#isPointer(a, facts) && this.#isPointer(b, other.facts)) return this.terms.pointer(place)
    if (isSmallOnPath(a, this.#facts(facts)) && isSmallOnPath(b, this.#facts(other.facts)))
      return this.terms.small(place, a.hasCaller || b.hasCaller)
    return this.terms.joined(a, b, place)
  }

  record(effect: Reached, { facts, selector, epoch }: Pick<State, 'facts' | 'selector' | 'epoch'>): void {
    if (!this.#isRecording) return
    const passed = effect.passed?.map(({ term, from, to }) => `${term.id}:${from}:${to}`).join() ?? ''
    const topics = effect.topics?.map(({ id }) => id).join() ?? ''
    const key = `${effect.at}|${effect.subject.id}|${effect.value?.id ?? ''}|${passed}|${topics}|${selector ?? ''}|${epoch}|${facts.join()}`
    this.#effects.set(key, { ...effect, facts: this.#facts(facts), selector, epoch })
  }

  addressOf(address: Term, facts: readonly number[]): Address | undefined {
    const found = addressOf(address)
    if (found === undefined || found.base === 0 || found.isPointer === true) return found
    return this.#isPointer(address, facts) ? { ...found, isPointer: true } : found
  }

  #isPointer(term: Term, facts: readonly number[]): boolean {
    if (isPointer(term)) return true
    return term.kind === 'operation' && term.op === OP.ADD && isPointerSum(term, this.#facts(facts))
  }

  #facts(facts: readonly number[]): readonly Fact[] {
    return facts.map((fact) => ({ term: this.#term(fact), holds: (fact & 1) === 1 }))
  }

  assume(facts: readonly number[], condition: Term): readonly number[] {
    if (condition.kind === 'constant') return facts
    const fact = condition.id * 2 + 1
    const at = indexFor(facts, fact & ~1)
    this.#byId[condition.id] = condition
    return (facts[at] ?? 0) >> 1 === condition.id ? facts : [...facts.slice(0, at), fact, ...facts.slice(at)]
  }

  stored(unreported: readonly number[], at: number, position: Term): readonly number[] {
    return this.#reports.stored(unreported, at, position)
  }

  logged(unreported: readonly number[], topics: readonly Term[]): readonly number[] {
    return this.#reports.logged(unreported, topics)
  }

  loaded(selector: bigint | undefined, position: Term): void {
    if (selector !== undefined) this.#functions.get(selector)?.add(position)
  }

  ended(unreported: readonly number[]): void {
    this.#reports.ended(unreported)
  }

  jump(at: number, target: Term, state: State): void {
    if (target.kind !== 'constant') this.unsettled(at, state.selector)
    else if (this.#isDestination(target.value)) this.enter(Number(target.value), state)
  }

  /** The state after a branch; undefined where the condition cannot have this outcome. */
  branch(state: State, condition: Term, outcome: boolean): State | undefined {
    const known = this.#truth(condition, state.facts)
    if (known !== undefined) return known === outcome ? state : undefined
    const added: Fact[] = []
    learn(this.terms, condition, outcome, added)
    let { facts: sorted, selector } = state
    for (const { term, holds } of added) {
      const fact = term.id * 2 + (holds ? 1 : 0)
      const at = indexFor(sorted, fact & ~1)
      if (sorted[at] === (fact ^ 1)) return undefined
      this.#byId[term.id] = term
      if (sorted[at] !== fact) sorted = [...sorted.slice(0, at), fact, ...sorted.slice(at)]
      if (holds && isSelectorTest(term)) {
        selector = (term.args[0] as Term).value
        if (!this.#functions.has(selector)) this.#functions.set(selector, new Set())
      }
    }
    // Copies of a condition on the stack have a known outcome from here on.
    const stack = state.stack.map((term) => {
      if (!isBoolean(term)) return term
      const truth = this.#truth(term, sorted)
      return truth === undefined ? term : truth ? this.terms.one : this.terms.zero
    })
    return { ...state, stack, facts: sorted, selector }
  }

  /** Whether a term is not zero, where the facts decide it. */
  #truth(term: Term, facts: readonly number[]): boolean | undefined {
    if (term.kind === 'constant') return term.value !== 0n
    // No code runs at the zero address.
    if (term.kind === 'self') return true
    // Code that runs is not empty.
    if (term.kind === 'environment' && term.op === OP.EXTCODESIZE) return true
    if (term.kind === 'operation' && term.op === OP.ISZERO) {
      const inner = this.#truth(term.args[0] as Term, facts)
      return inner === undefined ? undefined : !inner
    }
    const id = term.id * 2
    const found = facts[indexFor(facts, id)]
    if (found === id || found === id + 1) return found === id + 1
    if (term.kind !== 'operation' || term.op !== OP.EQ || term.args[0]?.kind !== 'constant') return undefined
    // Equal to one number is not equal to another.
    for (const fact of facts) {
      if ((fact & 1) === 0) continue
      const other = this.#term(fact)
      if (other.kind !== 'operation' || other.op !== OP.EQ || other.args[1] !== term.args[1]) continue
      if (other.args[0]?.kind === 'constant' && other.args[0] !== term.args[0]) return false
    }
    return undefined
  }
}
