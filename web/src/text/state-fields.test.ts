import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, disagreementText, listChange } from './state-fields.ts'

test('a disagreement of two endpoints is written with both values', () => {
  assert.equal(disagreementText({ field: 'admin', values: ['0xaa', null] }), 'Proxy admin: 0xaa or none')
  assert.equal(
    disagreementText({ field: 'owners', values: ['0xaa,0xbb', '0xaa,0xcc'] }),
    'Safe signers: 0xaa, 0xbb or 0xaa, 0xcc',
  )
})

test('a changed list names who joined and who left', () => {
  const [change] = changesOf({ owners: '0xaa,0xcc,0xdd' }, { owners: '0xaa,0xbb' })
  assert.ok(change)
  assert.deepEqual(listChange(change), { added: ['0xcc', '0xdd'], removed: ['0xbb'] })
  const [emptied] = changesOf({ modules: '' }, { modules: '0xaa' })
  assert.ok(emptied)
  assert.deepEqual(listChange(emptied), { added: [], removed: ['0xaa'] })
})

test('a first state and a single value are no changes of a list', () => {
  const [first] = changesOf({ owners: '0xaa' }, undefined)
  const [owner] = changesOf({ owner: '0xaa' }, { owner: '0xbb' })
  assert.ok(first && owner)
  assert.equal(listChange(first), undefined)
  assert.equal(listChange(owner), undefined)
})
