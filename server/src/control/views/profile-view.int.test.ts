import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { sql } from '../../platform/sql.ts'
import { findSnapshot, savePoll } from '../poll/profile-store.ts'
import { unprofiled } from '../profile/profile.ts'
import { saveContract } from '../registry/contracts.ts'
import { createBadgeProfiles } from './profile-view.ts'

const { database } = await createTestDatabase()
const contract = { chainId: 1, address: `0x${'ab'.repeat(20)}` } as const
const other = { chainId: 10, address: `0x${'cd'.repeat(20)}` } as const
const profiles = createBadgeProfiles({ database })
const poll = async (
  label: Label,
  fields: Record<string, string | null>,
  number: number,
  since?: number,
  firstLogBlocks = {},
) =>
  savePoll(database, {
    ...contract,
    block: { number, hash: `0x${'11'.repeat(32)}`, time: 1_700_000_000_000 },
    fields,
    firstLogBlocks,
    events: [],
    cause: [],
    since: since ?? (await findSnapshot(database, contract))?.polledBlock,
    controllers: [{ chainId: 1, address: `0x${'ef'.repeat(20)}`, kind: 'safe' }],
    profile: { ...unprofiled(contract), label, kind: 'proxy_uups' },
  })

test('badges show the last profile, and those of a protocol the labels of all its contracts', async () => {
  await saveContract(database, contract, { name: 'Vault', protocol: 'Green Garden' })
  await saveContract(database, other, { protocol: 'Green Garden' })
  assert.equal(await profiles.findProfile(1, contract.address), undefined)
  await poll('timelocked', { admin: null }, 5)
  assert.deepEqual(await profiles.findProfile(1, contract.address), {
    label: 'timelocked',
    leader: null,
    tone: 'green',
    power: undefined,
    stale: false,
    name: 'Vault',
  })
  for (const text of ['green-garden', 'GREEN GARDEN', 'Green Garden']) {
    const found = await profiles.findProtocol(text)
    assert.equal(found?.name, 'Green Garden')
    assert.deepEqual(found.contracts.map(({ label }) => label).toSorted(), ['timelocked', 'unknown'])
  }
  assert.equal(await profiles.findProtocol('nobody'), undefined)
})

test('a poll without changes stores no new snapshot, and keeps the kind set by an operator', async () => {
  await poll('timelocked', { admin: null }, 9)
  assert.deepEqual(await findSnapshot(database, contract), {
    polledBlock: 9,
    polledHash: `0x${'11'.repeat(32)}`,
    fields: { admin: null },
    firstLogBlocks: {},
    singleObservations: {},
    disagreements: {},
  })
  await poll('multisig', { admin: '0x01' }, 12)
  const { rows } = await database.query(sql`select block_number, polled_block from control_snapshot order by id`)
  assert.deepEqual(rows, [
    { block_number: 5, polled_block: 9 },
    { block_number: 12, polled_block: 12 },
  ])
  const { rows: kinds } = await database.query(sql`select kind from contract where name = 'Vault'`)
  assert.deepEqual(kinds, [{ kind: 'proxy_uups' }])
  await saveContract(database, contract, { kind: 'diamond' })
  await poll('multisig', { admin: '0x01' }, 13)
  assert.deepEqual((await database.query(sql`select kind from contract where name = 'Vault'`)).rows, [
    { kind: 'diamond' },
  ])
  const { rows: found } = await database.query(sql`select kind, source from contract where source = 'discovered'`)
  assert.deepEqual(found, [{ kind: 'safe', source: 'discovered' }], 'its controller is stored as a contract once')
  assert.equal(
    await poll('single_key', { admin: '0x02' }, 14, 9),
    false,
    'a poll that another one overtook stores nothing',
  )
  assert.equal((await profiles.findProfile(1, contract.address))?.label, 'multisig')
})

test('a poll stores unsettled fields for the next one, until they are settled', async () => {
  const known = async () => (await findSnapshot(database, contract))?.firstLogBlocks
  await poll('multisig', { admin: '0x01' }, 20, undefined, { admin: 14 })
  assert.deepEqual(await known(), { admin: 14 })
  await poll('multisig', { admin: '0x01', owner: null }, 21, undefined, { admin: 14 })
  assert.deepEqual(await known(), { admin: 14 }, 'in another snapshot too')
  await poll('multisig', { admin: '0x01', owner: null }, 22)
  assert.deepEqual(await known(), {})
})
