/** Silent changes on a real node: each is told once, and a change that a log announced is not told at all. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../test/chain/anvil.ts'
import {
  type Artifact,
  compileContracts,
  openZeppelin4,
  openZeppelin5,
  safeContract,
} from '../../../test/chain/compile.ts'
import { type Evm, evmOf } from '../../../test/chain/evm.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { testLog } from '../../../test/support/log.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { CHAINS } from '../chains/chains.ts'
import { createPool, type NodePool } from '../node/pool.ts'
import type { Question } from '../node/questions.ts'
import { systemTiming } from '../node/timing.ts'
import { SLOTS } from '../profile/slots.ts'
import { saveContract } from '../store/contracts.ts'
import { findProfile } from '../store/profiles.ts'
import { createPoller } from './poll-chains.ts'
import { type PollDeps, pollContract } from './poll-contract.ts'
import { createCodeCache } from './read-state.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const node =
  anvilMissing === false
    ? await anvilForTests(1, ['--auto-impersonate', '--base-fee', '0', '--gas-price', '0'])
    : undefined
const evm = node === undefined ? (undefined as unknown as Evm) : await evmOf(node)
const { database } = await createTestDatabase()
const own = (name: string): Artifact => compileContracts()[name] as Artifact
const person = (n: number): Hex => `0x${(0xabc000 + n).toString(16).padStart(40, '0')}`
const wordOf = (value: Hex | number): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const owners = [person(1), person(2), person(3)]

let deps: PollDeps
let pool: NodePool
before(() => {
  if (node === undefined) return
  // The same node twice: two endpoints that must agree.
  pool = createPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [node.url, node.url] },
  )
  deps = {
    database,
    catalog: buildCatalog(catalogRows),
    poolOf: (chainId) => (chainId === 1 ? pool : undefined),
    codes: createCodeCache(),
  }
})

async function safe(): Promise<Hex> {
  const singleton = await evm.deploy(safeContract('1.4.1', 'SafeL2'))
  const factory = await evm.deploy(safeContract('1.4.1', 'proxies/SafeProxyFactory'))
  const setup = encodeFunctionData({
    abi: singleton.abi,
    functionName: 'setup',
    args: [owners, 2n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
  })
  const made = [singleton.address, setup, 1n]
  const address: Hex = `0x${(await evm.read(factory, 'createProxyWithNonce', made)).slice(-40)}`
  await evm.send(factory, 'createProxyWithNonce', made)
  return address
}

const look = (address: Hex) => pollContract(deps, { chainId: 1, address }, 0)
const fieldsOf = async (address: Hex): Promise<readonly string[]> =>
  (await look(address)).silent.map(({ field }) => field)
const write = async (address: Hex, slot: Hex, word: Hex): Promise<void> => {
  await node?.rpc('anvil_setStorageAt', address, slot, word)
  await evm.mine()
}

test(
  'an admin slot written silently is one event, one changed label with its cause, and no more',
  options,
  async () => {
    const admin = await safe()
    const logic = await evm.deploy(own('Plain'))
    const { address } = await evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), logic.address, admin, '0x')
    assert.deepEqual(await fieldsOf(address), [], 'the first look is no change')
    assert.equal((await findProfile(database, { chainId: 1, address }))?.label, 'multisig')
    await write(address, SLOTS.admin, wordOf(person(9)))
    assert.deepEqual(await fieldsOf(address), ['admin'])
    assert.deepEqual(await fieldsOf(address), [])
    const { rows } = await database.query(
      `select event_key, severity, is_derived, args from control_event where address = decode($1, 'hex')`,
      [address.slice(2)],
    )
    assert.deepEqual(rows, [
      {
        event_key: 'slot.admin_changed',
        severity: 2,
        is_derived: true,
        args: { field: 'admin', previous: admin, current: person(9) },
      },
    ])
    const changes = await database.query(
      `select from_label, to_label, cause from control_profile_change where address = decode($1, 'hex') order by id`,
      [address.slice(2)],
    )
    assert.deepEqual(
      changes.rows.map((row: { from_label: string | null; to_label: string }) => [row.from_label, row.to_label]),
      [
        [null, 'multisig'],
        ['multisig', 'single_key'],
      ],
    )
    assert.equal((changes.rows[1] as { cause: { field: string }[] }).cause[0]?.field, 'admin')
    const { rows: outbox } = await database.query('select kind from event_outbox')
    assert.deepEqual(outbox, [{ kind: 'published' }])

    await write(address, SLOTS.implementation, wordOf((await evm.deploy(own('OwnedToken'), person(1))).address))
    assert.deepEqual((await fieldsOf(address)).toSorted(), ['implementation', 'owner', 'paused'])
  },
)

test('a change that a log announced is not told', options, async () => {
  const logic = await evm.deploy(own('Plain'))
  const proxy = await evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), logic.address, person(9), '0x')
  const abi = openZeppelin4('ITransparentUpgradeableProxy').abi
  await node?.rpc('anvil_setBalance', person(9), '0xde0b6b3a7640000')
  await look(proxy.address)
  await evm.send({ address: proxy.address, abi }, 'upgradeTo', [(await evm.deploy(own('Plain'))).address], person(9))
  assert.deepEqual(await fieldsOf(proxy.address), [])
  await evm.send({ address: proxy.address, abi }, 'changeAdmin', [person(8)], person(9))
  assert.deepEqual(await fieldsOf(proxy.address), [])
})

test(
  'a Safe whose singleton, threshold and guard are rewritten, a delay, a beacon, the code itself',
  options,
  async () => {
    const wallet = await safe()
    await look(wallet)
    await write(wallet, SLOTS.slot4, wordOf(1))
    assert.deepEqual(await fieldsOf(wallet), ['safeThreshold'])
    await write(wallet, SLOTS.safeGuard, wordOf(person(5)))
    assert.deepEqual(await fieldsOf(wallet), ['guard'])
    const lock = await evm.deploy(openZeppelin5('TimelockController'), 172_800n, [wallet], [wallet], zeroAddress)
    await look(lock.address)
    await write(lock.address, wordOf(2), wordOf(1))
    assert.deepEqual(await fieldsOf(lock.address), ['minDelay'])
    const code = await evm.deploy(own('Plain'))
    await look(code.address)
    await node?.rpc('anvil_setCode', code.address, await node.rpc('eth_getCode', wallet, 'latest'))
    await evm.mine()
    assert.ok((await fieldsOf(code.address)).includes('codeHash'))
  },
)

test(
  'a failed read makes no event and changes no label; what one endpoint alone sees is not believed',
  options,
  async () => {
    const wallet = await safe()
    await look(wallet)
    const honest = deps
    const broken: NodePool = {
      ...pool,
      ask: <T>(question: Question<T>, given = {}) =>
        question.method === 'eth_getStorageAt'
          ? pool.ask({ ...question, method: 'eth_noSuchMethod' }, given)
          : pool.ask(question, given),
    }
    deps = { ...honest, poolOf: () => broken }
    const failed = await look(wallet)
    assert.deepEqual([failed.silent, failed.profile.label, failed.profile.stale], [[], 'multisig', true])

    const lying: NodePool = {
      ...pool,
      ask: async (question, given = {}) => {
        const answer = await pool.ask(question, given)
        const isTarget =
          question.method === 'eth_getStorageAt' && question.params[1] === SLOTS.safeGuard && given.only !== 1
        return isTarget ? { ...answer, value: wordOf(person(66)) as never } : answer
      },
    }
    deps = { ...honest, poolOf: () => lying }
    assert.deepEqual((await look(wallet)).silent, [])
    deps = honest
    assert.deepEqual((await look(wallet)).silent, [], 'nor was it kept')
  },
)

test('a round looks at every known contract once', options, async () => {
  const wallet = await safe()
  const plain = await evm.deploy(own('Plain'))
  for (const address of [wallet, plain.address]) await saveContract(database, { chainId: 1, address })
  const chain = CHAINS.find(({ id }) => id === 1)
  assert.ok(chain !== undefined && node !== undefined)
  const poller = createPoller({ database, log: testLog, catalog: deps.catalog }, [
    { chain, rpcUrls: [node.url], confirmations: 0 },
  ])
  const began = new Date()
  const { rows: known } = await database.query('select from contract')
  assert.ok(known.length > 2, 'controllers of contracts looked at before are among them')
  assert.deepEqual(await poller.round(1, began), { looked: known.length, failed: 0, silent: 0 })
  assert.deepEqual(await poller.round(1, began), { looked: 0, failed: 0, silent: 0 })
  const { rows } = await database.query(`select kind from contract where source = 'manual' order by kind`)
  assert.deepEqual(rows, [{ kind: 'immutable' }, { kind: 'safe' }])
  poller.close()
})
