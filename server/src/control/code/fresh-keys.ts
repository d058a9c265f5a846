/**
 * Keys of mappings that were never used before: numbers of a counter, such as those of proposals.
 *
 * A key is new if the function counts it, and no store changes the counter otherwise than by one more.
 */
import { includesAll } from './conditions.ts'
import type { Dataflow, RawEffect } from './dataflow.ts'
import { mayHit } from './hits.ts'
import { OP } from './instructions.ts'
import { addends, positionOf } from './positions.ts'
import { type Term, word } from './terms.ts'
import { valueOf } from './values.ts'

/** Whether the first key of an element that a store changes is new. */
export type IsFresh = (store: RawEffect) => boolean

export function freshKeys({ effects }: Dataflow): IsFresh {
  const stores = effects.filter(({ kind, value }) => kind === 'store' && value !== undefined)
  /** The stores that count, by the number that they store. */
  const counting = new Map<Term, RawEffect[]>()
  for (const store of stores)
    if (store.value !== undefined && isNext(store))
      counting.set(store.value, [...(counting.get(store.value) ?? []), store])
  const isCounter = new Map<Term, boolean>()
  const onlyCounts = (counter: Term): boolean => {
    const known = isCounter.get(counter)
    if (known !== undefined) return known
    const slot = { type: 'slot', slot: word(valueOf(counter) ?? 0n) } as const
    const found = stores.every((store) => isNext(store) || !mayHit(positionOf(store.subject, store.facts), slot))
    isCounter.set(counter, found)
    return found
  }
  return ({ subject, facts, selector }) => {
    const key = firstKeyOf(subject)
    const made = key === undefined ? undefined : counting.get(key)
    return (
      made?.some(
        (counted) => counted.selector === selector && includesAll(facts, counted.facts) && onlyCounts(counted.subject),
      ) === true
    )
  }
}

/** Whether a store adds one to what its slot holds now. */
function isNext({ subject, value, epoch }: RawEffect): boolean {
  const [one, before] = value?.args ?? []
  return (
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
