/** Sums of a pointer to memory and small numbers. */
import { type Fact, factsAbout } from './conditions.ts'
import { OP } from './instructions.ts'
import type { Address } from './memory.ts'
import { addends, isBounded, type Position, REACH } from './positions.ts'
import { isPointer, type Term } from './terms.ts'

const FREE_MEMORY = 0x80n

/** Whether the sum of a pointer and a number is a pointer: the number is small, or comparisons rule out an overflow. */
export function isPointerSum(sum: Term, facts: readonly Fact[]): boolean {
  const { hash: none, others, fixed } = addends(sum)
  const pointer = others.find(isPointer)
  const lengths: Position[] = []
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
  const { hash, others, fixed } = addends(sum)
  const pointer = others.find(isPointer)
  const lengths: Position[] = []
  const left = leastOf(sum, facts, lengths)
  if (hash !== undefined || fixed >= 1n << 32n || left === undefined || lengths.length > 0) return undefined
  if (pointer === undefined) return left < FREE_MEMORY ? undefined : { base: 0, offset: Number(left) }
  return { base: pointer.id, offset: Number(left), isPointer: true }
}

/**
 * What remains of the constant in a sum of a pointer and small numbers: a number may be negative as long as the constant makes up
 * for it. Undefined where a number may be large.
 */
function leastOf(sum: Term, facts: readonly Fact[], lengths: Position[]): bigint | undefined {
  const { fixed, others } = addends(sum)
  const pointer = others.find(isPointer)
  let left = fixed
  for (const other of others) {
    if (other === pointer || isBounded(other, facts, lengths)) continue
    const added = smallWith(other, facts)
    if (added === undefined || added > left) return undefined
    left -= added
  }
  return left
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
