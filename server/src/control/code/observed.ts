/** What functions test, and what values were before paths met: the conditions and values of a state in which paths are joined do not show it. */
import type { Term } from './terms.ts'

export class Observed {
  readonly #tested = new Map<bigint | undefined, Set<Term>>()
  /** By the number of the term. A value may be there repeatedly. */
  readonly #met = new Map<number, Term[]>()

  /** Adds a condition of a branch in a function; undefined: outside of functions. */
  test(selector: bigint | undefined, condition: Term): void {
    addTo(this.#tested, selector, condition)
  }

  /** Adds a value to those that a value of a place is one of. Returns the latter. */
  meet(joined: Term, value: Term): Term {
    if (joined === value || joined.kind !== 'opaque') return joined
    const known = this.#met.get(joined.id)
    if (known === undefined) this.#met.set(joined.id, [value])
    else if (known.at(-1) !== value) known.push(value)
    return joined
  }

  testedIn(selector: bigint): readonly Term[] {
    return [...(this.#tested.get(selector) ?? [])]
  }

  /** The values that a term may be: the term itself, unless it is what paths brought to a place. */
  valuesOf(term: Term): readonly Term[] {
    const [found, seen] = [new Set<Term>(), new Set<Term>()]
    const open = [term]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      const met = this.#met.get(next.id)
      if (met === undefined) found.add(next)
      else open.push(...new Set(met))
    }
    return [...found]
  }
}

function addTo<K>(map: Map<K, Set<Term>>, key: K, term: Term): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([term]))
  else known.add(term)
}
