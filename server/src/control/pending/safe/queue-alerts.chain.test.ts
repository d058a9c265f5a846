/** Alerts of queued changes, from a Safe Transaction Service and a timelock to a real webhook: queued, due, executed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concatHex, type Hex, zeroAddress, zeroHash } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../../testing/evm/anvil.ts'
import { controlContracts, dataOf, eoa, FREE, own } from '../../../../../testing/evm/control.ts'
import { evmOf } from '../../../../../testing/evm/evm.ts'
import { caughtUp, startWatching } from '../../../../../testing/evm/watching.ts'
import { accountWithWebhook, subscribe } from '../../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../../testing/support/database.ts'
import { testLog } from '../../../../../testing/support/log.ts'
import { eventually, hookReceiver } from '../../../../../testing/support/receivers.ts'
import {
  entryOf,
  hashOf,
  type Proposal,
  type ServiceEntry,
  signer,
  startSafeService,
} from '../../../../../testing/support/safe-service.ts'
import { systemTiming } from '../../../lib/clock.ts'
import { createMetrics } from '../../../lib/metrics.ts'
import { sql } from '../../../platform/sql.ts'
import { runDeliver } from '../../alerts/run-deliver.ts'
import { saveContract } from '../../registry/contracts.ts'
import { createRpcPool } from '../../rpc/pool.ts'
import { collectSteps } from '../collect.ts'
import { announceDue } from '../inspections.ts'
import { createSafeQueueReader } from './read-queues.ts'
import { createSafeService } from './safe-service.ts'

const [ONE, TWO] = [signer(1), signer(2)]
const HOUR = 3_600

type Payload = {
  readonly data: { readonly events: readonly { readonly event: { eventKey: string }; readonly severity: string }[] }
}

test('a queued change alerts when it is queued, before it is due, and when it is executed', {
  skip: anvilMissing,
  timeout: 600_000,
}, async (t) => {
  const begun = Math.floor(Date.now() / 1_000) - 1.5 * HOUR
  const node = await anvilForTests(1, [...FREE, '--timestamp', String(Math.floor(begun))])
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database, url: databaseUrl } = await createTestDatabase()
  const [service, receiver] = await Promise.all([startSafeService(), hookReceiver()])
  const safe = await made.safe(2, [ONE.address, TWO.address], '1.4.1', 'L1')
  const token = await evm.deploy(own('OwnedToken'), safe.address)
  const timelock = await made.timelock(BigInt(2 * HOUR), [eoa(1)])
  const proxy = await made.uups('OwnedUups', timelock.address)
  await saveContract(database, { chainId: 1, address: safe.address }, { kind: 'safe' })
  await saveContract(database, { chainId: 1, address: timelock.address }, { kind: 'timelock_oz' })
  for (const { address } of [token, proxy]) await saveContract(database, { chainId: 1, address })
  const account = await accountWithWebhook(database, `${receiver.url}/hook`)
  for (const { address } of [token, proxy]) await subscribe(database, account, address)
  const watching = startWatching(database, [node])
  const pool = createRpcPool(
    { timing: systemTiming, report: () => undefined },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
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
  t.after(async () => {
    await watching.stop()
    await delivering.stop()
    pool.close()
  })
  const read = createSafeQueueReader({
    database,
    pool,
    service: createSafeService({ url: service.url }),
    confirmations: 0,
    log: testLog,
    count: () => {},
  })
  const settle = async (): Promise<void> => {
    await caughtUp(database, node)
    while (await collectSteps(database)) {}
    await announceDue(database)
    await database.query(sql`delete from safe_queue`)
    await read(1)
    while (await collectSteps(database)) {}
  }
  let taken = 0
  /** The events of the next message, most severe first. */
  const received = async (): Promise<readonly string[]> => {
    const { body } = await eventually(() => receiver.calls[taken])
    taken += 1
    return (JSON.parse(body) as Payload).data.events.map(({ event, severity }) => `${severity} ${event.eventKey}`)
  }
  await settle()

  // A transaction of the Safe: one signature, enough signatures, executed.
  const give = dataOf(token, 'transferOwnership', [eoa(5)])
  const proposal: Proposal = { safe: safe.address, to: token.address, data: give, nonce: 0, signers: [ONE] }
  const signed = { ...proposal, signers: [ONE, TWO] }
  const entries: ServiceEntry[] = [await entryOf(proposal)]
  service.entries.set(safe.address, entries)
  await settle()
  assert.deepEqual(await received(), ['critical pending.queued'])
  entries.splice(0, 1, await entryOf(signed))
  await settle()
  assert.deepEqual(await received(), ['critical pending.ready'])
  const ordered = [ONE, TWO].toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  const signatures = concatHex(await Promise.all(ordered.map((by) => by.sign({ hash: hashOf(signed) }))))
  const none: readonly unknown[] = [0, 0n, 0n, 0n, zeroAddress, zeroAddress]
  await evm.send(safe, 'execTransaction', [token.address, 0n, give, ...none, signatures])
  await settle()
  const executed = await received()
  assert.equal(executed[0], 'critical ownable.transferred')
  assert.ok(executed.includes('high safe.control_call'), executed.join())

  // An operation of a timelock, queued an hour and a half ago: half an hour is left.
  const next = (await evm.deploy(own('OwnedUups'))).address
  const upgrade = dataOf(proxy, 'upgradeToAndCall', [next, '0x'])
  const operation: readonly [Hex, bigint, Hex, Hex, Hex] = [proxy.address, 0n, upgrade, zeroHash, zeroHash]
  await made.as(eoa(1), timelock, 'schedule', ...operation, BigInt(2 * HOUR))
  await settle()
  assert.deepEqual(await received(), ['critical timelock.scheduled'])
  await settle()
  assert.deepEqual(await received(), ['critical pending.due'])
  await evm.pass(2 * HOUR)
  await made.as(eoa(1), timelock, 'execute', ...operation)
  await settle()
  const done = await received()
  assert.ok(done.includes('critical proxy.upgraded'), done.join())
  await settle()
  assert.equal(receiver.calls.length, taken, 'nothing is sent twice')
})
