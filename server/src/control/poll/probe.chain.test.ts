/** The oracle on a real node: published contracts, deployed and set up, then read and judged. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Hex, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin4, openZeppelin5 } from '../../../../testing/evm/compile.ts'
import {
  type ControlContracts,
  dataOf as call,
  controlContracts,
  eoa,
  FREE,
  own,
  signers,
  wordOf,
} from '../../../../testing/evm/control.ts'
import { type Evm, evmOf } from '../../../../testing/evm/evm.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { systemTiming } from '../../lib/clock.ts'
import { MULTICALL3 } from '../chains/chains.ts'
import type { Profile } from '../profile/profile.ts'
import { roleNamed } from '../profile/roles.ts'
import { DEFAULT_POLICY } from '../rpc/endpoint-health.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'

const DAY = 86_400n
const options = anvilMissing === false ? {} : { skip: anvilMissing }
const node = anvilMissing === false ? await anvilForTests(1, FREE) : undefined
const evm = node === undefined ? (undefined as unknown as Evm) : await evmOf(node)
const made = node === undefined ? (undefined as unknown as ControlContracts) : controlContracts(node, evm)
const { plain, safe, transparent5, transparent4, uups, timelock: lock, as, write, deployMulticall } = made ?? {}
const START = (): Hex => call(own('Plain'), 'set', [1n])
const [me = zeroAddress, ...others] = evm?.accounts ?? []

let pool: RpcPool
/** The test's own node needs no rate limit. */
const policy = { ...DEFAULT_POLICY, rate: { start: 5_000, min: 5_000, max: 5_000 } }
const codes = createCodeAnalyzer()

/** The first contract of every kind that was judged, and how. */
const judged = new Map<string, { readonly address: Hex; readonly profile: Profile }>()

async function profileOf(address: Hex, through = pool): Promise<Profile> {
  const poolOf = (chainId: number) => (chainId === 1 ? through : undefined)
  const session = openSession({ poolOf, codes, confirmationsOf: () => 0 })
  return (await probe({ session }, { chainId: 1, address })).profile
}

async function expect(
  target: { readonly address: Hex } | Hex,
  label: Label,
  kind: string,
  ...reasonPatterns: readonly RegExp[]
): Promise<void> {
  const address = typeof target === 'string' ? target : target.address
  const profile = await profileOf(address)
  if (!judged.has(kind)) judged.set(kind, { address, profile })
  const reasons = reasonTexts(profile.reasons).join('\n')
  assert.equal(profile.label, label, reasons)
  assert.equal(profile.kind, kind, reasons)
  assert.equal(profile.stale, false, reasons)
  for (const words of reasonPatterns) assert.match(reasons, words)
}

/** A diamond without diamondCut that has one facet. */
const uncut = async (facet: string, selector: Hex) =>
  await evm.deploy(own('UncutDiamond'), me, selector, (await evm.deploy(own(facet))).address)

before(async () => {
  if (node === undefined) return
  pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [node.url], policy },
  )
  await deployMulticall()
})

test('contracts that cannot be upgraded', options, async () => {
  await expect(await plain(), 'immutable', 'immutable', /not a proxy/)
  await expect(
    await evm.deploy(own('OwnedToken'), me),
    'immutable',
    'ownable',
    /not upgradeable/,
    /owner keeps admin functions: 0x.* single key\.$/m,
  )
  await expect(
    await evm.deploy(openZeppelin5('ERC1967Proxy'), await plain(), START()),
    'immutable',
    'proxy_transparent',
    /cannot be upgraded/,
  )
  const clone: Hex = '0x00000000000000000000000000000000000c1011'
  await node?.rpc(
    'anvil_setCode',
    clone,
    `0x363d3d373d3d3d363d73${(await plain()).slice(2)}5af43d82803e903d91602b57fd5bf3`,
  )
  await expect(clone, 'immutable', 'proxy_minimal', /fixed clone/)
  await expect(
    await transparent4('0x000000000000000000000000000000000000dEaD'),
    'immutable',
    'proxy_transparent',
    /burned/,
  )
  await expect(
    await uups('OwnedUups', me).then(async (proxy) => (await evm.send(proxy, 'renounceOwnership'), proxy)),
    'immutable',
    'proxy_uups',
    /renounced/,
  )
  await expect(await evm.deploy(own('Diamond'), me, false), 'unknown', 'diamond', /without diamondCut/, /not fixed/)
  await expect(await uncut('OwnershipFacet', '0xf2fde38b'), 'unknown', 'diamond', /its facets are fixed/, /not fixed/)
})

