/** How long a loop waits for a node that is away or refuses calls. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { startFakeCore } from '../../../../testing/coins/fake-core.ts'
import { systemTiming } from '../../lib/clock.ts'
import { openSource } from './connect-source.ts'
import { NodeRefusedError, NodeUnreachableError } from './node-errors.ts'

/** A pause that nothing ends. One that ends with the return of the node takes a fraction of it. */
const LONGEST_MS = 600_000

async function timeOf(pause: Promise<void>): Promise<number> {
  const started = performance.now()
  await pause
  return performance.now() - started
}

test('while a node is away, the next attempt comes at once, however many have failed', async () => {
  const link = openSource({ chain: 'btc', rpcUrl: 'http://127.0.0.1:1' })
  const { signal } = new AbortController()
  const ms = await timeOf(link.pause(new NodeUnreachableError('node', 'is away'), LONGEST_MS, signal))
  assert.ok(ms < LONGEST_MS / 2, `${ms} ms`)
  await link.close()
})

test('a restart of a node that refused a call ends the pause', async () => {
  const core = await startFakeCore()
  const port = Number(new URL(core.url).port)
  await core.stop()
  const link = openSource({ chain: 'btc', rpcUrl: core.url })
  const { signal } = new AbortController()
  const over = new AbortController()
  const pause = timeOf(link.pause(new NodeRefusedError('node', 401), LONGEST_MS, signal)).finally(() => over.abort())
  // Stops and starts until the link has tried the port in both states, however busy the machine is.
  const inTurn = (): Promise<unknown> => Promise.race([pause, systemTiming.sleep(1_500)])
  while (!over.signal.aborted) {
    await inTurn()
    const node = createServer()
    await new Promise<void>((resolve) => node.listen(port, '127.0.0.1', resolve))
    await inTurn()
    node.closeAllConnections()
    await new Promise((resolve) => node.close(resolve))
  }
  assert.ok((await pause) < LONGEST_MS / 2)
  await link.close()
})

test('a pause ends when the loop is stopped', async () => {
  const core = await startFakeCore()
  const link = openSource({ chain: 'btc', rpcUrl: core.url })
  const stopping = new AbortController()
  const pause = timeOf(link.pause(new NodeRefusedError('node', 403), LONGEST_MS, stopping.signal))
  stopping.abort()
  assert.ok((await pause) < LONGEST_MS / 2)
  await link.close()
  await core.stop()
})
