/** JSON as both interfaces promise it: integers beyond 2^53 are written as their digits, never rounded. */

/** ES2025; Node 24 has it, TypeScript's library does not name it yet. */
declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string }
  }
}

const exactIntegers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value

/** A replacer costs as much again as all the rest, and few values need it: JSON itself says which, by a TypeError. */
export function stringifyExactly(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(value, exactIntegers)
    throw error
  }
}
