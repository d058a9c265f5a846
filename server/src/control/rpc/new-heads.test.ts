import assert from 'node:assert/strict'
import { test } from 'node:test'
import { websocketServer } from '../../../../testing/support/websocket.ts'
import { subscribeToNewHeads } from './new-heads.ts'

test('an endpoint that announces blocks without pause wakes the follower at most ten times a second', async () => {
  const announcement = JSON.stringify({ method: 'eth_subscription', params: {} })
  const refusal = JSON.stringify({ error: { code: -32000 } })
  const url = await websocketServer([...Array.from({ length: 40 }, () => announcement), refusal])
  let [heads, now] = [0, 0]
  const timing = { now: () => (now += 10), sleep: () => new Promise<void>(() => {}) }
  await new Promise<void>((resolve) => {
    const onState = (isSubscribed: boolean): void => void (isSubscribed || resolve())
    subscribeToNewHeads({ timing }, { url, onHead: () => void (heads += 1), onState })
  })
  assert.equal(heads, 4)
})
