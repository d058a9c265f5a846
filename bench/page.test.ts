import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benchmarkPage, type Measured } from './page.ts'

const measured: Measured = {
  name: 'http',
  at: '2026-11-15T07:00:00.000Z',
  seconds: 3,
  machine: '2 × cores',
  load: 1,
  node: 'v24',
  results: [
    { name: 'a', value: 2, unit: 'ms', atMost: 1 },
    { name: 'b', value: 9, unit: 'times', atLeast: 8 },
    { name: 'c', value: 5, unit: 'ms' },
  ],
}

const shortOf = (...args: Parameters<typeof benchmarkPage>): string => benchmarkPage(...args).split(/^## /m)[1] ?? ''

test('what misses its limit, or fails, is listed as fallen short with its reason; what holds is not', () => {
  const short = shortOf([measured, { ...measured, name: 'index', results: [], failure: 'it ended' }], {
    a: 'It is slow.',
  })
  assert.match(short, /- http: a: 2 ms, at most 1 was promised\. It is slow\./)
  assert.match(short, /- index: it ended\./)
  assert.doesNotMatch(short, /- http: [bc]/)
})

test('every result is shown with its limit and verdict; without a limit nothing was held', () => {
  const page = benchmarkPage([measured])
  assert.match(page, /\| a \| 2 ms \| at most 1 \|  \| \*\*fell short\*\* \|/)
  assert.match(page, /\| b \| 9 times \| at least 8 \|  \| held \|/)
  assert.match(page, /\| c \| 5 ms \|  \|  \| shown \|/)
})

test('a benchmark that failed after some results shows both', () => {
  const page = benchmarkPage([{ ...measured, failure: 'it ended with code 1' }])
  assert.match(page, /^Failed: it ended with code 1\.$/m)
  assert.match(page, /\| b \| 9 times/)
})

test('what was not measured is said under what fell short and in its section', () => {
  const one = { ...measured, unmeasured: [{ name: 'block to webhook', reason: 'anvil is not installed' }] }
  assert.match(shortOf([one]), /- http: block to webhook: not measured: anvil is not installed\./)
  assert.match(benchmarkPage([one]), /^Not measured: block to webhook: anvil is not installed\.$/m)
})

test('commit and versions stand with the machine; of an older run it says that they were not recorded', () => {
  const versions = { PostgreSQL: '17.5', anvil: '1.7.1 (emulated by qemu-x86_64)' }
  assert.match(
    benchmarkPage([{ ...measured, commit: 'abc1234+changes', versions }]),
    /2 × cores, load 1\. Commit abc1234\+changes; Node v24, PostgreSQL 17\.5, anvil 1\.7\.1 \(emulated by qemu-x86_64\)\. Repeat/,
  )
  assert.match(benchmarkPage([measured]), /Commit not recorded; Node v24, other versions not recorded\. Repeat/)
})
