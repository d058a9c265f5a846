/** Packages of transactions, with answers of the form that Bitcoin Core and Knots give. `tx-routes.chain.test.ts` runs a real node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTx } from '../../../../testing/coins/block-builder.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { NodeRpcError } from '../node/node-errors.ts'
import { hashHex } from '../parse/block.ts'
import { broadcast } from './broadcast.ts'
import type { Relay } from './served-chain.ts'

const parent = buildTx([{ txid: Buffer.alloc(32, 7), vout: 0 }], [{ value: 1_000, script: Buffer.from([0x51]) }])
const child = buildTx([{ txid: parent.txid, vout: 0 }], [{ value: 500, script: Buffer.from([0x51]) }])
const [parentId, childId] = [hashHex(parent.txid), hashHex(child.txid)]
const transactions = [parent, child].map(({ bytes }) => bytes.toString('hex'))
const request = { transactions, maxFeeRate: 10_000, testOnly: false }

const LOW_FEE = 'min relay fee not met, 0 < 110'
const TOO_LOW = [{ txid: parentId, allowed: false, 'reject-reason': LOW_FEE }, { txid: childId }]

/** A relay that knows nothing, accepts nothing and records what is sent. */
function relayWith(overrides: Partial<Relay>): { readonly relay: Relay; readonly sent: string[] } {
  const sent: string[] = []
  const relay: Relay = {
    getRelayPolicy: () => Promise.resolve({ incrementalRate: 1, minRate: 1, isFullRbf: false }),
    getMempoolEntries: (txids) => Promise.resolve(txids.map(() => undefined)),
    testAccept: () => Promise.resolve(TOO_LOW),
    send: (tx) => {
      sent.push(tx)
      return Promise.resolve()
    },
    submitPackage: () => Promise.resolve(undefined),
    ...overrides,
  }
  return { relay, sent }
}

async function outcome(relay: Relay, overrides: Partial<typeof request> = {}) {
  const { served } = await startMemoryChain()
  const result = await broadcast({ ...served, relay }, { ...request, ...overrides })
  return [result.accepted, ...result.transactions.map(({ state, reason }) => `${state} ${reason}`)]
}

test('a child pays for a parent whose fee is too low', async () => {
  const submitted = {
    package_msg: 'success',
    'tx-results': { [parentId]: { txid: parentId, vsize: 110 }, [childId]: { txid: childId, vsize: 110 } },
  }
  const { relay } = relayWith({ submitPackage: () => Promise.resolve(submitted) })
  assert.deepEqual(await outcome(relay), [true, 'sent null', 'sent null'])
})

test('a node without packages, or one that refuses this one: nothing is sent', async () => {
  const refusal = new NodeRpcError('a node', 'submitpackage', -25, 'package topology disallowed')
  for (const submitPackage of [() => Promise.resolve(undefined), () => Promise.reject(refusal)]) {
    const { relay, sent } = relayWith({ submitPackage })
    assert.deepEqual(await outcome(relay), [false, `refused ${LOW_FEE}`, 'refused not-examined'])
    assert.deepEqual(sent, [])
  }
})

test('with testOnly nothing is sent, and a package that is accepted is sent in order', async () => {
  const accepted = [parentId, childId].map((txid) => ({ txid, allowed: true, vsize: 110, fees: { base: 500 } }))
  const { relay, sent } = relayWith({ testAccept: () => Promise.resolve(accepted) })
  assert.deepEqual(await outcome(relay, { testOnly: true }), [true, 'accepted null', 'accepted null'])
  assert.deepEqual(sent, [])
  assert.deepEqual(await outcome(relay), [true, 'sent null', 'sent null'])
  assert.deepEqual(sent, transactions)
})

test('a transaction that another sender was faster with counts as known, and a fault of the node is an error', async () => {
  const known = new NodeRpcError('a node', 'sendrawtransaction', -26, 'txn-already-known')
  const allowed = [parentId, childId].map((txid) => ({ txid, allowed: true }))
  const { relay } = relayWith({ testAccept: () => Promise.resolve(allowed), send: () => Promise.reject(known) })
  assert.deepEqual(await outcome(relay), [true, 'known null', 'known null'])
  const fault = new NodeRpcError('a node', 'testmempoolaccept', -32_603, 'oops')
  await assert.rejects(outcome(relayWith({ testAccept: () => Promise.reject(fault) }).relay), { rpcCode: -32_603 })
})

test('without a node, only a transaction in a block has an answer', async () => {
  const { served } = await startMemoryChain()
  await assert.rejects(broadcast(served, request), { code: 'UNAVAILABLE' })
})
