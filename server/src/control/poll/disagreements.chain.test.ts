/** Two endpoints that disagree about a contract's state for long: both values are shown, and nothing is decided. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE, signers } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { withFalseSlot } from '../../../../testing/evm/false-slot.ts'
import { catalog } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { AUTH_SECRET, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { findControlView } from '../views/control-view.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { getLastingDisagreements } from './disagreements.ts'
import { createPoller } from './poller.ts'

test('a disagreement of two endpoints is shown with both values once it lasts', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const { safe } = controlContracts(node, evm)
  const { database, url: databaseUrl } = await createTestDatabase()
  const urls = [node.url, node.url.replace('127.0.0.1', 'localhost')]
  const pool = createRpcPool({ timing: systemTiming, report: () => {} }, { chain: 'ethereum', chainId: 1, urls })
  const divided = withFalseSlot(pool, 'safeGuard', eoa(66), 1)
  const codes = createCodeAnalyzer()
  const ref = { chainId: 1, address: (await safe(2, signers(3))).address }
  const poll = (through: RpcPool) =>
    createPoller({ database, catalog, codes, log: testLog, poolOf: () => through, confirmationsOf: () => 0 }).poll(ref)
  const pass = async (seconds: number) => {
    await evm.pass(seconds)
    await evm.mine()
  }
  await poll(pool)
  await pass(60)
  await poll(divided)
  assert.deepEqual(await getLastingDisagreements(database), [], 'it may end at once')
  const since = Number((await node.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)).timestamp)
  await pass(300)
  await poll(divided)
  await pass(300)
  const { silent, profile } = await poll(divided)
  assert.deepEqual([silent, profile.label, profile.stale], [[], 'multisig', true])

  const [lasting, ...others] = await getLastingDisagreements(database)
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...lasting, values: lasting?.values.map(({ value }) => value) },
    { ...ref, field: 'guard', since: new Date(since * 1_000), values: [eoa(66), null] },
  )
  assert.deepEqual(
    lasting?.values.map(({ endpoint }) => endpoint),
    urls.map((url) => new URL(url).host),
  )
  const view = await findControlView({ database }, ref)
  assert.deepEqual(view?.disagreements, [
    { field: 'guard', since: new Date(since * 1_000).toISOString(), values: [eoa(66), null] },
  ])
  assert.doesNotMatch(JSON.stringify(view), /localhost|127\.0\.0\.1/, 'hosts are not public')

  const env = { DATABASE_URL: databaseUrl, AUTH_SECRET, ETHEREUM_RPC_URL: urls.join() }
  const { exit, output } = spawnGatewatch(['status'], { cwd: temporaryFolder(), env })
  assert.equal((await exit).code, 0)
  assert.match(
    output(),
    new RegExp(
      `endpoints disagree about ${ref.address} since .*: Safe guard, 127\\.0\\.0\\.1:\\d+ returns ${eoa(66)}, localhost:\\d+ returns none`,
    ),
  )

  await poll(pool)
  assert.deepEqual(await getLastingDisagreements(database), [], 'they agree again')
  assert.deepEqual((await findControlView({ database }, ref))?.disagreements, [])
})
