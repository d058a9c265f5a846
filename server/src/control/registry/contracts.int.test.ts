import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountWithWebhook, subscribe } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { findProtocol, importRegistry, renameProtocol, saveContract } from './contracts.ts'
import { builtInRegistry, type RegistryContract } from './registry.ts'

const { database } = await createTestDatabase()

const POOL: RegistryContract = {
  chainId: 1,
  address: '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2',
  name: 'Pool',
  protocol: 'Example Lending',
  kind: 'proxy_immutable_admin',
  source: 'npm',
  confidence: 'high',
}

async function find(address: RegistryContract['address']) {
  const { rows } = await database.query(
    sql`select c.name, c.kind, c.source, c.metadata, c.watch_state, p.label from contract c left join protocol p on p.id = c.protocol_id
     where c.chain_id = 1 and c.address = $1`,
    [toBytes(address)],
  )
  return rows[0]
}

test('a repeated import of the built-in registry changes nothing', async () => {
  const { contracts } = builtInRegistry()
  const first = await importRegistry(database, contracts)
  assert.deepEqual(first, { added: contracts.length, updated: 0, total: contracts.length })
  assert.deepEqual(await importRegistry(database, contracts), { added: 0, updated: 0, total: contracts.length })
})

test('a new registry updates names but not the edits of an operator', async () => {
  const row = { ...POOL, address: '0x00000000000000000000000000000000000000a1' } as const
  const other = { ...POOL, address: '0x00000000000000000000000000000000000000a2' } as const
  await importRegistry(database, [row, other])
  await saveContract(database, { chainId: 1, address: row.address }, { name: 'Our pool', protocol: 'Ours' })

  const next = [row, other].map((contract) => ({ ...contract, name: 'Pool v2', protocol: 'Example Lending 2' }))
  assert.deepEqual(await importRegistry(database, next), { added: 0, updated: 1, total: 2 })
  assert.deepEqual([(await find(row.address)).name, (await find(row.address)).label], ['Our pool', 'Ours'])
  assert.deepEqual(
    [(await find(other.address)).name, (await find(other.address)).label],
    ['Pool v2', 'Example Lending 2'],
  )
})

test('a row with only chain and address adds a contract, and erases nothing of a known one', async () => {
  const row = { ...POOL, address: '0x000000000000000000000000000000000000e9f2' } as const
  const least = { chainId: row.chainId, address: row.address, confidence: 'high' } as const
  assert.deepEqual(await importRegistry(database, [least]), { added: 1, updated: 0, total: 1 })
  const { name, label, kind } = await find(row.address)
  assert.deepEqual([name, label, kind], [null, null, 'unknown'])
  assert.deepEqual(await importRegistry(database, [row]), { added: 0, updated: 1, total: 1 })
  const full = await find(row.address)
  assert.deepEqual([full.name, full.label, full.kind], [row.name, row.protocol, row.kind])
  assert.deepEqual(await importRegistry(database, [least]), { added: 0, updated: 0, total: 1 })
  assert.deepEqual(await find(row.address), full)
})

test('a protocol is found by label and by slug, in any case', async () => {
  await importRegistry(database, [
    { ...POOL, address: '0x000000000000000000000000000000000000e9f1', protocol: 'ether.fi' },
  ])
  for (const text of ['ether.fi', 'ETHER.FI', 'ether-fi', ' Ether-Fi '])
    assert.equal((await findProtocol(database, text))?.label, 'ether.fi', text)
  for (const text of ['etherfi', 'ether', '', 'ether fi'])
    assert.equal(await findProtocol(database, text), undefined, text)
})

test('a protocol that an operator renamed keeps its label', async () => {
  const row = { ...POOL, address: '0x00000000000000000000000000000000000000b1', protocol: 'Old Label' } as const
  await importRegistry(database, [row])
  assert.equal(await renameProtocol(database, 'old-label', 'New Label'), true)
  await importRegistry(database, [row])
  assert.equal((await find(row.address)).label, 'New Label')
  const namesake = { ...POOL, address: '0x00000000000000000000000000000000000000b2', protocol: 'New Label' } as const
  assert.equal((await importRegistry(database, [namesake])).added, 1, 'no row is dropped over a name')
})

test('a discovered contract gets the name of the registry and stays watched', async () => {
  const row = { ...POOL, address: '0x00000000000000000000000000000000000000c1', kind: 'unknown' } as const
  await database.query(
    sql`insert into contract (chain_id, address, source, watch_state) values (1, $1, 'discovered', 'watched')`,
    [toBytes(row.address)],
  )
  await importRegistry(database, [row])
  const { name, source, watch_state: state } = await find(row.address)
  assert.deepEqual([name, source, state], ['Pool', 'seed', 'watched'])
})

test('the watcher is notified of a changed kind', async () => {
  const address = '0x00000000000000000000000000000000000000d1'
  await saveContract(database, { chainId: 1, address })
  assert.equal((await find(address)).watch_state, 'new')
  await database.query(sql`update contract set watch_state = 'watched' where address = $1`, [toBytes(address)])
  await saveContract(database, { chainId: 1, address }, { kind: 'safe' })
  assert.deepEqual([(await find(address)).kind, (await find(address)).watch_state], ['safe', 'changed'])
})

test('a subscription to a protocol during an import covers all its contracts', async () => {
  const row = { ...POOL, address: '0x00000000000000000000000000000000000000e1', protocol: 'Busy' } as const
  await importRegistry(database, [row])
  const { rows } = await database.query<{ id: number }>(sql`select id from protocol where slug = 'busy'`)
  const protocolId = rows[0]?.id ?? assert.fail()
  const account = await accountWithWebhook(database)
  // The import is paused after its last insert, before it commits.
  const gate = await database.connect()
  await gate.query(sql`select pg_advisory_lock(1)`)
  await gate.query(sql`
    create function wait_at_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(1); return null; end $$;
    create trigger wait_at_gate after insert on contract execute function wait_at_gate()`)
  const isWaiting = async (count: number) => {
    const { rowCount } = await database.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === count || undefined
  }
  const importing = importRegistry(database, [row, { ...row, address: '0x00000000000000000000000000000000000000e2' }])
  await eventually(() => isWaiting(1))
  const subscribing = subscribe(database, account, { protocolId })
  await Promise.race([subscribing, eventually(() => isWaiting(2))])
  await gate.query(sql`select pg_advisory_unlock(1)`)
  gate.release()
  await Promise.all([importing, subscribing])
  const { rowCount } = await database.query(
    sql`select from subscription where account_id = $1 and address is not null`,
    [account.id],
  )
  assert.equal(rowCount, 2)
})
