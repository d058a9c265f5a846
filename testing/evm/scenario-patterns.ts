/** Patterns without an npm package: token administration, Compound's timelock, contracts that a factory creates. */
import { encodeDeployData, type Hex, zeroAddress, zeroHash } from 'viem'
import { ANY, artifact, type Scenario } from './scenario.ts'

export async function tokens({ evm, deployWatched, send }: Scenario): Promise<void> {
  const [, other] = evm.accounts as readonly [Hex, Hex]
  const fiat = await deployWatched(artifact('FiatAdministration'), [], 'proxy_zos')
  await send(fiat, 'updateMasterMinter', [other], ['fiat.master_minter', 'critical', { newMasterMinter: other }])
  await send(
    fiat,
    'configureMinter',
    [other, 5n],
    ['fiat.minter_configured', 'high', { minter: other, minterAllowedAmount: '5' }],
  )
  await send(fiat, 'removeMinter', [other], ['fiat.minter_removed', 'high', { oldMinter: other }])
  await send(fiat, 'blacklist', [other], ['fiat.blacklisted', 'info', { _account: other }])
  await send(fiat, 'unBlacklist', [other], ['fiat.unblacklisted', 'info', { _account: other }])
  await send(fiat, 'updateBlacklister', [other], ['fiat.blacklister', 'high', { newBlacklister: other }])
  await send(fiat, 'updatePauser', [other], ['fiat.pauser', 'high', { newAddress: other }])
  await send(fiat, 'updateRescuer', [other], ['fiat.rescuer', 'high', { newRescuer: other }])
  await send(fiat, 'pause', [], ['pause.paused', 'critical'])
  await send(fiat, 'unpause', [], ['pause.unpaused', 'high'])

  const tether = await deployWatched(artifact('TetherAdministration'), [], 'ownable')
  await send(tether, 'issue', [9n], ['usdt.issue', 'high', { amount: '9' }])
  await send(tether, 'redeem', [9n], ['usdt.redeem', 'info', { amount: '9' }])
  await send(tether, 'deprecate', [other], ['usdt.deprecate', 'critical', { newAddress: other }])
  await send(tether, 'setParams', [1n, 2n], ['usdt.params', 'critical', { feeBasisPoints: '1', maxFee: '2' }])
  await send(
    tether,
    'destroyBlackFunds',
    [other],
    ['usdt.destroyed_funds', 'high', { _blackListedUser: other, _balance: '7' }],
  )
  await send(tether, 'addBlackList', [other], ['usdt.blacklist_added', 'info', { _user: other }])
  await send(tether, 'removeBlackList', [other], ['usdt.blacklist_removed', 'info', { _user: other }])
}

export async function compound({ evm, deployWatched, send }: Scenario): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const lock = await deployWatched(artifact('CompoundTimelock'), [me, 172_800n], 'timelock_compound')
  await send(
    lock,
    'setDelay',
    [259_200n],
    ['timelock.new_delay', 'high', { newDelay: '259200', previousDelay: '172800' }],
  )
  await send(lock, 'setDelay', [0n], ['timelock.new_delay', 'critical', { newDelay: '0', previousDelay: '259200' }])
  const planned = [lock.address, 'setDelay(uint256)', zeroHash, 1_900_000_000n] as const
  const args = {
    txHash: ANY,
    target: lock.address,
    value: '0',
    signature: 'setDelay(uint256)',
    data: zeroHash,
    eta: '1900000000',
  }
  await send(lock, 'queueTransaction', planned, ['timelock.queued', 'critical', args])
  await send(lock, 'cancelTransaction', planned, ['timelock.cancelled_tx', 'info', args])
  await send(lock, 'executeTransaction', planned, ['timelock.executed_tx', 'info', args])
  await send(lock, 'setPendingAdmin', [other], ['timelock.new_pending_admin', 'high', { newPendingAdmin: other }])
  await send(lock, 'acceptAdmin', [], ['timelock.new_admin', 'critical', { newAdmin: other }])
}

/** A contract that another contract creates, and that changes in the block of its creation. */
export async function workshop({ evm, expectEvents, watch }: Scenario): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const shop = await evm.deploy(artifact('Workshop'))
  const { abi, bytecode } = artifact('Hall')
  const code = encodeDeployData({ abi, bytecode, args: [me] })
  const hall = watch(
    { abi, address: `0x${(await evm.read(shop, 'make', [code])).slice(-40)}`, txHash: zeroHash },
    'ownable',
  )
  const [made, moved] = await evm.inOneBlock(
    { to: shop, name: 'make', args: [code] },
    { to: hall, name: 'transferOwnership', args: [other] },
  )
  expectEvents(made as Hex, [hall, 'ownable.transferred', 'setup', { previousOwner: zeroAddress, newOwner: me }])
  expectEvents(moved as Hex, [hall, 'ownable.transfer_started', 'high', { previousOwner: me, newOwner: other }])
}
