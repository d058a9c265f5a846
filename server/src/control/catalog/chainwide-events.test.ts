import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAINWIDE, TOO_COMMON } from './chainwide-events.ts'
import { catalogRows } from './events/rows.ts'

test('both lists contain catalog events with a reason, and none is in both', () => {
  const keys = new Set(catalogRows.map((row) => row.key))
  for (const [key, reason] of [...Object.entries(CHAINWIDE), ...Object.entries(TOO_COMMON)]) {
    assert.ok(keys.has(key), key)
    assert.ok(reason.length > 10, key)
  }
  assert.deepEqual(
    Object.keys(CHAINWIDE).filter((key) => key in TOO_COMMON),
    [],
  )
})

test('no setup event is read chain-wide', () => {
  for (const row of catalogRows) if (row.setup === true) assert.ok(!(row.key in CHAINWIDE), row.key)
})
