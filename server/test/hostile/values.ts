/** What a value may be that somebody means well with, somebody mistypes, and somebody attacks with. */
import type { Random } from '../coins/random.ts'

export type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly default?: unknown
}

/** Text as it stands in a URL: already encoded, or deliberately not. */
const encoded = (texts: readonly string[]): readonly string[] => texts.map((text) => encodeURIComponent(text))

const cursorOf = (text: string): string => Buffer.from(text).toString('base64url')

/** Cursors that have the form of ours and point nowhere sensible. */
const CURSORS = [
  '0.0',
  '-999999999999999.1',
  '999999999999999.999999999999999',
  '0-0',
  '999999999999999-999999999999999',
  '0:0',
  '[0,0]',
  '{"__proto__":{}}',
].map(cursorOf)

const NUMBERS = [
  '0',
  '-1',
  '-0',
  '00',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '-Infinity',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999999',
  '1'.repeat(400),
  '+1',
  ' 1',
  '１',
]

const TEXTS = encoded([
  '',
  ' ',
  'null',
  'undefined',
  'true',
  'TRUE',
  '[object Object]',
  '[]',
  '{}',
  '*',
  '$1',
  '\\',
  '"',
  "'",
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  '__proto__[x]',
  "' or 1=1--",
  '"; drop table user_account; --',
  "1'||pg_sleep(9)||'",
  '%',
  '_',
  '%%%%',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  ']]>',
  '<!--',
  '&lt;',
  '{{7*7}}',
  '%{jndi:ldap://x}',
  '../../etc/passwd',
  '..\\..\\x',
  '/etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  '\0',
  'a\0b',
  'a\r\nx-injected: 1',
  '‮',
  '﻿',
  'é',
  '😀'.repeat(70),
  '😀',
  'İ',
  'ſ',
  'ﬀ',
  'a'.repeat(129),
  'a'.repeat(600),
  '0'.repeat(64),
  'f'.repeat(64),
  'g'.repeat(64),
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  `0x${'A'.repeat(39)}b`,
  `0X${'1'.repeat(40)}`,
  '1'.repeat(34),
  `bc1q${'q'.repeat(38)}`,
  `bc1p${'q'.repeat(58)}`,
  `BC1Q${'Q'.repeat(38)}`,
  'bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
  '1111111111111111111114oLvT2',
  '0001-01-01',
  '9999-12-31T23:59:60Z',
  '2026-02-30',
  '-271821-04-20T00:00:00Z',
  '2026-11-15T00:00:00+99:99',
  '0',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '4xx',
  '999',
  '6xx',
  'ethereum',
  '8453',
  'btc',
  'ltc',
  'critical',
  'upgrade',
  'https://user:pass@[::1]:99999/',
  'https://',
  'a@b',
  '@',
])

/** Encodings that decode to something else, to nothing, or only for careless servers. */
const RAW = [
  '%',
  '%z',
  '%zz',
  '%0',
  '%00',
  '%c0%ae',
  '%c0%ae%c0%ae%c0%af',
  '%e0%80%ae',
  '%ff',
  '%fe%ff',
  '%ed%a0%80',
  '%f8%80',
  '%u0041',
  '%2500',
  '%252e%252e%252f',
  '%2e%2e%2f',
  '%2F',
  '%5c',
  '%0d%0ax-injected:%201',
  '%20',
  '+',
  ';',
  'a;b=c',
  'ÿ',
  '',
  '"',
  '<',
  '>',
  '{',
  '|',
  '`',
  '^',
  '\\',
  '	',
  '#',
  '#a',
]

/** Any value at all, as it stands in a URL. */
export const anyValue = (random: Random): string =>
  random.pick(random.chance(0.25) ? NUMBERS : random.chance(0.15) ? CURSORS : random.chance(0.3) ? RAW : TEXTS)

/** Values at the edges of what a schema allows, and one step beyond. */
function edges({ type, minimum, maximum, maxLength, enum: choices }: Schema): readonly string[] {
  if (choices !== undefined) return choices.map(String)
  if (type === 'integer' || type === 'number')
    return [minimum ?? 0, (minimum ?? 0) - 1, maximum ?? 1, (maximum ?? 1) + 1].map(String)
  if (type === 'boolean') return ['true', 'false', '1', '0']
  return maxLength === undefined ? [] : ['a'.repeat(maxLength), 'a'.repeat(maxLength + 1)]
}

export function urlValue(random: Random, schema: Schema): string {
  const near = edges(schema)
  return near.length > 0 && random.chance(0.4) ? encodeURIComponent(random.pick(near)) : anyValue(random)
}

/** A value for JSON; texts that JSON cannot say are written by `mangled`. */
export function jsonValue(random: Random, schema: Schema): unknown {
  if (random.chance(0.35)) {
    const [near] = [edges(schema)]
    if (near.length > 0) return schema.type === 'integer' ? Number(random.pick(near)) : random.pick(near)
  }
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
    () => decoded(random.pick(TEXTS)),
    () => random.pick(NUMBERS),
  ])()
}

const decoded = (text: string): string => decodeURIComponent(text)
