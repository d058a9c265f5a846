/** An event of a contract or of a controller requests a poll at once: real watcher, real poller, real node. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Hex } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, FREE, signers, wordOf } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { catalog, caughtUp, startWatching } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { systemTiming } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { SLOTS } from '../profile/slots.ts'
import { saveContract } from '../registry/contracts.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller, startPolling } from './poller.ts'
import { findProfile } from './profile-store.ts'

const HOUR = 3_600_000

test('an event requests a poll, which survives a crash and is rolled back with the chain', {
  skip: anvilMissing,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  after(() => pool.close())
  const codes = createCodeAnalyzer()
  const poller = createPoller({ database, catalog, codes, log: testLog, poolOf: () => pool, confirmationsOf: () => 0 })
  const poll = () => startPolling({ poller, log: testLog }, { chainIds: [1], everyMs: HOUR, mayPoll: async () => true })
  await made.deployMulticall()
  const council = await made.safe(2, signers(3))
  const lock = await made.timelock(172_800n, [council.address])
  const { address } = await made.transparent5(lock.address)
  await saveContract(database, { chainId: 1, address })

  const labelled = async (label: string): Promise<void> => {
    while ((await findProfile(database, { chainId: 1, address }))?.label !== label)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const changes = async () => {
    const { rows } = await database.query(
      sql`select to_label, cause from control_profile_change where address = decode($1, 'hex') order by id`,
      [address.slice(2)],
    )
    return rows as readonly {
      to_label: string
      cause: readonly { eventKey?: string; txHash?: Hex; field?: string }[]
    }[]
  }
  const hasDue = async (): Promise<boolean> =>
    ((await database.query(sql`select from poll_request where event_key is not null`)).rowCount ?? 0) > 0

  const nothingDue = async (): Promise<void> => {
    while (await hasDue()) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  const watching = startWatching(database, [node])
  after(() => watching.stop())
  let polling = poll()
  after(() => polling.stop())
  await labelled('timelocked')
  await caughtUp(database, node) // its controllers are watched now
  await nothingDue()

  // An event three hops above the contract; the next scheduled poll is an hour away.
  const lowered = await made.as(lock.address, lock, 'updateDelay', 60n)
  await labelled('short_timelock')
  const [, second] = await changes()
  assert.deepEqual(
    [second?.to_label, second?.cause.map(({ eventKey, txHash }) => [eventKey, txHash])],
    ['short_timelock', [['timelock.min_delay_changed', lowered]]],
  )

  // The poller is gone when the event comes; what is due is in the database, and the next one finds it.
  await polling.stop()
  const opened = await made.as(council.address, council, 'changeThreshold', 1n)
  await caughtUp(database, node)
  assert.equal(await hasDue(), true)
  // A threshold below half of the owners is an event of its own, next to the Safe's.
  const { rows: due } = await database.query(
    sql`select event_key from poll_request where address = decode($1, $2) order by event_key`,
    [address.slice(2), 'hex'],
  )
  assert.deepEqual(
    due,
    [{ event_key: 'safe.changed_threshold' }, { event_key: 'safe.threshold_below_half' }],
    'one row for each event',
  )
  polling = poll()
  await labelled('single_key')
  assert.equal((await changes()).at(-1)?.cause[0]?.txHash, opened)
  await nothingDue()

  // A reorg removes the block of that event and a later silent change: label, label history and events are rolled back.
  await made.write(address, SLOTS.implementation, wordOf(await made.plain()))
  assert.equal((await poller.poll({ chainId: 1, address })).silent.length, 1)
  await node.rpc('anvil_reorg', (await evm.blockNumber()) - (await blockOf(opened)) + 1, [])
  await evm.mine(3)
  await labelled('short_timelock')
  assert.deepEqual(
    (await changes()).map(({ to_label }) => to_label),
    ['timelocked', 'short_timelock'],
  )
  const { rows: events } = await database.query(
    sql`select k.key as event_key from control_event e join event_kind k on k.id = e.kind_id where is_derived`,
  )
  assert.deepEqual(events, [{ event_key: 'slot.control_weakened' }], 'the lower delay is still on the chain')
  assert.equal((await poller.poll({ chainId: 1, address })).profile.tree.account.kind, 'unjudged')

  async function blockOf(txHash: Hex): Promise<number> {
    const receipt = await node.rpc<{ blockNumber: Hex }>('eth_getTransactionReceipt', txHash)
    return Number(receipt.blockNumber)
  }
})
