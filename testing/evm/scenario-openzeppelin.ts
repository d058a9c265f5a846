/** OpenZeppelin 4 and 5: proxies, owners, roles, managers, timelocks, governors. */
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, zeroAddress, zeroHash } from 'viem'
import { openZeppelin4, openZeppelin5 } from './compile.ts'
import type { Deployed } from './evm.ts'
import { ANY, artifact, call, type EmittedEvent, roleOf, type Scenario, SELF, word } from './scenario.ts'

const MAX_UINT64 = (2n ** 64n - 1n).toString()

/** Proxies of OpenZeppelin 5: transparent, UUPS, beacon. */
export async function proxies5({ evm, deployWatched, send, expectEvents, watch }: Scenario): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const locked = ['proxy.initialized', { version: MAX_UINT64 }] as const
  const logic = await deployWatched(artifact('Vault'), [], 'immutable', locked)
  const next = await deployWatched(artifact('VaultTwo'), [], 'immutable', locked)
  const setup = call(logic, 'initialize', [me])
  const initialized = [
    ['proxy.upgraded', { implementation: logic.address }],
    ['ownable.transferred', { previousOwner: zeroAddress, newOwner: me }],
    ['access.role_granted', { role: zeroHash, account: me, sender: me }],
    ['proxy.initialized', { version: '1' }],
  ] as const

  const uups = await deployWatched(openZeppelin5('ERC1967Proxy'), [logic.address, setup], 'proxy_uups', ...initialized)
  const vault = { ...uups, abi: logic.abi }
  await send(vault, 'pause', [], ['pause.paused', 'high', { account: me }])
  await send(vault, 'unpause', [], ['pause.unpaused', 'high', { account: me }])
  const [upgrader, keeper] = [roleOf('UPGRADER_ROLE'), roleOf('KEEPER_ROLE')]
  await send(
    vault,
    'grantRole',
    [upgrader, other],
    ['access.role_granted', 'critical', { role: upgrader, account: other, sender: me }],
  )
  await send(
    vault,
    'grantRole',
    [keeper, other],
    ['access.role_granted', 'high', { role: keeper, account: other, sender: me }],
  )
  expectEvents(await evm.send(vault, 'renounceRole', [keeper, other], other), [
    vault,
    'access.role_revoked',
    'info',
    { role: keeper, account: other, sender: other },
  ])
  await send(
    vault,
    'revokeRole',
    [upgrader, other],
    ['access.role_revoked', 'high', { role: upgrader, account: other, sender: me }],
  )
  await send(
    vault,
    'setRoleAdmin',
    [keeper, upgrader],
    ['access.role_admin_changed', 'critical', { role: keeper, previousAdminRole: zeroHash, newAdminRole: upgrader }],
  )
  await send(
    vault,
    'upgradeToAndCall',
    [next.address, '0x'],
    ['proxy.upgraded', 'critical', { implementation: next.address }],
  )
  await send(
    vault,
    'upgradeToAndCall',
    [next.address, '0x'],
    ['proxy.upgraded', 'info', { implementation: next.address }],
  )
  await send(
    vault,
    'upgradeToAndCall',
    [logic.address, call(logic, 'reinitialize', [2n])],
    ['proxy.upgraded', 'critical', { implementation: logic.address }],
    ['proxy.initialized', 'high', { version: '2' }],
  )
  await send(vault, 'reinitialize', [3n], ['proxy.initialized', 'critical', { version: '3' }])
  await send(
    vault,
    'transferOwnership',
    [other],
    ['ownable.transferred', 'critical', { previousOwner: me, newOwner: other }],
  )

  const transparent = await evm.deploy(openZeppelin5('TransparentUpgradeableProxy'), logic.address, me, setup)
  watch(transparent, 'proxy_transparent')
  const admin = adminOf(transparent.address)
  const proxyAdmin = watch(
    { address: admin, abi: openZeppelin5('ProxyAdmin').abi, txHash: transparent.txHash },
    'proxy_admin',
  )
  expectEvents(
    transparent.txHash,
    ...initialized.map(([key, args]): EmittedEvent => [transparent, key, 'setup', args]),
    [proxyAdmin, 'ownable.transferred', 'setup', { previousOwner: zeroAddress, newOwner: me }],
    [transparent, 'proxy.admin_changed', 'setup', { previousAdmin: zeroAddress, newAdmin: admin }],
  )
  // The same code at another address: the behavior of the proxy does not change.
  const [plain, twin] = [
    await evm.deploy(artifact('TetherAdministration')),
    await evm.deploy(artifact('TetherAdministration')),
  ]
  for (const [implementation, severity] of [
    [plain.address, 'critical'],
    [twin.address, 'info'],
  ] as const)
    expectEvents(await evm.send(proxyAdmin, 'upgradeAndCall', [transparent.address, implementation, '0x']), [
      transparent,
      'proxy.upgraded',
      severity,
      { implementation },
    ])
  await send(
    proxyAdmin,
    'renounceOwnership',
    [],
    ['ownable.transferred', 'critical', { previousOwner: me, newOwner: zeroAddress }],
  )

  const beacon = await deployWatched(
    openZeppelin5('UpgradeableBeacon'),
    [logic.address, me],
    'beacon',
    ['ownable.transferred', { previousOwner: zeroAddress, newOwner: me }],
    ['beacon.upgraded', { implementation: logic.address }],
  )
  await deployWatched(
    openZeppelin5('BeaconProxy'),
    [beacon.address, setup],
    'proxy_beacon',
    ['proxy.beacon_upgraded', { beacon: beacon.address }],
    ...initialized.slice(1),
  )
  await send(beacon, 'upgradeTo', [next.address], ['beacon.upgraded', 'critical', { implementation: next.address }])
}

