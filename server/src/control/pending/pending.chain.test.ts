/** Queued changes from a timelock on a real node to the routes, through a reorg, a cancellation and an execution. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, zeroHash } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { artifact, call } from '../../../../testing/evm/scenario.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { systemClock } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { saveContract } from '../registry/contracts.ts'
import { getPendingPage } from './pending-page.ts'

type Change = {
  readonly state: string
  readonly summary: string
  readonly severity: string
  readonly earliestAt: string
  readonly calls: readonly { readonly text: string; readonly signature: string }[]
  readonly targets: readonly { readonly address: Hex; readonly isAffected: boolean }[]
}

test('a scheduled upgrade is listed until it is executed, and a reorg removes it', { skip: anvilMissing }, async () => {
  const store = await createTestDatabase()
  const { database } = store
  const node = await anvilForTests(1)
  const evm = await evmOf(node)
  const [me] = evm.accounts as readonly [Hex]
  const logic = await evm.deploy(artifact('Vault'))
  const next = await evm.deploy(artifact('VaultTwo'))
  const proxy = await evm.deploy(openZeppelin5('ERC1967Proxy'), logic.address, call(logic, 'initialize', [me]))
  const timelock = await evm.deploy(openZeppelin5('TimelockController'), 3_600n, [me], [me], me)
  await evm.send({ ...proxy, abi: logic.abi }, 'transferOwnership', [timelock.address])
  await saveContract(database, { chainId: 1, address: proxy.address }, { name: 'Vault', protocol: 'Example' })
  await saveContract(database, { chainId: 1, address: timelock.address }, { kind: 'timelock_oz' })
  const service = await startService(store, {
    env: { ROLES: 'serve,watch,poll', ETHEREUM_RPC_URL: node.url, ETHEREUM_CONFIRMATIONS: '0' },
  })
  const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
  const pending = async (query = ''): Promise<readonly Change[]> => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${service.url}/v1/pending?${query}`, { headers })
    assert.equal(response.status, 200, await response.clone().text())
    return ((await response.json()) as { data: Change[] }).data
  }
  /** Reads the database, because a key may not make this many requests. */
  const until = async (count: number, isClosed = false) =>
    await eventually(async () => {
      const { data } = await getPendingPage({ database, clock: systemClock }, { filter: { isClosed }, limit: 50 })
      return data.length === count ? data : undefined
    })

  const upgrade = [
    proxy.address,
    0n,
    call(logic, 'upgradeToAndCall', [next.address, '0x']),
    zeroHash,
    zeroHash,
  ] as const
  const beforeSchedule = await evm.blockNumber()
  await evm.send(timelock, 'schedule', [...upgrade, 3_600n])
  await until(1)
  const [change] = await pending()
  const block = await node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  assert.equal(Date.parse(change?.earliestAt ?? ''), (Number(block.timestamp) + 3_600) * 1_000)
  assert.equal(change?.state, 'queued')
  assert.equal(change?.severity, 'critical')
  assert.equal(change?.summary, `Upgrade ${proxy.address} to ${next.address}`)
  assert.deepEqual(
    change?.targets.map(({ address, isAffected }) => [address, isAffected]),
    [
      [proxy.address, true],
      [next.address, false],
    ],
  )
  for (const [query, count] of [
    ['protocol=example', 1],
    [`address=${proxy.address}`, 1],
    [`chain=ethereum&address=${timelock.address}&protocol=example`, 1],
    [`address=${next.address}`, 0],
    ['chain=base', 0],
    ['state=closed', 0],
  ] as const)
    assert.equal((await pending(query)).length, count, query)

  // A reorg removes the block that queued it.
  await node.rpc('anvil_reorg', 1, [])
  await evm.mine()
  assert.ok((await evm.blockNumber()) > beforeSchedule)
  await until(0)
  await evm.send(timelock, 'schedule', [...upgrade, 3_600n])
  await until(1)

  // The chain is read: who queued it, and the code of the targets.
  const read = async (isRead: (change: Awaited<ReturnType<typeof until>>[number]) => boolean) =>
    await eventually(async () => {
      const [found] = await until(1)
      return found !== undefined && isRead(found) ? found : undefined
    })
  const first = await read(({ queuedBy }) => queuedBy !== null)
  assert.equal(first.queuedBy, me.toLowerCase())
  const codeOf = async (address: Hex): Promise<Hex> => await node.rpc<Hex>('eth_getCode', address, 'latest')
  const code = await codeOf(next.address)
  assert.deepEqual(
    first.targets.map(({ codeHash, implementation, hasChanged }) => [codeHash, implementation, hasChanged]),
    [
      [keccak256(await codeOf(proxy.address)), logic.address, false],
      [keccak256(code), null, false],
    ],
  )

  // The calls are simulated: the upgrade would not change who controls the contract.
  const tried = await read(({ after }) => after !== null)
  assert.deepEqual(
    [
      tried.after?.problem,
      tried.after?.contracts.map(({ address, label, previousLabel }) => [address, label === previousLabel]),
    ],
    [null, [[proxy.address, true]]],
  )

  // The new code is replaced while the upgrade is queued.
  await node.rpc('anvil_setCode', next.address, '0x6001600155')
  await evm.mine()
  await database.query(sql`update pending_operation set read_at = null`)
  await eventually(async () => {
    const { rows } = await database.query<{ severity: number; target: string }>(
      sql`select e.severity, e.args ->> 'target' as target from control_event e join event_kind k on k.id = e.kind_id
       where k.key = 'pending.target_changed'`,
    )
    // Until every event of the block is collected, nothing is compared.
    if (rows.length === 0) await database.query(sql`update pending_operation set read_at = null`)
    else assert.deepEqual(rows, [{ severity: 2, target: next.address }])
    return rows.length === 0 ? undefined : true
  })
  const warned = await read(({ targets }) => targets.some(({ hasChanged }) => hasChanged))
  assert.deepEqual(
    warned.targets.map(({ hasChanged }) => hasChanged),
    [false, true],
  )
  await node.rpc('anvil_setCode', next.address, code)

  await evm.pass(3_600)
  await evm.send(timelock, 'execute', [...upgrade])
  await until(0)
  assert.deepEqual(
    (await until(1, true)).map(({ state }) => state),
    ['executed'],
  )
  const view = await fetch(`${service.url}/public/control/contracts/ethereum/${proxy.address}`)
  assert.deepEqual(((await view.json()) as { data: { pending: unknown[] } }).data.pending, [])
  await service.stop()
})
