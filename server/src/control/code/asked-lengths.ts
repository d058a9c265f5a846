/**
 * What a function asks about the lengths of its arguments and of answers, where it is followed with lengths that are given:
 * whether it treats other lengths as it treats these.
 *
 * Numbers that are computed from a length are marked, with how often it is added in them. A comparison of such a number
 * must have had both outcomes, or have the same one for every length. Everything else but sums, and what rounds a length up
 * to words, may give another result for another length. So may what memory holds at such a number: see `Address`.
 *
 * A length also decides how many rounds a loop has, and so what rounds change. Such numbers are marked like lengths.
 */
import { WORD_MASK } from './arithmetic.ts'
import { OP } from './instructions.ts'
import { type Term, Terms } from './terms.ts'

/** How often a length, or the number of rounds of a loop, is added in a number; `above`: by how much it is not the smallest. */
type Part = { readonly slope: bigint; readonly above: bigint }
/**
 * A number that is computed from lengths and rounds, by their names. `isRest`: it is computed from what is left of a length
 * after whole words.
 */
type Measure = { readonly parts: ReadonlyMap<string, Part>; readonly isRest: boolean }
const NO_PARTS: Measure['parts'] = new Map()
type Compared = Measure & { readonly op: number; readonly difference: bigint }
/** The name of the rounds of a loop begins like this. */
const ROUNDS = 'rounds'

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

  /** Whether both outcomes were tried, in a loop also of one round, and so many rounds that each value was seen to change. */
  #isTried(at: number, rounds: ReadonlyMap<bigint, number>): boolean {
    const hasBoth = rounds.size === 1 || (rounds.size > 2 && [...rounds.values()].includes(BOTH))
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
    const distance = compared.difference - aboveIn(compared.parts)
    this.#turning.set(at, rounds.set(distance, (rounds.get(distance) ?? 0) | outcome))
  }
}

const sum = (parts: Measure['parts'], of: (part: Part) => bigint): bigint =>
  [...parts.values()].reduce((total, part) => total + of(part), 0n)
const aboveIn = (parts: Measure['parts']): bigint => sum(parts, ({ above }) => above)

/** Whether a comparison has another outcome for other lengths. */
function mayTurn({ op, difference, parts, isRest }: Compared): boolean {
  if (isRest) return true
  if (parts.size === 0) return false
  const smallest = ({ slope, above }: Part): bigint => (slope < 0n ? slope * LARGEST : -above)
  const largest = ({ slope, above }: Part): bigint => (slope < 0n ? -above : slope * LARGEST)
  const [least, most] = [difference + sum(parts, smallest), difference + sum(parts, largest)]
  const holds = (value: bigint): boolean => (op === OP.LT || op === OP.SLT ? value < 0n : value > 0n)
  return isOrder(op) ? holds(least) !== holds(most) : least <= 0n && most >= 0n
}

/** Terms of a flow in which numbers that are computed from lengths are marked. */
export class MeasuredTerms extends Terms {
  readonly #asked: AskedLengths
  readonly #measures = new Map<Term, Measure>()
  /** Numbers that the last round of a loop has left as they were. */
  readonly #kept = new Set<Term>()

  constructor(code: Uint8Array, asked: AskedLengths) {
    super(code)
    this.#asked = asked
  }

  /** The length of an argument, which is at least as large. */
  length(name: string, length: bigint, least: bigint): Term {
    return this.#marked(length, partsOf(name, 1n, length - least))
  }

  /** What is shorter than a word is refused as an answer, or was tried. */
  override answerSize(size: bigint): Term {
    return size <= WORD_SIZE ? this.constant(size) : this.length('answer', size, WORD_SIZE)
  }

  /**
   * A number in another round of a loop. It gets a name: if the next round finds it under that name, no round changes it, and
   * otherwise each may change it by as much.
   */
  readonly counted = (at: number, place: string, before: Term | undefined, now: Term): Term => {
    if (before?.kind !== 'constant') return now
    const { parts = NO_PARTS, isRest = false } = this.#measures.get(now) ?? {}
    const step = signed(now.value - before.value)
    if (isRest || parts.has(`${ROUNDS}${at}`) || (step === 0n && parts.size > 0)) return now
    if (step === 0n && !this.#kept.has(before)) return this.#keptAt(`${at}${place}`, now)
    if (now === before) return now
    return this.#marked(now.value, added(parts, partsOf(`${ROUNDS}${at}`, step === 0n ? 1n : step, step), 1n))
  }

  #keptAt(place: string, now: Term): Term {
    const term = this.marked(now.value, `kept${place}`)
    this.#kept.add(term)
    return term
  }

