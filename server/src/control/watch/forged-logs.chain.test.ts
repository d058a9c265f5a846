/** Contracts that log thousands of upgrades that never happened: real node, real watcher, real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Hex, toEventSelector } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE, own } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventText } from '../../../../vocabulary/event-sentence.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { saveContract } from '../registry/contracts.ts'
import { createWatchStore } from './watch-store-pg.ts'

const TOPIC = toEventSelector('Upgraded(address)').slice(2)

/** Code that logs an upgrade with a number from `count` down to 1 as the implementation. */
const logging = (count: number): Hex =>
  `0x61${count.toString(16).padStart(4, '0')}5b807f${TOPIC}60006000a260019003806003570000`

test('forged upgrades of a contract that nothing refers to collapse and are not critical', {
  skip: anvilMissing,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const [forger, registered] = [`0x${'f0'.repeat(20)}`, `0x${'d0'.repeat(20)}`] as const
  await node.rpc('anvil_setCode', forger, logging(5_000))
  await node.rpc('anvil_setCode', registered, logging(40))
  await evm.mine(1)
  await saveContract(database, { chainId: 1, address: registered })
  const proxy = await made.transparent4(eoa(7))
  const watching = startWatching(database, [node])
  after(() => watching.stop())
  await caughtUp(database, node)

  const call = async (to: Hex, from?: Hex, data: Hex = '0x'): Promise<void> => {
    const hash = await node.rpc<Hex>('eth_sendTransaction', {
      from: from ?? (await sender()),
      to,
      data,
      gas: '0x1c9c380',
      gasPrice: '0x0',
    })
    await evm.mine(1)
    const { status } = await node.rpc<{ status: Hex }>('eth_getTransactionReceipt', hash)
    assert.equal(status, '0x1')
  }
  for (let n = 0; n < 3; n += 1) await call(forger)
  await call(registered)
  const next = await evm.deploy(own('OwnedToken'), eoa(1))
  await node.rpc('anvil_impersonateAccount', eoa(7))
  const upgradeTo: Hex = `0x3659cfe6${next.address.slice(2).padStart(64, '0')}`
  await call(proxy.address, eoa(7), upgradeTo)
  await caughtUp(database, node)

  const all = (await storedEvents(database, 1)).filter(({ isInit }) => !isInit)
  const of = (address: Hex) => all.filter((event) => event.address === address)
  assert.deepEqual(
    of(forger).map(({ severity, args }) => [severity, args.moreLikeThis]),
    Array.from({ length: 3 }, () => [
      ['info', undefined],
      ['info', undefined],
      ['info', '4997'],
    ]).flat(),
  )
  const [, , last] = of(forger)
  assert.match(eventText({ eventKey: last?.key ?? '', args: last?.args ?? {} }), / \(4,997 more like this\)$/)
  assert.equal(of(registered).length, 40, 'every event of a registered contract is stored')
  assert.deepEqual(
    of(proxy.address).map(({ key, severity }) => [key, severity]),
    [['proxy.upgraded', 'critical']],
    'a real upgrade of a contract that nothing refers to is critical',
  )

  // A contract counts as referenced through a contract that it controls only if something refers to that one.
  const store = createWatchStore({ database }, 1)
  const controls = (controlled: Hex, controller: Hex) =>
    database.query(
      sql`insert into contract_controller (chain_id, address, controller_chain_id, controller, is_logic)
       values (1, $1, 1, $2, false)`,
      [toBytes(controlled), toBytes(controller)],
    )
  await controls(proxy.address, forger)
  assert.deepEqual(await store.getReferenced([forger, registered]), new Set([registered]))
  await controls(registered, proxy.address)
  assert.deepEqual(await store.getReferenced([forger, eoa(1)]), new Set([forger]))

  async function sender(): Promise<Hex> {
    const [first] = await node.rpc<Hex[]>('eth_accounts')
    return first as Hex
  }
})