test('a diamond with another function that cuts is not fixed', options, async () => {
  await expect(
    await uncut('CustomCutFacet', '0x12345678'),
    'single_key',
    'diamond',
    /may change its facet table/,
    /an EOA/,
  )
})

test('a single key, however it is wrapped', options, async () => {
  await expect(await transparent4(eoa(1)), 'single_key', 'proxy_transparent', /Proxy admin is .*an EOA/)
  await expect(await transparent5(me), 'single_key', 'proxy_transparent', /The owner of ProxyAdmin .* an EOA/)
  const delegated = others[0] as Hex
  await node?.rpc('anvil_setCode', delegated, `0xef0100${'11'.repeat(20)}`)
  await expect(await transparent5(delegated), 'single_key', 'proxy_transparent', /EIP-7702/)
  await expect(
    await transparent5((await safe(1, signers(5))).address),
    'single_key',
    'proxy_transparent',
    /threshold is 1/,
  )
  await expect(
    await uups('RoledUups', (await safe(3, signers(5))).address, me),
    'single_key',
    'proxy_uups',
    /UPGRADER_ROLE member is .*an EOA/,
  )
  await expect(
    await uups('CustomRoleUups', (await safe(3, signers(5))).address, me),
    'single_key',
    'proxy_uups',
    /an EOA/,
  )
  await expect(
    await uups('LyingUups', (await safe(3, signers(5))).address, me),
    'single_key',
    'proxy_uups',
    /Address in slot/,
  )
  const beacon = await evm.deploy(openZeppelin5('UpgradeableBeacon'), await plain(), me)
  await expect(
    await evm.deploy(openZeppelin5('BeaconProxy'), beacon.address, START()),
    'single_key',
    'proxy_beacon',
    /Beacon owner is .*an EOA/,
  )
  await expect(await evm.deploy(own('ZosProxy'), await plain(), me), 'single_key', 'proxy_zos', /ZeppelinOS/)
  const compound = await evm.deploy(own('Timelock'), me, 2n * DAY)
  await expect(
    await transparent5(compound.address),
    'single_key',
    'proxy_transparent',
    /The admin of timelock \S+ is .*an EOA/,
  )
  await expect(
    await transparent5((await lock(2n * DAY, [me])).address),
    'single_key',
    'proxy_transparent',
    /does not replace a second signer/,
  )
  await expect(
    await transparent5((await lock(2n * DAY, [(await safe(3, signers(5))).address], [], me)).address),
    'single_key',
    'proxy_transparent',
    /who may grant PROPOSER_ROLE/,
  )
})

test('Safes of every version, nested, with modules and guards', options, async () => {
  for (const version of ['1.3.0', '1.4.1', '1.5.0'] as const)
    await expect(await safe(3, signers(5), version), 'multisig', 'safe', new RegExp(`3 of 5, version ${version}`))
  await expect(await safe(1, signers(3)), 'single_key', 'safe', /threshold is 1/)
  const both = await safe(2, [(await safe(5, signers(7))).address, (await safe(10, signers(13, 50))).address])
  await expect(await transparent5(both.address), 'multisig', 'proxy_transparent', /two nested Safes/, /no delay/)
  const same = await safe(2, [(await safe(1, [me])).address, (await safe(1, [me])).address])
  await expect(same, 'single_key', 'safe', /One key signs for all/)
  const modular = await safe(3, signers(5))
  await as(modular.address, modular, 'enableModule', await plain())
  await expect(
    await transparent5(modular.address),
    'multisig',
    'proxy_transparent',
    /1 module that can act without signatures/,
  )
  await as(modular.address, modular, 'enableModule', eoa(77))
  await expect(await transparent5(modular.address), 'single_key', 'proxy_transparent', /A module of Safe .* an EOA/)
  const guarded = await safe(3, signers(5))
  await node?.rpc(
    'anvil_setStorageAt',
    guarded.address,
    '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8',
    `0x${eoa(5).slice(2).padStart(64, '0')}`,
  )
  await expect(guarded, 'multisig', 'safe', new RegExp(`guard ${eoa(5)}`))
  const robbed = await safe(3, signers(5))
  await node?.rpc(
    'anvil_setStorageAt',
    robbed.address,
    `0x${'0'.repeat(64)}`,
    `0x${(await evm.deploy(own('FakeSafe'))).address.slice(2).padStart(64, '0')}`,
  )
  await expect(robbed, 'unknown', 'safe', /unofficial singleton/)
})

