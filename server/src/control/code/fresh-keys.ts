/**
 * Keys of mappings that were never used before: numbers of a counter, such as those of proposals.
 *
 * A key is new if the function counts it, and no code that runs on the storage changes the counter otherwise than by one
 * more, which is not known here.
 */
import type { Hex } from '../../lib/hex.ts'
import { includesAll } from './conditions.ts'
import type { Dataflow, RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { addends } from './positions.ts'
import { type Term, word } from './terms.ts'
import { valueOf } from './values.ts'

/** The slot of the counter that the first key of an element is a new number of. */
export type CounterOf = (store: RawEffect) => Hex | undefined

export function freshKeys({ effects }: Dataflow): CounterOf {
  /** The stores that count, by the number that they store. */
  const counting = Map.groupBy(effects.filter(isNext), ({ value }) => value)
  return ({ subject, facts, selector }) => {
    const key = firstKeyOf(subject)
    const made = key === undefined ? undefined : counting.get(key)
    const counted = made?.find((each) => each.selector === selector && includesAll(facts, each.facts))
    return counted === undefined ? undefined : word(valueOf(counted.subject) ?? 0n)
  }
}

/** Whether a store adds one to what its slot holds now. */
export function isNext({ kind, subject, value, epoch }: RawEffect): boolean {
  const [one, before] = value?.args ?? []
  return (
    kind === 'store' &&
    valueOf(subject) !== undefined &&
    value?.kind === 'operation' &&
    value.op === OP.ADD &&
    one?.kind === 'constant' &&
    one.value === 1n &&
    before?.kind === 'stored' &&
    before.args[0] === subject &&
    before.tag === epoch
  )
}

/** The key of the outermost mapping that a position is in, also of a list in it. */
export function firstKeyOf(position: Term): Term | undefined {
  const { hash } = addends(position)
  const [key, base] = hash?.segments ?? []
  if (key === undefined) return undefined
  if (base === undefined) return firstKeyOf(key.term)
  return base.term.kind === 'constant' ? key.term : firstKeyOf(base.term)
}
