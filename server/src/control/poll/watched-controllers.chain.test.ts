/** Controllers that a poll names are watched from then on, with their history. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { controlContracts, dataOf, eoa, FREE, own, signers } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { catalog, caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { systemTiming } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { saveContract } from '../registry/contracts.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller } from './poller.ts'

const options = { skip: anvilMissing, timeout: 120_000 }

async function world() {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  await made.deployMulticall()
  const { database } = await createTestDatabase()
  const urls = [node.url]
  const pool = createRpcPool({ timing: systemTiming, report: () => {} }, { chain: 'ethereum', chainId: 1, urls })
  const codes = createCodeAnalyzer()
  const poller = createPoller({
    database,
    catalog,
    codes,
    log: testLog,
    poolOf: (chainId) => (chainId === 1 ? pool : undefined),
    confirmationsOf: () => 0,
  })
  const poll = (address: Hex) => poller.poll({ chainId: 1, address })
  const watchedKinds = async () => {
    const { rows } = await database.query<{ address: string; kind: string }>(
      sql`select '0x' || encode(address, 'hex') as address, kind from contract where source = 'discovered'`,
    )
    return new Map(rows.map(({ address, kind }) => [address, kind]))
  }
  return { node, evm, ...made, database, poll, watchedKinds }
}

test('every event of the AccessManager of a watched UUPS contract is in the feed', options, async (t) => {
  const { node, evm, uups, as, database, poll } = await world()
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const manager = await evm.deploy(openZeppelin5('AccessManager'), me)
  const target = await uups('ManagedUups', manager.address)
  const next = await evm.deploy(own('ManagedUups'))
  const upgrade = dataOf(target, 'upgradeToAndCall', [next.address, '0x'])
  const selector = upgrade.slice(0, 10)
  const from = (account: Hex, name: string, ...args: readonly unknown[]) => as(account, manager, name, ...args)

  // The manager's history, before the contract is watched.
  await from(me, 'labelRole', 7n, 'upgrader')
  await from(me, 'grantRole', 7n, other, 60)
  await from(me, 'setTargetFunctionRole', target.address, [selector], 7n)
  await from(me, 'setRoleGuardian', 7n, 8n)

  await saveContract(database, { chainId: 1, address: target.address })
  const watching = startWatching(database, [node], { discover: false })
  t.after(watching.stop)
  const { profile } = await poll(target.address)
  assert.deepEqual(
    profile.tree.paths.map(({ address, account }) => [address, account.kind]),
    [
      [manager.address, 'access_manager'],
      [other, 'eoa'],
    ],
    'the tree names the manager, and the account that it lets upgrade',
  )
  await caughtUp(database, node)

  // What it does while it is watched.
  await from(other, 'schedule', target.address, upgrade, 0)
  await from(other, 'cancel', other, target.address, upgrade)
  await from(other, 'schedule', target.address, upgrade, 0)
  await evm.pass(120)
  await from(other, 'execute', target.address, upgrade)
  await from(me, 'setGrantDelay', 7n, 3_600)
  await from(me, 'setTargetAdminDelay', target.address, 10)
  await from(me, 'setTargetClosed', target.address, true)
  await from(me, 'setRoleAdmin', 7n, 9n)
  await from(me, 'grantRole', 9n, eoa(1), 0)
  await from(eoa(1), 'revokeRole', 7n, other)
  await caughtUp(database, node)

  const declared = catalog.rows.filter(({ key }) => key.startsWith('manager.')).map(({ key }) => key)
  assert.ok(declared.length >= 12, `${declared.length} kinds`)
  const stored = (await storedEvents(database, 1)).filter(({ address }) => address === manager.address)
  assert.deepEqual(new Set(stored.map(({ key }) => key)), new Set(declared))
  assert.equal(stored.filter(({ key }) => key === 'manager.role_granted').length, 3, 'with the grants of its history')
})

test('a controller of any kind is watched once a poll names it', options, async () => {
  const { evm, database, safe, timelock, transparent4, transparent5, uups, poll, watchedKinds } = await world()
  const council = (await safe(2, signers(3))).address
  const lock = (await timelock(172_800n, [council])).address
  const manager = (await evm.deploy(openZeppelin5('AccessManager'), council)).address
  const owned = (await evm.deploy(own('OwnedToken'), council)).address
  const nested = (await safe(1, [(await safe(2, signers(3, 10))).address, eoa(20)])).address
  const beacon = (await evm.deploy(openZeppelin5('UpgradeableBeacon'), (await evm.deploy(own('Plain'))).address, lock))
    .address
  const beaconProxy = await evm.deploy(openZeppelin5('BeaconProxy'), beacon, dataOf(own('Plain'), 'set', [1n]))
  const token = (await evm.deploy(own('OwnedToken'), nested)).address
  const soleManager = (await evm.deploy(openZeppelin5('AccessManager'), council)).address
  const managed = (await evm.deploy(own('Managed'), soleManager)).address
  const targets: Readonly<Record<string, { readonly address: Hex; readonly names: readonly Hex[] }>> = {
    'a Safe': { address: (await transparent4(council)).address, names: [council] },
    'a timelock behind a ProxyAdmin': { address: (await transparent5(lock)).address, names: [lock, council] },
    'an AccessManager': { address: (await uups('ManagedUups', manager)).address, names: [manager, council] },
    'an owned contract': { address: (await uups('OwnedUups', owned)).address, names: [owned, council] },
    'a beacon': { address: beaconProxy.address, names: [beacon, lock] },
    'the owner of a contract without upgrades': { address: token, names: [nested] },
    'the manager of a contract without upgrades': { address: managed, names: [soleManager] },
  }
  for (const [name, { address, names }] of Object.entries(targets)) {
    await saveContract(database, { chainId: 1, address })
    await poll(address)
    const watched = await watchedKinds()
    for (const named of names) assert.ok(watched.has(named), `${name}: ${named} of ${[...watched.keys()].join()}`)
  }
  assert.equal((await watchedKinds()).get(manager), 'access_manager')
})
