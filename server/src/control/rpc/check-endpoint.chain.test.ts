/** Checks of real nodes with problems, as `gatewatch doctor` runs them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { freePort } from '../../../../testing/support/port.ts'
import type { CheckResult } from '../../platform/checks/check-result.ts'
import { findChain } from '../chains/chains.ts'
import { checkEndpoint } from './check-endpoint.ts'

const HOUR_S = 3_600

const checked = async (slug: string, url: string, startBlock?: number): Promise<CheckResult> => {
  const chain = findChain(slug)
  assert.ok(chain !== undefined)
  return await checkEndpoint({ chain, url, startBlock })
}

test('a node of the right chain passes; a head in the future is a warning', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1)
  await node.rpc('anvil_mine', '0x1')
  const right = await checked('ethereum', node.url, 0)
  assert.equal(right.status, 'ok')
  assert.match(right.seen, /^Right chain, head 1, \d+ s old, .* Has logs back to block 0\.$/)

  const wrong = await checked('base', node.url)
  assert.equal(wrong.status, 'failed')
  assert.match(wrong.seen, /\b1\b.*\b8453\b|\b8453\b.*\b1\b/)
  assert.equal(wrong.advice, 'Check BASE_RPC_URL.')

  await node.rpc('evm_setNextBlockTimestamp', Math.floor(Date.now() / 1_000) + HOUR_S)
  await node.rpc('anvil_mine', '0x1')
  const ahead = await checked('ethereum', node.url, 0)
  assert.equal(ahead.status, 'warning')
  assert.match(ahead.seen, /Its time is 3[56]\d\d s in the future\.$/)
  assert.equal(ahead.advice, 'Check whether the clock of this machine is behind.')
})

test('a node with an old head is a warning', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1, ['--timestamp', String(Math.floor(Date.now() / 1_000) - HOUR_S)])
  const { status, seen, advice } = await checked('ethereum', node.url)
  assert.equal(status, 'warning')
  assert.match(seen, /^Right chain, head 0, 36\d\d s old/)
  assert.equal(advice, 'Its head is old. Check whether the node is synchronized.')
})

test('an unreachable endpoint fails the check', async () => {
  const { status, seen, advice } = await checked('polygon', `http://127.0.0.1:${await freePort()}`)
  assert.equal(status, 'failed')
  assert.match(seen, /refused/i)
  assert.equal(advice, 'Check POLYGON_RPC_URL.')
})
