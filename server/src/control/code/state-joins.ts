/** States where paths meet: what holds on all of them. */
import type { State } from './block.ts'
import { type Fact, indexFor, isCallerComparison, union } from './conditions.ts'
import { joinedEpoch } from './epochs.ts'
import { isSameState } from './executions.ts'
import { OP } from './instructions.ts'
import { JOIN, joinedPair, joinedTerm, knownPair, mentions, type Pair } from './joins.ts'
import type { Memory } from './memory.ts'
import type { Observed } from './observed.ts'
import { isPointer, type Term, type Terms } from './terms.ts'

/** A block at which paths meet, with the state of those that did. */
export type Meeting = {
  readonly id: number
  state: State
  /** The names that pointers got where paths met here. */
  readonly names: Set<Term>
  /** What is on the stack and differs between paths, by the place on the stack. */
  readonly differing: (Term | undefined)[]
}

type Context = {
  readonly terms: Terms
  readonly observed: Observed
  /** The term of a condition. */
  readonly termOf: (fact: number) => Term
  readonly factsOf: (facts: readonly number[]) => readonly Fact[]
  readonly isPointer: (term: Term, facts: readonly number[]) => boolean
  /** The facts with a condition that holds from here on. */
  readonly assume: (facts: readonly number[], condition: Term) => readonly number[]
  /** The conditions in both lists; the first list itself where it has no others. */
  readonly commonFacts: (a: readonly number[], b: readonly number[]) => readonly number[]
}

type Pairs = Map<string, Pair>
type IsStale = (term: Term) => boolean

/** The checks of the caller that are not kept. `comparison`: only of numbers, as in a search through what the caller has. */
type LostCheck = 'none' | 'comparison' | 'test'

/** The tag of a mark that the caller was checked, in one way or another. */
const CHECKED = 'checked'

/** A check of the caller, or of what is computed of it, and of a value that may state what one has shown. */
const isCallerMark = (term: Term): boolean =>
  isCallerComparison(term) || (term.kind === 'operation' ? term.args.some(isOfCaller) : isOfCaller(term))

const isOfCaller = ({ kind, hasCaller, args }: Term): boolean =>
  hasCaller &&
  (kind === 'opaque' || (kind === 'operation' && args.some((arg) => arg.kind === 'caller' || isOfCaller(arg))))

export class StateJoins {
  readonly #context: Context
  /** By the number of the condition. */
  readonly #callerMarks = new Map<number, boolean>()

  constructor(context: Context) {
    this.#context = context
  }

  /** The state where paths meet that have checked the caller differently: a mark of a check that is not understood. */
  withMark(state: State, node: number): State {
    return {
      ...state,
      facts: this.#context.assume(state.facts, this.#context.terms.opaque(`${CHECKED}*${node}`, true)),
    }
  }

