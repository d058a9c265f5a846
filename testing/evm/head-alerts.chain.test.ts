/** Alerts at head, from a real node through reorgs to a real webhook. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDeliver } from '../../server/src/control/alerts/run-deliver.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { systemTiming } from '../../server/src/lib/clock.ts'
import { createMetrics } from '../../server/src/lib/metrics.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { accountWithWebhook, subscribe } from '../support/alerts.ts'
import { createTestDatabase } from '../support/database.ts'
import { testLog } from '../support/log.ts'
import { eventually, hookReceiver } from '../support/receivers.ts'
import { anvilForTests, anvilMissing } from './anvil.ts'
import { openZeppelin5 } from './compile.ts'
import { evmOf } from './evm.ts'
import { artifact, call } from './scenario.ts'
import { caughtUp, startWatching } from './watching.ts'

const CONFIRMATIONS = 3

type Payload = {
  readonly type: string
  readonly data: {
    readonly events: readonly { readonly confirmed: boolean; readonly event: { readonly id: number } }[]
  }
}

test('an alert at head survives a reorg that keeps its transaction, and is retracted by one that drops it', {
  skip: anvilMissing,
}, async (t) => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const [node, receiver] = await Promise.all([anvilForTests(1), hookReceiver()])
  const evm = await evmOf(node)
  const [me] = evm.accounts as readonly [`0x${string}`]
  const [logic, next] = [await evm.deploy(artifact('Vault')), await evm.deploy(artifact('VaultTwo'))]
  const proxy = await evm.deploy(openZeppelin5('ERC1967Proxy'), logic.address, call(logic, 'initialize', [me]))
  const vault = { ...proxy, abi: logic.abi }
  for (let n = 0; n < CONFIRMATIONS; n += 1) await evm.mine()
  await saveContract(database, { chainId: 1, address: vault.address })
  await subscribe(database, await accountWithWebhook(database, `${receiver.url}/hook`), vault.address)
  const watching = startWatching(database, [node], { confirmations: CONFIRMATIONS })
  t.after(() => watching.stop())
  await caughtUp(database, node, CONFIRMATIONS)
  const delivering = await runDeliver({
    database,
    databaseUrl,
    metrics: createMetrics(),
    historyDays: 400,
    log: testLog,
    publicUrl: 'https://gatewatch.example',
    clock: systemTiming,
    outbound: { allowPrivate: true },
    mailer: undefined,
    telegram: undefined,
  })
  t.after(() => delivering.stop())
  const received = async (at: number): Promise<Payload> =>
    JSON.parse((await eventually(() => receiver.calls[at])).body) as Payload
  const upgrade = (to: `0x${string}`) => evm.send(vault, 'upgradeToAndCall', [to, '0x'])

  // No block confirms it, and it is sent.
  const sent = await upgrade(next.address)
  const first = await received(0)
  assert.deepEqual([first.type, first.data.events[0]?.confirmed], ['control.changed', false])
  assert.equal(
    (await database.query(sql`select from control_event where announced and not is_init`)).rows.length,
    0,
    'not in the feed',
  )

  // The same transaction in the second block of another branch.
  const raw = await node.rpc<string>('eth_getRawTransactionByHash', sent)
  await evm.mine()
  await node.rpc('anvil_reorg', 2, [[raw, 1]])
  for (let n = 0; n < CONFIRMATIONS; n += 1) await evm.mine()
  await caughtUp(database, node, CONFIRMATIONS)
  const { rows } = await database.query<{ id: number; tx: string; messages: number }>(
    sql`select e.id, '0x' || encode(e.tx_hash, 'hex') as tx, (select count(*)::int from alert_message) as messages
     from control_event e where announced and not is_init`,
  )
  assert.deepEqual(rows, [{ id: first.data.events[0]?.event.id, tx: sent, messages: 1 }])

  // A reorg that drops the transaction.
  await evm.send({ ...vault, abi: next.abi }, 'upgradeToAndCall', [logic.address, '0x'])
  const second = await received(1)
  await node.rpc('anvil_reorg', 1, [])
  await evm.mine()
  const retraction = await received(2)
  assert.deepEqual(
    [retraction.type, retraction.data.events[0]?.event.id],
    ['control.retracted', second.data.events[0]?.event.id],
  )
  for (let n = 0; n < CONFIRMATIONS; n += 1) await evm.mine()
  await caughtUp(database, node, CONFIRMATIONS)
  assert.equal(receiver.calls.length, 3)
})
