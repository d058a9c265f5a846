/** What requests are made from: values that are right in this world, and the people who ask. */
import type { Random } from '../support/random.ts'
import type { Operation, Schema } from './operations.ts'

export type Header = readonly [name: string, value: string]

/** Values that are right, by interface and name; who asks with what headers. */
export type Ground = {
  /** Undefined where none is known: what may be left out then is. */
  readonly valid: (operation: Operation, name: string, random: Random) => unknown
  /** Fields that do not go together with the others. */
  readonly leftOut: (operation: Operation, random: Random) => readonly string[]
  readonly proper: (operation: Operation) => readonly Header[]
  readonly callers: (operation: Operation) => readonly (readonly Header[])[]
}

/**
 * - `right`: whoever may ask, asks for what there is.
 * - `bound`: the same, with one value exactly at the edge of what is allowed.
 * - `beyond`: the same, with one thing wrong that the description forbids; it must be refused.
 * - `spoiled`: anything.
 */
export type Aim = 'right' | 'bound' | 'beyond' | 'spoiled'

export type HostileRequest = {
  readonly operation: Operation
  readonly aim: Aim
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer
}

type Named = { readonly name: string; readonly schema: Schema }

/** A value that is right: one that this world has, or any that the schema allows. */
export function sampleOf(ground: Ground, operation: Operation, { name, schema }: Named, random: Random): unknown {
  const known = ground.valid(operation, name, random)
  if (known !== undefined) return known
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.type === 'boolean') return random.chance(0.5)
  if (schema.type === 'integer') return Math.min(schema.maximum ?? 1_000, (schema.minimum ?? 0) + random.below(50))
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(() => random.chance(0.7))
        .map(([inner, of]) => [inner, sampleOf(ground, operation, { name: `${name}.${inner}`, schema: of }, random)]),
    )
  return schema.default
}
