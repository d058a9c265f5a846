import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf, MISSED_LIMIT, parseReport, type Result } from './result.ts'

const held: Result = { name: 'a', value: 1, unit: 'ms', atMost: 2 }
const short: Result = { ...held, value: 3 }
const exit = (code: number) => ({ code, signal: null })

test('a benchmark that exits with 0 or with the code of a missed limit has not failed', () => {
  assert.equal(failureOf(exit(0), [held]), undefined)
  assert.equal(failureOf(exit(0), [held, short]), undefined)
  assert.equal(failureOf(exit(MISSED_LIMIT), [held, short]), undefined)
})

test('a benchmark that exits with another code has failed, whatever it reported', () => {
  assert.match(failureOf(exit(1), [held]) ?? '', /exited with code 1/)
  assert.match(failureOf(exit(MISSED_LIMIT), [held]) ?? '', /exited with code 2/)
  assert.match(failureOf(exit(1), [held, short]) ?? '', /exited with code 1/)
  assert.match(failureOf({ code: null, signal: 'SIGKILL' }, [held]) ?? '', /ended by SIGKILL/)
})

test('a benchmark without a result has failed, even with code 0', () => {
  assert.equal(failureOf(exit(0), []), 'it exited with code 0 without a result')
})

test('results, unmeasured figures and versions are parsed from among other lines', () => {
  const parsed = parseReport(
    [
      'noise',
      `RESULT ${JSON.stringify(held)}`,
      'UNMEASURED {"name":"b","reason":"no node"}',
      'VERSIONS {"PostgreSQL":"17.5"}',
      'VERSIONS {"anvil":"1.7.1"}',
      'a RESULT inside a line is ignored',
    ].join('\n'),
  )
  assert.deepEqual(parsed, {
    results: [held],
    unmeasured: [{ name: 'b', reason: 'no node' }],
    versions: { PostgreSQL: '17.5', anvil: '1.7.1' },
  })
})
