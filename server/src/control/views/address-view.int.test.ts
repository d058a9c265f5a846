/** What an address can do, from stored holders: itself, as a signer, through a timelock. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Power, PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { savePowerHolders } from '../poll/power-holders.ts'
import { savePoll } from '../poll/profile-store.ts'
import { toned, unprofiled } from '../profile/profile.ts'
import { saveContract } from '../registry/contracts.ts'
import { findAddressView } from './address-view.ts'
import { getSharedSigners } from './control-node-view.ts'

const { database } = await createTestDatabase()
const chain = findChain(1)
assert.ok(chain)
const [key, safe, timelock, token, oracle] = [1, 2, 3, 4, 5].map((number) => hexOf(number, 20)) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]

const power = (effect: PowerEffect, address: Hex, delaySeconds = 0): Power => ({
  effect,
  class: effect === 'pause' ? 'high' : 'critical',
  functions: [],
  holders: [{ chainId: 1, address, kind: 'eoa', role: 'Owner', label: 'multisig', delaySeconds }],
  label: 'multisig',
  delaySeconds,
})

async function store(
  address: Hex,
  kind: string,
  powers: readonly Power[],
  signers: readonly Hex[] = [],
): Promise<void> {
  const ref = { chainId: 1, address }
  await saveContract(database, ref, { kind })
  const { tree } = unprofiled(ref)
  const account = { kind: 'safe', threshold: 2, owners: signers.length } as const
  await savePowerHolders(database, ref, {
    powers,
    stale: false,
    tree: {
      ...tree,
      account,
      signers: signers.map((signer) => ({ address: signer, account: { kind: 'eoa' } as const })),
    },
  })
}

await store(safe, 'safe', [], [key, hexOf(9, 20)])
await store(timelock, 'timelock_oz', [power('execute', safe, 172_800)])
await store(token, 'ownable', [power('mint', timelock, 172_800), power('pause', safe)])
await store(oracle, 'ownable', [power('set_price', key)])

test('powers are listed by effect, with the path, the signatures and the delay', async () => {
  const { powers, isComplete } = await findAddressView({ database }, { chain, address: key })
  assert.equal(isComplete, true)
  assert.deepEqual(
    powers.map(({ effect, contracts }) => [
      effect,
      contracts.map(({ address, through, signaturesNeeded, delaySeconds }) => [
        address,
        through,
        signaturesNeeded,
        delaySeconds,
      ]),
    ]),
    [
      ['execute', [[timelock, [safe], 2, 172_800]]],
      ['mint', [[token, [safe, timelock], 2, 172_800]]],
      ['set_price', [[oracle, [], 1, 0]]],
      ['pause', [[token, [safe], 2, 0]]],
    ],
  )
})

test('an address without powers has none; holders that are gone are gone', async () => {
  const none = await findAddressView({ database }, { chain, address: hexOf(77, 20) })
  assert.deepEqual(none.powers, [])
  await store(oracle, 'ownable', [])
  const { powers } = await findAddressView({ database }, { chain, address: key })
  assert.equal(
    powers.some(({ effect }) => effect === 'set_price'),
    false,
  )
})

test('a signer of several multisigs is shared, and they are named', async () => {
  const council = hexOf(6, 20)
  await store(council, 'safe', [], [key])
  await saveContract(database, { chainId: 1, address: council }, { name: 'Council' })
  const tree = {
    ...unprofiled({ chainId: 1, address: safe }).tree,
    signers: [key, hexOf(9, 20)].map((address) => ({ address, account: { kind: 'eoa' } as const })),
  }
  const at = { chainId: 1, chainSlug: 'ethereum' }
  assert.deepEqual(
    [...(await getSharedSigners(database, [tree]))],
    [
      [
        `1:${key}`,
        {
          multisigs: 2,
          signsFor: [
            { ...at, address: safe, name: null },
            { ...at, address: council, name: 'Council' },
          ],
        },
      ],
    ],
  )
})

test('code is listed with the contracts that run it now or did before', async () => {
  const [code, later, vault, pool] = [21, 22, 23, 24].map((number) => hexOf(number, 20)) as [Hex, Hex, Hex, Hex]
  const poll = async (address: Hex, number: number, since: number | undefined, fields: Record<string, string>) =>
    await savePoll(database, {
      chainId: 1,
      address,
      block: { number, hash: hexOf(number, 32), time: Date.now() },
      fields,
      since,
      events: [],
      profile: toned({ ...unprofiled({ chainId: 1, address }), powers: [] }),
      cause: [],
      controllers: [],
    })
  await saveContract(database, { chainId: 1, address: vault }, { name: 'Vault', protocol: 'Meadow' })
  await poll(vault, 10, undefined, { implementation: code })
  await poll(pool, 10, undefined, { beaconImplementation: code })
  const runnersOf = async (address: Hex) =>
    (await findAddressView({ database }, { chain, address })).implementationOf.map((runner) => [
      runner.address,
      runner.name,
      runner.protocol,
      runner.isCurrent,
    ])
  assert.deepEqual(await runnersOf(code), [
    [vault, 'Vault', 'Meadow', true],
    [pool, null, null, true],
  ])
  await poll(vault, 11, 10, { implementation: later })
  assert.deepEqual(await runnersOf(code), [
    [pool, null, null, true],
    [vault, 'Vault', 'Meadow', false],
  ])
  assert.deepEqual(await runnersOf(later), [[vault, 'Vault', 'Meadow', true]])
})

test('an index finds the contracts that run a code', async () => {
  const client = await database.connect()
  try {
    // PostgreSQL scans a small table. This test is about large ones.
    await client.query(sql`set enable_seqscan = off`)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      sql`explain select address from control_snapshot
        where chain_id = 1 and coalesce(fields ->> 'implementation', fields ->> 'beaconImplementation') = '0x12'`,
    )
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /control_snapshot_implementation/)
  } finally {
    client.release(true)
  }
})
