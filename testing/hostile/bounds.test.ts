import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyBounds, boundsOf } from './bounds.ts'

test('a number is asked at both ends and one beyond each', () => {
  const { at, beyond } = boundsOf({ type: 'integer', minimum: 1, maximum: 200 }, 7, 'url')
  assert.deepEqual(at, [1, 200])
  for (const value of [0, 201, 1.5]) assert.ok(beyond.includes(value), String(value))
})

test('a flag is true and false, as a word in a URL and as itself in JSON', () => {
  assert.deepEqual(boundsOf({ type: 'boolean' }, true, 'json').at, [true, false])
  assert.ok(boundsOf({ type: 'boolean' }, true, 'json').beyond.includes('true'))
  assert.ok(!boundsOf({ type: 'boolean' }, true, 'url').beyond.includes('true'))
})

test('a text has its shortest and longest length and one beyond each, also in wide characters', () => {
  const { at, beyond } = boundsOf({ type: 'string', minLength: 1, maxLength: 4 }, 'ab', 'json')
  assert.deepEqual(at.slice(0, 3), ['a', 'abaa', '😀😀😀😀'])
  assert.deepEqual(beyond.slice(0, 2), ['', 'abaaa'])
})

test('a text with a pattern is walked from one that matches to where none does', () => {
  const { at, beyond } = boundsOf({ type: 'string', pattern: String.raw`^\d{1,15}$` }, '77', 'url')
  assert.deepEqual(at.slice(0, 2), ['7'.repeat(15), '7'])
  assert.deepEqual(beyond.slice(0, 2), ['7'.repeat(16), ''])
})

test('every text is tried with a NUL in it', () => {
  for (const place of ['url', 'json'] as const)
    assert.deepEqual(boundsOf({ type: 'string' }, 'ab', place).at, ['ab\0', '\0'])
})

test('an address and a URL keep their form when they are stretched', () => {
  const mail = boundsOf({ type: 'string', format: 'email', maxLength: 20 }, 'a@example.org', 'json')
  assert.equal(mail.at[0], 'aaaaaaaa@example.org')
  assert.equal(mail.beyond[0], 'aaaaaaaaa@example.org')
  const { at } = boundsOf({ type: 'string', format: 'uri', maxLength: 14 }, 'https://a/b', 'json')
  assert.equal(at[0], 'https://a/baaa')
})

test('of choices every one is right, and none is in other letters', () => {
  const { at, beyond } = boundsOf({ type: 'string', enum: ['btc', 'ltc'] }, 'btc', 'url')
  assert.deepEqual(at, ['btc', 'ltc'])
  assert.deepEqual(beyond, ['btcs', 'BTC', ''])
})

test('a list has its fewest items, one less, and items that are themselves at and beyond their bounds', () => {
  const schema = { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', maxLength: 3 } }
  const { at, beyond } = boundsOf(schema, ['ab'], 'json')
  assert.deepEqual(at.slice(0, 3), [['ab'], ['ab', 'ab'], ['aba']])
  assert.deepEqual(beyond.slice(0, 3), [[], ['ab', 'ab', 'ab'], ['abaa']])
})

test('of a body one field at a time is wrong, a required one is missing, or one is there that nobody knows', () => {
  const channels = { type: 'object', properties: { email: { type: 'boolean' } }, additionalProperties: false }
  const { beyond } = bodyBounds(
    {
      properties: { name: { type: 'string', maxLength: 2 }, channels },
      required: ['name'],
      additionalProperties: false,
    },
    { name: 'a', channels: { email: true } },
  )
  const all = beyond.map((body) => JSON.stringify(body))
  for (const wanted of [
    { name: 'aaa', channels: { email: true } },
    { name: 'a', channels: { email: 'true' } },
    { name: 'a', channels: { email: true, unheardOf: 1 } },
    { channels: { email: true } },
    { name: 'a', channels: { email: true }, unheardOf: 1 },
  ])
    assert.ok(all.includes(JSON.stringify(wanted)), JSON.stringify(wanted))
})

test('nothing is not a value, unless the schema says so', () => {
  assert.ok(boundsOf({ type: 'string' }, 'a', 'json').beyond.includes(null))
  assert.ok(!boundsOf({ type: ['string', 'null'] }, 'a', 'json').beyond.includes(null))
})