/** Returns the address of the ProxyAdmin that a transparent proxy of OpenZeppelin 5 creates in its constructor (nonce 1). */
function adminOf(proxy: Hex): Hex {
  const hash = keccak256(`0xd694${proxy.slice(2)}01`)
  return `0x${hash.slice(-40)}`
}

/** Owners, default admins and managers of OpenZeppelin 5. */
export async function access5({ evm, deployWatched, send, expectEvents }: Scenario): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const hall = await deployWatched(artifact('Hall'), [me], 'ownable', [
    'ownable.transferred',
    { previousOwner: zeroAddress, newOwner: me },
  ])
  await send(
    hall,
    'transferOwnership',
    [other],
    ['ownable.transfer_started', 'high', { previousOwner: me, newOwner: other }],
  )
  expectEvents(await evm.send(hall, 'acceptOwnership', [], other), [
    hall,
    'ownable.transferred',
    'critical',
    { previousOwner: me, newOwner: other },
  ])

  const chamber = await deployWatched(artifact('Chamber'), [me], 'access_control', [
    'access.role_granted',
    { role: zeroHash, account: me, sender: me },
  ])
  const scheduled = await evm.send(chamber, 'beginDefaultAdminTransfer', [other])
  expectEvents(scheduled, [
    chamber,
    'access.default_admin_scheduled',
    'critical',
    { newAdmin: other, acceptSchedule: ANY },
  ])
  await send(chamber, 'cancelDefaultAdminTransfer', [], ['access.default_admin_canceled', 'info'])
  await send(
    chamber,
    'changeDefaultAdminDelay',
    [2 * 86_400],
    [
      'access.default_admin_delay_scheduled',
      'high',
      { newDelay: 2 * 86_400, effectSchedule: ANY, previousDelay: '86400' },
    ],
  )
  await send(chamber, 'rollbackDefaultAdminDelay', [], ['access.default_admin_delay_canceled', 'info'])

  const manager = await deployWatched(openZeppelin5('AccessManager'), [me], 'access_manager', [
    'manager.role_granted',
    { roleId: '0', account: me, delay: 0, since: ANY, newMember: true },
  ])
  const managed = await deployWatched(artifact('Managed'), [manager.address], 'ownable', [
    'managed.authority_updated',
    { authority: manager.address },
  ])
  await send(manager, 'labelRole', [7n, 'keeper'], ['manager.role_label', 'info', { roleId: '7', label: 'keeper' }])
  await send(
    manager,
    'grantRole',
    [7n, other, 60],
    ['manager.role_granted', 'high', { roleId: '7', account: other, delay: 60, since: ANY, newMember: true }],
  )
  await send(
    manager,
    'setRoleGuardian',
    [7n, 8n],
    ['manager.role_guardian_changed', 'high', { roleId: '7', guardian: '8' }],
  )
  await send(
    manager,
    'setGrantDelay',
    [7n, 3_600],
    ['manager.role_grant_delay', 'high', { roleId: '7', delay: 3_600, since: ANY }],
  )
  await send(
    manager,
    'setTargetAdminDelay',
    [managed.address, 10],
    [
      'manager.target_admin_delay',
      'high',
      { target: managed.address, delay: 10, since: ANY, subject: managed.address },
    ],
  )
  await send(
    manager,
    'setTargetFunctionRole',
    [managed.address, ['0x55241077'], 7n],
    [
      'manager.target_function_role',
      'critical',
      { target: managed.address, selector: '0x55241077', roleId: '7', subject: managed.address },
    ],
  )
  const data = call(managed, 'setValue', [5n])
  const nonce = 1
  const operationId = ANY
  expectEvents(await evm.send(manager, 'schedule', [managed.address, data, 0], other), [
    manager,
    'manager.op_scheduled',
    'high',
    { operationId, nonce, schedule: ANY, caller: other, target: managed.address, data },
  ])
  expectEvents(await evm.send(manager, 'cancel', [other, managed.address, data], other), [
    manager,
    'manager.op_canceled',
    'info',
    { operationId, nonce },
  ])
  await send(
    manager,
    'setTargetClosed',
    [managed.address, true],
    ['manager.target_closed', 'critical', { target: managed.address, closed: true, subject: managed.address }],
  )
  await send(manager, 'revokeRole', [7n, other], ['manager.role_revoked', 'high', { roleId: '7', account: other }])
  await send(manager, 'setRoleAdmin', [7n, 9n], ['manager.role_admin_changed', 'critical', { roleId: '7', admin: '9' }])
  expectEvents(await evm.send(manager, 'updateAuthority', [managed.address, manager.address]), [
    managed,
    'managed.authority_updated',
    'critical',
    { authority: manager.address },
  ])
}

