/** The edges of what a schema allows: values exactly at each bound, and values one step beyond it. */
import type { Schema } from './operations.ts'

/** As text in a URL, or as a value in JSON: the two have different ways of being of the wrong type. */
export type Place = 'url' | 'json'

export type Bounds = { readonly at: readonly unknown[]; readonly beyond: readonly unknown[] }

/** Nothing is described that long without its end being written down. */
const LONGEST_WALK = 600

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat()

/** `sample` is a value that is right; strings with a pattern or a format are stretched and cut from it. */
export function boundsOf(schema: Schema, sample: unknown, place: Place): Bounds {
  const { at, beyond } = ofType(schema, sample, place)
  if (place === 'url' || typesOf(schema).includes('null')) return { at, beyond }
  return { at, beyond: [...beyond, null] }
}

function ofType(schema: Schema, sample: unknown, place: Place): Bounds {
  if (schema.enum !== undefined) return choices(schema.enum, place)
  const [type] = typesOf(schema)
  if (type === 'integer' || type === 'number') return numbers(schema, place)
  if (type === 'boolean')
    return { at: [true, false], beyond: place === 'url' ? ['1', 'TRUE', ''] : ['true', 1, 0, '', []] }
  if (type === 'array') return lists(schema, sample, place)
  if (type === 'object') return objects(schema, sample)
  const text = typeof sample === 'string' ? sample : ''
  const { at, beyond } = texts(schema, text)
  return { at: [...at, ...withNul(text)], beyond: place === 'url' ? beyond : [...beyond, 1, true, [], {}] }
}

/** No database holds a NUL; of where it stands depends whether it is refused or answered for. */
export const withNul = (text: string): readonly string[] => [`${text}\0`, '\0']

const choices = (all: readonly unknown[], place: Place): Bounds => {
  const first = String(all[0])
  return { at: all, beyond: [`${first}s`, first.toUpperCase(), '', ...(place === 'json' ? [0, true, [first]] : [])] }
}

function numbers({ minimum, maximum }: Schema, place: Place): Bounds {
  const ends = [minimum, maximum].filter((end) => end !== undefined)
  return {
    at: ends,
    beyond: [
      ...(minimum === undefined ? [] : [minimum - 1]),
      ...(maximum === undefined ? [] : [maximum + 1]),
      (minimum ?? 0) + 0.5,
      ...(place === 'url' ? ['', 'a'] : [String(minimum ?? 0), true, []]),
    ],
  }
}

function texts({ minLength, maxLength, pattern, format }: Schema, sample: string): Bounds {
  const stretched = (length: number): string => {
    const more = 'a'.repeat(Math.max(0, length - sample.length))
    if (format === 'email') return more + sample
    return pattern === undefined && format === undefined && length < sample.length
      ? sample.slice(0, length)
      : sample + more
  }
  const lengths = {
    at: [minLength, maxLength].filter((length) => length !== undefined).map(stretched),
    beyond: [
      ...(minLength === undefined || minLength === 0 ? [] : [stretched(minLength - 1)]),
      ...(maxLength === undefined ? [] : [stretched(maxLength + 1)]),
    ],
  }
  // Characters are counted as people see them, not as they are stored.
  const wide = maxLength === undefined || pattern !== undefined || format !== undefined ? [] : ['😀'.repeat(maxLength)]
  const walked = pattern === undefined ? { at: [], beyond: [] } : walk(new RegExp(pattern, 'u'), sample)
  return { at: [...lengths.at, ...wide, ...walked.at], beyond: [...lengths.beyond, ...walked.beyond] }
}

/** From a text that matches, longer and shorter by one character at a time until it matches no more. */
function walk(pattern: RegExp, sample: string): { readonly at: string[]; readonly beyond: string[] } {
  const [at, beyond]: [string[], string[]] = [[], []]
  const longer = (text: string) => text + (sample.at(-1) ?? '')
  const shorter = (text: string) => text.slice(0, -1)
  for (const step of [longer, shorter]) {
    let last = sample
    for (let next = step(last); next !== last && next.length <= LONGEST_WALK; next = step(last)) {
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

function lists({ items = {}, minItems, maxItems }: Schema, sample: unknown, place: Place): Bounds {
  const [item = 'a'] = Array.isArray(sample) ? (sample as readonly unknown[]) : []
  const many = (length: number): readonly unknown[] => Array.from({ length }, () => item)
  const ofItems = boundsOf(items, item, place)
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

/** Whole objects that are right but for one field. */
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
  if (additionalProperties === false) beyond.push({ ...whole, unheardOf: 1 })
  return { at, beyond }
}

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))
