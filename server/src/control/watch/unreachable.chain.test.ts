/** A chain whose every endpoint is gone. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anvilMissing, startAnvil } from '../../../../testing/evm/anvil.ts'
import { catalog, chainOf } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { parseConfig } from '../../config/config.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createMetrics } from '../../lib/metrics.ts'
import { getChainStatuses, measureChains } from './chain-status.ts'
import { watchChains } from './watch-chains.ts'

test('a chain without endpoints becomes unreachable in status, metrics and faults', {
  skip: anvilMissing,
}, async () => {
  const { database } = await createTestDatabase()
  const node = await startAnvil(1)
  after(node.stop)
  await node.rpc('anvil_mine', '0x5')
  let offset = 0
  const timing = {
    now: () => Date.now() + offset,
    sleep: (ms: number, signal?: AbortSignal) => systemTiming.sleep(Math.min(ms, 200), signal),
  }
  const watching = watchChains({ database, log: testLog, catalog, timing }, [
    { chain: chainOf(1), rpcUrls: [node.url], startBlock: 0, confirmations: 0 },
  ])
  after(watching.stop)
  const config = parseConfig({ ETHEREUM_RPC_URL: node.url, ETHEREUM_CONFIRMATIONS: '0' }, '/')
  const metrics = createMetrics()
  measureChains({ database, clock: systemTiming, metrics }, config)
  const status = async () => (await getChainStatuses({ database }, config, Date.now()))[0] ?? assert.fail()
  const gauge = async (name: string) => (await metrics.getSingleMetric(name)?.get())?.values[0]?.value

  await eventually(async () => ((await status()).state === 'in_sync' && (await status()).lag === 0) || undefined)
  assert.deepEqual([watching.faults(), await gauge('gatewatch_chain_reachable')], [[], 1])

  await node.stop()
  const { headAt } = await eventually(() => (watching.status().get('ethereum')?.lastError ? status() : undefined))
  offset = 61_000 // more than a minute passes without a head
  const gone = await eventually(async () => {
    const now = await status()
    return now.state === 'in_sync' ? undefined : now
  })
  assert.deepEqual([gone.state, gone.lag], ['unreachable', 0])
  assert.ok(headAt !== null && gone.headAt !== null && gone.headAt < headAt)
  const [fault, ...others] = watching.faults()
  assert.deepEqual([fault?.part, fault?.reason, others], ['ethereum watch', 'no_endpoint', []])
  assert.deepEqual(
    [
      await eventually(async () => ((await gauge('gatewatch_chain_reachable')) === 0 ? 0 : undefined)),
      await gauge('gatewatch_chain_behind'),
    ],
    [0, 1],
  )
  assert.ok(((await gauge('gatewatch_chain_head_age_seconds')) ?? 0) > 60)
})