/** A timelock of either OpenZeppelin version; version 4 has a separate admin role. */
export async function timelock(
  { evm, deployWatched, send, expectEvents }: Scenario,
  version: 4 | 5,
): Promise<Deployed> {
  const [me] = evm.accounts as readonly [Hex]
  const source = version === 5 ? openZeppelin5 : openZeppelin4
  const [proposer, executor, canceller] = ['PROPOSER_ROLE', 'EXECUTOR_ROLE', 'CANCELLER_ROLE'].map(roleOf) as [
    Hex,
    Hex,
    Hex,
  ]
  const topRole = version === 5 ? zeroHash : roleOf('TIMELOCK_ADMIN_ROLE')
  const granted = (role: Hex, account: Hex) => ['access.role_granted', { role, account, sender: me }] as const
  const administered =
    version === 5
      ? []
      : [topRole, proposer, executor, canceller].map(
          (role) =>
            ['access.role_admin_changed', { role, previousAdminRole: zeroHash, newAdminRole: topRole }] as const,
        )
  const lock = await deployWatched(
    source('TimelockController'),
    [100n, [me], [me], me],
    'timelock_oz',
    ...administered,
    granted(topRole, SELF),
    granted(topRole, me),
    granted(proposer, me),
    granted(canceller, me),
    granted(executor, me),
    ['timelock.min_delay_changed', { oldDuration: '0', newDuration: '100' }],
  )
  const data = call(lock, 'updateDelay', [10n])
  const salt = word(version)
  const ids = { id: ANY, index: '0' }
  const what = { ...ids, target: lock.address, value: '0', data }
  const scheduled = await evm.send(lock, 'schedule', [lock.address, 0n, data, zeroHash, salt, 100n])
  expectEvents(
    scheduled,
    [lock, 'timelock.scheduled', 'critical', { ...what, predecessor: zeroHash, delay: '100' }],
    [lock, 'timelock.salt', 'info', { id: ANY, salt }],
  )
  await evm.pass(200)
  expectEvents(
    await evm.send(lock, 'execute', [lock.address, 0n, data, zeroHash, salt]),
    [lock, 'timelock.min_delay_changed', 'critical', { oldDuration: '100', newDuration: '10' }],
    [lock, 'timelock.executed', 'info', what],
  )
  expectEvents(await evm.send(lock, 'schedule', [me, 1n, '0x', zeroHash, zeroHash, 100n]), [
    lock,
    'timelock.scheduled',
    'high',
    { ...ids, target: me, value: '1', data: '0x', predecessor: zeroHash, delay: '100' },
  ])
  const id = keccak256(
    encodeAbiParameters(parseAbiParameters('address, uint256, bytes, bytes32, bytes32'), [
      me,
      1n,
      '0x',
      zeroHash,
      zeroHash,
    ]),
  )
  await send(lock, 'cancel', [id], ['timelock.cancelled', 'info', { id }])
  return lock
}

