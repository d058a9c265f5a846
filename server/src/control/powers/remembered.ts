/** A function with its results, which stay as long as its argument: terms and lists of conditions are judged repeatedly. */
export function remembered<A extends object, T>(of: (argument: A) => T): (argument: A) => T {
  const results = new WeakMap<A, { readonly result: T }>()
  return (argument) => {
    let found = results.get(argument)
    if (found === undefined) results.set(argument, (found = { result: of(argument) }))
    return found.result
  }
}
