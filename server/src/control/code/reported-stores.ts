/**
 * Stores into mappings, and the logs that report their keys.
 *
 * A list of accounts that is read from events is complete only if every store into it is reported: on every path on
 * which the call succeeds, a log names the keys of the element, in the order of the mapping.
 */
import { union } from './conditions.ts'
import type { RawEffect } from './dataflow.ts'
import { carry, type Execution, isEnd } from './executions.ts'
import { OP } from './instructions.ts'
import { type Term, withoutMask } from './terms.ts'

/** Beyond this many stores without a report on one path, a store counts as one that is never reported. */
const MAX_UNREPORTED = 24

export class ReportedStores {
  /** By instruction and position: functions that add and remove an entry report it by different events. */
  readonly #numbers = new Map<string, number>()
  readonly #keys: (readonly Term[])[] = []
  readonly #silent = new Set<number>()
  /** The first topics of the logs that report a store. */
  readonly #topics = new Map<number, Set<bigint>>()

  /** `nodes`: the blocks of the code with their last executions. */
  constructor(nodes: Parameters<typeof carry>[0]) {
    carry<readonly number[]>(nodes, [], (unreported, reached) => this.#after(unreported, reached), union)
  }

  /** The stores that no log has reported so far: sorted numbers of their positions. */
  #after(unreported: readonly number[], { effect }: Execution['effects'][number]): readonly number[] {
    if (effect.kind === 'store') return this.#stored(unreported, effect.at, effect.subject)
    if (effect.kind === 'log') return this.#logged(unreported, effect.topics ?? [])
    // The call succeeds without a report of these stores.
    if (isEnd(effect)) for (const number of unreported) this.#silent.add(number)
    return unreported
  }

  #stored(unreported: readonly number[], at: number, position: Term): readonly number[] {
    const keys = keysOf(position)
    if (keys.length === 0) return unreported
    let number = this.#numbers.get(storeKey(at, position))
    if (number === undefined) {
      number = this.#keys.length
      this.#numbers.set(storeKey(at, position), number)
      this.#keys.push(keys)
    }
    // A loop that stores again may report the second key only.
    if (unreported.includes(number) || unreported.length >= MAX_UNREPORTED) {
      this.#silent.add(number)
      return unreported
    }
    return [...unreported, number].sort((a, b) => a - b)
  }

  #logged(unreported: readonly number[], [first, ...topics]: readonly Term[]): readonly number[] {
    if (first?.kind !== 'constant' || unreported.length === 0) return unreported
    return unreported.filter((number) => {
      const keys = this.#keys[number] as readonly Term[]
      const isReported = keys.length <= topics.length && keys.every((key, at) => isSame(key, topics[at] as Term))
      if (isReported) this.#topicsOf(number).add(first.value)
      return !isReported
    })
  }

  #topicsOf(number: number): Set<bigint> {
    const topics = this.#topics.get(number) ?? new Set()
    this.#topics.set(number, topics)
    return topics
  }

  /** The effect with the log that reports it. */
  reported(effect: RawEffect): RawEffect {
    const number = effect.kind === 'store' ? this.#numbers.get(storeKey(effect.at, effect.subject)) : undefined
    if (number === undefined || this.#silent.has(number)) return effect
    const [topic, ...others] = this.#topicsOf(number)
    return topic === undefined || others.length > 0 ? effect : { ...effect, reportedBy: topic }
  }
}

const storeKey = (at: number, position: Term): string => `${at}:${position.id}`

const isSame = (key: Term, topic: Term): boolean => withoutMask(key) === withoutMask(topic)

/** The keys of an element, outermost mapping first; none for another position. */
function keysOf(position: Term): readonly Term[] {
  const [key, base, ...more] = position.segments ?? []
  const isWhole = key?.from === 0 && key.to === 32 && base?.from === 0 && base.to === 32 && more.length === 0
  if (position.kind !== 'hash' || !isWhole) return []
  const outer = base.term
  if (outer.kind === 'constant') return [key.term]
  const mapping = outer.kind === 'operation' && outer.op === OP.ADD ? (outer.args[1] as Term) : outer
  const keys = keysOf(mapping)
  return keys.length === 0 ? [] : [...keys, key.term]
}
