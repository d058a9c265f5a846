import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benchmarkPage, type Measured } from './page.ts'
import { resultsIn } from './result.ts'

const measured: Measured = {
  name: 'http',
  at: '2026-11-15T07:00:00.000Z',
  seconds: 3,
  machine: '2 × cores',
  load: 1,
  node: 'v24',
  results: resultsIn(
    'noise\nRESULT {"name":"a","value":2,"unit":"ms","atMost":1}\nRESULT {"name":"b","value":9,"unit":"times","atLeast":8}\n',
  ),
}

test('what misses its limit, or fails, is listed as fallen short with its reason; what holds is not', () => {
  const [, short = ''] = benchmarkPage([measured, { ...measured, name: 'index', results: [], failure: 'it ended' }], {
    a: 'It is slow.',
  }).split(/^## /m)
  assert.match(short, /- http: a: 2 ms, at most 1 was promised\. It is slow\./)
  assert.match(short, /- index: it ended/)
  assert.doesNotMatch(short, /- http: b/)
})

test('every result is shown with its limit and verdict', () => {
  const page = benchmarkPage([measured])
  assert.match(page, /\| a \| 2 ms \| at most 1 \|  \| \*\*fell short\*\* \|/)
  assert.match(page, /\| b \| 9 times \| at least 8 \|  \| held \|/)
})
