/** JSON with exact integers: those beyond 2^53 keep all their digits. */

/** Node 24 has it; TypeScript's library does not declare it yet. */
declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string }
  }
}

const exactIntegers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value

/** Serializes without a replacer first: a replacer takes twice as long, and only values with a bigint, which throw, need it. */
export function stringifyExactly(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(value, exactIntegers)
    throw error
  }
}

const withUnsafeIntegersAs =
  (make: (digits: string) => unknown) =>
  (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    context?.source !== undefined &&
    /^-?\d+$/.test(context.source)
      ? make(context.source)
      : value

/** Parses JSON; integers beyond 2^53 become bigints. */
export const parseExactly = (text: string): unknown => JSON.parse(text, withUnsafeIntegersAs(BigInt))

/** Parses JSON that is only passed on: `JSON.stringify` writes integers beyond 2^53 with all their digits again. */
export const parseToForward = (text: string): unknown => JSON.parse(text, withUnsafeIntegersAs(JSON.rawJSON))
