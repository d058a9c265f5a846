import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEndpointLog, type EndpointReport } from './endpoint-log.ts'

const fault: EndpointReport = {
  type: 'fault',
  chain: 'base',
  host: 'a.example',
  kind: 'network',
  detail: 'cannot be reached',
}

function reporterAt(now: () => number): { lines: string[]; report: (report: EndpointReport) => void } {
  const lines: string[] = []
  const log = {
    warn: (_: object, line: string) => void lines.push(line),
    info: (_: object, line: string) => void lines.push(line),
  }
  return { lines, report: createEndpointLog({ log, clock: { now } }) }
}

test('an outage is one line, rare reminders and one line at its end', () => {
  let now = 0
  const { lines, report } = reporterAt(() => now)
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

test('an endpoint that comes and goes is told of as rarely as one that stays away', () => {
  let now = 0
  const { lines, report } = reporterAt(() => now)
  for (; now < 400_000; now += 2_000) {
    report(fault)
    report({ type: 'recovered', chain: 'base', host: 'a.example' })
  }
  assert.deepEqual(lines, [
    'base: a.example: cannot be reached',
    'base: a.example answers again after 1 s',
    'base: a.example: cannot be reached (150 times more)',
    'base: a.example answers again after 1 s',
  ])
})
