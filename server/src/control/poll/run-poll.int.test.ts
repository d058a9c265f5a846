import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { eventually, serve } from '../../../../testing/support/receivers.ts'
import { takeLease } from '../../platform/leases.ts'
import { sql } from '../../platform/sql.ts'
import { saveContract } from '../registry/contracts.ts'
import { runPoll } from './run-poll.ts'
import { saveRunningCode } from './source-checks.ts'

test('a stopped poller releases its chains at once', async () => {
  const { database } = await createTestDatabase()
  const config = {
    evmChains: { base: { rpcUrls: ['http://127.0.0.1:9'] } },
    slotPollSeconds: 60,
    sourcifyUrl: undefined,
  }
  const polling = runPoll({ database, log: testLog }, config)
  const isTaken = async () => (await database.query(sql`select from lease where name = 'poll:8453'`)).rowCount === 1
  while (!(await isTaken())) await new Promise((resolve) => setTimeout(resolve, 10))
  await polling.stop()
  assert.ok((await takeLease(database, 'poll:8453', 'the next one', 1_000)) !== undefined)
})

test('a lease is renewed during a long poll', async () => {
  const { database } = await createTestDatabase()
  let isAsked = false
  // A node that accepts the request and never responds.
  const node = createServer(() => (isAsked = true)).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  await saveContract(database, { chainId: 8453, address: `0x${'11'.repeat(20)}` })
  const config = {
    evmChains: { base: { rpcUrls: [`http://127.0.0.1:${port}`] } },
    slotPollSeconds: 60,
    sourcifyUrl: undefined,
  }
  const polling = runPoll({ database, log: testLog }, config, { leaseMs: 3_000 })
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const end = async (): Promise<Date> => {
    const { rows } = await database.query<{ expires_at: Date }>(
      sql`select expires_at from lease where name = 'poll:8453'`,
    )
    return rows[0]?.expires_at ?? new Date(0)
  }
  try {
    await until(() => isAsked)
    const first = await end()
    await until(async () => (await end()) > first)
  } finally {
    node.closeAllConnections()
    node.close()
    await polling.stop()
  }
})

test('with Sourcify configured, the code of the configured chains is checked', async () => {
  const { database } = await createTestDatabase()
  const code = { address: `0x${'22'.repeat(20)}`, codeHash: `0x${'33'.repeat(32)}`, isNew: false } as const
  await saveRunningCode(database, 1, [code])
  await saveRunningCode(database, 8453, [code])
  const requested: (string | undefined)[] = []
  const sourcifyUrl = await serve((request, response) => {
    requested.push(request.url)
    response.end(JSON.stringify({ match: 'match', chainId: '8453', address: code.address }))
  })
  const config = { evmChains: { base: { rpcUrls: ['http://127.0.0.1:9'] } }, slotPollSeconds: 60, sourcifyUrl }
  const polling = runPoll({ database, log: testLog }, config)
  const { rows } = await eventually(async () => {
    const found = await database.query(sql`select chain_id from source_check where published`)
    return found.rowCount === 0 ? undefined : found
  })
  assert.deepEqual(rows, [{ chain_id: 8453 }])
  await polling.stop()
  assert.deepEqual(requested, [`/v2/contract/8453/${code.address}`])
  assert.ok((await takeLease(database, 'sourcify', 'the next one', 1_000)) !== undefined)
})
