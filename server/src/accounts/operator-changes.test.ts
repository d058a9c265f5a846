import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesAsCsv } from './operator-changes.ts'

test('no value of the export is a formula of a spreadsheet, and each stays in its field', () => {
  const change = (subject: string) => ({
    id: 1,
    at: new Date(0),
    actor: 'a@example.org',
    action: 'account.plan',
    subject,
    before: null,
    after: null,
  })
  const subjects = ['=cmd|x', '+1', '-1', '@x', '\tx', 'a,"b"\r\nc']
  const lines = changesAsCsv(subjects.map(change))
  for (const cell of [",'=cmd|x,", ",'+1,", ",'-1,", ",'@x,", ",'\tx,", ',"a,""b""\r\nc",'])
    assert.ok(lines.includes(cell), cell)
})
