import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortName } from './short.ts'

test('a long name is cut between letters, and an emoji is one', () => {
  assert.equal(shortName('Harbor Pool', 22), 'Harbor Pool')
  assert.equal(shortName('Harbor Lending Timelock', 10), 'Harbor Le…')
  assert.equal(shortName('🐻🐻🐻', 3), '🐻🐻🐻')
  assert.equal(shortName('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2), '👩‍👩‍👧‍👦…')
})
