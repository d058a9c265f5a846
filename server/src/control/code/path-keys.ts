/** Which paths are followed apart where they meet, by a key: paths with the same key are joined. */
import type { State } from './block.ts'
import { common, isAnswer, isCallerCheck, isEntryCheck, isShortAnswer } from './conditions.ts'
import { OP } from './instructions.ts'
import type { Term, Terms } from './terms.ts'

/** Checks of the caller and of storage that keep paths apart. */
const MAX_CHECKS = 7
/** Values that keep paths apart at one place, and how deep on the stack they are. */
const MAX_CHOICES = 8
const NUMBERS_DEPTH = 2
/** The same in a loop: one that copies a text counts what is left of it below the two places. */
const LOOP_NUMBERS_DEPTH = 3
const CHOICES_DEPTH = 8
/** Paths that are kept apart at one place. Loops that check the caller again in each round would add more without end. */
const MAX_APART = 16
/** Chains of returns at one block: a function that calls itself twice doubles them with each call. */
const MAX_RETURNS = 150
/** Returns to one place on the stack, which a function that calls itself adds. */
const MAX_RECURSION = 12

type Context = {
  readonly terms: Terms
  /** The position of the jump destination that a constant is, otherwise -1. */
  readonly destinationOf: (constant: Term) => number
  /** The term of a condition. */
  readonly termOf: (fact: number) => Term
  /** The function cannot be followed to its end. */
  readonly giveUp: (at: number, selector: bigint | undefined) => unknown
}

/** The paths with the same returns at one block of one function. `N`: what is known of paths that are joined. */
export type Place<N> = {
  /** By their key at this place. */
  readonly nodes: Map<string, N>
  readonly known: Set<string>
  /** The checks of storage that keep paths apart, by the key of the other checks and of these. */
  readonly variants: Map<string, Map<string, readonly number[]>>
  readonly choices: Map<string, Set<string>>
}

/** How a condition keeps paths apart: not at all, by a check of the caller, by a check of storage. */
type Apartness = 'no' | 'caller' | 'storage'

/** The stack has at most 1,024 words. */
const STACK_SIZES = 2_048

/** Return addresses on the stack, each after the ones below it. */
class Returns<N> {
  place: Place<N> | undefined
  readonly #number: number
  /** Most have one further return. */
  #last: Returns<N> | undefined
  #further: Map<number, Returns<N>> | undefined

  constructor(number: number) {
    this.#number = number
  }

