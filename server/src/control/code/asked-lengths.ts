/**
 * What a function asks about the lengths of its arguments and of answers, where it is followed with lengths that are given:
 * whether it treats other lengths as it treats these.
 *
 * Numbers that are computed from a length are marked, with how often it is added in them. A comparison of such a number
 * must have had both outcomes, or have the same one for every length. Everything else but sums, and what rounds a length up
 * to words, may give another result for another length. So may what memory holds at such a number: see `Address`.
 */
import { WORD_MASK } from './arithmetic.ts'
import { OP } from './instructions.ts'
import { type Term, Terms } from './terms.ts'

/**
 * A number that is computed from lengths. `slope`: how often they are added in it; `above`: how far it is above that of the
 * smallest lengths; `isRest`: it is computed from what is left of a length after whole words.
 */
type Measure = { readonly slope: bigint; readonly above: bigint; readonly isRest: boolean }
const NO_LENGTH: Measure = { slope: 0n, above: 0n, isRest: false }
type Compared = Measure & { readonly op: number; readonly difference: bigint }

/** No argument is longer. */
const LARGEST = 1n << 32n
/** The mask that rounds down to words. */
const WORDS = WORD_MASK ^ 31n
const REST = 31n
const WORD_SIZE = 32n
const BOTH = 3
const COMPARISONS: ReadonlySet<number> = new Set([OP.LT, OP.GT, OP.SLT, OP.SGT, OP.EQ, OP.ISZERO, OP.JUMPI])
/** Instructions that give a small rest again. */
const OF_RESTS: ReadonlySet<number> = new Set([OP.ADD, OP.SUB, OP.MUL, OP.SHL])
const LARGEST_REST = 1n << 16n
/** Bytes of an element of a list. */
const LARGEST_ELEMENT = 1n << 10n

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)
const isOrder = (op: number): boolean => op === OP.LT || op === OP.GT || op === OP.SLT || op === OP.SGT

/** What all flows of a function ask. */
export class AskedLengths {
  /** A bit for each outcome of a comparison, by its place in the code. */
  readonly #outcomes = new Map<number, number>()
  /** The same for each distance of what is compared, as in the rounds of a loop, where it depends on a length. */
  readonly #turning = new Map<number, Map<bigint, number>>()
  #isAsked = false

  /** Whether other lengths than those that were given may be treated in another way. */
  get mayDiffer(): boolean {
    return this.#isAsked || [...this.#turning].some(([at, rounds]) => !this.#isTried(at, rounds))
  }

  /** Whether both outcomes were tried, in a loop also of one round. */
  #isTried(at: number, rounds: ReadonlyMap<bigint, number>): boolean {
    const hasBoth = rounds.size === 1 || [...rounds.values()].includes(BOTH)
    return hasBoth && this.#outcomes.get(at) === BOTH
  }

  asked(): void {
    this.#isAsked = true
  }

  compared(at: number, holds: boolean, compared: Compared | undefined): void {
    const outcome = holds ? 1 : 2
    this.#outcomes.set(at, (this.#outcomes.get(at) ?? 0) | outcome)
    if (compared === undefined || !mayTurn(compared)) return
    const rounds = this.#turning.get(at) ?? new Map<bigint, number>()
    const distance = compared.difference - compared.above
    this.#turning.set(at, rounds.set(distance, (rounds.get(distance) ?? 0) | outcome))
  }
}

/** Whether a comparison has another outcome for another length. */
function mayTurn({ op, difference, slope, above, isRest }: Compared): boolean {
  if (isRest) return true
  if (slope === 0n && above === 0n) return false
  const [none, most] = [difference - above, difference + slope * LARGEST]
  const holds = (value: bigint): boolean => (op === OP.LT || op === OP.SLT ? value < 0n : value > 0n)
  return isOrder(op) ? holds(none) !== holds(most) : none === 0n || none < 0n !== most < 0n
}

/** Terms of a flow in which numbers that are computed from lengths are marked. */
export class MeasuredTerms extends Terms {
  readonly #asked: AskedLengths
  readonly #measures = new Map<Term, Measure>()

