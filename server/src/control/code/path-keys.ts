/** Which paths are followed apart where they meet, by a key: paths with the same key are joined. */
import type { State } from './block.ts'
import { common, isAnswer, isCallerCheck, isEntryCheck, isShortAnswer } from './conditions.ts'
import { OP } from './instructions.ts'
import type { Term, Terms } from './terms.ts'

/** Checks of the caller and of storage that keep paths apart. */
const MAX_CHECKS = 6
/** Values that keep paths apart at one place, and how deep on the stack they are. */
const MAX_CHOICES = 8
const NUMBERS_DEPTH = 2
const CHOICES_DEPTH = 8
/** Paths that are kept apart at one place. Loops that check the caller again in each round would add more without end. */
const MAX_APART = 16
/** Chains of returns at one block: a function that calls itself twice doubles them with each call. */
const MAX_RETURNS = 150
/** Returns to one place on the stack, which a function that calls itself adds. */
const MAX_RECURSION = 12

type Context = {
  readonly terms: Terms
  readonly isDestination: (value: bigint) => boolean
  /** The term of a condition. */
  readonly termOf: (fact: number) => Term
  /** The function cannot be followed to its end. */
  readonly giveUp: (at: number, selector: bigint | undefined) => unknown
}

export class PathKeys {
  readonly #context: Context
  readonly #choices = new Map<string, Set<string>>()
  /** The checks of storage that keep paths apart at one place, by the key of the place and of the checks. */
  readonly #variants = new Map<string, Map<string, readonly number[]>>()
  /** The keys at one place with the same returns. */
  readonly #places = new Map<string, Set<string>>()
  /** How many returns there are at one block of one function. */
  readonly #returns = new Map<string, number>()

  constructor(context: Context) {
    this.#context = context
  }

  /**
   * Return addresses on the stack, the function, and checks of the caller and of storage keep paths apart. `isBack`: the
   * state comes from a later block. `isShared`: paths meet that have checked the caller differently.
   */
  of(
    at: number,
    { stack, facts, selector }: State,
    isBack: boolean,
  ): { readonly key: string; readonly isShared: boolean } {
    let key = `${at}/${stack.length}/${selector ?? ''}/`
    const returns: bigint[] = []
    for (let index = 0; index < stack.length; index += 1) {
      const term = stack[index] as Term
      if (term.kind !== 'constant' || !this.#context.isDestination(term.value)) continue
      key += `${index}:${term.value},`
      returns.push(term.value)
    }
    const last = returns.at(-1)
    if (returns.length > MAX_RECURSION && returns.filter((each) => each === last).length > MAX_RECURSION)
      this.#context.giveUp(at, selector)
    const place = key
    const checks: number[] = []
    let count = 0
    for (const fact of facts) {
      const term = this.#context.termOf(fact)
      const isTrue = (fact & 1) === 1
      const isApart = term.isState
        ? !this.#isLength(term)
        : isEntryCheck(term) || (isTrue && (isCallerCheck(term) || isShortAnswer(term)))
      if (!isApart) continue
      if (term.hasCaller || isAnswer(term)) key += `/${fact}`
      else checks.push(fact)
      count += 1
      // A loop may compare the caller with a new value each time.
      if (count === MAX_CHECKS) break
    }
    const apart = this.#withChoices(this.#withChecks(key, checks, isBack), stack)
    const known = this.#places.get(place) ?? this.#newPlace(place, at, selector)
    if (known.has(apart)) return { key: apart, isShared: false }
    if (known.size < MAX_APART) {
      known.add(apart)
      return { key: apart, isShared: false }
    }
    // Then only checks of the caller keep paths apart, and then nothing.
    const isShared = !known.has(key) && known.size >= MAX_APART * 2
    if (!isShared) known.add(key)
    return { key: isShared ? `${place}*` : key, isShared }
  }

  #newPlace(place: string, at: number, selector: bigint | undefined): Set<string> {
    const known = new Set<string>()
    this.#places.set(place, known)
    const block = `${at}/${selector ?? ''}`
    const returns = (this.#returns.get(block) ?? 0) + 1
    this.#returns.set(block, returns)
    if (returns === MAX_RETURNS) this.#context.giveUp(at, selector)
    return known
  }

  /**
   * Checks of storage keep paths apart, except those that one round of a loop adds: the next round would add others, and
   * none of them holds where the loop ends at once.
   */
  #withChecks(place: string, checks: readonly number[], isBack: boolean): string {
    const variants = this.#variants.get(place) ?? new Map<string, readonly number[]>()
    this.#variants.set(place, variants)
    const key = `${place}+${checks.join('/')}`
    if (variants.has(key)) return key
    let [found, size] = [key, -1]
    if (isBack)
      for (const [known, held] of variants)
        if (held.length > size && common(held, checks) === held) [found, size] = [known, held.length]
    if (found === key) variants.set(key, checks)
    return found
  }

  /** A small number on top of the stack, such as the state of a proposal, and members of structs keep paths apart. */
  #withChoices(key: string, stack: readonly Term[]): string {
    let choices = ''
    for (let index = Math.max(0, stack.length - CHOICES_DEPTH); index < stack.length; index += 1) {
      const term = stack[index] as Term
      const [member, base] = term.args
      if (term.kind === 'constant') {
        const isNumber = term.value > 0n && term.value < 256n && index >= stack.length - NUMBERS_DEPTH
        if (isNumber && !this.#context.isDestination(term.value)) choices += `!${index}:${term.value}`
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
    if (term.kind === 'stored') return position?.kind === 'constant' && this.#context.terms.isArray(position.value)
    return term.args.some((arg) => this.#isLength(arg))
  }
}
