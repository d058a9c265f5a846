/** status, doctor, the public status and the metrics with real nodes, working and unreachable. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { AUTH_SECRET, spawnGatewatch, spawnService } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import type { CheckResult } from '../../platform/checks/check-result.ts'

test('status, doctor and metrics report which chains are in sync', {
  skip: anvilMissing || missingLitecoind(),
}, async () => {
  const { url: databaseUrl } = await createTestDatabase()
  const [anvil, litecoind] = [await anvilForTests(1), await startLitecoind(['-rest'])]
  after(litecoind.remove)
  await litecoind.call('generatetodescriptor', 3, 'raw(51)#8lvh9jxk')
  await anvil.rpc('anvil_mine', '0x5')
  const dead = `http://user:hunter2@127.0.0.1:${await freePort()}`
  const cwd = temporaryFolder()
  const env = {
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl,
    AUTH_SECRET,
    DATA_DIR: cwd,
    ETHEREUM_RPC_URL: `${anvil.url},${dead}`,
    ETHEREUM_CONFIRMATIONS: '0',
    LTC_RPC_URL: litecoind.url,
  }
  const run = async (...args: readonly string[]) => {
    const { exit, output } = spawnGatewatch(args, { cwd, env })
    return { code: (await exit).code, output: output() }
  }

  const before = JSON.parse((await run('status', '--json')).output)
  assert.deepEqual(
    [before.control[0].state, before.coins[0].state, before.coins[0].nodeHeight],
    ['not_watched', 'not_indexed', 3],
  )

  const { url } = await spawnService(env, cwd)
  const publicStatus = async () => (await (await fetch(`${url}/public/status`)).json()) as Status
  await eventually(async () => {
    const { control, coins } = await publicStatus()
    return (control[0]?.endpointsAgreeing !== null && coins[0]?.state === 'in_sync') || undefined
  })
  const { control, coins } = await publicStatus()
  const { seenAt, ...chain } = control[0] ?? assert.fail()
  assert.ok(seenAt !== null)
  assert.deepEqual(
    [chain.chain, chain.state, chain.head, chain.lastBlockRead, chain.endpoints, chain.endpointsAgreeing],
    ['ethereum', 'in_sync', 5, 5, 2, 1],
  )
  assert.ok(!('lastError' in chain), 'an error can name an endpoint, so only operators see it')
  assert.deepEqual(
    coins.map(({ chain, network, indexHeight, lag }) => [chain, network, indexHeight, lag]),
    [['ltc', 'regtest', 3, 0]],
  )

  const status = await run('status')
  assert.equal(status.code, 0)
  assert.match(status.output, /^ethereum +in sync: head 5, last block read 5, lag 0, .*endpoints in agreement 1 of 2$/m)
  assert.match(status.output, /^ltc +in sync: node 3, index 3, lag 0$/m)

  const doctor = await run('doctor', '--json')
  assert.equal(doctor.code, 1, 'one endpoint is dead')
  const statuses = (JSON.parse(doctor.output) as CheckResult[]).map(({ about, status }) => [
    about.split(' ')[0],
    status,
  ])
  assert.deepEqual(statuses, [
    ['service', 'ok'],
    ['database', 'ok'],
    ['database', 'ok'],
    ...Array.from({ length: 5 }, () => ['role', 'ok']),
    ['disk', 'ok'],
    ['ethereum', 'ok'],
    ['ethereum', 'failed'],
    ['ltc', 'ok'],
  ])
  assert.match((await run('doctor')).output, /^FAIL +ethereum 127\.0\.0\.1:\d+: .*Check ETHEREUM_RPC_URL\.$/m)
  assert.doesNotMatch(doctor.output, /hunter2|p%40ss/)

  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /^gatewatch_chain_lag_blocks\{chain="ethereum"\} 0$/m)
  assert.match(metrics, /^gatewatch_coin_lag_blocks\{chain="ltc"\} 0$/m)
  assert.match(
    metrics,
    /^gatewatch_rpc_errors_total\{chain="ethereum",host="127\.0\.0\.1:\d+",kind="\w+",role="watch"\} [1-9]/m,
  )
  assert.match(metrics, /^gatewatch_database_connections\{pool="main",state="waiting"\} \d+$/m)
})

type Status = {
  readonly control: readonly Readonly<Record<string, string | number | null>>[]
  readonly coins: readonly Readonly<Record<string, string | number | null>>[]
}