  after(number: number): Returns<N> {
    const last = this.#last
    if (last !== undefined && last.#number === number) return last
    let found = this.#further?.get(number)
    if (found === undefined) {
      found = new Returns(number)
      if (last !== undefined) {
        this.#further ??= new Map([[last.#number, last]])
        this.#further.set(number, found)
      }
    }
    this.#last = found
    return found
  }
}

/** What conditions say about which paths are kept apart, kept at their list as in `conditions.ts`. */
type Checks = {
  /** How many arrays were found before. */
  readonly arraysLearned: number
  /** Of checks of the caller. */
  readonly callers: string
  /** Of all checks. */
  readonly all: string
  readonly ofStorage: readonly number[]
}
type Checked = readonly number[] & { checks?: Checks }

export class PathKeys<N> {
  readonly #context: Context
  /** By function, then by block and depth of the stack. */
  readonly #entries = new Map<bigint | undefined, Returns<N>>()
  #last: { readonly selector: bigint | undefined; readonly entry: Returns<N> } | undefined
  /** How many returns there are at one block of one function. */
  readonly #returns = new Map<string, number>()
  /** By the number of the condition, as long as no further array is found. */
  readonly #apart = new Map<number, Apartness>()
  #arraysLearned = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Where paths of one function with the same return addresses on the stack meet. */
  placeOf(at: number, { stack, selector }: State): Place<N> {
    let returns = this.#entryOf(selector).after(at * STACK_SIZES + stack.length)
    let [count, last, repeated] = [0, 0, 0]
    for (let index = 0; index < stack.length; index += 1) {
      const term = stack[index] as Term
      const target = term.kind === 'constant' ? this.#context.destinationOf(term) : -1
      if (target < 0) continue
      returns = returns.after(target * STACK_SIZES + index)
      count += 1
      last = term.id
    }
    if (count > MAX_RECURSION) {
      for (const term of stack) if (term.id === last) repeated += 1
      if (repeated > MAX_RECURSION) this.#context.giveUp(at, selector)
    }
    return (returns.place ??= this.#newPlace(at, selector))
  }

  #entryOf(selector: bigint | undefined): Returns<N> {
    if (this.#last !== undefined && this.#last.selector === selector) return this.#last.entry
    let entry = this.#entries.get(selector)
    if (entry === undefined) this.#entries.set(selector, (entry = new Returns(0)))
    this.#last = { selector, entry }
    return entry
  }

  /**
   * Checks of the caller and of storage keep paths apart at a place. `isBack`: the state comes from a later block. `isTest`: the
   * block tests what is on top of the stack. `isShared`: paths meet that have checked the caller differently.
   */
  keyAt(
    place: Place<N>,
    state: State,
    { isBack, isTest }: { readonly isBack: boolean; readonly isTest: boolean },
  ): { readonly key: string; readonly isShared: boolean } {
    const { key, isShared } = this.#keyAt(place, state, isBack)
    const top = isTest ? state.stack.at(-1) : undefined
    // The branch is known there, and no other values would be known of both paths.
    return top?.kind === 'constant' ? { key: `${key}?${top.value === 0n ? 0 : 1}`, isShared } : { key, isShared }
  }

  #keyAt(
    place: Place<N>,
    { stack, facts }: State,
    isBack: boolean,
  ): { readonly key: string; readonly isShared: boolean } {
    const checks = this.#checksIn(facts)
    const { known } = place
    const numbersDepth = isBack ? LOOP_NUMBERS_DEPTH : NUMBERS_DEPTH
    const checked = withChecks(place, checks, isBack)
    const apart = withChoices(place, this.#context, checked, stack, numbersDepth)
    if (known.has(apart)) return { key: apart, isShared: false }
    if (known.size < MAX_APART) {
      known.add(apart)
      return { key: apart, isShared: false }
    }
    // Then only checks of the caller keep paths apart, and then nothing.
    const key = checks.callers
    const isShared = !known.has(key) && known.size >= MAX_APART * 2
    if (!isShared) known.add(key)
    return { key: isShared ? '*' : key, isShared }
  }

  /** Keeps what is known of a list at the same list with one more condition, unless that one keeps paths apart. */
  added(fact: number, before: readonly number[], after: readonly number[]): void {
    const { checks } = before as Checked
    const { arraysLearned } = this.#context.terms
    if (checks?.arraysLearned !== arraysLearned || this.#arraysLearned !== arraysLearned) return
    if (this.#apartness(fact) === 'no') (after as Checked).checks = checks
  }

  /** The conditions that hold on two paths. What keeps paths apart is the same there if it is the same on both. */
  common(a: readonly number[], b: readonly number[]): readonly number[] {
    const both = common(a, b) as Checked
    const [checks, others] = [(a as Checked).checks, (b as Checked).checks]
    const isSame = checks?.all === others?.all && checks?.arraysLearned === others?.arraysLearned
    if (isSame && checks !== undefined) both.checks ??= checks
    return both
  }

  #checksIn(facts: readonly number[]): Checks {
    // Which slots are arrays is learned while the code is followed.
    const { arraysLearned } = this.#context.terms
    const list = facts as Checked
    if (list.checks?.arraysLearned === arraysLearned) return list.checks
    if (arraysLearned !== this.#arraysLearned) this.#apart.clear()
    this.#arraysLearned = arraysLearned
    let callers = ''
    const ofStorage: number[] = []
    let kept = 0
    for (let index = 0; index < facts.length; index += 1) {
      const fact = facts[index] as number
      const apart = this.#apartness(fact)
      if (apart === 'no') continue
      if (apart === 'caller') callers += `/${fact}`
      else ofStorage.push(fact)
      kept += 1
      // A loop may compare the caller with a new value each time.
      if (kept === MAX_CHECKS) break
    }
    list.checks = { arraysLearned, callers, all: `${callers}+${ofStorage.join('/')}`, ofStorage }
    return list.checks
  }

  #apartness(fact: number): Apartness {
    const known = this.#apart.get(fact)
    if (known !== undefined) return known
    const term = this.#context.termOf(fact)
    const isTrue = (fact & 1) === 1
    const isApart = term.isState
      ? !this.#isLength(term)
      : isEntryCheck(term) || (isTrue && (isCallerCheck(term) || isShortAnswer(term)))
    const found = !isApart ? 'no' : term.hasCaller || isAnswer(term) ? 'caller' : 'storage'
    this.#apart.set(fact, found)
    return found
  }

  #newPlace(at: number, selector: bigint | undefined): Place<N> {
    const place: Place<N> = { nodes: new Map(), known: new Set(), variants: new Map(), choices: new Map() }
    const block = `${at}/${selector ?? ''}`
    const number = (this.#returns.get(block) ?? 0) + 1
    this.#returns.set(block, number)
    if (number === MAX_RETURNS) this.#context.giveUp(at, selector)
    return place
  }

  /** A test of the length of an array: which elements it has does not decide who may act. */
  #isLength(term: Term): boolean {
    const [position] = term.args
    if (term.kind === 'stored') return position?.kind === 'constant' && this.#context.terms.isArray(position.value)
    return term.args.some((arg) => this.#isLength(arg))
  }
}

/**
 * Checks of storage keep paths apart, except those that one round of a loop adds: the next round would add others, and
 * none of them holds where the loop ends at once.
 */
function withChecks<N>({ variants }: Place<N>, { callers, all, ofStorage }: Checks, isBack: boolean): string {
  let known = variants.get(callers)
  if (known === undefined) variants.set(callers, (known = new Map()))
  if (known.has(all)) return all
  let [found, size] = [all, -1]
  if (isBack)
    for (const [each, held] of known)
      if (held.length > size && common(held, ofStorage) === held) [found, size] = [each, held.length]
  if (found === all) known.set(all, ofStorage)
  return found
}

/** A small number on top of the stack, such as the state of a proposal, and members of structs keep paths apart. */
function withChoices<N>(
  { choices: byKey }: Place<N>,
  { destinationOf }: Context,
  key: string,
  stack: readonly Term[],
  numbersDepth: number,
): string {
  let choices = ''
  for (let index = Math.max(0, stack.length - CHOICES_DEPTH); index < stack.length; index += 1) {
    const term = stack[index] as Term
    if (term.kind === 'constant') {
      const isNumber = index >= stack.length - numbersDepth && term.value > 0n && term.value < 256n
      if (isNumber && destinationOf(term) < 0) choices += `!${index}:${term.value}`
    } else if (term.kind === 'hash') choices += `!${index}#`
    else if (term.kind === 'operation' && term.op === OP.ADD) {
      const [member, base] = term.args
      if (member?.kind === 'constant' && base?.kind === 'hash') choices += `!${index}#${member.value}`
    }
  }
  if (choices === '') return key
  let known = byKey.get(key)
  if (known === undefined) byKey.set(key, (known = new Set()))
  // A loop may count without end.
  if (!known.has(choices) && known.size >= MAX_CHOICES) return key
  known.add(choices)
  return key + choices
}