  constructor(code: Uint8Array, asked: AskedLengths) {
    super(code)
    this.#asked = asked
  }

  /** The length of an argument, which is at least as large. */
  length(length: bigint, least: bigint): Term {
    return this.#marked(length, { slope: 1n, above: length - least, isRest: false })
  }

  /** What is shorter than a word is refused as an answer, or was tried. */
  override answerSize(size: bigint): Term {
    return size <= WORD_SIZE ? this.constant(size) : this.length(size, WORD_SIZE)
  }

  override operation(op: number, a: Term, b?: Term): Term {
    const result = super.operation(op, a, b)
    const [first, second] = [this.#measures.get(a), b === undefined ? undefined : this.#measures.get(b)]
    const measure = first ?? second
    if (measure === undefined || COMPARISONS.has(op)) return result
    const value = result.kind === 'constant' ? result.value : undefined
    if (measure.isRest || second?.isRest === true) {
      const isRest = OF_RESTS.has(op) && value !== undefined && value < LARGEST_REST
      return isRest ? this.#marked(value, { ...measure, isRest }) : result
    }
    const other = first === undefined ? a : b
    const mask = other?.kind === 'constant' ? other.value : undefined
    const isKept = op === OP.AND && (mask === WORDS || isWide(mask))
    if (value !== undefined && isKept) return this.#marked(value, measure)
    const factor = op === OP.MUL ? mask : op === OP.SHL && second !== undefined && mask !== undefined ? 1n << mask : 0n
    if (value !== undefined && factor !== undefined && factor > 0n && factor <= LARGEST_ELEMENT)
      return this.#marked(value, { slope: measure.slope * factor, above: measure.above * factor, isRest: false })
    if (value !== undefined && op === OP.AND && mask === REST) return this.#marked(value, { ...measure, isRest: true })
    if (op === OP.ADD || op === OP.SUB) {
      const sum = added(first, second, op === OP.ADD ? 1n : -1n)
      const isSame = sum.slope === 0n && sum.above === 0n
      return value === undefined || isSame ? result : this.#marked(value, sum)
    }
    this.#asked.asked()
    return result
  }

  override used(operand: Term): void {
    if (this.#measures.has(operand)) this.#asked.asked()
  }

  /** A rest may lead anywhere in memory: few of its values are tried. */
  override slopeOf(place: Term): number {
    const measure = this.#measures.get(place)
    if (measure?.isRest === true) this.#asked.asked()
    return Number(measure?.slope ?? 0n)
  }

  override tested(at: number, op: number, a: Term, b?: Term): void {
    if (!COMPARISONS.has(op)) return
    const [first, second] = [this.#measures.get(a), b === undefined ? undefined : this.#measures.get(b)]
    if (a.kind !== 'constant' || (b !== undefined && b.kind !== 'constant')) return
    const right = b?.value ?? 0n
    const isRest = first?.isRest === true || second?.isRest === true
    if (isRest && b !== undefined && b.value !== 0n) this.#asked.asked()
    const compared = { ...added(first, second, -1n), op, isRest, difference: signed(a.value) - signed(right) }
    const isMeasured = first !== undefined || second !== undefined
    this.#asked.compared(at, outcomeOf(op, a.value, right), isMeasured ? compared : undefined)
  }

  #marked(value: bigint, measure: Measure): Term {
    const term = this.marked(value, `${measure.slope},${measure.above},${measure.isRest}`)
    this.#measures.set(term, measure)
    return term
  }
}

const added = (first = NO_LENGTH, second = NO_LENGTH, times: bigint): Measure => ({
  slope: first.slope + times * second.slope,
  above: first.above + times * second.above,
  isRest: false,
})

/** Whether a mask keeps every bit of a length. */
const isWide = (mask: bigint | undefined): boolean =>
  mask !== undefined && mask >= LARGEST - 1n && (mask & (mask + 1n)) === 0n

function outcomeOf(op: number, left: bigint, right: bigint): boolean {
  if (op === OP.LT) return left < right
  if (op === OP.GT) return left > right
  if (op === OP.SLT) return signed(left) < signed(right)
  if (op === OP.SGT) return signed(left) > signed(right)
  return left === right
}
