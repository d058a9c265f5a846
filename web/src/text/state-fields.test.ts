import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disagreementText } from './state-fields.ts'

test('a disagreement of two endpoints is written with both values', () => {
  assert.equal(disagreementText({ field: 'admin', values: ['0xaa', null] }), 'Proxy admin: 0xaa or none')
  assert.equal(
    disagreementText({ field: 'owners', values: ['0xaa,0xbb', '0xaa,0xcc'] }),
    'Safe signers: 0xaa, 0xbb or 0xaa, 0xcc',
  )
})
