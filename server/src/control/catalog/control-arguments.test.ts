import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, THRESHOLDS } from './control-arguments.ts'
import { catalogRows } from './events/rows.ts'

test('every table refers to catalog keys and to arguments of all their layouts', () => {
  for (const table of [CONTROLLERS, DELAYS, IMPLEMENTATIONS, THRESHOLDS]) {
    for (const [key, { next, previous }] of Object.entries(table)) {
      const rows = catalogRows.filter((row) => row.key === key)
      assert.ok(rows.length > 0, key)
      for (const { event } of rows) {
        const has = (name: string): boolean => new RegExp(`\\b${name}\\b[,)]`).test(event)
        assert.equal(next.filter(has).length, 1, `${key}: ${next.join('|')} in ${event}`)
        if (previous !== undefined) assert.ok(has(previous), `${key}: ${previous} in ${event}`)
      }
    }
  }
})
