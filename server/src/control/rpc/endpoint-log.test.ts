import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../lib/metrics.ts'
import { createEndpointLog, type EndpointReport, rpcErrorCounter } from './endpoint-log.ts'
import { classifyRpcError } from './rpc-error.ts'

const error: EndpointReport = {
  type: 'error',
  chain: 'base',
  host: 'a.example',
  kind: 'network',
  detail: 'cannot be reached',
}

function logAt(now: () => number): { lines: string[]; report: (report: EndpointReport) => void } {
  const lines: string[] = []
  const log = {
    warn: (_: object, line: string) => void lines.push(line),
    info: (_: object, line: string) => void lines.push(line),
  }
  return { lines, report: createEndpointLog({ log, clock: { now } }) }
}

test('an outage is logged once, repeated rarely, and its end is logged once', () => {
  let now = 0
  const { lines, report } = logAt(() => now)
  for (; now < 600_000; now += 1_000) report(error)
  report({ ...error, kind: 'range' })
  report({ type: 'recovered', chain: 'base', host: 'a.example' })
  report({ type: 'recovered', chain: 'base', host: 'a.example' })
  assert.deepEqual(lines, [
    'base: a.example: cannot be reached',
    'base: a.example: cannot be reached (300 more times)',
    'base: a.example responds again after 600 s',
  ])
})

test('a warning is logged once for each endpoint', () => {
  const { lines, report } = logAt(() => 0)
  for (const host of ['a.example', 'b.example', 'a.example'])
    report({ type: 'warning', chain: 'base', host, detail: 'returns no bloom' })
  assert.deepEqual(lines, ['base: a.example returns no bloom', 'base: b.example returns no bloom'])
})

test('an endpoint that fails intermittently is logged as rarely as one that is down', () => {
  let now = 0
  const { lines, report } = logAt(() => now)
  for (; now < 400_000; now += 2_000) {
    report(error)
    report({ type: 'recovered', chain: 'base', host: 'a.example' })
  }
  assert.deepEqual(lines, [
    'base: a.example: cannot be reached',
    'base: a.example responds again after 1 s',
    'base: a.example: cannot be reached (150 more times)',
    'base: a.example responds again after 1 s',
  ])
})

test('only faults of the endpoint count as errors, not calls that revert or ranges that are too wide', async () => {
  const metrics = createMetrics()
  const count = rpcErrorCounter(metrics, 'poll')
  for (const [code, message] of [
    [3, 'execution reverted: Ownable: caller is not the owner'],
    [-32000, 'execution reverted'],
    [-32000, 'execution aborted (timeout = 5s)'],
    [-32602, 'query exceeds max block range 1000'],
    [-32000, 'header not found'],
    [-32601, 'the method eth_getBlockReceipts does not exist'],
    [-32603, 'internal error'],
  ] as const)
    count({ ...error, kind: classifyRpcError(code, message) })
  const { values } = (await metrics.getSingleMetric('gatewatch_rpc_errors_total')?.get()) ?? assert.fail()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.kind, value]),
    [['server', 1]],
  )
})
