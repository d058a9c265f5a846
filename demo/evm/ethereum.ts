/** The demo's Ethereum: a lending pool, an exchange, a dollar token and a DAO, with two months of history. */
import { type Hex, zeroAddress } from 'viem'
import { demoAccount } from './accounts.ts'
import type { Contract } from './chain.ts'
import { copperTreasury, juniperToken } from './fixed-code.ts'
import { lanternDao } from './lantern.ts'
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
  type Stage,
  type World,
} from './world.ts'

export async function ethereumWorld(stage: Stage): Promise<World> {
  const known: KnownContract[] = []
  const register = registrar('ethereum', known)
  const harbor = await harborLending(stage, register)
  const foxglove = await foxgloveExchange(stage, register)
  const meridian = await meridianDollar(stage, register)
  const lantern = await lanternDao(stage, register)
  const juniper = await juniperToken(stage, register)
  const copper = await copperTreasury(stage, register)
  return { known, acts: await replayPast(stage, [meridian, harbor, lantern, foxglove, juniper, copper]) }
}

type Register = ReturnType<typeof registrar>

/** Timelocked: a Safe with five owners proposes, and a timelock delays by two days. */
async function harborLending({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { LendingPool, LendingPoolTwo, TransparentUpgradeableProxy, ProxyAdmin, TimelockController } = artifacts
  const deployer = demoAccount('Harbor deployer').address
  const keepers = ['Ada', 'Ben', 'Chiara', 'Dmitri', 'Elif'].map((name) => demoAccount(`${name} of Harbor`))
  const guest = demoAccount('Farid of Harbor')
  const council = await makeSafe(deployer, keepers, 3)
  const delay = 2 * DAY
  const proposers = [council.address]
  const lock = chain.deploy(deployer, TimelockController, BigInt(delay), proposers, proposers, zeroAddress)
  const [one, two] = [chain.deploy(deployer, LendingPool), chain.deploy(deployer, LendingPoolTwo)]
  await ago(58 * DAY)
  const setup = callOf(LendingPool, 'initialize', council.address)
  const proxy = chain.deploy(deployer, TransparentUpgradeableProxy, one.address, lock.address, setup)
  const pool: Contract = { ...proxy, abi: LendingPool.abi }
  const admin: Contract = { address: proxyAdminOf(proxy.address), abi: ProxyAdmin.abi }
  const oracle = chain.deploy(deployer, artifacts.PriceOracle, deployer)
  await ago(57 * DAY)
  register('Harbor Lending', 'Harbor Pool', 'proxy_transparent', pool)
  register('Harbor Lending', 'Harbor Proxy Admin', 'proxy_admin', admin)
  register('Harbor Lending', 'Harbor Timelock', 'timelock_oz', lock)
  register('Harbor Lending', 'Harbor Council', 'safe', council)
  register('Harbor Lending', 'Harbor Price Oracle', 'ownable', oracle)

  const timelock = timelockOf(lock, council, delay)
  const implementation = inTurn<Hex>(two.address, one.address)
  const scheduleUpgrade: Act = (now) =>
    timelock.schedule(now, admin, 'upgradeAndCall', pool.address, implementation(), '0x')
  const toCouncil: Act = async () => {
    chain.call(deployer, oracle, 'transferOwnership', council.address)
    await council.exec(oracle, 'acceptOwnership')
  }
  const toDeployer: Act = async () => {
    await council.exec(oracle, 'transferOwnership', deployer)
    chain.call(deployer, oracle, 'acceptOwnership')
  }
  const oracleMove = inTurn(toDeployer, toCouncil)
  const changeOwner = inTurn(council.addOwner, council.removeOwner)
  // These become ready one after another while the demo runs.
  const readyAfter = [30, 150, 330, 570, 870, 1_230, 1_650, 2_130]
  return {
    past: [
      [30 * DAY, scheduleUpgrade],
      [27 * DAY, timelock.executeReady],
      [24 * DAY, toCouncil],
      [12 * DAY, () => council.exec(pool, 'pause')],
      [12 * DAY - 3 * HOUR, () => council.exec(pool, 'unpause')],
      [9 * DAY, () => council.changeThreshold(4)],
      [8 * DAY, () => council.changeThreshold(3)],
      [4 * DAY, (now) => timelock.schedule(now, pool, 'setReserveFactor', 1200n)],
      [3 * DAY, timelock.cancelNewest],
      ...readyAfter.map((after): [number, Act] => [delay - after, scheduleUpgrade]),
    ],
    acts: [
      () => council.exec(pool, 'pause'),
      timelock.executeReady,
      () => council.exec(pool, 'unpause'),
      () => changeOwner()(guest),
      (now) => (timelock.queued() > 20 ? timelock.cancelNewest() : scheduleUpgrade(now)),
      (now) => oracleMove()(now),
      timelock.executeReady,
      () => council.changeThreshold(council.threshold() === 3 ? 4 : 3),
    ],
  }
}

/** The core is immutable; a Safe owns the beacon of all pairs. */
async function foxgloveExchange({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { ExchangeCore, ExchangePair, ExchangePairTwo, UpgradeableBeacon, BeaconProxy } = artifacts
  const deployer = demoAccount('Foxglove deployer').address
  const stewards = ['Gita', 'Hugo', 'Ines'].map((name) => demoAccount(`${name} of Foxglove`))
  const safe = await makeSafe(deployer, stewards, 2)
  const core = chain.deploy(deployer, ExchangeCore)
  const [one, two] = [chain.deploy(deployer, ExchangePair), chain.deploy(deployer, ExchangePairTwo)]
  const beacon = chain.deploy(deployer, UpgradeableBeacon, one.address, safe.address)
  const pairOf = (fee: bigint) =>
    chain.deploy(deployer, BeaconProxy, beacon.address, callOf(ExchangePair, 'initialize', fee))
  const [wide, narrow] = [pairOf(30n), pairOf(5n)]
  await ago(55 * DAY)
  register('Foxglove Exchange', 'Foxglove Core', 'immutable', core)
  register('Foxglove Exchange', 'Foxglove Pair Beacon', 'beacon', beacon)
  register('Foxglove Exchange', 'Foxglove Pair ETH/mUSD', 'proxy_beacon', wide)
  register('Foxglove Exchange', 'Foxglove Pair mUSD/DAI', 'proxy_beacon', narrow)
  register('Foxglove Exchange', 'Foxglove Stewards', 'safe', safe)
  const logic = inTurn<Hex>(two.address, one.address)
  const upgrade: Act = () => safe.exec(beacon, 'upgradeTo', logic())
  return {
    past: [
      [21 * DAY, upgrade],
      [20 * DAY, upgrade],
    ],
    acts: [upgrade],
  }
}

/** Multisig without delay: two of three signers can upgrade. */
async function meridianDollar({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { DollarToken, DollarTokenTwo, ERC1967Proxy } = artifacts
  const deployer = demoAccount('Meridian deployer').address
  const board = ['Noor', 'Oskar', 'Pia'].map((name) => demoAccount(`${name} of Meridian`))
  const [bank, rival, suspect] = ['Bank', 'Market maker', 'Suspect'].map(
    (name) => demoAccount(`${name} of Meridian`).address,
  )
  const safe = await makeSafe(deployer, board, 2)
  const [one, two] = [chain.deploy(deployer, DollarToken), chain.deploy(deployer, DollarTokenTwo)]
  const setup = callOf(DollarToken, 'initialize', deployer)
  const proxy = chain.deploy(deployer, ERC1967Proxy, one.address, setup)
  const token: Contract = { ...proxy, abi: DollarToken.abi }
  await ago(52 * DAY)
  register('Meridian Dollar', 'Meridian Dollar', 'proxy_uups', token, { symbol: 'mUSD', decimals: 18 })
  register('Meridian Dollar', 'Meridian Board', 'safe', safe)
  const allow = (minter: Hex | undefined) => safe.exec(token, 'configureMinter', minter, 10n ** 24n)
  const logic = inTurn<Hex>(two.address, one.address)
  const upgrade: Act = () => safe.exec(token, 'upgradeToAndCall', logic(), '0x')
  return {
    past: [
      [43 * DAY, () => chain.call(deployer, token, 'configureMinter', bank, 10n ** 24n)],
      [42 * DAY, () => chain.call(deployer, token, 'transferOwnership', safe.address)],
      [28 * DAY, () => safe.exec(token, 'blacklist', suspect)],
      [16 * DAY, upgrade],
      [6 * DAY, () => safe.exec(token, 'unBlacklist', suspect)],
      [5 * HOUR, () => allow(rival)],
      [2 * HOUR, () => safe.exec(token, 'removeMinter', rival)],
    ],
    acts: [
      () => safe.exec(token, 'blacklist', suspect),
      () => allow(rival),
      upgrade,
      () => safe.exec(token, 'pause'),
      () => safe.exec(token, 'unBlacklist', suspect),
      () => safe.exec(token, 'unpause'),
      () => safe.exec(token, 'removeMinter', rival),
    ],
  }
}
