/** JSON as both interfaces promise it: integers beyond 2^53 are written as their digits, never rounded. */

/** ES2025; Node 24 has it, TypeScript's library does not name it yet. */
declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string }
  }
}

export const exactIntegers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value

export const stringifyExactly = (value: unknown): string => JSON.stringify(value, exactIntegers)
