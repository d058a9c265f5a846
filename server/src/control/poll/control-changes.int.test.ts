/** Changes of powers and of label or tone in the database, over polls and rollbacks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Power, PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import { inTransaction } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { unprofiled } from '../profile/profile.ts'
import { saveContract } from '../registry/contracts.ts'
import { findControlView } from '../views/control-view.ts'
import { isWeaker } from './control-changes.ts'
import { findSnapshot, type StoredProfile, savePoll } from './profile-store.ts'
import { getRoleClasses } from './role-classes.ts'
import { rollBackPolls } from './roll-back-polls.ts'

const { database } = await createTestDatabase()
const CHAIN = 1
const key = hexOf(7, 20)
const safe = hexOf(8, 20)

const power = (effect: PowerEffect, label: Label, address: Hex = key, of: Power['class'] = 'critical'): Power => ({
  effect,
  class: of,
  functions: [],
  holders: [{ chainId: CHAIN, address, kind: 'eoa', role: 'Owner', label, delaySeconds: 0 }],
  label,
  delaySeconds: 0,
})

async function poll(
  address: Hex,
  number: number,
  powers: readonly Power[] | null,
  label: Label = 'immutable',
  more: Pick<StoredProfile, 'running' | 'roles'> = {},
) {
  const ref = { chainId: CHAIN, address }
  await savePoll(database, {
    ...ref,
    block: { number, hash: hexOf(number, 32), time: Date.now() },
    fields: { owner: hexOf(number, 20) },
    since: (await findSnapshot(database, ref))?.polledBlock,
    events: [],
    profile: { ...unprofiled(ref), label, reasons: [], powers, ...more },
    cause: [{ eventKey: 'ownership.transferred' }],
    controllers: [],
  })
}

async function eventsOf(address: Hex): Promise<readonly string[]> {
  const { rows } = await database.query<{ key: string; severity: number; args: { previous: string; current: string } }>(
    sql`select k.key, severity, args from control_event e join event_kind k on k.id = e.kind_id
     where address = decode($1, 'hex') order by e.id`,
    [address.slice(2)],
  )
  return rows.map(({ key: name, severity, args }) => `${name} ${severity} ${args.previous} → ${args.current}`)
}

const contract = async (number: number): Promise<Hex> => {
  const address = hexOf(number, 20)
  await saveContract(database, { chainId: CHAIN, address })
  return address
}

test('what the first poll finds is setup; a new holder and a weaker tone are events', async () => {
  const address = await contract(100)
  await poll(address, 10, [power('mint', 'multisig', safe)])
  assert.deepEqual(await eventsOf(address), [])
  await poll(address, 11, [power('mint', 'multisig', safe)])
  assert.deepEqual(await eventsOf(address), [], 'nothing changed')
  await poll(address, 12, [power('mint', 'single_key')])
  assert.deepEqual(await eventsOf(address), [
    `slot.powers_changed 2 mint:multisig:${safe} → mint:single_key:${key}`,
    'slot.control_weakened 2 immutable:amber → immutable:red',
  ])
})

test('a power that is lost or gets a stronger holder is information', async () => {
  const address = await contract(101)
  await poll(address, 10, [power('mint', 'single_key'), power('pause', 'single_key', key, 'high')])
  await poll(address, 11, [power('mint', 'multisig', safe)])
  assert.deepEqual(await eventsOf(address), [
    `slot.powers_changed 0 mint:single_key:${key}, pause:single_key:${key} → mint:multisig:${safe}`,
  ])
})

test('a power of class high is an event of severity high', async () => {
  const address = await contract(102)
  await poll(address, 10, [])
  await poll(address, 11, [power('pause', 'single_key', key, 'high')])
  assert.deepEqual(await eventsOf(address), [
    `slot.powers_changed 1  → pause:single_key:${key}`,
    'slot.control_weakened 1 immutable:green → immutable:amber',
  ])
})

test('a holder that is no longer known to be strong is high, a new one that is not known critical', async () => {
  const address = await contract(120)
  await poll(address, 10, [power('mint', 'multisig', safe)])
  await poll(address, 11, [power('mint', 'unknown', safe)])
  await poll(address, 12, [power('mint', 'unknown', key)])
  const changes = (await eventsOf(address)).filter((event) => event.startsWith('slot.powers_changed'))
  assert.deepEqual(changes, [
    `slot.powers_changed 1 mint:multisig:${safe} → mint:unknown:${safe}`,
    `slot.powers_changed 2 mint:unknown:${safe} → mint:unknown:${key}`,
  ])
})

test('powers that were not analyzed are not a change', async () => {
  const address = await contract(103)
  await poll(address, 10, [power('pause', 'multisig', safe, 'high')])
  await poll(address, 11, null)
  await poll(address, 12, [power('pause', 'multisig', safe, 'high')])
  assert.deepEqual(await eventsOf(address), [])
})

test('a rollback deletes what was stored above it, and the next poll reports the change again', async () => {
  const address = await contract(104)
  await poll(address, 20, [])
  await poll(address, 21, [power('mint', 'single_key')])
  await inTransaction(database, async (client) => await rollBackPolls(client, CHAIN, 20))
  const { rows } = await database.query(
    sql`select powers from control_powers where chain_id = $1 and address = decode($2, 'hex')`,
    [CHAIN, address.slice(2)],
  )
  assert.deepEqual(rows, [{ powers: [] }])
  await poll(address, 22, [power('mint', 'single_key')])
  assert.equal((await eventsOf(address)).filter((event) => event.startsWith('slot.powers_changed')).length, 2)
})

const MINT = '0x40c10f19'
const PAUSE = '0x8456cb59'
const OWNER = 'the account in slot 0'

test('an upgrade gets a report of functions, guards and powers, and a rollback takes it away', async () => {
  const address = await contract(105)
  const old = { codes: [hexOf(1, 32)], functions: { [PAUSE]: OWNER, '0x12345678': 'every caller' } }
  const next = { codes: [hexOf(2, 32)], functions: { [PAUSE]: 'every caller', [MINT]: OWNER } }
  const pause = power('pause', 'multisig', safe, 'high')
  await poll(address, 30, [pause], 'timelocked', { running: old })
  await poll(address, 31, [pause], 'timelocked', { running: old })
  assert.deepEqual(await eventsOf(address), [], 'the same code')
  await poll(address, 32, [power('mint', 'single_key')], 'timelocked', { running: next })
  const [reported] = await eventsOf(address)
  assert.equal(reported, `slot.upgrade_reported 2 ${hexOf(1, 32)} → ${hexOf(2, 32)}`)
  const view = await findControlView({ database }, { chainId: CHAIN, address })
  const [upgrade] = view?.upgrades ?? []
  assert.deepEqual(upgrade?.summary, [
    'Powers gained: One key can mint',
    'Powers lost: A multisig without delay can pause',
    'Functions added: mint(address,uint256)',
    'Functions removed: 0x12345678',
    `Guards changed: pause() (${OWNER} → every caller)`,
  ])
  assert.deepEqual([upgrade?.blockNumber, upgrade?.isComplete], [32, true])
  await inTransaction(database, async (client) => await rollBackPolls(client, CHAIN, 31))
  assert.deepEqual((await findControlView({ database }, { chainId: CHAIN, address }))?.upgrades, [])
  await poll(address, 33, [power('mint', 'single_key')], 'timelocked', { running: next })
  assert.equal((await findControlView({ database }, { chainId: CHAIN, address }))?.upgrades.length, 1)
})

test('new code with the same functions and powers is information', async () => {
  const address = await contract(106)
  const functions = { [MINT]: OWNER }
  await poll(address, 30, [], 'timelocked', { running: { codes: [hexOf(1, 32)], functions } })
  await poll(address, 31, [], 'timelocked', { running: { codes: [hexOf(2, 32)], functions } })
  assert.deepEqual(await eventsOf(address), [`slot.upgrade_reported 0 ${hexOf(1, 32)} → ${hexOf(2, 32)}`])
})

test('the weight of a role is the worst class over all contracts that ask its book', async () => {
  const [book, other] = [await contract(107), await contract(108)]
  const role = hexOf(9, 32)
  await poll(book, 30, [], 'immutable', { roles: [{ book, role, class: 'high' }] })
  await poll(other, 30, [], 'immutable', { roles: [{ book, role, class: 'critical' }] })
  const classes = async () => [
    ...(await getRoleClasses(database, CHAIN, [
      { book, role },
      { book: other, role },
    ])),
  ]
  assert.deepEqual(await classes(), [[`${book} ${role}`, 'critical']])
  await poll(other, 31, [], 'immutable', { roles: [] })
  assert.deepEqual(await classes(), [[`${book} ${role}`, 'high']])
})

test('weaker is a weaker label or a worse tone, not a contract that is now known', () => {
  const at = (label: Label, tone: 'green' | 'grey' | 'amber' | 'red') => ({ label, tone })
  assert.equal(isWeaker(at('timelocked', 'green'), at('multisig', 'amber')), true)
  assert.equal(isWeaker(at('immutable', 'green'), at('immutable', 'grey')), true)
  assert.equal(isWeaker(at('unknown', 'grey'), at('multisig', 'amber')), false)
  assert.equal(isWeaker(at('unknown', 'grey'), at('immutable', 'red')), true)
  assert.equal(isWeaker(at('multisig', 'amber'), at('timelocked', 'green')), false)
})
