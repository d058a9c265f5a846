import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toldIn } from './log-lines.ts'

const line = (level: number, msg: string, message?: string) =>
  JSON.stringify({ level, msg, ...(message !== undefined && { err: { message } }) })

test('what is told at warning or above is listed by its message, and what no fault explains stands without a cause', () => {
  const told = toldIn([
    line(30, 'listening'),
    line(50, 'request failed', 'no such column'),
    line(50, 'request failed', 'no such column'),
  ])
  assert.deepEqual(told, [{ message: 'request failed: no such column', times: 2, because: undefined }])
})

test('a line that is not JSON, as a process writes that falls, is listed', () => {
  assert.deepEqual(toldIn(['Error: out of memory']), [
    { message: 'Error: out of memory', times: 1, because: undefined },
  ])
})
