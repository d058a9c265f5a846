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
import { type Blocks, blocksOf } from './blocks.ts'
import { addComparison, type Fact, indexed, indexFor, isSelectorTest, learn } from './conditions.ts'
import { type Exactness, isAfter, joinedExactly, lastRound, MergedPaths } from './exact-paths.ts'
import { type Execution, effectKey, NO_NODE, newExecution } from './executions.ts'
import { OP } from './instructions.ts'
import { type Address, addressOf, Memory } from './memory.ts'
import { Observed } from './observed.ts'
import { PathKeys } from './path-keys.ts'
import { Paths } from './paths.ts'
import { fixedBelow, isPointerSum, pointerBelow } from './pointer-sums.ts'
import { withStores } from './reported-stores.ts'
import { type Meeting, StateJoins } from './state-joins.ts'
import { isBoolean, isPointer, type Term, Terms } from './terms.ts'
import { Worklist } from './worklist.ts'

/** One effect with the terms that describe it. Facts are conditions that hold where it is reached. */
export type RawEffect = Reached & {
  readonly facts: readonly Fact[]
  readonly selector: bigint | undefined
  /** The last write or call before it. */
  readonly epoch: string
  /** The numbers of its blocks, see `Paths`. */
  readonly blocks: readonly number[]
  /** The first topic of the log that reports the key of a store into a mapping whenever the call succeeds. */
  readonly reportedBy?: bigint
  /** Every call of the function that succeeds makes the store. */
  readonly isCertain?: boolean
}

export type Dataflow = {
  readonly code: Uint8Array
  readonly terms: Terms
  /** Every condition that a path was followed under. */
  readonly conditions: readonly Term[]
  readonly effects: readonly RawEffect[]
  /** Where code outside of functions reads something of an account. */
  readonly looks: readonly RawEffect[]
  /** The functions that the dispatcher compares the input with, and the positions that each reads. */
  readonly functions: ReadonlyMap<bigint, ReadonlySet<Term>>
  /** The positions that code outside of functions reads. */
  readonly outside: ReadonlySet<Term>
  /** The words of the input that each function reads; a copy of others is a word of its own. */
  readonly given: ReadonlyMap<bigint, ReadonlySet<Term>>
  readonly observed: Observed
  readonly paths: Paths
  /** Every path was followed to its end. */
  readonly settled: boolean
  /** Functions that could not be followed to their end; undefined: code outside of functions. The others were. */
  readonly unsettledIn: ReadonlySet<bigint | undefined>
  /** Where it could not be followed, and why. */
  readonly unsettledAt?: number
  readonly isOverBudget?: boolean
  /** Rounds of a loop were joined where the code was followed exactly. */
  readonly isLooping?: boolean
  readonly steps: number
  /** In how many blocks each function was followed. */
  readonly sizes: ReadonlyMap<bigint | undefined, number>
}

export type Budget = { readonly steps: number; readonly nodes: number }
/** OpenZeppelin's governor needs 210,000 steps and 9,000 nodes. */
const BUDGET: Budget = { steps: 5_000_000, nodes: 120_000 }
/** Nodes of one function. Code outside of functions has the whole budget: without it nothing is known. */
const MAX_NODES = 16_000
/** Beyond the budget the largest functions are given up, one by one, up to so many times the budget in all. */
const MOST = 2

type Node = Meeting & {
  readonly at: number
  readonly depth: number
  /** Its place in the order of blocks. */
  readonly order: number
  isQueued: boolean
  /** The node from which a path came here first. */
  readonly from: Node | undefined
  /** The same place in the last round of a loop; null: it is in none. Where it stores, by the instruction. */
  lastRound?: Node | null
  readonly stored: Map<number, number>
  /** What its last execution reached: that of the state in which all paths are joined, once the code is followed. */
  last: Execution
}
type Decoded = readonly number[] & { decoded?: readonly Fact[] }
type Used = { steps: number; nodes: number; isGivenUp: boolean }

export function followCode(code: Uint8Array, budget: Budget = BUDGET): Dataflow {
  return new Follower(code, budget, new Terms(code)).run()
}

/** Follows an input of known lengths, as far as the budget allows. */
export function followExactly(code: Uint8Array, terms: Terms, exactness: Exactness, budget: Budget): Dataflow {
  return new Follower(code, budget, terms, exactness).run()
}