test('delays: OpenZeppelin 4 and 5, Compound, Aave, StarkWare, AccessManager', options, async () => {
  const council = (await safe(4, signers(7))).address
  for (const [delay, label, words] of [
    [2n * DAY, 'timelocked', /48 h/],
    [DAY, 'timelocked', /exactly 24 h/],
    [DAY - 1n, 'short_timelock', /under 24 h/],
    [0n, 'multisig', /delay is zero/],
  ] as const)
    await expect(
      await transparent5((await lock(delay, [council])).address),
      label,
      'proxy_transparent',
      words,
      /4 of 7/,
    )
  await expect(
    await lock(2n * DAY, [council], [zeroAddress], zeroAddress, openZeppelin4),
    'timelocked',
    'timelock_oz',
    /Anyone may execute/,
  )
  const compound = await evm.deploy(own('Timelock'), me, 2n * DAY)
  const bravo = await evm.deploy(own('GovernorBravo'), compound.address, compound.address)
  await node?.rpc(
    'anvil_setStorageAt',
    compound.address,
    `0x${'0'.repeat(64)}`,
    `0x${bravo.address.slice(2).padStart(64, '0')}`,
  )
  await expect(await transparent5(compound.address), 'timelocked', 'proxy_transparent', /token vote/, /48 h/)
  await expect(
    await evm.deploy(own('Unitroller'), await plain(), compound.address),
    'timelocked',
    'proxy_compound',
    /Compound delegator/,
  )
  const payloads = await evm.deploy(own('PayloadsController'), me, Number(DAY))
  const executor = await evm.deploy(own('OwnedToken'), payloads.address)
  const provider = await evm.deploy(own('OwnedToken'), executor.address)
  await expect(
    await evm.deploy(own('FixedAdminProxy'), await plain(), provider.address),
    'unknown',
    'proxy_immutable_admin',
    /payload delay/,
  )
  await expect(
    await evm.deploy(own('StarkProxy'), await plain(), council, 8n * DAY),
    'unknown',
    'proxy_custom',
    /activation delay/,
    /Function 0x3659cfe6 of .* no check of the caller that names known accounts is proven/,
  )
  for (const [delay, words] of [
    [3n * DAY, /72 h \(3 d\)/],
    [0n, /no delay/],
  ] as const) {
    const manager = await evm.deploy(openZeppelin5('AccessManager'), me)
    await evm.send(manager, 'grantRole', [0n, council, delay])
    await evm.send(manager, 'renounceRole', [0n, me])
    // That the contract makes its callers wait is not proven yet.
    await expect(await uups('ManagedUups', manager.address), 'multisig', 'proxy_uups', /AccessManager/, words)
  }
})

test('several signers, no delay, and the weakest of several paths', options, async () => {
  const three = (await safe(3, signers(5))).address
  await expect(await uups('OwnedUups', three), 'multisig', 'proxy_uups', /UUPS owner is Safe/)
  await expect(await evm.deploy(own('CutDiamond'), three), 'unknown', 'diamond', /diamondCut by owner/, /not fixed/)
  await expect(await evm.deploy(own('ZosProxy'), await plain(), three), 'multisig', 'proxy_zos', /3 of 5/)
  await expect(
    await uups('RoledUups', (await lock(2n * DAY, [three])).address, (await safe(2, signers(3))).address),
    'multisig',
    'proxy_uups',
    /weakest/,
  )
  const roled = await uups('RoledUups', me, zeroAddress)
  await evm.send(roled, 'grantRole', [roleNamed('UPGRADER_ROLE'), three])
  await evm.send(roled, 'renounceRole', [`0x${'0'.repeat(64)}`, me])
  await expect(roled, 'multisig', 'proxy_uups', /UPGRADER_ROLE member is Safe/)
})

test('UUPS of OpenZeppelin 4, whose upgradeToAndCall most logic refuses from every caller', options, async () => {
  const three = (await safe(3, signers(5))).address
  const locked = (await lock(2n * DAY, [three])).address
  await expect(await uups('OwnedUups4', three), 'multisig', 'proxy_uups', /UUPS owner is Safe/)
  const renounced = await uups('OwnedUups4', me)
  await evm.send(renounced, 'renounceOwnership')
  await expect(renounced, 'immutable', 'proxy_uups', /renounced/)
  const reclaimable = await uups('ReclaimableUups4', me)
  await evm.send(reclaimable, 'renounceOwnership')
  await expect(
    reclaimable,
    'unknown',
    'proxy_uups',
    /Function 0xc4d66de8 of .* writes storage that decides who controls/,
  )
  await expect(await uups('OwnedRoledUups4', me, locked), 'single_key', 'proxy_uups', /UUPS owner is .*an EOA/)
  await expect(await uups('OpenRoledUups4', locked), 'single_key', 'proxy_uups', /open to anyone/)
})

