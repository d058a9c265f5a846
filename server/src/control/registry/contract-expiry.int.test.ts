/** Contracts that nothing refers to expire, and come back: real database, real watcher's store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { type Hex, toBytes, toHex } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { channelFlagsOf, countNewContracts, deleteSubscription, insertSubscription } from '../alerts/subscriptions.ts'
import { expireContracts, saveContract } from './contracts.ts'

const { database } = await createTestDatabase()

const SETTINGS = {
  minSeverity: 'info',
  channels: channelFlagsOf(() => true),
  includeControllers: true,
} as const

const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`
const ref = (n: number) => ({ chainId: 1, address: address(n) })

const states = async (): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await database.query<{ address: Buffer; watch_state: string }>(
    sql`select address, watch_state from contract order by address`,
  )
  return Object.fromEntries(rows.map((row) => [Number(BigInt(toHex(row.address))), row.watch_state]))
}

const discover = (n: number): Promise<unknown> =>
  database.query(
    sql`insert into contract (chain_id, address, source, watch_state) values (1, $1, 'discovered', 'watched')`,
    [toBytes(address(n))],
  )
const controls = (controller: number, contract: number): Promise<unknown> =>
  database.query(
    sql`insert into contract_controller (chain_id, address, controller_chain_id, controller, is_logic) values (1, $1, 1, $2, false)`,
    [toBytes(address(contract)), toBytes(address(controller))],
  )
/** Moves the marks a week back. */
const afterAWeek = (): Promise<unknown> =>
  database.query(sql`update contract set unreferenced_since = unreferenced_since - interval '8 days'`)

test('discovered contracts expire a week after the last reference, with the controllers that only they have', async () => {
  const account = await createAccount(database)
  // 1: subscribed, controlled by 2, which is controlled by 3. 4 and 5 control each other. 6 is named by an operator.
  for (const n of [1, 2, 3, 4, 5]) await discover(n)
  await saveContract(database, ref(6))
  for (const [controller, contract] of [
    [2, 1],
    [3, 2],
    [4, 5],
    [5, 4],
  ] as const)
    await controls(controller, contract)
  await database.query(sql`insert into poll_request (chain_id, address) values (1, $1)`, [toBytes(address(4))])
  const made = await insertSubscription(database, account.id, ref(1), SETTINGS)
  assert.ok(typeof made === 'object')

  assert.equal(await expireContracts(database), 0, 'they are marked first')
  await afterAWeek()
  assert.equal(await expireContracts(database), 2)
  assert.deepEqual(await states(), { 1: 'watched', 2: 'watched', 3: 'watched', 4: 'expiring', 5: 'expiring', 6: 'new' })
  assert.equal(
    (await database.query(sql`select from poll_request where address = $1`, [toBytes(address(4))])).rowCount,
    0,
  )

  await deleteSubscription(database, account.id, made.id)
  assert.equal(await expireContracts(database), 0)
  await afterAWeek()
  assert.equal(await expireContracts(database), 3)
  assert.equal((await states())[1], 'expiring')
})

test('an expired contract is watched again when it is subscribed to, named or found as a controller', async () => {
  const account = await createAccount(database)
  await database.query(sql`update contract set watch_state = 'expired' where source = 'discovered'`)
  assert.ok(typeof (await insertSubscription(database, account.id, ref(1), SETTINGS)) === 'object')
  await saveContract(database, ref(2), { name: 'Two' })
  await database.query(sql`select revive_contracts(array[1], array[$1::bytea])`, [toBytes(address(3))])
  const { 1: one, 2: two, 3: three, 4: four } = await states()
  assert.deepEqual([one, two, three, four], ['new', 'new', 'new', 'expired'])
  // A subscription before the watcher noticed the expiry loses nothing.
  await database.query(sql`update contract set watch_state = 'expiring' where address = $1`, [toBytes(address(4))])
  await insertSubscription(database, account.id, ref(4), SETTINGS)
  assert.equal((await states())[4], 'watched')
})

test('a plan limits the contracts that an account adds, however often it subscribes and deletes', async () => {
  const account = await createAccount(database)
  const limit = { maxNewContracts: 3 }
  await saveContract(database, ref(6))
  for (const n of [101, 102, 103]) {
    const made = await insertSubscription(database, account.id, ref(n), SETTINGS, limit)
    assert.ok(typeof made === 'object')
    await deleteSubscription(database, account.id, made.id)
  }
  assert.equal(await insertSubscription(database, account.id, ref(104), SETTINGS, limit), 'new_contracts_full')
  assert.ok(typeof (await insertSubscription(database, account.id, ref(6), SETTINGS, limit)) === 'object', 'is watched')
  assert.ok(typeof (await insertSubscription(database, account.id, ref(101), SETTINGS, limit)) === 'object', 'its own')
  assert.equal(await countNewContracts(database, account.id), 3)

  await expireContracts(database)
  await afterAWeek()
  await expireContracts(database)
  await database.query(sql`update contract set watch_state = 'expired' where watch_state = 'expiring'`)
  assert.equal(await countNewContracts(database, account.id), 1)
  assert.ok(typeof (await insertSubscription(database, account.id, ref(104), SETTINGS, limit)) === 'object')
})

test('concurrent requests of an account do not pass its limit together', async () => {
  const account = await createAccount(database)
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      insertSubscription(database, account.id, ref(200 + n), SETTINGS, { maxNewContracts: 3 }),
    ),
  )
  assert.equal(made.filter((each) => each === 'new_contracts_full').length, 5)
})
