/** Patterns without a package: token administration, Compound's timelock, contracts made by a factory. */
import { encodeDeployData, type Hex, zeroAddress, zeroHash } from 'viem'
import { ANY, artifact, type Story } from './scenario.ts'

export async function tokens({ evm, born, act }: Story): Promise<void> {
  const [, other] = evm.accounts as readonly [Hex, Hex]
  const fiat = await born(artifact('FiatAdministration'), [], 'proxy_zos')
  await act(fiat, 'updateMasterMinter', [other], ['fiat.master_minter', 'critical', { newMasterMinter: other }])
  await act(
    fiat,
    'configureMinter',
    [other, 5n],
    ['fiat.minter_configured', 'high', { minter: other, minterAllowedAmount: '5' }],
  )
  await act(fiat, 'removeMinter', [other], ['fiat.minter_removed', 'high', { oldMinter: other }])
  await act(fiat, 'blacklist', [other], ['fiat.blacklisted', 'info', { _account: other }])
  await act(fiat, 'unBlacklist', [other], ['fiat.unblacklisted', 'info', { _account: other }])
  await act(fiat, 'updateBlacklister', [other], ['fiat.blacklister', 'high', { newBlacklister: other }])
  await act(fiat, 'updatePauser', [other], ['fiat.pauser', 'high', { newAddress: other }])
  await act(fiat, 'updateRescuer', [other], ['fiat.rescuer', 'high', { newRescuer: other }])
  await act(fiat, 'pause', [], ['pause.paused', 'critical'])
  await act(fiat, 'unpause', [], ['pause.unpaused', 'high'])

  const tether = await born(artifact('TetherAdministration'), [], 'ownable')
  await act(tether, 'issue', [9n], ['usdt.issue', 'high', { amount: '9' }])
  await act(tether, 'redeem', [9n], ['usdt.redeem', 'info', { amount: '9' }])
  await act(tether, 'deprecate', [other], ['usdt.deprecate', 'critical', { newAddress: other }])
  await act(tether, 'setParams', [1n, 2n], ['usdt.params', 'critical', { feeBasisPoints: '1', maxFee: '2' }])
  await act(
    tether,
    'destroyBlackFunds',
    [other],
    ['usdt.destroyed_funds', 'high', { _blackListedUser: other, _balance: '7' }],
  )
  await act(tether, 'addBlackList', [other], ['usdt.blacklist_added', 'info', { _user: other }])
  await act(tether, 'removeBlackList', [other], ['usdt.blacklist_removed', 'info', { _user: other }])
}

export async function compound({ evm, born, act }: Story): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const lock = await born(artifact('CompoundTimelock'), [me, 172_800n], 'timelock_compound')
  await act(lock, 'setDelay', [259_200n], ['timelock.new_delay', 'high', { newDelay: '259200' }])
  await act(lock, 'setDelay', [0n], ['timelock.new_delay', 'critical', { newDelay: '0' }])
  const planned = [lock.address, 'setDelay(uint256)', zeroHash, 1_900_000_000n] as const
  const shown = {
    txHash: ANY,
    target: lock.address,
    value: '0',
    signature: 'setDelay(uint256)',
    data: zeroHash,
    eta: '1900000000',
  }
  await act(lock, 'queueTransaction', planned, ['timelock.queued', 'critical', shown])
  await act(lock, 'cancelTransaction', planned, ['timelock.cancelled_tx', 'info', shown])
  await act(lock, 'executeTransaction', planned, ['timelock.executed_tx', 'info', shown])
  await act(lock, 'setPendingAdmin', [other], ['timelock.new_pending_admin', 'high', { newPendingAdmin: other }])
  await act(lock, 'acceptAdmin', [], ['timelock.new_admin', 'critical', { newAdmin: other }])
}

/** A contract made inside another transaction, and one made and changed within the same block. */
export async function workshop({ evm, tell, watch }: Story): Promise<void> {
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
  tell(made as Hex, [hall, 'ownable.transferred', 'setup', { previousOwner: zeroAddress, newOwner: me }])
  tell(moved as Hex, [hall, 'ownable.transfer_started', 'high', { previousOwner: me, newOwner: other }])
}
