import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReporter, type NodeReport } from './reporter.ts'

test('an outage is one line, rare reminders and one line at its end', () => {
  let now = 0
  const lines: string[] = []
  const log = {
    warn: (_: object, line: string) => void lines.push(line),
    info: (_: object, line: string) => void lines.push(line),
  }
  const report = createReporter({ log, clock: { now: () => now } })
  const fault: NodeReport = {
    type: 'fault',
    chain: 'base',
    host: 'a.example',
    kind: 'network',
    detail: 'cannot be reached',
  }
  for (; now < 600_000; now += 1_000) report(fault)
  report({ ...fault, kind: 'range' })
  report({ type: 'recovered', chain: 'base', host: 'a.example' })
  report({ type: 'recovered', chain: 'base', host: 'a.example' })
  assert.deepEqual(lines, [
    'base: a.example: cannot be reached',
    'base: a.example: cannot be reached (300 times more)',
    'base: a.example answers again after 600 s',
  ])
})
