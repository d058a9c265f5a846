/** Sums of a pointer to memory and small numbers. */
import { type Fact, factsAbout } from './conditions.ts'
import { OP } from './instructions.ts'
import type { Address } from './memory.ts'
import { addends, isBounded, type Position, REACH, TOP } from './positions.ts'
import { isPointer, type Term, type Terms } from './terms.ts'

const FREE_MEMORY = 0x80n
const NEAR = 1n << 32n

/** Whether the sum of a pointer and a number is a pointer: the number is small, or comparisons rule out an overflow. */
export function isPointerSum(sum: Term, facts: readonly Fact[]): boolean {
  const lengths: Position[] = []
  const { hash: none, others, fixed } = partsOf(sum, facts, lengths)
  const pointer = others.find(isPointer)
  const left = leastOf(sum, facts, lengths)
  const isSmallSum =
    fixed < REACH && none === undefined && left !== undefined && (pointer !== undefined || left >= FREE_MEMORY)
  if (isSmallSum && lengths.length === 0) return true
  const isNotBelow = (holds: (a: Term, b: Term) => boolean): boolean =>
    factsAbout(facts, sum).some(
      (fact) => fact.term.op === OP.LT && !fact.holds && holds(...(fact.term.args as [Term, Term])),
    )
  const isLow = isNotBelow((limit, term) => term === sum && limit.kind === 'constant' && limit.value < REACH)
  return isLow && isNotBelow((term, least) => term === sum && isPointer(least))
}

/** The address that a sum of a pointer and small numbers is not below; undefined where a number may be large. */
export function pointerBelow(sum: Term, facts: readonly Fact[]): Address | undefined {
  const lengths: Position[] = []
  const { hash, others, fixed } = partsOf(sum, facts, lengths)
  const pointer = others.find(isPointer)
  const left = leastOf(sum, facts, lengths)
  if (hash !== undefined || fixed >= NEAR || left === undefined || left >= NEAR || lengths.length > 0) return undefined
  if (pointer === undefined) return left < FREE_MEMORY ? undefined : { base: 0, offset: Number(left) }
  const offset = Number(left)
  const above = fixedBelow(pointer, offset)
  return { base: pointer.id, offset, isPointer: true, ...(above && { above }) }
}

/** In the tag of a pointer, before the fixed address that it is not below. */
const ABOVE = '>='

/** The name of a pointer that is stored as the one to free memory. What was stored below it remains known by that name. */
export function freePointer(terms: Terms, node: number, at: number, { above }: Address): Term {
  const least = above && leastFixed(above)
  return least === undefined ? terms.pointerAt(node, at) : terms.pointer(`${node}.${at}${ABOVE}${least}`)
}

const leastFixed = ({ base, offset, above }: Address): number | undefined =>
  base === 0 ? offset : above && leastFixed(above)

/** The fixed address that a pointer, or its sum with constants, is not below. */
export function fixedBelow({ tag, args: [constant, rest] }: Term, added = 0): Address | undefined {
  if (constant?.kind === 'constant' && rest !== undefined) return fixedBelow(rest, added + Number(constant.value))
  const [, least] = tag.split(ABOVE)
  return least === undefined ? undefined : { base: 0, offset: Number(least) + added }
}

/**
 * What remains of the constant in a sum of a pointer and small numbers: a number may be negative as long as the constant makes up
 * for it. Undefined where a number may be large.
 */
function leastOf(sum: Term, facts: readonly Fact[], lengths: Position[]): bigint | undefined {
  const { fixed, others } = partsOf(sum, facts, lengths)
  const pointer = others.find(isPointer)
  let left = fixed
  for (const other of others) {
    if (other === pointer) continue
    if (isBounded(other, facts, lengths)) {
      left += leastNumber(other, facts)
      continue
    }
    const added = smallWith(other, facts)
    if (added === undefined || added > left) return undefined
    left -= added
  }
  return left
}

/** The parts of a sum, without a number of which the remainder is taken away again, as where the last bytes of a text are. */
function partsOf(sum: Term, facts: readonly Fact[], lengths: Position[]): ReturnType<typeof addends> {
  const [whole, remainder] = sum.args
  if (sum.op !== OP.SUB || whole === undefined || remainder?.op !== OP.AND) return addends(sum)
  const parts = addends(whole)
  const [mask, divided] = remainder.args
  const isPart = mask?.kind === 'constant' && divided !== undefined && parts.others.includes(divided)
  if (!isPart || !isBounded(divided, facts, lengths)) return addends(sum)
  return { ...parts, others: parts.others.toSpliced(parts.others.indexOf(divided), 1) }
}

/** A number that a small number is not below: lengths are rounded up to whole words. */
function leastNumber(term: Term, facts: readonly Fact[]): bigint {
  const [left, right] = term.args
  if (term.kind !== 'operation' || left?.kind !== 'constant' || right === undefined) return 0n
  if (!isBounded(right, facts, [])) return 0n
  if (term.op === OP.ADD && left.value < REACH) return left.value + leastNumber(right, facts)
  const dropped = TOP - left.value
  const isRounding = term.op === OP.AND && dropped < REACH && (dropped & (dropped - 1n)) === 0n
  return isRounding ? leastNumber(right, facts) & left.value : 0n
}

/** A constant with which a number is small, as in the size of a copy; undefined where no comparison shows one. */
function smallWith(term: Term, facts: readonly Fact[]): bigint | undefined {
  for (let index = 0; index < facts.length; index += 1) {
    const { term: fact, holds } = facts[index] as Fact
    if (!holds || fact.op !== OP.LT) continue
    const [sum, limit] = fact.args
    if (limit?.kind !== 'constant' || limit.value >= REACH) continue
    const [constant, rest] = sum?.args ?? []
    if (sum?.op === OP.ADD && rest === term && constant?.kind === 'constant') return constant.value
  }
  return undefined
}