class Follower {
  readonly code: Uint8Array
  readonly terms: Terms
  readonly answerSize: bigint | undefined
  readonly #budget: Budget
  readonly #blocks: Blocks
  readonly #conditions = new Set<Term>()
  readonly #nodes: Node[] = []
  readonly #queue = new Worklist<Node>()
  readonly #observed = new Observed()
  /** By their number. Lists by numbers of which few are used are slower than maps. */
  readonly #factsById = new Map<number, Fact>()
  /** The jump destination that a constant is, or -1, by the number of its term. */
  readonly #destinationById = new Map<number, number>()
  readonly #states: StateJoins
  readonly #keys: PathKeys<Node>
  readonly #merged: MergedPaths<Node> | undefined
  #steps = 0
  #unsettledAt: number | undefined
  readonly #unsettledIn = new Set<bigint | undefined>()
  /** What each function has taken of the budget. */
  readonly #used = new Map<bigint | undefined, Used>()
  #last: { readonly selector: bigint | undefined; readonly used: Used } | undefined
  /** What the functions that are not given up have taken. */
  readonly #active = { steps: 0, nodes: 0 }
  #hasGivenUp = false
  #isLooping = false
  #executed: Node | undefined
  /** What the block that is executed has reached so far. */
  #execution = newExecution()
  readonly #effects = new Map<string, RawEffect>()
  readonly #functions = new Map<bigint, Set<Term>>()
  readonly #outside = new Set<Term>()
  readonly #given = new Map<bigint, Set<Term>>()

