/** Values exactly at each bound of a schema, and values one step beyond it. */
import type { Schema } from './operations.ts'

/** How a value is sent. A value of the wrong type differs between URL text and JSON. */
export type Encoding = 'url' | 'json'

export type Bounds = { readonly at: readonly unknown[]; readonly beyond: readonly unknown[] }

/** The description gives a `maxLength` for longer strings. */
const MAX_PROBE_LENGTH = 600

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat()

const isNullable = (schema: Schema): boolean =>
  typesOf(schema).includes('null') || schema.anyOf?.some(isNullable) === true

/** Returns values at and beyond the bounds. Strings with a pattern or format are derived from `sample`, a valid value. */
export function boundsOf(schema: Schema, sample: unknown, encoding: Encoding): Bounds {
  const { at, beyond } = ofType(schema, sample, encoding)
  // A pattern may not allow a shorter text, which then stays the sample.
  const changed = beyond.filter((value) => value !== sample)
  if (encoding === 'url' || isNullable(schema)) return { at, beyond: changed }
  return { at, beyond: [...changed, null] }
}

function ofType(schema: Schema, sample: unknown, encoding: Encoding): Bounds {
  if (schema.enum !== undefined) return enumBounds(schema.enum, encoding)
  const [type] = typesOf(schema)
  if (type === 'integer' || type === 'number') return numbers(schema, encoding)
  if (type === 'boolean')
    return { at: [true, false], beyond: encoding === 'url' ? ['1', 'TRUE', ''] : ['true', 1, 0, '', []] }
  if (type === 'array') return lists(schema, sample, encoding)
  if (type === 'object') return objects(schema, sample)
  const text = typeof sample === 'string' ? sample : ''
  const { at, beyond } = texts(schema, text)
  return { at: [...at, ...withNul(text)], beyond: encoding === 'url' ? beyond : [...beyond, 1, true, [], {}] }
}

/** PostgreSQL text cannot contain NUL, so every string must be tested with it. */
export const withNul = (text: string): readonly string[] => [`${text}\0`, '\0']

const enumBounds = (all: readonly unknown[], encoding: Encoding): Bounds => {
  const first = String(all[0])
  return { at: all, beyond: [`${first}s`, first.toUpperCase(), '', ...(encoding === 'json' ? [0, true, [first]] : [])] }
}

function numbers({ type, minimum, maximum }: Schema, encoding: Encoding): Bounds {
  const ends = [minimum, maximum].filter((end) => end !== undefined)
  return {
    at: ends,
    beyond: [
      ...(minimum === undefined ? [] : [minimum - 1]),
      ...(maximum === undefined ? [] : [maximum + 1]),
      ...(type === 'integer' ? [(minimum ?? 0) + 0.5] : []),
      ...(encoding === 'url' ? ['', 'a'] : [String(minimum ?? 0), true, []]),
    ],
  }
}

function texts({ minLength, maxLength, pattern, format }: Schema, sample: string): Bounds {
  const resized = (length: number): string => {
    const more = 'a'.repeat(Math.max(0, length - sample.length))
    if (format === 'email') return more + sample
    return pattern === undefined && format === undefined && length < sample.length
      ? sample.slice(0, length)
      : sample + more
  }
  const lengths = {
    at: [minLength, maxLength].filter((length) => length !== undefined).map(resized),
    beyond: [
      ...(minLength === undefined || minLength === 0 ? [] : [resized(minLength - 1)]),
      ...(maxLength === undefined ? [] : [resized(maxLength + 1)]),
    ],
  }
  // Length counts code points, not UTF-16 units.
  const wide = maxLength === undefined || pattern !== undefined || format !== undefined ? [] : ['😀'.repeat(maxLength)]
  const probed = pattern === undefined ? { at: [], beyond: [] } : probePattern(new RegExp(pattern, 'u'), sample)
  return { at: [...lengths.at, ...wide, ...probed.at], beyond: [...lengths.beyond, ...probed.beyond] }
}

/** Lengthens and shortens a matching text by one character at a time until it no longer matches. */
function probePattern(pattern: RegExp, sample: string): { readonly at: string[]; readonly beyond: string[] } {
  const [at, beyond]: [string[], string[]] = [[], []]
  const longer = (text: string) => text + (sample.at(-1) ?? '')
  const shorter = (text: string) => text.slice(0, -1)
  for (const step of [longer, shorter]) {
    let last = sample
    for (let next = step(last); next !== last && next.length <= MAX_PROBE_LENGTH; next = step(last)) {
      if (!pattern.test(next)) {
        at.push(last)
        beyond.push(next)
        break
      }
      last = next
    }
  }
  beyond.push(...[`${sample}\n`, ` ${sample}`, `${sample}\0`].filter((text) => !pattern.test(text)))
  return { at, beyond }
}

function lists({ items = {}, minItems, maxItems }: Schema, sample: unknown, encoding: Encoding): Bounds {
  const [item = 'a'] = Array.isArray(sample) ? (sample as readonly unknown[]) : []
  const many = (length: number): readonly unknown[] => Array.from({ length }, () => item)
  const ofItems = boundsOf(items, item, encoding)
  return {
    at: [
      ...[minItems, maxItems].filter((length) => length !== undefined).map(many),
      ...ofItems.at.map((value) => [value]),
    ],
    beyond: [
      ...(minItems === undefined || minItems === 0 ? [] : [many(minItems - 1)]),
      ...(maxItems === undefined ? [] : [many(maxItems + 1)]),
      ...ofItems.beyond.map((value) => [value]),
      item,
      {},
    ],
  }
}

function objects(schema: Schema, sample: unknown): Bounds {
  const whole = typeof sample === 'object' && sample !== null ? (sample as Fields) : {}
  const { at, beyond } = bodyBounds(schema, whole)
  return { at: schema.required === undefined ? [...at, {}] : at, beyond: [...beyond, [], 'a', 1] }
}

type Fields = Readonly<Record<string, unknown>>

/** Returns objects that differ from the valid one in a single field. */
export function bodyBounds(
  { properties = {}, required = [], additionalProperties }: Schema,
  whole: Fields,
): { readonly at: readonly Fields[]; readonly beyond: readonly Fields[] } {
  const [at, beyond]: [Fields[], Fields[]] = [[], []]
  for (const [name, schema] of Object.entries(properties)) {
    const bounds = boundsOf(schema, whole[name] ?? schema.default, 'json')
    at.push(...bounds.at.map((value) => ({ ...whole, [name]: value })))
    beyond.push(...bounds.beyond.map((value) => ({ ...whole, [name]: value })))
  }
  for (const name of required) beyond.push(without(whole, name))
  if (additionalProperties === false) beyond.push({ ...whole, unknownField: 1 })
  return { at, beyond }
}

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))
