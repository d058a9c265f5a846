/** The storage and the words of the input that a function reads. */
import type { Hex } from '../../lib/hex.ts'
import { firstKeyOf } from './fresh-keys.ts'
import { addends, type Key, keyOf, type Position, positionOf } from './positions.ts'
import { type Term, word } from './terms.ts'
import { valueOf } from './values.ts'

export type Reads = {
  /** The first keys of all tables, without those that are given by the code or are the caller. */
  readonly readsOf: readonly Key[]
  /** Where the lists are in these tables whose elements it reads. */
  readonly readsLists: readonly Position[]
  /** The words of the input, as keys. */
  readonly readsInput: readonly Key[]
  readonly readsSlots: readonly Hex[]
}

export function readsAt(positions: readonly Term[], words: readonly Term[]): Reads {
  const keys = positions.flatMap((position) => firstKeyOf(position) ?? []).map(keyOf)
  const lists = positions.flatMap((position) => listOf(position) ?? []).map((list) => positionOf(list, []))
  return {
    readsOf: [...new Set(keys)].filter((key) => key !== 'caller' && !key.startsWith('0x')),
    readsLists: [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()],
    readsInput: words.map(keyOf),
    readsSlots: positions.flatMap((position) => valueOf(position) ?? []).map(word),
  }
}

/** Where the list is that a position is an element of. */
export function listOf(position: Term): Term | undefined {
  const [list, base] = addends(position).hash?.segments ?? []
  return base === undefined ? list?.term : undefined
}