  /** What holds on the paths that met so far and on another one; the state itself where that one adds nothing. */
  joined(node: Meeting, state: State): State {
    const { terms, observed } = this.#context
    const old = node.state
    const facts = this.#joinedFacts(node, state)
    const pairs: Pairs = new Map()
    const paired: number[] = []
    let met: Term[] | undefined
    let known: LostCheck | undefined
    const lost = (): LostCheck => (known ??= this.#lostCheck([...old.facts, ...state.facts], facts))
    for (let index = 0; index < old.stack.length; index += 1) {
      const term = old.stack[index] as Term
      const other = state.stack[index] as Term
      if (term === other) continue
      // What differs and is compared with nothing stays so.
      const isDiffering = node.differing[index] === term && term.comparedBy === undefined
      const mayShow = !term.hasCaller && (other.hasCaller || (other.kind === 'constant' && lost() === 'test'))
      if (isDiffering && !mayShow) {
        observed.meet(term, other)
        continue
      }
      const joined = this.#joinedWord(node, state, lost, index)
      if (joined === undefined) paired.push(index)
      const name = joined ?? joinedPair(terms, pairs, term, other, `${JOIN}${node.id}.${index}`)
      if (name === term) continue
      met ??= [...old.stack]
      met[index] = name
    }
    const isStale = this.#staleAt(node, pairs, state)
    const all: readonly Term[] = met ?? old.stack
    const stack =
      isStale === undefined
        ? all
        : all.map((term, index) => {
            if (paired.includes(index) || !isStale(term)) return term
            const place = `${JOIN}${node.id}.${index}?`
            return isPointer(term) ? terms.pointer(place) : terms.opaque(place, term.hasCaller)
          })
    const memory = this.#joinedMemory(pairs, isStale, old, state)
    const epoch = joinedEpoch(old.epoch, state.epoch, node.id)
    const lastCall = old.lastCall === state.lastCall ? old.lastCall : ''
    const added = union(old.added, state.added)
    const joined = { stack, memory, facts, epoch, lastCall, selector: old.selector, added }
    return isSameState(old, joined) ? old : joined
  }

  /** What two words on the stack are where they meet; undefined for two pointers. */
  #joinedWord(node: Meeting, state: State, lost: () => LostCheck, index: number): Term | undefined {
    const { terms, observed, isPointer: isPointerIn } = this.#context
    const old = node.state
    const [term, other] = [old.stack[index] as Term, state.stack[index] as Term]
    // A constant may state what a check of the caller has shown, on the path that is not known from here on.
    const constants = [term, other].filter(({ kind }) => kind === 'constant').length
    const checked = (): Term => terms.opaqueAt(JOIN, node.id, index, true)
    if (constants === 2 && lost() !== 'none') return checked()
    if (isPointerIn(term, old.facts) && isPointerIn(other, state.facts)) return undefined
    const place = { node: node.id, index }
    const both = joinedTerm(this.#context, { term, facts: old.facts }, { term: other, facts: state.facts }, place)
    const joined = constants > 0 && !both.hasCaller && lost() === 'test' ? checked() : both
    if (joined.kind === 'opaque' && joined.tag.startsWith(JOIN)) node.differing[index] = joined
    observed.meet(joined, term)
    return observed.meet(joined, other)
  }

  /**
   * The conditions that hold on both paths. Where each path has checked the caller in its own way, neither check remains: a
   * mark states that the caller was checked.
   */
  #joinedFacts({ id, state: old }: Meeting, state: State): readonly number[] {
    const facts = this.#context.commonFacts(old.facts, state.facts)
    if (facts === old.facts || facts.length === state.facts.length) return facts
    const isLost = (fact: number): boolean => facts[indexFor(facts, fact)] !== fact
    const isChecked = (all: readonly number[]): boolean =>
      all.some((fact) => (fact & 1) === 1 && this.#isCallerMark(fact) && isLost(fact))
    if (!isChecked(old.facts) || !isChecked(state.facts)) return facts
    const marked = this.#context.assume(facts, this.#context.terms.opaque(`${CHECKED}${id}`, true))
    return marked.length === old.facts.length && marked.every((fact, at) => fact === old.facts[at]) ? old.facts : marked
  }

  #isCallerMark(fact: number): boolean {
    let isMark = this.#callerMarks.get(fact)
    if (isMark === undefined) this.#callerMarks.set(fact, (isMark = isCallerMark(this.#context.termOf(fact))))
    return isMark
  }

  #lostCheck(facts: readonly number[], kept: readonly number[]): LostCheck {
    let lost: LostCheck = 'none'
    for (const fact of facts) {
      const { kind, hasCaller, op } = this.#context.termOf(fact)
      // Every caller is an account other than zero.
      if (!hasCaller || kind === 'caller' || kept[indexFor(kept, fact)] === fact) continue
      if (op !== OP.LT) return 'test'
      lost = 'comparison'
    }
    return lost
  }

  /**
   * Which terms are older than the names that pointers get where paths meet. A loop gives a pointer the same name in each
   * round: what else has this name is of an earlier round.
   */
  #staleAt({ id, names, state: old }: Meeting, pairs: Pairs, state: State): IsStale | undefined {
    const [free, otherFree] = [old.memory.freePointer, state.memory.freePointer]
    if (free !== undefined && otherFree !== undefined && free !== otherFree && isPointer(free) && isPointer(otherFree))
      joinedPair(this.#context.terms, pairs, free, otherFree, `${JOIN}${id}.free`)
    if (pairs.size === 0) return undefined
    const given = [...pairs.values()].map(({ joined }) => joined)
    const again = new Set(given.filter((name) => names.has(name)))
    for (const name of given) names.add(name)
    return again.size === 0 ? undefined : (term) => mentions(term, again)
  }

  /** Memory where paths meet: what lies behind a pointer is known behind the name that both pointers get. */
  #joinedMemory(pairs: Pairs, isStale: IsStale | undefined, old: State, state: State): Memory {
    if (old.memory === state.memory && pairs.size === 0) return old.memory
    const bases = [...pairs.values()].map(({ a, b, joined }) => ({ a: a.id, b: b.id, joined: joined.id }))
    const isKept = (term: Term): Term | undefined => (isStale?.(term) === true ? undefined : term)
    return old.memory.joined(state.memory, bases, (a, b) =>
      a === b ? isKept(a) : knownPair(this.#context.terms, pairs, a, b),
    )
  }
}
