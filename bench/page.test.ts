import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benchmarkPage, type Measurement } from './page.ts'

const measured: Measurement = {
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

const missedOf = (...args: Parameters<typeof benchmarkPage>): string => benchmarkPage(...args).split(/^## /m)[1] ?? ''

test('a missed limit and a failure are listed with their reasons', () => {
  const missed = missedOf([measured, { ...measured, name: 'index', results: [], failure: 'it ended' }], {
    a: 'It is slow.',
  })
  assert.match(missed, /- http: a: 2 ms; the limit is at most 1\. It is slow\./)
  assert.match(missed, /- index: it ended\./)
  assert.doesNotMatch(missed, /- http: [bc]/)
})

test('every result shows its limit and its verdict', () => {
  const page = benchmarkPage([measured])
  assert.match(page, /\| a \| 2 ms \| at most 1 \|  \| \*\*missed\*\* \|/)
  assert.match(page, /\| b \| 9 times \| at least 8 \|  \| met \|/)
  assert.match(page, /\| c \| 5 ms \|  \|  \| no limit \|/)
})

test('a benchmark that failed after some results shows both', () => {
  const page = benchmarkPage([{ ...measured, failure: 'it ended with code 1' }])
  assert.match(page, /^Failed: it ended with code 1\.$/m)
  assert.match(page, /\| b \| 9 times/)
})

test('figures that were not measured are listed as missed and in their section', () => {
  const one = { ...measured, unmeasured: [{ name: 'block to webhook', reason: 'anvil is not installed' }] }
  assert.match(missedOf([one]), /- http: block to webhook: not measured: anvil is not installed\./)
  assert.match(benchmarkPage([one]), /^Not measured: block to webhook: anvil is not installed\.$/m)
})

test('the section names commit and versions, or states that they were not recorded', () => {
  const versions = { PostgreSQL: '17.5', anvil: '1.7.1 (emulated by qemu-x86_64)' }
  assert.match(
    benchmarkPage([{ ...measured, commit: 'abc1234+changes', versions }]),
    /2 × cores, load 1\. Commit abc1234\+changes; Node v24, PostgreSQL 17\.5, anvil 1\.7\.1 \(emulated by qemu-x86_64\)\. Repeat/,
  )
  assert.match(benchmarkPage([measured]), /Commit not recorded; Node v24, other versions not recorded\. Repeat/)
})
