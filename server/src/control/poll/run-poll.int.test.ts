import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { testLog } from '../../../test/support/log.ts'
import { takeLease } from '../../platform/leases.ts'
import { runPoll } from './run-poll.ts'

test('a poller that stops leaves its chains to the next one at once', async () => {
  const { database } = await createTestDatabase()
  const config = { evmChains: { base: { rpcUrls: ['http://127.0.0.1:9'] } }, slotPollSeconds: 60 }
  const polling = runPoll({ database, log: testLog }, config)
  const isTaken = async () => (await database.query("select from lease where name = 'poll:8453'")).rowCount === 1
  while (!(await isTaken())) await new Promise((resolve) => setTimeout(resolve, 10))
  await polling.stop()
  assert.ok((await takeLease(database, 'poll:8453', 'the next one', 1_000)) !== undefined)
})