  /** What is read is the same, whether or not rounds were counted to find its place. */
  protected withoutRounds(place: Term): Term {
    if (place.kind !== 'constant') return place
    return hasLength(this.#measures.get(place)) ? place : this.constant(place.value)
  }

  override operation(op: number, a: Term, b?: Term): Term {
    const result = super.operation(op, a, b)
    const [first, second] = [this.#measures.get(a), b === undefined ? undefined : this.#measures.get(b)]
    const measure = first ?? second
    if (measure === undefined || COMPARISONS.has(op)) return result
    const value = result.kind === 'constant' ? result.value : undefined
    if (measure.isRest || second?.isRest === true) {
      const isRest = OF_RESTS.has(op) && value !== undefined && value < LARGEST_REST
      return isRest ? this.#marked(value, measure.parts, isRest) : result
    }
    const other = first === undefined ? a : b
    const mask = other?.kind === 'constant' ? other.value : undefined
    const isKept = op === OP.AND && (mask === WORDS || isWide(mask))
    if (value !== undefined && isKept) return this.#marked(value, measure.parts)
    const factor = op === OP.MUL ? mask : op === OP.SHL && second !== undefined && mask !== undefined ? 1n << mask : 0n
    if (value !== undefined && factor !== undefined && factor > 0n && factor <= LARGEST_ELEMENT)
      return this.#marked(value, times(measure.parts, factor))
    if (value !== undefined && op === OP.AND && mask === REST) return this.#marked(value, measure.parts, true)
    if (op === OP.ADD || op === OP.SUB) {
      const parts = added(first?.parts, second?.parts, op === OP.ADD ? 1n : -1n)
      return value === undefined || parts.size === 0 ? result : this.#marked(value, parts)
    }
    // A comparison of what is not known has both outcomes.
    if (value !== undefined || hasLength(first) || hasLength(second)) this.#asked.asked()
    return result
  }

  override used(operand: Term): void {
    if (hasLength(this.#measures.get(operand))) this.#asked.asked()
  }

  /** A rest may lead anywhere in memory: few of its values are tried. */
  override slopeOf(place: Term): number {
    const measure = this.#measures.get(place)
    if (measure?.isRest === true) this.#asked.asked()
    return Number(sum(lengthsIn(measure?.parts ?? NO_PARTS), ({ slope }) => slope))
  }

  override tested(at: number, op: number, a: Term, b?: Term): void {
    if (!COMPARISONS.has(op)) return
    const [first, second] = [this.#measures.get(a), b === undefined ? undefined : this.#measures.get(b)]
    if (a.kind !== 'constant' || (b !== undefined && b.kind !== 'constant')) return
    const right = b?.value ?? 0n
    const isRest = first?.isRest === true || second?.isRest === true
    if (isRest && b !== undefined && b.value !== 0n) this.#asked.asked()
    const parts = added(first?.parts, second?.parts, -1n)
    const lengths = [first, second].flatMap((measure) => [...lengthsIn(measure?.parts ?? NO_PARTS)])
    // In a comparison with a length, each round is a number of its own.
    const among = lengths.length > 0 ? lengthsIn(parts) : parts
    const compared = { parts: among, op, isRest, difference: signed(a.value) - signed(right) }
    const isMeasured = first !== undefined || second !== undefined
    this.#asked.compared(at, outcomeOf(op, a.value, right), isMeasured ? compared : undefined)
  }

  #marked(value: bigint, parts: Measure['parts'], isRest = false): Term {
    const text = [...parts].map(([name, { slope, above }]) => `${name}:${slope},${above}`)
    const term = this.marked(value, `${text.sort().join()};${isRest}`)
    this.#measures.set(term, { parts, isRest })
    return term
  }
}

const partsOf = (name: string, slope: bigint, above: bigint): Measure['parts'] => new Map([[name, { slope, above }]])
const lengthsIn = (parts: Measure['parts']): Measure['parts'] =>
  new Map([...parts].filter(([name]) => !name.startsWith(ROUNDS)))
const hasLength = (measure: Measure | undefined): boolean =>
  measure !== undefined && (measure.isRest || lengthsIn(measure.parts).size > 0)
const times = (parts: Measure['parts'], factor: bigint): Measure['parts'] =>
  new Map([...parts].map(([name, { slope, above }]) => [name, { slope: slope * factor, above: above * factor }]))

/** The sum of two measures, without what takes no part in it. */
function added(first = NO_PARTS, second = NO_PARTS, factor: bigint): Measure['parts'] {
  const all = new Map(first)
  for (const [name, { slope, above }] of times(second, factor)) {
    const before = all.get(name) ?? { slope: 0n, above: 0n }
    const part = { slope: before.slope + slope, above: before.above + above }
    if (part.slope === 0n && part.above === 0n) all.delete(name)
    else all.set(name, part)
  }
  return all
}

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