/** A governor that executes through a timelock: one proposal passes, one is canceled. */
export async function governor5({ evm, deployWatched, send, expectEvents, watch }: Scenario): Promise<void> {
  const [me] = evm.accounts as readonly [Hex]
  const shares = await evm.deploy(artifact('Shares'))
  await evm.send(shares, 'delegate', [me])
  const lock = watch(await evm.deploy(openZeppelin5('TimelockController'), 0n, [], [zeroAddress], me), 'timelock_oz')
  const granted = (role: Hex, account: Hex): EmittedEvent => [
    lock,
    'access.role_granted',
    'setup',
    { role, account, sender: me },
  ]
  expectEvents(
    lock.txHash,
    granted(zeroHash, lock.address),
    granted(zeroHash, me),
    granted(roleOf('EXECUTOR_ROLE'), zeroAddress),
    [lock, 'timelock.min_delay_changed', 'setup', { oldDuration: '0', newDuration: '0' }],
  )
  const house = await deployWatched(
    artifact('Parliament'),
    [shares.address, lock.address],
    'governor',
    ['governor.voting_delay', { oldVotingDelay: '0', newVotingDelay: '0' }],
    ['governor.voting_period', { oldVotingPeriod: '0', newVotingPeriod: '3' }],
    ['governor.proposal_threshold', { oldProposalThreshold: '0', newProposalThreshold: '0' }],
    ['governor.quorum_numerator', { oldQuorumNumerator: '0', newQuorumNumerator: '4' }],
    ['governor.timelock_change', { oldTimelock: zeroAddress, newTimelock: lock.address }],
  )
  await send(
    lock,
    'grantRole',
    [roleOf('PROPOSER_ROLE'), house.address],
    ['access.role_granted', 'critical', { role: roleOf('PROPOSER_ROLE'), account: house.address, sender: me }],
  )

  const calls = [
    call(house, 'setVotingDelay', [1]),
    call(house, 'setVotingPeriod', [5]),
    call(house, 'setProposalThreshold', [1n]),
    call(house, 'updateQuorumNumerator', [5n]),
  ]
  const plan = [calls.map(() => house.address), calls.map(() => 0n), calls] as const
  const proposal = {
    proposalId: ANY,
    proposer: me,
    targets: plan[0],
    values: calls.map(() => '0'),
    signatures: calls.map(() => ''),
    calldatas: calls,
    voteStart: ANY,
    voteEnd: ANY,
  }
  await send(
    house,
    'propose',
    [...plan, 'reform'],
    ['governor.proposal_created', 'high', { ...proposal, description: 'reform' }],
  )
  const id = idOf(plan, 'reform')
  await evm.mine(1)
  await evm.send(house, 'castVote', [id, 1])
  await evm.mine(5)
  const described = roleOf('reform')
  expectEvents(
    await evm.send(house, 'queue', [...plan, described]),
    ...calls.map(
      (data, index): EmittedEvent => [
        lock,
        'timelock.scheduled',
        'high',
        { id: ANY, index: String(index), target: house.address, value: '0', data, predecessor: zeroHash, delay: '0' },
      ],
    ),
    [lock, 'timelock.salt', 'info', { id: ANY, salt: ANY }],
    [house, 'governor.proposal_queued', 'high', { proposalId: id.toString(), eta: ANY }],
  )
  await evm.pass(10)
  const executed = (index: number): EmittedEvent => [
    lock,
    'timelock.executed',
    'info',
    { id: ANY, index: String(index), target: house.address, value: '0', data: calls[index] as Hex },
  ]
  expectEvents(
    await evm.send(house, 'execute', [...plan, described]),
    [house, 'governor.voting_delay', 'high', { oldVotingDelay: '0', newVotingDelay: '1' }],
    executed(0),
    [house, 'governor.voting_period', 'high', { oldVotingPeriod: '3', newVotingPeriod: '5' }],
    executed(1),
    [house, 'governor.proposal_threshold', 'high', { oldProposalThreshold: '0', newProposalThreshold: '1' }],
    executed(2),
    [house, 'governor.quorum_numerator', 'high', { oldQuorumNumerator: '4', newQuorumNumerator: '5' }],
    executed(3),
    [house, 'governor.proposal_executed', 'high', { proposalId: id.toString() }],
  )
  await send(
    house,
    'propose',
    [...plan, 'again'],
    ['governor.proposal_created', 'high', { ...proposal, description: 'again' }],
  )
  await send(
    house,
    'cancel',
    [...plan, roleOf('again')],
    ['governor.proposal_canceled', 'info', { proposalId: idOf(plan, 'again').toString() }],
  )
}

