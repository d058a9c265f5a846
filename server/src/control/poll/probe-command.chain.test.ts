/** What a person reads who probes the wrong address, the wrong chain or the wrong node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { findChain } from '../chains/chains.ts'
import { probeContract, whyProbeFailed } from './probe-command.ts'

const [ethereum, base] = [findChain('ethereum') ?? assert.fail(), findChain('base') ?? assert.fail()]
const empty = `0x${'ab'.repeat(20)}` as const

test('no contract, another chain, no endpoint: one sentence each', { skip: anvilMissing }, async () => {
  const { url } = await anvilForTests(1)
  const { lines } = await probeContract({ ethereum: [url] }, ethereum, empty)
  assert.deepEqual(lines, [
    `${empty} on Ethereum at block 0`,
    'There is no contract at this address. If the contract is on another chain, name that chain.',
  ])
  const why = (probing: Promise<unknown>) => probing.then(() => assert.fail('it was read'), whyProbeFailed)
  assert.match(await why(probeContract({ base: [url] }, base, empty)), /serves chain 1, not 8453 \(base\)/)
  const nowhere = `http://127.0.0.1:${await freePort()}/key-of-mine`
  const unreachable = await why(probeContract({ ethereum: [nowhere] }, ethereum, empty))
  assert.match(unreachable, /^The contract could not be read: .*cannot be reached/)
  assert.doesNotMatch(unreachable, /key-of-mine/)
})
