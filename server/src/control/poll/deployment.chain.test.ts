/** Code that appears at a watched address: a deployment is setup, everything else is a critical change. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getContractAddress, type Hex, keccak256 } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin4, openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { controlContracts, eoa, FREE, own } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { catalog, storedEvents } from '../../../../testing/evm/watching.ts'
import { accountWithWebhook, deliveriesTo, subscribe } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { eventText } from '../../../../vocabulary/event-sentence.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller } from './poller.ts'

const options = { skip: anvilMissing }

/** Before Cancun, a contract that destroys itself leaves its address free for another deployment. */
const SHANGHAI = FREE.map((option) => (option === 'prague' ? 'shanghai' : option))

async function world(settings = FREE) {
  const node = await anvilForTests(1, settings)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  // The same node twice: two endpoints that must agree.
  const urls = [node.url, node.url]
  const pool = createRpcPool({ timing: systemTiming, report: () => {} }, { chain: 'ethereum', chainId: 1, urls })
  const poller = createPoller({
    database,
    catalog,
    codes: createCodeAnalyzer(),
    log: testLog,
    poolOf: (chainId) => (chainId === 1 ? pool : undefined),
    confirmationsOf: () => 0,
  })
  const account = await accountWithWebhook(database)
  const [deployer] = evm.accounts as readonly [Hex]
  return {
    node,
    evm,
    ...made,
    /** The address of the contract that is deployed next. */
    nextAddress: async (): Promise<Hex> => {
      const nonce = BigInt(await node.rpc<Hex>('eth_getTransactionCount', deployer, 'latest'))
      return getContractAddress({ from: deployer, nonce }).toLowerCase() as Hex
    },
    watch: async (address: Hex) => {
      await subscribe(database, account, address)
      await poller.poll({ chainId: 1, address })
    },
    poll: async (address: Hex) => (await poller.poll({ chainId: 1, address })).silent.map(({ field }) => field),
    eventsOf: async (address: Hex) => (await storedEvents(database, 1)).filter((event) => event.address === address),
    alerts: async () => (await deliveriesTo(database, account)).map(({ key }) => key),
  }
}

test('a deployment at an address that is watched before is setup', options, async () => {
  const { evm, plain, nextAddress, watch, poll, eventsOf, alerts } = await world()
  const logic = await plain()
  const deployments: Readonly<Record<string, () => Promise<{ readonly address: Hex }>>> = {
    'a contract': () => evm.deploy(own('Plain')),
    'a contract with an owner': () => evm.deploy(own('OwnedToken'), eoa(1)),
    'a proxy that logs its admin': () => evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), logic, eoa(1), '0x'),
    'a proxy that logs nothing': () => evm.deploy(own('ZosProxy'), logic, eoa(1)),
  }
  for (const [name, deploy] of Object.entries(deployments)) {
    const address = await nextAddress()
    await watch(address)
    assert.equal((await deploy()).address, address, name)
    assert.deepEqual(await poll(address), [], `${name}: no silent change`)
    const events = await eventsOf(address)
    const [code] = events.filter(({ key }) => key === 'slot.code_changed')
    assert.equal(code?.args.appearance, 'deployment', name)
    assert.deepEqual(
      events.map(({ isInit, severity }) => [isInit, severity]),
      events.map(() => [true, 'info']),
      name,
    )
    assert.deepEqual(await poll(address), [], `${name}, again`)
  }
  assert.deepEqual(await alerts(), [])
})

/** Its code is CALLER SELFDESTRUCT. */
const DESTRUCTIBLE: Hex = '0x6133ff6000526002601ef3'
/** A factory that anvil deploys: the input is a salt and the creation code. */
const CREATE2_FACTORY: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

test('code where a contract was before is a critical change', options, async () => {
  const { evm, watch, poll, eventsOf, alerts } = await world(SHANGHAI)
  const salt: Hex = `0x${'00'.repeat(32)}`
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: CREATE2_FACTORY,
    salt,
    bytecodeHash: keccak256(DESTRUCTIBLE),
  }).toLowerCase() as Hex
  const deploy = () => evm.sendRaw(CREATE2_FACTORY, `${salt}${DESTRUCTIBLE.slice(2)}`)
  await deploy()
  await watch(address)
  await evm.sendRaw(address, '0x')
  assert.deepEqual(await poll(address), ['codeHash'], 'destroyed')
  await deploy()
  assert.deepEqual(await poll(address), ['codeHash'], 'deployed again')
  const event = (await eventsOf(address)).at(-1)
  assert.ok(event)
  assert.deepEqual([event.isInit, event.severity, event.args.appearance], [false, 'critical', 'redeployment'])
  assert.match(eventText({ eventKey: event.key, args: event.args }), /^Code deployed again where a contract was before/)
  assert.deepEqual(await alerts(), ['slot.code_changed', 'slot.code_changed'])
})

test('code at an account that controls a contract, or that has a key, is a critical change', options, async () => {
  const { node, evm, uups, plain, setCode, nextAddress, watch, poll, eventsOf } = await world()
  const code = await node.rpc<Hex>('eth_getCode', await plain(), 'latest')
  const [, user] = evm.accounts as readonly [Hex, Hex]
  await evm.sendRaw(eoa(5), '0x', user)
  // The deployment of the proxy and of its logic comes before the owner's.
  const nonce = BigInt(await node.rpc<Hex>('eth_getTransactionCount', evm.accounts[0], 'latest'))
  const owner = getContractAddress({ from: evm.accounts[0] as Hex, nonce: nonce + 2n }).toLowerCase() as Hex
  await watch((await uups('OwnedUups', owner)).address)
  assert.equal(await nextAddress(), owner)
  const cases: readonly (readonly [Hex, string, () => Promise<unknown>])[] = [
    [owner, 'controller', () => evm.deploy(openZeppelin5('AccessManager'), user)],
    [user, 'account', () => setCode(user, code)],
    [eoa(6), 'delegation', () => setCode(eoa(6), `0xef0100${eoa(7).slice(2)}`)],
    [eoa(8), 'unexplained', () => setCode(eoa(8), code)],
  ]
  for (const [address, appearance, change] of cases) {
    await watch(address)
    await change()
    assert.deepEqual(await poll(address), ['codeHash'], appearance)
    const event = (await eventsOf(address)).find(({ key }) => key === 'slot.code_changed')
    assert.deepEqual([event?.isInit, event?.severity, event?.args.appearance], [false, 'critical', appearance])
  }
})

test('an owner that delegates to code (EIP-7702) is an event of the contract that it owns', options, async () => {
  const { uups, setCode, watch, poll, eventsOf, alerts } = await world()
  const { address } = await uups('OwnedUups', eoa(6))
  await watch(address)
  await setCode(eoa(6), `0xef0100${eoa(7).slice(2)}`)
  await poll(address)
  await poll(address)
  const found = (await eventsOf(address)).filter(({ key }) => key === 'slot.delegate_changed')
  assert.deepEqual(
    found.map(({ severity, args }) => [severity, args.account, args.previous, args.current]),
    [['critical', eoa(6), null, eoa(7)]],
  )
  assert.ok((await alerts()).includes('slot.delegate_changed'))
})
