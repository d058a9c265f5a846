import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disagreementText } from './state-fields.ts'

test('a disagreement of two endpoints is written with both values', () => {
  const since = '2026-11-16T13:00:00.000Z'
  assert.equal(
    disagreementText({ field: 'admin', since, values: ['0xaa', null] }),
    'Proxy admin: 0xaa or none, since 2026-11-16 13:00:00 UTC',
  )
  assert.equal(
    disagreementText({ field: 'owners', since, values: ['0xaa,0xbb', '0xaa,0xcc'] }),
    'Safe signers: 0xaa, 0xbb or 0xaa, 0xcc, since 2026-11-16 13:00:00 UTC',
  )
})
