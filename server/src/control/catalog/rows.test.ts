import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { catalogRows } from './events/rows.ts'

test('every row is complete and follows the naming rules', () => {
  for (const row of catalogRows) {
    assert.match(row.key, /^[a-z][a-z0-9]*\.[a-z][a-z0-9_]*$/, row.key)
    assert.ok(!row.key.startsWith('slot.'), 'keys of the poller')
    assert.ok(SEVERITIES.includes(row.severity) && CATEGORIES.includes(row.category), row.key)
    assert.ok(row.emitter.length > 2 && row.source.length > 2, row.key)
    assert.match(row.event, /^[A-Za-z]\w*\(.*\)$/, row.key)
    for (const text of [row.emitter, row.source, row.remark ?? '.']) assert.equal(text, text.trim(), row.key)
  }
})

test('a key has one category and one subject', () => {
  for (const [key, rows] of Map.groupBy(catalogRows, (row) => row.key)) {
    assert.equal(new Set(rows.map((row) => row.category)).size, 1, key)
    assert.equal(new Set(rows.map((row) => row.subject)).size, 1, key)
  }
})

test('a subject is an address', () => {
  for (const { subject, event } of catalogRows) {
    if (subject !== undefined) assert.match(event, new RegExp(`\\baddress (indexed )?${subject}\\b`), event)
  }
})

test('every category is represented', () => {
  for (const category of CATEGORIES)
    assert.ok(
      catalogRows.some((row) => row.category === category),
      category,
    )
})
