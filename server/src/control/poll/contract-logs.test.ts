import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { createContractLogs, createFirstBlocks } from './contract-logs.ts'

const ADDRESS: Hex = `0x${'22'.repeat(20)}`
const TOPIC: Hex = `0x${'33'.repeat(32)}`
const HEAD = 1_000
const block = { number: HEAD, hash: `0x${'11'.repeat(32)}` } as const

type Sent = { readonly method: string; readonly params: readonly unknown[] }

/** A chain on which the address has code from a block on, and no logs. */
function poolWithCodeFrom(created: number): { readonly pool: RpcPool; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const pool: Partial<RpcPool> = {
    chain: 'ethereum',
    available: () => [0],
    hostOf: () => 'node.example',
    request: async (request) => {
      sent.push(request)
      const result = request.method === 'eth_getLogs' ? [] : Number(request.params[1]) >= created ? '0x01' : '0x'
      return { value: request.parse(result), from: 0 }
    },
  }
  return { pool: pool as RpcPool, sent }
}

test('the first block with code is found, wherever it is', async () => {
  for (let created = 0; created <= HEAD; created += 1) {
    const { pool } = poolWithCodeFrom(created)
    assert.equal(await createFirstBlocks({ pool }, block)(ADDRESS), created)
  }
})

test('the first block and the logs of a contract are read once for all who ask for them', async () => {
  const { pool, sent } = poolWithCodeFrom(400)
  const firstBlockOf = createFirstBlocks({ pool }, block)
  const logs = createContractLogs({ pool, firstBlockOf }, block)
  await Promise.all([logs(ADDRESS, [TOPIC]), logs(ADDRESS, [TOPIC]), firstBlockOf(ADDRESS)])
  await logs(ADDRESS, [TOPIC])
  assert.deepEqual(
    sent.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => params),
    [[{ fromBlock: '0x190', toBlock: '0x3e8', address: [ADDRESS], topics: [[TOPIC]] }]],
  )
  const blocks = sent.filter(({ method }) => method === 'eth_getCode').map(({ params }) => params[1])
  assert.equal(new Set(blocks).size, blocks.length, 'no block is read twice')
})
