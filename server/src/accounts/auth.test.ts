import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../lib/log.ts'
import { DatabaseSilentError } from '../platform/errors.ts'
import { authLog } from './auth.ts'

const lines: string[] = []
const { log } = authLog(createLogger({ level: 'debug', destination: { write: (line: string) => lines.push(line) } }))
const lastLine = () => JSON.parse(lines.pop() ?? '') as { level: number; msg: string; err?: { message: string } }

test('long client input is cut in log lines', () => {
  log('error', `Invalid callbackURL: https://evil.example/?${'token'.repeat(50_000)}`)
  const { level, msg } = lastLine()
  assert.equal(level, 50)
  assert.equal(msg.length, 301)
  assert.match(msg, /^Invalid callbackURL: https:\/\/evil\.example.*…$/)
})

test('an error is logged with its cause', () => {
  log('warn', 'Failed to run background task:', new Error('the mail server does not answer'))
  const { level, msg, err } = lastLine()
  assert.deepEqual(
    [level, msg, err?.message],
    [40, 'Failed to run background task:', 'the mail server does not answer'],
  )
})

test('an outage of the database is logged as information, without a stack trace', () => {
  log('error', 'INTERNAL_SERVER_ERROR', new DatabaseSilentError())
  const { level, err } = lastLine()
  assert.deepEqual([level, err], [30, undefined])
})
