import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'

test('a page that names its only parameter leaves the name out of an error', () => {
  const sentence = (message: string) => new ApiError(400, 'invalid_request', message).sentence
  assert.equal(sentence('txid: must be 64 hex digits'), 'Must be 64 hex digits.')
  assert.equal(
    sentence('from: must be a date; limit: must be at most 200'),
    'From: must be a date; limit: must be at most 200.',
  )
  assert.equal(sentence('This service does not read it.'), 'This service does not read it.')
})
