import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyBounds, boundsOf } from './bounds.ts'

test('a number gets both limits and one value beyond each', () => {
  const { at, beyond } = boundsOf({ type: 'integer', minimum: 1, maximum: 200 }, 7, 'url')
  assert.deepEqual(at, [1, 200])
  for (const value of [0, 201, 1.5]) assert.ok(beyond.includes(value), String(value))
  assert.ok(!boundsOf({ type: 'number', minimum: 1 }, 7, 'json').beyond.includes(1.5))
})

test('a boolean gets both values; the text "true" is valid in a URL and invalid in JSON', () => {
  assert.deepEqual(boundsOf({ type: 'boolean' }, true, 'json').at, [true, false])
  assert.ok(boundsOf({ type: 'boolean' }, true, 'json').beyond.includes('true'))
  assert.ok(!boundsOf({ type: 'boolean' }, true, 'url').beyond.includes('true'))
})

test('a string gets its minimum and maximum length and one beyond each, also in multi-byte characters', () => {
  const { at, beyond } = boundsOf({ type: 'string', minLength: 1, maxLength: 4 }, 'ab', 'json')
  assert.deepEqual(at.slice(0, 3), ['a', 'abaa', '😀😀😀😀'])
  assert.deepEqual(beyond.slice(0, 2), ['', 'abaaa'])
})

test('a string with a pattern is lengthened and shortened until it no longer matches', () => {
  const { at, beyond } = boundsOf({ type: 'string', pattern: String.raw`^\d{1,15}$` }, '77', 'url')
  assert.deepEqual(at.slice(0, 2), ['7'.repeat(15), '7'])
  assert.deepEqual(beyond.slice(0, 2), ['7'.repeat(16), ''])
})

test('every string gets a value that contains NUL', () => {
  for (const encoding of ['url', 'json'] as const)
    assert.deepEqual(boundsOf({ type: 'string' }, 'ab', encoding).at, ['ab\0', '\0'])
})

test('an e-mail address and a URL stay valid when they are lengthened', () => {
  const mail = boundsOf({ type: 'string', format: 'email', maxLength: 20 }, 'a@example.org', 'json')
  assert.equal(mail.at[0], 'aaaaaaaa@example.org')
  assert.equal(mail.beyond[0], 'aaaaaaaaa@example.org')
  const { at } = boundsOf({ type: 'string', format: 'uri', maxLength: 14 }, 'https://a/b', 'json')
  assert.equal(at[0], 'https://a/baaa')
})

test('every enum value is valid, and the same text in another case is not', () => {
  const { at, beyond } = boundsOf({ type: 'string', enum: ['btc', 'ltc'] }, 'btc', 'url')
  assert.deepEqual(at, ['btc', 'ltc'])
  assert.deepEqual(beyond, ['btcs', 'BTC', ''])
})

test('an array gets its limits, one item beyond each, and items at and beyond their own bounds', () => {
  const schema = { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', maxLength: 3 } }
  const { at, beyond } = boundsOf(schema, ['ab'], 'json')
  assert.deepEqual(at.slice(0, 3), [['ab'], ['ab', 'ab'], ['aba']])
  assert.deepEqual(beyond.slice(0, 3), [[], ['ab', 'ab', 'ab'], ['abaa']])
})

test('a body gets one invalid field at a time, a missing required field, or an unknown field', () => {
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
    { name: 'a', channels: { email: true, unknownField: 1 } },
    { channels: { email: true } },
    { name: 'a', channels: { email: true }, unknownField: 1 },
  ])
    assert.ok(all.includes(JSON.stringify(wanted)), JSON.stringify(wanted))
})

test('null is invalid unless the schema allows it', () => {
  assert.ok(boundsOf({ type: 'string' }, 'a', 'json').beyond.includes(null))
  assert.ok(!boundsOf({ type: ['string', 'null'] }, 'a', 'json').beyond.includes(null))
  assert.ok(!boundsOf({ anyOf: [{ type: 'object' }, { type: 'null' }] }, {}, 'json').beyond.includes(null))
  const shown = { type: 'string', minLength: 1, pattern: '^[ -~]*$' } as const
  assert.ok(!boundsOf(shown, 'a key', 'json').beyond.includes('a key'))
})
