/** The methods that each path accepts, to distinguish a wrong method (405) from an unknown path (404). */
import { ApiError } from './api-error.ts'

export type PathMethods = {
  /** `pattern` is a route of the router: `/address/:address/utxos`, `/assets/*`. */
  readonly add: (pattern: string, methods: readonly string[]) => void
  /** The methods of `path`, sorted; empty if no pattern matches. */
  readonly of: (path: string) => readonly string[]
}

export function createPathMethods(): PathMethods {
  const known = new Map<string, { readonly matcher: RegExp; readonly methods: Set<string> }>()
  return {
    add: (pattern, methods) => {
      const source = pattern
        .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll(/:\w+/g, '[^/]+')
        .replace(/\*$/, '.*')
      const entry = known.get(pattern) ?? { matcher: new RegExp(`^${source}$`), methods: new Set() }
      for (const method of methods) entry.methods.add(method)
      known.set(pattern, entry)
    },
    of: (path) => {
      const methods = [...known.values()]
        .filter(({ matcher }) => matcher.test(path))
        .flatMap((entry) => [...entry.methods])
      return [...new Set(methods)].sort()
    },
  }
}

/** The 405 of a path that accepts other methods. */
export const methodNotAllowed = (code: string, method: string, allowed: readonly string[]): ApiError =>
  new ApiError({
    status: 405,
    code,
    message: `This path does not support ${method}. Use ${allowed.join(' or ')}.`,
    headers: { allow: allowed.join(', ') },
  })
