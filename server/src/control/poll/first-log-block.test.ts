import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logsFrom, nextLogsFrom } from './logs-from.ts'

const settled = { seenBlock: 10, logsFrom: {} }

test('logs are read from the block after the last poll, or after the poll that settled the field', () => {
  assert.equal(logsFrom(settled, 'owner'), 11)
  const next = nextLogsFrom(settled, ['owner'], 0)
  assert.deepEqual(next, { owner: 11 })
  const failed = { seenBlock: 20, logsFrom: next }
  assert.deepEqual([logsFrom(failed, 'owner'), logsFrom(failed, 'admin')], [11, 21])
  const again = nextLogsFrom(failed, ['owner', 'admin'], 0)
  assert.deepEqual(again, { owner: 11, admin: 21 })
  assert.deepEqual(nextLogsFrom({ seenBlock: 30, logsFrom: again }, ['admin'], 0), { admin: 21 })
})

test('a rolled back poll moves the start of the logs back', () => {
  assert.equal(logsFrom({ seenBlock: 5, logsFrom: { owner: 11 } }, 'owner'), 6)
})

test('a field that stays unsettled for long starts after the last poll again', () => {
  assert.deepEqual(nextLogsFrom(settled, ['owner'], 1_000), { owner: 11 }, 'once, however long ago the last look was')
  const failed = { seenBlock: 20, logsFrom: { owner: 11 } }
  assert.deepEqual(nextLogsFrom(failed, ['owner'], 11), { owner: 11 })
  assert.deepEqual(nextLogsFrom(failed, ['owner'], 12), {})
})
