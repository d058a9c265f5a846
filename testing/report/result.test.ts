import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf, MISSED_LIMIT, type Result, toldIn } from './result.ts'

const held: Result = { name: 'a', value: 1, unit: 'ms', atMost: 2 }
const short: Result = { ...held, value: 3 }
const ended = (code: number) => ({ code, signal: null })

test('a benchmark that ends well, or with the code of a limit it missed, has not failed', () => {
  assert.equal(failureOf(ended(0), [held]), undefined)
  assert.equal(failureOf(ended(0), [held, short]), undefined)
  assert.equal(failureOf(ended(MISSED_LIMIT), [held, short]), undefined)
})

test('a benchmark that breaks off has failed, however good what it told before', () => {
  assert.match(failureOf(ended(1), [held]) ?? '', /ended with code 1/)
  assert.match(failureOf(ended(MISSED_LIMIT), [held]) ?? '', /ended with code 2/)
  assert.match(failureOf(ended(1), [held, short]) ?? '', /ended with code 1/)
  assert.match(failureOf({ code: null, signal: 'SIGKILL' }, [held]) ?? '', /ended by SIGKILL/)
})

test('a benchmark without a result has failed, even with code 0', () => {
  assert.equal(failureOf(ended(0), []), 'it ended with code 0 and told of nothing')
})

test('results, what was not measured, and versions are read from among other lines', () => {
  const told = toldIn(
    [
      'noise',
      `RESULT ${JSON.stringify(held)}`,
      'UNMEASURED {"name":"b","reason":"no node"}',
      'VERSIONS {"PostgreSQL":"17.5"}',
      'VERSIONS {"anvil":"1.7.1"}',
      'a RESULT inside a line is none',
    ].join('\n'),
  )
  assert.deepEqual(told, {
    results: [held],
    unmeasured: [{ name: 'b', reason: 'no node' }],
    versions: { PostgreSQL: '17.5', anvil: '1.7.1' },
  })
})
