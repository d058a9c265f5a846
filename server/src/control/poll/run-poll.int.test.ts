import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { testLog } from '../../../test/support/log.ts'
import { takeLease } from '../../platform/leases.ts'
import { saveContract } from '../store/contracts.ts'
import { runPoll } from './run-poll.ts'

test('a poller that stops leaves its chains to the next one at once', async () => {
  const { database } = await createTestDatabase()
  const config = {
    evmChains: { base: { rpcUrls: ['http://127.0.0.1:9'] } },
    slotPollSeconds: 60,
    sourcifyUrl: undefined,
  }
  const polling = runPoll({ database, log: testLog }, config)
  const isTaken = async () => (await database.query("select from lease where name = 'poll:8453'")).rowCount === 1
  while (!(await isTaken())) await new Promise((resolve) => setTimeout(resolve, 10))
  await polling.stop()
  assert.ok((await takeLease(database, 'poll:8453', 'the next one', 1_000)) !== undefined)
})

test('a lease is renewed while one look takes long', async () => {
  const { database } = await createTestDatabase()
  let isAsked = false
  // A node that takes the question and never answers.
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
    const { rows } = await database.query<{ expires_at: Date }>("select expires_at from lease where name = 'poll:8453'")
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
