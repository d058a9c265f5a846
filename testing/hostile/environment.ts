/** What requests are built from: valid values of the running service, and headers of its accounts. */
import type { Random } from '../support/random.ts'
import type { Operation, Schema } from './operations.ts'

export type Header = readonly [name: string, value: string]

/** Provides valid values and headers for an operation. */
export type RequestContext = {
  /** Returns a valid value of a parameter or field; undefined if none is known, so an optional one is omitted. */
  readonly valid: (operation: Operation, name: string, random: Random) => unknown
  /** Returns fields that must not be combined with the others. */
  readonly omittedFields: (operation: Operation, random: Random) => readonly string[]
  readonly validHeaders: (operation: Operation) => readonly Header[]
  readonly callerHeaders: (operation: Operation) => readonly (readonly Header[])[]
}

/**
 * The kind of request to send.
 * - `valid`: an authorized account requests existing data.
 * - `bound`: the same, with one value exactly at a documented bound.
 * - `beyond`: the same, with one thing that the description forbids; the service must refuse it.
 * - `malformed`: any part may be invalid.
 */
export type Aim = 'valid' | 'bound' | 'beyond' | 'malformed'

export type HostileRequest = {
  readonly operation: Operation
  readonly aim: Aim
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer
}

type Named = { readonly name: string; readonly schema: Schema }

/** Returns a valid value: one that exists in the service, or any that the schema allows. */
export function sampleOf(
  context: RequestContext,
  operation: Operation,
  { name, schema }: Named,
  random: Random,
): unknown {
  const known = context.valid(operation, name, random)
  if (known !== undefined) return known
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.type === 'boolean') return random.chance(0.5)
  if (schema.type === 'integer') return Math.min(schema.maximum ?? 1_000, (schema.minimum ?? 0) + random.below(50))
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(() => random.chance(0.7))
        .map(([key, inner]) => [key, sampleOf(context, operation, { name: `${name}.${key}`, schema: inner }, random)]),
    )
  return schema.default
}
