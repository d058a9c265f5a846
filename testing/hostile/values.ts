/** Invalid values: typing mistakes and attacks. */
import type { Random } from '../support/random.ts'
import { boundsOf } from './bounds.ts'
import type { Schema } from './operations.ts'
import { CURSORS, NUMBERS, RAW, TEXTS } from './texts.ts'

/** Encodes a value for a URL. */
export const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

/** Returns any value, encoded for a URL. */
export const anyValue = (random: Random): string =>
  random.pick(random.chance(0.25) ? NUMBERS : random.chance(0.15) ? CURSORS : random.chance(0.3) ? RAW : TEXTS)

/** Returns a valid value with an invalid addition. */
const corrupted = (random: Random, sample: string): string =>
  random.pick([
    `${sample}%00`,
    `%00${sample}`,
    `${sample.slice(0, 3)}%00${sample.slice(3)}`,
    `${sample}%0a`,
    `${sample}%20`,
    `%20${sample}`,
    `${sample}%2f..`,
    `${sample}'`,
    `${sample}%25`,
    sample + sample,
    sample.toUpperCase(),
  ])

export function urlValue(random: Random, schema: Schema, sample: unknown): string {
  const { at, beyond } = boundsOf(schema, sample, 'url')
  const near = [...at, ...beyond]
  if (near.length > 0 && random.chance(0.3)) return encoded(random.pick(near))
  if (sample !== undefined && random.chance(0.3)) return corrupted(random, encoded(sample))
  return anyValue(random)
}

/** Returns any value for JSON. `malformedBody` covers what JSON cannot represent. */
export function jsonValue(random: Random, schema: Schema, sample: unknown): unknown {
  const { at, beyond } = boundsOf(schema, sample, 'json')
  const near = [...at, ...beyond]
  if (near.length > 0 && random.chance(0.35)) return random.pick(near)
  return random.pick<() => unknown>([
    () => null,
    () => true,
    () => 0,
    () => -1,
    () => 1.5,
    () => 1e308,
    () => -0,
    () => Number.MAX_SAFE_INTEGER,
    () => 8_400_000_000_000_000,
    () => [],
    () => ({}),
    () => [[], {}, null],
    () => Array.from({ length: 2_000 }, () => 'a'),
    () => ({ toString: 1, valueOf: null, length: -1 }),
    () => JSON.parse('{"__proto__":{"plan":"team"}}') as unknown,
    () => ({ constructor: { prototype: { plan: 'team' } } }),
    () => 'a'.repeat(3_000),
    () => `${String(sample)}\0`,
    () => `${String(sample)}\ud800`,
    () => decodeURIComponent(random.pick(TEXTS)),
    () => random.pick(NUMBERS),
  ])()
}
