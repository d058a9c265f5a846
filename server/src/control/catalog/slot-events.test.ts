import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogRows } from './events/rows.ts'
import { SLOT_EVENTS } from './slot-events.ts'

test('every snapshot field has a distinct key that no emitted event has', () => {
  const keys = Object.values(SLOT_EVENTS).map((event) => event.key)
  assert.equal(new Set(keys).size, keys.length)
  const emitted = new Set(catalogRows.map((row) => row.key))
  for (const key of keys) {
    assert.match(key, /^slot\.[a-z_]+_changed$/)
    assert.ok(!emitted.has(key))
  }
})
