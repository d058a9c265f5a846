/** The demo's Base: a bridge with a single key, a perpetuals exchange with a short timelock, vaults with silent changes. */
import { type Hex, zeroAddress } from 'viem'
import { demoAccount } from './accounts.ts'
import type { Contract } from './chain.ts'
import { brambleMarket, pelicanMessenger, willowRouter } from './fixed-code.ts'
import { timelockOf } from './timelock.ts'
import {
  type Act,
  callOf,
  DAY,
  HOUR,
  inTurn,
  type KnownContract,
  type Life,
  proxyAdminOf,
  registrar,
  replayPast,
  roleOf,
  type Stage,
  setImplementationSilently,
  type World,
} from './world.ts'

export async function baseWorld(stage: Stage): Promise<World> {
  const known: KnownContract[] = []
  const register = registrar('base', known)
  const drift = await driftBridge(stage, register)
  const kestrel = await kestrelPerps(stage, register)
  const tidepool = await tidepoolVaults(stage, register)
  const sundial = stage.chain.deploy(demoAccount('Sundial deployer').address, stage.artifacts.ExchangeCore)
  await stage.ago(48 * DAY)
  register('Sundial Names', 'Sundial Registry', 'immutable', sundial)
  const pelican = await pelicanMessenger(stage, register)
  const willow = await willowRouter(stage, register)
  const bramble = await brambleMarket(stage, register)
  return { known, acts: await replayPast(stage, [drift, kestrel, tidepool, pelican, willow, bramble]) }
}

type Register = ReturnType<typeof registrar>

/** Owned by a single key, sometimes by a Safe: the label alternates. */
async function driftBridge({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { OwnedVault, OwnedVaultTwo, ERC1967Proxy } = artifacts
  const owner = demoAccount('Raf of Drift').address
  const team = ['Raf', 'Sana', 'Theo'].map((name) => demoAccount(`${name} of Drift`))
  const safe = await makeSafe(owner, team, 2)
  const [one, two] = [chain.deploy(owner, OwnedVault), chain.deploy(owner, OwnedVaultTwo)]
  const proxy = chain.deploy(owner, ERC1967Proxy, one.address, callOf(OwnedVault, 'initialize', owner))
  const bridge: Contract = { ...proxy, abi: OwnedVault.abi }
  await ago(56 * DAY)
  register('Drift Bridge', 'Drift Bridge', 'proxy_uups', bridge)
  register('Drift Bridge', 'Drift Team', 'safe', safe)
  const logic = inTurn<Hex>(two.address, one.address)
  const upgrade: Act = () => chain.call(owner, bridge, 'upgradeToAndCall', logic(), '0x')
  const pause: Act = () => chain.call(owner, bridge, 'pause')
  const unpause: Act = () => chain.call(owner, bridge, 'unpause')
  return {
    past: [
      [31 * DAY, upgrade],
      [11 * DAY, pause],
      [11 * DAY - 2 * HOUR, unpause],
      [26 * HOUR, upgrade],
    ],
    acts: [
      () => chain.call(owner, bridge, 'transferOwnership', safe.address),
      () => safe.exec(bridge, 'pause'),
      () => safe.exec(bridge, 'unpause'),
      () => safe.exec(bridge, 'transferOwnership', owner),
      upgrade,
    ],
  }
}

/** A two-minute timelock: queued operations execute while the demo runs. */
async function kestrelPerps({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { LendingPool, LendingPoolTwo, TransparentUpgradeableProxy, ProxyAdmin, TimelockController } = artifacts
  const deployer = demoAccount('Kestrel deployer').address
  const crew = ['Uma', 'Viktor', 'Wanda'].map((name) => demoAccount(`${name} of Kestrel`))
  const safe = await makeSafe(deployer, crew, 2)
  const delay = 120
  const lock = chain.deploy(deployer, TimelockController, BigInt(delay), [safe.address], [safe.address], zeroAddress)
  const [one, two] = [chain.deploy(deployer, LendingPool), chain.deploy(deployer, LendingPoolTwo)]
  const setup = callOf(LendingPool, 'initialize', safe.address)
  const proxy = chain.deploy(deployer, TransparentUpgradeableProxy, one.address, lock.address, setup)
  const house: Contract = { ...proxy, abi: LendingPool.abi }
  const admin: Contract = { address: proxyAdminOf(proxy.address), abi: ProxyAdmin.abi }
  await ago(54 * DAY)
  register('Kestrel Perps', 'Kestrel Clearing House', 'proxy_transparent', house)
  register('Kestrel Perps', 'Kestrel Proxy Admin', 'proxy_admin', admin)
  register('Kestrel Perps', 'Kestrel Timelock', 'timelock_oz', lock)
  register('Kestrel Perps', 'Kestrel Crew', 'safe', safe)
  const timelock = timelockOf(lock, safe, delay)
  const logic = inTurn<Hex>(two.address, one.address)
  const schedule: Act = (now) => timelock.schedule(now, admin, 'upgradeAndCall', house.address, logic(), '0x')
  return {
    past: [
      [22 * DAY, schedule],
      [22 * DAY - HOUR, timelock.executeReady],
      [7 * DAY, () => safe.exec(house, 'pause')],
      [7 * DAY - HOUR, () => safe.exec(house, 'unpause')],
    ],
    acts: [
      schedule,
      () => safe.exec(house, 'pause'),
      timelock.executeReady,
      () => safe.exec(house, 'unpause'),
      timelock.executeReady,
    ],
  }
}

/** A Safe's vaults whose code is replaced without a transaction: only polling finds it. */
async function tidepoolVaults({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { OwnedVault, OwnedVaultTwo, ERC1967Proxy } = artifacts
  const deployer = demoAccount('Tidepool deployer').address
  const crew = ['Xenia', 'Yusuf', 'Zoe'].map((name) => demoAccount(`${name} of Tidepool`))
  const keeper = demoAccount('Keeper of Tidepool').address
  const safe = await makeSafe(deployer, crew, 2)
  const [one, two] = [chain.deploy(deployer, OwnedVault), chain.deploy(deployer, OwnedVaultTwo)]
  const setup = callOf(OwnedVault, 'initialize', safe.address)
  const [vault, spare] = [one, two].map(
    (logic): Contract => ({ ...chain.deploy(deployer, ERC1967Proxy, logic.address, setup), abi: OwnedVault.abi }),
  ) as [Contract, Contract]
  await ago(51 * DAY)
  register('Tidepool Vaults', 'Tidepool ETH Vault', 'proxy_uups', vault)
  register('Tidepool Vaults', 'Tidepool mUSD Vault', 'proxy_uups', spare)
  register('Tidepool Vaults', 'Tidepool Crew', 'safe', safe)
  const role = roleOf('KEEPER_ROLE')
  const grant: Act = () => safe.exec(vault, 'grantRole', role, keeper)
  const revoke: Act = () => safe.exec(vault, 'revokeRole', role, keeper)
  const logic = inTurn<Hex>(two.address, one.address)
  const tamper: Act = () => setImplementationSilently(chain, vault.address, logic())
  return {
    past: [
      [35 * DAY, grant],
      [10 * DAY, revoke],
      [9 * DAY, () => safe.exec(spare, 'upgradeToAndCall', one.address, '0x')],
    ],
    acts: [tamper, grant, revoke, () => safe.changeThreshold(safe.threshold() === 2 ? 3 : 2)],
  }
}
