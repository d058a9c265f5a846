/** Faults of a coin chain as operators and callers read them: /readyz, /public/status, metrics, `gatewatch doctor`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFakeCore } from '../../../../testing/coins/fake-core.ts'
import { recordedBlocks } from '../../../../testing/coins/fixtures.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { startService } from '../../../../testing/support/service.ts'
import { checkService } from '../../platform/checks/check-service.ts'
import { parseBlock } from '../parse/block.ts'

type Ready = { readonly status: string; readonly faults?: readonly { part: string; reason: string; since: string }[] }

const core = await startFakeCore()
after(core.stop)
core.chain = recordedBlocks()
  .slice(0, 20)
  .map((bytes) => parseBlock(bytes, { mweb: false }))
/** Added to the clock of the service. */
let later = 0
const store = await createTestDatabase()
const { url } = await startService(store, {
  clock: { now: () => Date.now() + later },
  env: { BTC_RPC_URL: core.url },
})
const read = async (path: string): Promise<Response> => fetch(`${url}${path}`)
const ready = async () => {
  const response = await read('/readyz')
  return { code: response.status, ...((await response.json()) as Ready) }
}
/** Readiness is read at most once in a second, so a change is not seen at once. */
const untilReady = (status: string) =>
  eventually(async () => {
    const now = await ready()
    return now.status === status ? now : undefined
  })
const untilSynced = () =>
  eventually(async () => {
    const { coins } = (await (await read('/public/status')).json()) as { coins: { state: string; faults: unknown[] }[] }
    return coins[0]?.state === 'in_sync' && coins[0].faults.length === 0 ? true : undefined
  })

test('a node that refuses the password: reported at once, not ready after half a minute, ready when it accepts it', async () => {
  await untilSynced()
  assert.deepEqual(await untilReady('ready'), { code: 200, status: 'ready' })
  assert.match(
    await (await read('/metrics')).text(),
    /gatewatch_coin_loop_down_seconds\{chain="btc",loop="writer",code=""\} 0/,
  )

  core.fault = { status: 401 }
  const degraded = await eventually(async () => {
    const now = await ready()
    return now.faults?.length === 2 ? now : undefined
  })
  assert.deepEqual([degraded.code, degraded.status], [200, 'degraded'])
  assert.deepEqual(degraded.faults?.map(({ part, reason }) => [part, reason]).sort(), [
    ['btc reader', 'node_refused'],
    ['btc writer', 'node_refused'],
  ])
  for (const { since } of degraded.faults ?? []) assert.ok(Math.abs(Date.parse(since) - Date.now()) < 600_000)
  assert.match(
    await (await read('/metrics')).text(),
    /gatewatch_coin_loop_down_seconds\{chain="btc",loop="reader",code="node_refused"\} \d/,
  )
  const { port } = new URL(url)
  const host = '127.0.0.1'
  const settings = {
    host,
    port: Number(port),
    metricsHost: host,
    metricsPort: undefined,
    roles: ['serve'] as const,
  }
  const [check] = await checkService(settings)
  assert.equal(check?.status, 'warning')
  assert.match(check?.seen ?? '', /btc writer does not work since .* \(node_refused\)/)

  later = 60_000
  assert.equal((await untilReady('not ready')).code, 503)
  core.fault = undefined
  await untilSynced()
  assert.equal((await untilReady('ready')).code, 200)
})
