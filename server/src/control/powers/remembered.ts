/** The function of a term with its results, which stay as long as the term: conditions and values are judged repeatedly. */
import type { Term } from '../code/terms.ts'

export function remembered<T>(of: (term: Term) => T): (term: Term) => T {
  const results = new WeakMap<Term, { readonly result: T }>()
  return (term) => {
    let found = results.get(term)
    if (found === undefined) results.set(term, (found = { result: of(term) }))
    return found.result
  }
}