test('families recognized by their code, and logic with arbitrary delegatecalls', options, async () => {
  const three = (await safe(3, signers(5))).address
  const locked = (await lock(2n * DAY, [three])).address
  await expect(await evm.deploy(own('FiatTokenProxy'), await plain(), three), 'multisig', 'proxy_zos', /3 of 5/)
  const ossifiable = await evm.deploy(own('OssifiableProxy'), await plain(), three, '0x')
  await expect(ossifiable, 'multisig', 'proxy_transparent', /3 of 5/)
  await as(three, ossifiable, 'proxy__ossify')
  await expect(ossifiable, 'immutable', 'proxy_ossifiable', /ossified/)
  await expect(await evm.deploy(own('OpenProxy'), await plain(), locked, '0x'), 'unknown', 'proxy_transparent')
  const synthetix = await evm.deploy(own('SynthetixProxy'), me)
  await evm.send(synthetix, 'setTarget', [await plain()])
  await expect(synthetix, 'single_key', 'proxy_custom', /Proxy owner is .*an EOA/)
  const executor = await evm.deploy(own('AaveExecutor'))
  await evm.send(executor, 'transferOwnership', [locked])
  await expect(await transparent4(executor.address), 'timelocked', 'proxy_transparent', /48 h/)
  const runs = await evm.deploy(own('OwnerDelegatecall'), me)
  const lent = await evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), runs.address, locked, '0x')
  await write(lent.address, wordOf(0), wordOf(me))
  await expect(lent, 'single_key', 'proxy_transparent', /who may make it run any code, is .*an EOA/)
  const factory = await evm.deploy(own('ProxyFactory'))
  const other = await evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), factory.address, locked, '0x')
  await write(other.address, wordOf(0), wordOf(me))
  await expect(other, 'timelocked', 'proxy_transparent', /48 h/)
})

test('what cannot be determined is unknown', options, async () => {
  await expect(
    await evm.deploy(own('HiddenAdminProxy'), await plain(), me),
    'single_key',
    'proxy_transparent',
    /not readable/,
    /an EOA/,
  )
  const odd = await evm.deploy(own('OddTimelock'))
  await expect(await transparent5(odd.address), 'unknown', 'proxy_transparent', /is malformed/)
  const voting = await evm.deploy(own('VotingLogic'))
  await expect(
    await evm.deploy(openZeppelin5('ERC1967Proxy'), voting.address, call(voting, 'vote', [])),
    'unknown',
    'proxy_transparent',
    /can write the pointer/,
  )
  await expect(await transparent5(await plain()), 'unknown', 'proxy_transparent', /not recognized/)
  await expect(
    await transparent5((await evm.deploy(own('FakeSafe'))).address),
    'unknown',
    'proxy_transparent',
    /unofficial singleton/,
  )
  await expect(eoa(999), 'unknown', 'unknown', /no contract at this address/)
})

test('a named controller is not trusted where the chain accepts another', options, async () => {
  const lock4 = (await lock(2n * DAY, [(await safe(4, signers(7))).address])).address
  await expect(await uups('MappingUups', lock4, me), 'unknown', 'proxy_uups', /no account that it names can upgrade it/)
  await expect(
    await evm.deploy(own('LyingDiamond'), lock4, me),
    'unknown',
    'diamond',
    /no account that it names can change its facets/,
  )
  const lying = await evm.deploy(own('LyingProxyAdmin'), lock4, me)
  await expect(await transparent4(lying.address), 'unknown', 'proxy_transparent', /refuses an upgrade from the owner/)
  const offered = await uups('TwoStepUups', lock4)
  await expect(offered, 'timelocked', 'proxy_uups', /UUPS owner is/)
  await as(lock4, offered, 'transferOwnership', me)
  await expect(offered, 'single_key', 'proxy_uups', /UUPS pending owner is .*an EOA/)
  await expect(await uups('WardedUups', lock4), 'timelocked', 'proxy_uups', /UUPS ward is/)
})

test('the same results with and without state overrides and multicall', options, async () => {
  await node?.rpc('anvil_setCode', MULTICALL3, '0x')
  // A node without state overrides.
  const plainly: RpcPool = {
    ...pool,
    request: (request, ...rest) => {
      if (request.method === 'eth_call' && request.params.length > 2)
        return Promise.reject(new RpcError('node', 'unsupported', 'too many arguments'))
      return pool.request(request, ...rest)
    },
  }
  for (const [kind, { address, profile }] of judged) assert.deepEqual(await profileOf(address, plainly), profile, kind)
  assert.ok(judged.size >= 12, [...judged.keys()].join())
})
