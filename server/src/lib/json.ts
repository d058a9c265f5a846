/** JSON with exact integers: those beyond 2^53 keep all their digits. */

/** Node 24 has it; TypeScript's library does not declare it yet. */
declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string }
  }
}

const exactIntegers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value

/** A replacer doubles the time, and few values need it: `JSON.stringify` throws a TypeError for those. */
export function stringifyExactly(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(value, exactIntegers)
    throw error
  }
}