function idOf(plan: readonly [readonly Hex[], readonly bigint[], readonly Hex[]], description: string): bigint {
  const types = parseAbiParameters('address[], uint256[], bytes[], bytes32')
  return BigInt(keccak256(encodeAbiParameters(types, [...plan, roleOf(description)])))
}

/** What differs in OpenZeppelin 4: upgrade functions on the proxy, presets, eight-bit versions. */
export async function openZeppelin4Scenario({ evm, deployWatched, send, expectEvents }: Scenario): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const token = await deployWatched(
    openZeppelin4('ERC20PresetMinterPauser'),
    ['Old', 'OLD'],
    'access_control',
    ...['DEFAULT_ADMIN', 'MINTER_ROLE', 'PAUSER_ROLE'].map(
      (name) =>
        [
          'access.role_granted',
          { role: name === 'DEFAULT_ADMIN' ? zeroHash : roleOf(name), account: me, sender: me },
        ] as const,
    ),
  )
  await send(token, 'pause', [], ['pause.paused', 'high', { account: me }])
  await send(
    token,
    'grantRole',
    [roleOf('MINTER_ROLE'), other],
    ['access.role_granted', 'critical', { role: roleOf('MINTER_ROLE'), account: other, sender: me }],
  )
  const admin = await deployWatched(openZeppelin4('ProxyAdmin'), [], 'proxy_admin', [
    'ownable.transferred',
    { previousOwner: zeroAddress, newOwner: me },
  ])
  const proxy = await deployWatched(
    openZeppelin4('TransparentUpgradeableProxy'),
    [token.address, admin.address, '0x'],
    'proxy_transparent',
    ['proxy.upgraded', { implementation: token.address }],
    ['proxy.admin_changed', { previousAdmin: zeroAddress, newAdmin: admin.address }],
  )
  expectEvents(await evm.send(admin, 'upgrade', [proxy.address, admin.address]), [
    proxy,
    'proxy.upgraded',
    'critical',
    { implementation: admin.address },
  ])
  expectEvents(await evm.send(admin, 'changeProxyAdmin', [proxy.address, other]), [
    proxy,
    'proxy.admin_changed',
    'critical',
    { previousAdmin: admin.address, newAdmin: other },
  ])
}
