/** The watcher stops watching an expired contract and reads what it missed when the contract comes back: real node. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE, own } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createAccount, subscribe } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'

test('an expired contract is not watched, its events stay, and it comes back with what it missed', {
  skip: anvilMissing,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const token = await evm.deploy(own('OwnedToken'), eoa(0))
  const owners = async () =>
    (await storedEvents(database, 1)).filter(({ isInit }) => !isInit).map(({ args }) => args.newOwner)
  const state = async () => {
    const { rows } = await database.query<{ watch_state: string }>(
      sql`select watch_state from contract where address = $1`,
      [toBytes(token.address)],
    )
    return rows[0]?.watch_state
  }
  await database.query(sql`insert into contract (chain_id, address, source) values (1, $1, 'discovered')`, [
    toBytes(token.address),
  ])
  let watching = startWatching(database, [node])
  after(() => watching.stop())
  await made.as(eoa(0), token, 'transferOwnership', eoa(1))
  await caughtUp(database, node)
  assert.deepEqual(await owners(), [eoa(1)])

  await database.query(sql`update contract set watch_state = 'expiring'`)
  // A running watcher notices within a minute, a new one at once.
  await watching.stop()
  watching = startWatching(database, [node])
  while ((await state()) !== 'expired') await setTimeout(20)
  await made.as(eoa(1), token, 'transferOwnership', eoa(2))
  await caughtUp(database, node)
  assert.deepEqual(await owners(), [eoa(1)], 'not watched')

  await subscribe(database, await createAccount(database), token.address)
  await caughtUp(database, node)
  assert.deepEqual(await owners(), [eoa(1), eoa(2)])
})