  constructor(code: Uint8Array, budget: Budget, terms: Terms, exactness?: Exactness) {
    this.code = code
    this.terms = terms
    this.answerSize = exactness?.answerSize
    this.#budget = budget
    this.#blocks = blocksOf(code)
    this.#states = new StateJoins({
      terms: this.terms,
      observed: this.#observed,
      termOf: (fact) => this.#term(fact),
      factsOf: (facts) => this.#facts(facts),
      isPointer: (term, facts) => this.#isPointer(term, facts),
      assume: (facts, condition) => this.assume(facts, condition),
      commonFacts: (a, b) => this.#keys.common(a, b),
    })
    const destinationOf = (constant: Term): number => this.#destinationOf(constant)
    this.#merged = exactness?.isMerging === true ? new MergedPaths(destinationOf) : undefined
    this.#keys = new PathKeys({
      terms: this.terms,
      destinationOf,
      termOf: (fact) => this.#term(fact),
      giveUp: (at, selector) => selector !== undefined && this.#giveUp(at, selector),
    })
  }

  run(): Dataflow {
    const none: readonly number[] = []
    const memory = Memory.initial(this.terms.zero, this.answerSize !== undefined)
    const lists = { facts: none, added: none }
    this.enter(0, { stack: [], memory, selector: undefined, epoch: '', lastCall: NO_CALL, ...lists })
    for (let node = this.#queue.next(); node !== undefined; node = this.#queue.next()) {
      node.isQueued = false
      const used = this.#usedBy(node.state.selector)
      if (used.isGivenUp) continue
      const steps = this.#execute(node)
      this.#steps += steps
      used.steps += steps
      this.#active.steps += steps
      if (!this.#isOverBudget(this.#active, 1)) continue
      if (this.answerSize !== undefined) {
        this.unsettled(node.at, undefined)
        break
      }
      if (this.#isOverBudget({ steps: this.#steps, nodes: this.#nodes.length }, MOST)) return this.#nothing(node.at)
      this.#giveUpLargest(node.at)
    }
    for (const node of this.#nodes) if (!this.#usedBy(node.state.selector).isGivenUp) this.#conclude(node)
    const reached = [...this.#effects.values()]
    return {
      ...this.#followed,
      effects: reached.filter(({ kind }) => kind !== 'look').map(withStores(this.#nodes)),
      looks: reached.filter(({ kind }) => kind === 'look'),
      settled: this.#unsettledAt === undefined,
      unsettledIn: this.#unsettledIn,
      ...(this.#unsettledAt === undefined ? {} : { unsettledAt: this.#unsettledAt }),
      ...(this.#hasGivenUp ? { isOverBudget: true } : {}),
      ...(this.#isLooping ? { isLooping: true } : {}),
    }
  }

  get #followed(): Omit<Dataflow, 'effects' | 'looks' | 'settled' | 'unsettledIn'> {
    const conditions = [...this.#conditions].sort((a, b) => a.id - b.id)
    const [observed, functions, outside, given] = [this.#observed, this.#functions, this.#outside, this.#given]
    const paths = new Paths(this.#nodes, (facts) => this.#facts(facts))
    const sizes = new Map([...this.#used].map(([selector, { nodes }]) => [selector, nodes]))
    const { code, terms } = this
    return { code, terms, conditions, functions, outside, given, steps: this.#steps, observed, paths, sizes }
  }

  #execute(node: Node): number {
    this.#execution = newExecution()
    this.#executed = node
    this.#execution.steps = executeBlock(this, node.id, node.at, node.state)
    node.last = this.#execution
    return node.last.steps
  }

  /** Adds what the last execution of a block reached. Earlier ones were of states that were joined with others since. */
  #conclude({ id, state: { selector }, last: { effects, steps } }: Node): void {
    this.#steps += steps
    for (const reached of effects) {
      const { effect, facts, epoch } = reached
      const key = effectKey(reached, selector)
      const blocks = [...(this.#effects.get(key)?.blocks ?? []), id]
      this.#effects.set(key, { ...effect, facts: this.#facts(facts), selector, epoch, blocks })
    }
  }

  /** What is known of code that takes far more than the budget. */
  #nothing(unsettledAt: number): Dataflow {
    const unsettledIn = new Set([undefined, ...this.#functions.keys()])
    return { ...this.#followed, effects: [], looks: [], settled: false, unsettledIn, unsettledAt, isOverBudget: true }
  }

  #usedBy(selector: bigint | undefined): Used {
    if (this.#last !== undefined && this.#last.selector === selector) return this.#last.used
    let used = this.#used.get(selector)
    if (used === undefined) this.#used.set(selector, (used = { steps: 0, nodes: 0, isGivenUp: false }))
    this.#last = { selector, used }
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
    if (largest !== undefined) this.#giveUp(at, largest[0])
  }

  #giveUp(at: number, selector: bigint | undefined): void {
    const used = this.#usedBy(selector)
    if (used.isGivenUp) return
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

  /** Brings a state to a block: a new node, or joined with what is known there. `isBack`: from a later block. */
  enter(at: number, state: State, isBack = false): void {
    if (this.#isFutile(at, state)) {
      this.#execution.entered.push({ node: NO_NODE, facts: state.facts, top: state.stack.at(-1) })
      return
    }
    if (this.answerSize !== undefined) {
      this.#enterExactly(at, state)
      return
    }
    const place = this.#keys.placeOf(at, state)
    const { key, isShared } = this.#keys.keyAt(place, state, { isBack, isTest: this.#blocks.tests.has(at) })
    const known = place.nodes.get(key)
    if (isShared) state = this.#states.withMark(state, known?.id ?? this.#nodes.length)
    this.#execution.entered.push({ node: known?.id ?? this.#nodes.length, facts: state.facts, top: state.stack.at(-1) })
    if (known === undefined) {
      place.nodes.set(key, this.#addNode(at, state))
      return
    }
    this.#change(known, this.#states.joined(known, state))
  }

  /** Whether a block only reverts. A function that does is found all the same, by the tests that lead to it. */
  #isFutile(at: number, { selector }: State): boolean {
    if (!this.#blocks.reverting.has(at) || this.#executed === undefined) return false
    return this.answerSize !== undefined || (selector !== undefined && selector === this.#executed.state.selector)
  }

  #enterExactly(at: number, state: State): void {
    const key = this.#merged?.keyOf(at, state)
    const known = key === undefined ? undefined : this.#merged?.nodes.get(key)
    if (known === undefined) {
      const node = this.#addNode(at, state)
      if (key !== undefined) this.#merged?.nodes.set(key, node)
      return
    }
    if (isAfter(this.#executed, known)) this.#isLooping = true
    this.#change(known, joinedExactly(this.terms, known, state))
  }

  /** Gives a node the state of all paths that met there. */
  #change(node: Node, state: State): void {
    if (state === node.state) return
    node.state = state
    if (!node.isQueued) {
      node.isQueued = true
      this.#queue.push(node)
    }
  }

  #addNode(at: number, state: State): Node {
    const node: Node = {
      id: this.#nodes.length,
      at,
      depth: state.stack.length,
      order: this.#blocks.places.get(at) ?? 0,
      state,
      isQueued: true,
      stored: new Map(),
      names: new Set(),
      differing: [],
      from: this.#executed,
      last: this.#execution,
    }
    this.#nodes.push(node)
    const used = this.#usedBy(state.selector)
    used.nodes += 1
    this.#active.nodes += 1
    if (used.nodes > MAX_NODES && state.selector !== undefined) this.#giveUp(at, state.selector)
    this.#queue.push(node)
    return node
  }

  #destinationOf({ id, value }: Term): number {
    const known = this.#destinationById.get(id)
    if (known !== undefined) return known
    const isDestination = value < BigInt(this.code.length) && this.#blocks.destinations.has(Number(value))
    const destination = isDestination ? Number(value) : -1
    this.#destinationById.set(id, destination)
    return destination
  }

  #addCondition(term: Term): void {
    if (this.#conditions.has(term)) return
    this.#conditions.add(term)
    for (const arg of term.args) addComparison(arg, term)
  }

  #term(fact: number): Term {
    return this.terms.numbered(fact >> 1)
  }

  record(effect: Reached, { facts, epoch }: Pick<State, 'facts' | 'epoch'>): void {
    this.#execution.effects.push({ effect, facts, epoch })
  }

  addressOf(address: Term, facts: readonly number[]): Address | undefined {
    const found = this.answerSize === undefined ? addressOf(address) : this.#measured(address)
    if (found === undefined || found.base === 0) return found
    if (found.isPointer !== true && !this.#isPointer(address, facts)) return found
    const above = found.isPointer === true ? fixedBelow(address) : pointerBelow(address, this.#facts(facts))
    return { ...found, isPointer: true, ...(above && { above }) }
  }

  strideTo(at: number, { base, offset }: Address): number {
    const node = this.#executed
    if (this.answerSize === undefined || node === undefined || base !== 0) return 0
    if (node.lastRound === undefined)
      node.lastRound = lastRound(node, (constant) => this.#destinationOf(constant)) ?? null
    node.stored.set(at, offset)
    return offset - (node.lastRound?.stored.get(at) ?? offset)
  }

  #measured(address: Term): Address | undefined {
    const found = addressOf(address)
    const [constant] = address.args
    const slope = this.terms.slopeOf(address.kind === 'operation' && constant !== undefined ? constant : address)
    return found === undefined || slope === 0 ? found : { ...found, slope }
  }

  #isPointer(term: Term, facts: readonly number[]): boolean {
    if (isPointer(term)) return true
    return (
      term.kind === 'operation' && (term.op === OP.ADD || term.op === OP.SUB) && isPointerSum(term, this.#facts(facts))
    )
  }

  #facts(facts: readonly number[]): readonly Fact[] {
    // Kept at the list itself, as in `conditions.ts`.
    const list = facts as Decoded
    list.decoded ??= indexed(facts.map((fact) => this.#fact(fact)))
    return list.decoded
  }

  #fact(number: number): Fact {
    let fact = this.#factsById.get(number)
    if (fact === undefined)
      this.#factsById.set(number, (fact = { term: this.#term(number), holds: (number & 1) === 1 }))
    return fact
  }

  assume(facts: readonly number[], condition: Term): readonly number[] {
    if (condition.kind === 'constant') return facts
    const fact = condition.id * 2 + 1
    const at = indexFor(facts, fact & ~1)
    this.#addCondition(condition)
    return (facts[at] ?? 0) >> 1 === condition.id ? facts : this.#withFact(facts, at, fact)
  }

  #withFact(facts: readonly number[], at: number, fact: number): readonly number[] {
    const longer = facts.toSpliced(at, 0, fact)
    this.#keys.added(fact, facts, longer)
    return longer
  }

  loaded(selector: bigint | undefined, position: Term): void {
    if (selector === undefined) this.#outside.add(position)
    else this.#functions.get(selector)?.add(position)
  }

  given(selector: bigint | undefined, word: Term): void {
    if (selector === undefined) return
    const words = this.#given.get(selector) ?? new Set()
    this.#given.set(selector, words.add(word))
  }

  jump(at: number, target: Term, state: State): void {
    const to = target.kind === 'constant' ? this.#destinationOf(target) : -1
    if (target.kind !== 'constant') this.unsettled(at, state.selector)
    else if (to >= 0) this.enter(to, state, to <= at)
  }

  /** The state after a branch; undefined where the condition cannot have this outcome. */
  branch(state: State, condition: Term, outcome: boolean): State | undefined {
    const known = this.#truth(condition, state.facts)
    if (known !== undefined) return known === outcome ? state : undefined
    const added: Fact[] = []
    learn(this.terms, condition, outcome, added)
    let { facts: sorted, selector } = state
    for (const { term, holds } of added) {
      this.#observed.test(selector, term)
      const fact = term.id * 2 + (holds ? 1 : 0)
      const at = indexFor(sorted, fact & ~1)
      if (sorted[at] === (fact ^ 1)) return undefined
      this.#addCondition(term)
      if (sorted[at] !== fact) sorted = this.#withFact(sorted, at, fact)
      if (holds && isSelectorTest(term)) {
        selector = (term.args[0] as Term).value
        if (!this.#functions.has(selector)) this.#functions.set(selector, new Set())
      }
    }
    // Copies of a condition on the stack have a known outcome from here on.
    const { memory, epoch, lastCall, added: sums } = state
    let { stack } = state
    for (let index = 0; index < stack.length; index += 1) {
      const term = stack[index] as Term
      const truth = isBoolean(term) ? this.#truth(term, sorted) : undefined
      if (truth !== undefined) stack = stack.with(index, truth ? this.terms.one : this.terms.zero)
    }
    return { stack, memory, facts: sorted, epoch, lastCall, selector, added: sums }
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
    for (let index = 0; index < facts.length; index += 1) {
      const fact = facts[index] as number
      if ((fact & 1) === 0) continue
      const other = this.#term(fact)
      if (other.kind !== 'operation' || other.op !== OP.EQ || other.args[1] !== term.args[1]) continue
      if (other.args[0]?.kind === 'constant' && other.args[0] !== term.args[0]) return false
    }
    return undefined
  }
}
