/** Contracts that schedule their own changes, and those of Maker, Morpho and Aave 3, on a real node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, toFunctionSelector, zeroHash } from 'viem'
import { anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { dataOf, eoa, own } from '../../../../testing/evm/control.ts'
import { queueWorld, secondsOf } from '../../../../testing/evm/queue-world.ts'
import { storedEvents } from '../../../../testing/evm/watching.ts'

const DAY = 86_400
const options = { skip: anvilMissing, timeout: 600_000 }

type Listed = { readonly operation: string; readonly state: string; readonly summary: string }
const lines = (changes: readonly Listed[]): readonly string[] =>
  changes.map(({ operation, state, summary }) => `${operation} ${state}: ${summary}`).toSorted()
const ends = (changes: readonly Listed[]): readonly string[] =>
  changes.map(({ operation, state }) => `${operation} ${state}`).toSorted()

test('the default admin rules of OpenZeppelin: the admin, and the delay', options, async () => {
  const { evm, made, register, of, now, database } = await queueWorld()
  const [admin, next] = [eoa(1), eoa(2)]
  const chamber = await evm.deploy(own('Chamber'), admin)
  await register(chamber.address, 'Chamber')
  await made.as(admin, chamber, 'beginDefaultAdminTransfer', eoa(66))
  await made.as(admin, chamber, 'beginDefaultAdminTransfer', next)
  const queuedAt = await now()
  const { open } = await of(chamber.address)
  assert.deepEqual(lines(open), [`default_admin queued: Grant Default admin role of ${chamber.address} to ${next}`])
  assert.deepEqual([open[0]?.family, open[0]?.severity, open[0]?.queuedBy], ['default_admin', 'critical', admin])
  assert.equal(secondsOf(open[0]?.earliestAt), queuedAt + DAY)
  await evm.pass(DAY + 1)
  await made.as(next, chamber, 'acceptDefaultAdminTransfer')
  assert.deepEqual(ends((await of(chamber.address)).closed), ['default_admin executed'])

  await made.as(next, chamber, 'beginDefaultAdminTransfer', admin)
  assert.deepEqual(ends((await of(chamber.address)).open), ['default_admin queued'], 'queued again')
  await made.as(next, chamber, 'cancelDefaultAdminTransfer')
  assert.deepEqual(ends((await of(chamber.address)).closed), ['default_admin canceled'])

  await made.as(next, chamber, 'changeDefaultAdminDelay', 3_600n)
  const [change] = (await of(chamber.address)).open
  assert.equal(change?.summary, `Change the delay of the default admin of ${chamber.address} to 1 h`)
  const lowered = (await storedEvents(database, 1)).findLast(
    ({ key }) => key === 'access.default_admin_delay_scheduled',
  )
  assert.deepEqual([lowered?.severity, lowered?.args.previousDelay], ['critical', String(DAY)])
  await evm.pass(DAY + 1)
  await evm.mine()
  assert.deepEqual(ends((await of(chamber.address)).closed), ['default_admin canceled', 'default_admin_delay executed'])
})

test('an access manager of OpenZeppelin', options, async () => {
  const { evm, made, register, of, now } = await queueWorld()
  const [admin, operator] = [eoa(1), eoa(2)]
  const manager = await evm.deploy(openZeppelin5('AccessManager'), admin)
  const managed = await evm.deploy(own('Managed'), manager.address)
  await register(manager.address, 'Manager')
  await register(managed.address, 'Managed')
  const selector = toFunctionSelector('setValue(uint256)')
  await made.as(admin, manager, 'setTargetFunctionRole', managed.address, [selector], 7n)
  await made.as(admin, manager, 'grantRole', 7n, operator, DAY)
  const set = (value: bigint): Hex => dataOf(managed, 'setValue', [value])
  await made.as(operator, manager, 'schedule', managed.address, set(1n), 0)
  const queuedAt = await now()
  const { open } = await of(managed.address)
  assert.deepEqual(
    [open.length, open[0]?.family, open[0]?.state, open[0]?.queuedBy],
    [1, 'access_manager', 'queued', operator],
  )
  assert.equal(secondsOf(open[0]?.earliestAt), queuedAt + DAY)
  assert.equal(secondsOf(open[0]?.expiresAt), queuedAt + 8 * DAY)
  await made.as(operator, manager, 'schedule', managed.address, set(2n), 0)
  await made.as(operator, manager, 'cancel', operator, managed.address, set(2n))
  await evm.pass(DAY + 1)
  await made.as(operator, manager, 'execute', managed.address, set(1n))
  assert.deepEqual((await of(managed.address)).closed.map(({ state }) => state).toSorted(), ['canceled', 'executed'])

  // The manager changes who may call what: control over the contract that it names.
  await made.as(admin, manager, 'grantRole', 0n, operator, DAY)
  const authority = dataOf(manager, 'updateAuthority', [managed.address, eoa(66)])
  await made.as(operator, manager, 'schedule', manager.address, authority, 0)
  const [change] = (await of(managed.address)).open
  assert.deepEqual(
    [change?.severity, change?.summary],
    ['critical', `Set the authority of ${managed.address} to ${eoa(66)}`],
  )
})

test('a pause of Maker delegates to spells', options, async () => {
  const { node, evm, register, of, now } = await queueWorld()
  const pause = await evm.deploy(own('QueueingPause'), BigInt(DAY))
  const spell = await evm.deploy(own('Plain'))
  await register(pause.address, 'Pause')
  const tag = keccak256(await node.rpc<Hex>('eth_getCode', spell.address, 'latest'))
  const eta = (await now()) + DAY + 100
  const plan = (value: bigint) => [spell.address, tag, dataOf(spell, 'set', [value]), BigInt(eta)] as const
  await evm.send(pause, 'plot', plan(1n))
  await evm.send(pause, 'plot', plan(2n))
  const { open } = await of(pause.address)
  assert.deepEqual(
    open.map(({ family, state, earliestAt, calls }) => [family, state, secondsOf(earliestAt), calls[0]?.isDelegated]),
    [1, 2].map(() => ['maker_pause', 'queued', eta, true]),
  )
  await evm.send(pause, 'drop', plan(2n))
  await evm.pass(DAY + 101)
  await evm.send(pause, 'exec', plan(1n))
  assert.deepEqual((await of(pause.address)).closed.map(({ state }) => state).toSorted(), ['canceled', 'executed'])
})

test('a MetaMorpho vault: its delay, guardian, caps and markets', options, async () => {
  const { evm, register, of, now } = await queueWorld()
  const vault = await evm.deploy(own('QueueingVault'), BigInt(DAY), eoa(8))
  await register(vault.address, 'Vault')
  const [kept, dropped] = [keccak256('0x01'), keccak256('0x02')]
  await evm.send(vault, 'submitTimelock', [3_600n])
  const queuedAt = await now()
  await evm.send(vault, 'submitGuardian', [eoa(66)])
  for (const id of [kept, dropped]) await evm.send(vault, 'submitCap', [id, 10n ** 18n])
  await evm.send(vault, 'submitMarketRemoval', [kept])
  const { open } = await of(vault.address)
  assert.deepEqual(lines(open), [
    ...[kept, dropped].toSorted().map((id) => `cap:${id} queued: The calls are not known`),
    `guardian queued: Set the guardian of ${vault.address} to ${eoa(66)}`,
    `removal:${kept} queued: The calls are not known`,
    `timelock queued: Change the delay of ${vault.address} to 1 h`,
  ])
  assert.ok(open.every(({ family, earliestAt }) => family === 'morpho_vault' && earliestAt !== null))
  const delay = open.find(({ operation }) => operation === 'timelock')
  assert.equal(secondsOf(delay?.earliestAt), queuedAt + DAY)
  await evm.send(vault, 'revokePendingCap', [dropped])
  await evm.send(vault, 'revokePendingMarketRemoval', [kept])
  await evm.send(vault, 'revokePendingGuardian')
  await evm.pass(DAY + 1)
  await evm.send(vault, 'acceptCap', [kept])
  await evm.send(vault, 'acceptTimelock')
  const { open: left, closed } = await of(vault.address)
  assert.deepEqual(
    [left.length, ends(closed)],
    [
      0,
      [
        `cap:${dropped} canceled`,
        `cap:${kept} executed`,
        'guardian canceled',
        `removal:${kept} canceled`,
        'timelock executed',
      ].toSorted(),
    ],
  )
})

test('the governance of Aave 3 and its payloads: critical once nothing but a delay is left', options, async () => {
  const { evm, register, of, now, database } = await queueWorld()
  const governance = await evm.deploy(own('QueueingGovernance'), BigInt(DAY))
  const payloads = await evm.deploy(own('QueueingPayloads'))
  const token = await evm.deploy(own('OwnedToken'), payloads.address)
  for (const [{ address }, name] of [
    [governance, 'Governance'],
    [payloads, 'Payloads'],
    [token, 'Token'],
  ] as const)
    await register(address, name)
  for (let n = 0; n < 3; n += 1) await evm.send(governance, 'createProposal')
  await evm.send(governance, 'queue', [0n, true])
  const queuedAt = await now()
  await evm.send(governance, 'queue', [1n, false])
  await evm.send(governance, 'cancel', [2n])
  const proposals = await of(governance.address)
  assert.deepEqual(
    proposals.open.map(({ family, operation, state, earliestAt }) => [family, operation, state, secondsOf(earliestAt)]),
    [['aave_governance', '0', 'queued', queuedAt + DAY]],
  )
  assert.deepEqual(ends(proposals.closed), ['1 defeated', '2 canceled'])

  const give = dataOf(token, 'transferOwnership', [eoa(66)])
  const action = {
    target: token.address,
    withDelegateCall: false,
    accessLevel: 1,
    value: 0n,
    signature: '',
    callData: give,
  }
  await evm.send(payloads, 'createPayload', [[action]])
  for (const chain of [1n, 137n]) {
    const payload = { chain, accessLevel: 1, payloadsController: payloads.address, payloadId: 0 }
    await evm.send(governance, 'addPayload', [0n, payload])
  }
  const [decided] = (await of(governance.address)).open
  const giving = `Transfer the ownership of ${token.address} to ${eoa(66)}`
  assert.deepEqual(
    decided?.calls.map((call) => [call.chainSlug, call.text, call.isComplete, call.calls.map(({ text }) => text)]),
    [
      ['ethereum', `Execute payload 0 of ${payloads.address}`, true, [giving]],
      ['polygon', `Execute payload 0 of ${payloads.address} on Polygon PoS, whose calls could not be read`, false, []],
    ],
  )
  assert.deepEqual([decided?.summary, decided?.callCount], [`${giving}, and 1 more call`, 2])
  await evm.pass(DAY)
  await evm.send(governance, 'execute', [0n, payloads.address, 0])
  await evm.send(payloads, 'queue', [0])
  const [payload] = (await of(token.address)).open
  assert.deepEqual(
    [payload?.state, payload?.severity, payload?.summary],
    ['queued', 'critical', `Transfer the ownership of ${token.address} to ${eoa(66)}`],
  )
  const queued = (await storedEvents(database, 1)).find(({ key }) => key === 'aave3.payload_queued')
  assert.equal(queued?.severity, 'critical')
  assert.deepEqual(ends((await of(governance.address)).closed), ['0 executed', '1 defeated', '2 canceled'])
})

test('what a delay module or a timelock hides in another call is as serious as outside of it', options, async () => {
  const { evm, made, register, of, database } = await queueWorld()
  const safe = await made.safe(1, [eoa(1)], '1.4.1', 'L1')
  const delay = await evm.deploy(own('QueueingDelay'), safe.address, BigInt(DAY), 0n)
  const unknown = await evm.deploy(own('Plain'))
  const token = await evm.deploy(own('OwnedToken'), safe.address)
  const timelock = await made.timelock(BigInt(DAY), [eoa(1)])
  for (const { address } of [safe, delay, token, timelock]) await register(address, 'Watched')
  await evm.send(delay, 'execTransactionFromModule', [unknown.address, 0n, dataOf(unknown, 'set', [1n]), 1])
  const [change] = (await of(delay.address)).open
  assert.deepEqual([change?.severity, change?.calls[0]?.isDelegated], ['critical', true])

  const give = dataOf(token, 'transferOwnership', [eoa(66)])
  const inner = dataOf(safe, 'execTransactionFromModule', [token.address, 0n, give, 0])
  await made.as(eoa(1), timelock, 'schedule', safe.address, 0n, inner, zeroHash, zeroHash, BigInt(DAY))
  await of(timelock.address)
  const scheduled = (await storedEvents(database, 1)).find(({ key }) => key === 'timelock.scheduled')
  assert.equal(scheduled?.severity, 'critical')
})

test('new code behind the beacon of a target is a change of the target', options, async () => {
  const { evm, made, register, of, database } = await queueWorld()
  const [me] = evm.accounts as readonly [Hex]
  const codes = [await evm.deploy(own('Plain')), await evm.deploy(own('OwnedToken'), eoa(9))] as const
  const beacon = await evm.deploy(openZeppelin5('UpgradeableBeacon'), codes[0].address, me)
  const target = await evm.deploy(openZeppelin5('BeaconProxy'), beacon.address, dataOf(codes[0], 'set', [1n]))
  const timelock = await made.timelock(BigInt(DAY), [eoa(1)])
  await register(timelock.address, 'Timelock')
  const call = [target.address, 0n, dataOf(codes[0], 'set', [2n]), zeroHash, zeroHash, BigInt(DAY)] as const
  await made.as(eoa(1), timelock, 'schedule', ...call)
  const changes = async () => {
    await of(timelock.address)
    return (await storedEvents(database, 1)).filter(({ key }) => key === 'pending.target_changed')
  }
  assert.equal((await changes()).length, 0)
  await evm.send(beacon, 'upgradeTo', [codes[1].address])
  assert.deepEqual(
    (await changes()).map(({ severity, args }) => [severity, args.target, args.implementation]),
    [['critical', target.address, codes[1].address]],
  )
})
