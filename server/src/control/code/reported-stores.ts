/**
 * Stores, and the logs that report them.
 *
 * A list of accounts that is read from events is complete only if every store into it is reported: on every path on
 * which the call succeeds, a log names the keys of the element, in the order of the mapping. A store of a pointer to code is
 * reported by a log that names the value, and a delegatecall by one before it that names the code.
 */
import { CertainStores } from './certain-stores.ts'
import { common, union } from './conditions.ts'
import type { RawEffect } from './dataflow.ts'
import { carry, type Execution, isEnd } from './executions.ts'
import { OP } from './instructions.ts'
import { ADDRESS_MASK, type Term, withoutMask } from './terms.ts'

/** What is known on a path: stores that no log has reported so far, and words that logs have named, each sorted. */
type Known = { readonly unreported: readonly number[]; readonly named: readonly number[] }

/** Hashes of names, where pointers to code are. No number of a slot that a compiler assigns is so large. */
export const LEAST_HASH = 1n << 64n

/** Beyond this many stores without a report on one path, a store counts as one that is never reported. */
const MAX_UNREPORTED = 24

export class ReportedStores {
  /** By instruction and position: functions that add and remove an entry report it by different events. */
  readonly #numbers = new Map<string, number>()
  readonly #keys: (readonly Term[])[] = []
  /** Stores of an account in a slot: other bits of the word that names it do not matter. */
  readonly #pointers = new Set<number>()
  readonly #silent = new Set<number>()
  /** The first topics of the logs that report a store. */
  readonly #topics = new Map<number, Set<bigint>>()
  /** Words that logs name, by their first topic and the word. */
  readonly #names = new Map<string, number>()
  readonly #runs = new Map<string, { readonly target: Term; named: readonly number[] }>()

  /** `nodes`: the blocks of the code with their last executions. */
  constructor(nodes: Parameters<typeof carry>[0]) {
    carry<Known>(nodes, { unreported: [], named: [] }, (known, { effect }) => this.#after(known, effect), joined)
  }

  #after(known: Known, effect: Execution['effects'][number]['effect']): Known {
    const { unreported, named } = known
    if (effect.kind === 'delegatecall') this.#ran(effect.at, effect.subject, named)
    if (effect.kind === 'log')
      return {
        unreported: this.#logged(unreported, effect.topics ?? []),
        named: this.#named(named, effect.topics ?? []),
      }
    // The call succeeds without a report of these stores.
    if (isEnd(effect)) for (const number of unreported) this.#silent.add(number)
    if (effect.kind !== 'store' || effect.value === undefined) return known
    const now = this.#stored(unreported, effect.at, effect.subject, effect.value)
    return now === unreported ? known : { unreported: now, named }
  }

  /** Code that runs is reported if a log on every path has named it before. */
  #ran(at: number, target: Term, named: readonly number[]): void {
    const known = this.#runs.get(storeKey(at, target))
    if (known === undefined) this.#runs.set(storeKey(at, target), { target, named })
    else known.named = common(known.named, named)
  }

  #named(named: readonly number[], [first, word]: readonly Term[]): readonly number[] {
    if (first?.kind !== 'constant' || word === undefined) return named
    const number = this.#numberOf(first.value, word)
    return named.includes(number) ? named : [...named, number].sort((a, b) => a - b)
  }

  #numberOf(topic: bigint, word: Term): number {
    const name = `${topic}:${withoutMask(word).id}`
    const number = this.#names.get(name) ?? this.#names.size
    this.#names.set(name, number)
    return number
  }

  #stored(unreported: readonly number[], at: number, position: Term, value: Term): readonly number[] {
    const account = isPointer(position, value) ? withoutMask(accountStored(position, value)) : undefined
    const keys = account === undefined ? keysOf(position) : [account]
    if (keys.length === 0) return unreported
    const key = storeKey(at, position, value)
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#keys.length
      this.#numbers.set(key, number)
      this.#keys.push(keys)
      if (account !== undefined) this.#pointers.add(number)
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
      const named = this.#pointers.has(number) ? topics.map(withoutMask) : topics
      // A key without some of its bits is another one, such as another role.
      const isReported = keys.length <= topics.length && keys.every((key, at) => key === named[at])
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
    const [topic, ...others] = this.#reportsOf(effect)
    return topic === undefined || others.length > 0 ? effect : { ...effect, reportedBy: topic }
  }

  #reportsOf({ kind, at, subject, value }: RawEffect): readonly bigint[] {
    if (kind === 'delegatecall') {
      const run = this.#runs.get(storeKey(at, subject))
      const word = `:${withoutMask(subject).id}`
      return [...this.#names].flatMap(([name, number]) =>
        name.endsWith(word) && run?.named.includes(number) === true ? BigInt(name.slice(0, -word.length)) : [],
      )
    }
    const number = kind === 'store' && value !== undefined ? this.#numbers.get(storeKey(at, subject, value)) : undefined
    return number === undefined || this.#silent.has(number) ? [] : [...this.#topicsOf(number)]
  }
}

function joined(before: Known, other: Known): Known {
  const unreported = union(before.unreported, other.unreported)
  const named = common(before.named, other.named)
  return unreported === before.unreported && named === before.named ? before : { unreported, named }
}

/** Different values may be stored at one place in the code, each with a report of its own. */
const storeKey = (at: number, position: Term, value?: Term): string =>
  `${at}:${position.id}${position.kind === 'constant' && value !== undefined ? `:${value.id}` : ''}`

/** Whether a store may change a pointer to code: of an account, or in a slot of a name. */
const isPointer = (position: Term, value: Term): boolean =>
  position.kind === 'constant' &&
  (position.value >= LEAST_HASH || accountStored(position, value) !== value || withoutMask(value) !== value)

/** The account that is stored next to what else the slot contains. */
function accountStored(position: Term, value: Term): Term {
  const [left, right] = value.args
  if (value.kind !== 'operation' || value.op !== OP.OR || left === undefined || right === undefined) return value
  // Bits of another slot, or of the account before, would make it another account.
  const isKept = ({ op, args: [mask, kept] }: Term): boolean =>
    op === OP.AND &&
    mask?.kind === 'constant' &&
    (mask.value & ADDRESS_MASK) === 0n &&
    kept?.kind === 'stored' &&
    kept.args[0] === position
  if (isKept(left)) return right
  return isKept(right) ? left : value
}

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

/** Adds to an effect what is known of the whole call. */
export function withStores(nodes: Parameters<typeof carry>[0]): (effect: RawEffect) => RawEffect {
  const [reports, certain] = [new ReportedStores(nodes), new CertainStores(nodes)]
  return (effect) => {
    const reported = reports.reported(effect)
    return effect.kind === 'store' && certain.isCertain(effect) ? { ...reported, isCertain: true } : reported
  }
}
