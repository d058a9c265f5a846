import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { systemTiming } from '../../lib/clock.ts'
import { subscribeToNewHeads, websocketUrlOf } from './new-heads.ts'
import { createRpcPool } from './pool.ts'
import { getBlockHeader, getBlockNumber, getLogs } from './requests.ts'

test('a real node responds over HTTP and websocket, and announces its blocks', {
  skip: anvilMissing,
  timeout: 60_000,
}, async () => {
  const node = await anvilForTests(1)
  for (const url of [node.url, websocketUrlOf(node.url)]) {
    const pool = createRpcPool(
      { timing: systemTiming, report: (report) => assert.fail(JSON.stringify(report)) },
      { chain: 'ethereum', chainId: 1, urls: [url] },
    )
    const [number, header, logs] = await Promise.all([
      pool.request(getBlockNumber),
      pool.request(getBlockHeader('latest')),
      pool.request(getLogs(0, 0, {})),
    ])
    assert.equal(number.value, header.value?.number)
    assert.deepEqual(logs.value, [])
    pool.close()
  }

  let mined: Promise<unknown> | undefined
  const signal = await new Promise<{ close: () => void }>((resolve) => {
    const heads = subscribeToNewHeads(
      { timing: systemTiming },
      {
        url: node.url,
        onHead: () => resolve(heads),
        onState: (isSubscribed) => {
          if (isSubscribed) mined = node.rpc('anvil_mine', '0x1')
        },
      },
    )
  })
  signal.close()
  await mined
})

test('an endpoint of another chain is rejected against a real node', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(5)
  const reports: string[] = []
  const pool = createRpcPool(
    { timing: systemTiming, report: (report) => reports.push(report.type === 'error' ? report.kind : '') },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  await assert.rejects(pool.request(getBlockNumber), { code: 'no_endpoint' })
  assert.deepEqual(reports, ['chain'])
})
