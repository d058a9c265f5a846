/** Zod schemas that several areas share. */
import { z } from 'zod'

/** Rejects a parameter with its own error code instead of the general one. */
export function refuse(context: z.RefinementCtx, code: string, message: string): never {
  context.addIssue({ code: 'custom', message, params: { code } })
  return z.NEVER
}

/** A time in a response, as `Date.toISOString` writes it. */
export const instant = z.iso.datetime({ precision: 3 })

/** An integer in a query string: digits only, within bounds. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ documentedAs: { type: 'integer', minimum: min, maximum: max } })
}

export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')
  .default(false)
  .meta({ documentedAs: { type: 'boolean', default: false } })

/** Text of 1 to `most` characters without control characters. */
export const plainText = (most: number) =>
  z
    .string()
    .trim()
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .refine((text) => text !== '' && Array.from(text).length <= most, `must have 1 to ${most} characters`)
    .meta({ documentedAs: { type: 'string', minLength: 1, maxLength: most } })

/** An integer of up to 256 bits, written with all its digits. */
export const uint256 = z
  .custom<number | bigint>((value) => typeof value === 'bigint' || Number.isSafeInteger(value))
  .nullable()
  .meta({ documentedAs: { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 256 } })

/** Any JSON: `args` of an event, `metadata` of a contract. */
export const jsonObject = z.record(z.string(), z.unknown())
