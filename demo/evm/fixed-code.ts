/** Protocols whose code is fixed: they differ in what their owners can do, and in who the owners are. */
import { keccak256, stringToHex, zeroAddress } from 'viem'
import { demoAccount } from './accounts.ts'
import { timelockOf } from './timelock.ts'
import { type Act, DAY, HOUR, inTurn, type Life, type registrar, type Stage } from './world.ts'

type Register = ReturnType<typeof registrar>

/** One key mints: the label is green, the tone is red. Stakers' tokens move only after two days. */
export async function juniperToken({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const { MintedToken, StakingPool, TimelockController } = artifacts
  const minter = demoAccount('Minter of Juniper').address
  const staker = demoAccount('Staker of Juniper').address
  const stewards = ['Abel', 'Bea', 'Cyrus'].map((name) => demoAccount(`${name} of Saltmarsh`))
  const safe = await makeSafe(minter, stewards, 2)
  const delay = 2 * DAY
  const roles = [safe.address]
  const lock = chain.deploy(minter, TimelockController, BigInt(delay), roles, roles, zeroAddress)
  const token = chain.deploy(minter, MintedToken, minter)
  const pool = chain.deploy(minter, StakingPool, token.address, lock.address)
  await ago(47 * DAY)
  register('Juniper Token', 'Juniper', 'immutable', token, { symbol: 'JNPR', decimals: 18 })
  register('Saltmarsh Staking', 'Saltmarsh Pool', 'ownable', pool)
  register('Saltmarsh Staking', 'Saltmarsh Timelock', 'timelock_oz', lock)
  register('Saltmarsh Staking', 'Saltmarsh Stewards', 'safe', safe)
  const timelock = timelockOf(lock, safe, delay)
  const amount = 10n ** 21n
  const mint: Act = () => chain.call(minter, token, 'mint', staker, amount)
  const stake: Act = () => {
    chain.call(staker, token, 'approve', pool.address, amount)
    chain.call(staker, pool, 'stake', amount)
  }
  return {
    past: [
      [41 * DAY, mint],
      [40 * DAY, stake],
      [DAY, (now) => timelock.schedule(now, pool, 'rescueTokens', token.address, safe.address, amount)],
    ],
    acts: [mint],
  }
}

/** A Safe makes the treasury call any contract. */
export async function copperTreasury({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const deployer = demoAccount('Copper deployer').address
  const crew = ['Dora', 'Emil', 'Fay'].map((name) => demoAccount(`${name} of Copper`))
  const safe = await makeSafe(deployer, crew, 2)
  const treasury = chain.deploy(deployer, artifacts.OwnedTreasury, safe.address)
  await ago(44 * DAY)
  register('Copper Treasury', 'Copper Treasury', 'ownable', treasury)
  register('Copper Treasury', 'Copper Crew', 'safe', safe)
  const pay: Act = () => safe.exec(treasury, 'execute', deployer, 0n, '0x')
  return { past: [[18 * DAY, pay]], acts: [pay] }
}

/** A Safe sets which contract of another chain is believed. */
export async function pelicanMessenger({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const deployer = demoAccount('Pelican deployer').address
  const crew = ['Gus', 'Hana', 'Ilya'].map((name) => demoAccount(`${name} of Pelican`))
  const safe = await makeSafe(deployer, crew, 2)
  const receiver = chain.deploy(deployer, artifacts.MessageReceiver, deployer, safe.address)
  await ago(46 * DAY)
  register('Pelican Messenger', 'Pelican Receiver', 'ownable', receiver)
  register('Pelican Messenger', 'Pelican Crew', 'safe', safe)
  const peer = inTurn(keccak256(stringToHex('first')), keccak256(stringToHex('second')))
  const setPeer: Act = () => safe.exec(receiver, 'setPeer', 30_101, peer())
  return { past: [[40 * DAY, setPeer]], acts: [setPeer] }
}

/** One key replaces the vault that deposits go to. */
export async function willowRouter({ chain, artifacts, ago }: Stage, register: Register): Promise<Life> {
  const owner = demoAccount('Jonas of Willow').address
  const vault = chain.deploy(owner, artifacts.ExchangeCore)
  const router = chain.deploy(owner, artifacts.DepositRouter, vault.address, owner)
  await ago(45 * DAY)
  register('Willow Router', 'Willow Router', 'ownable', router)
  return { past: [], acts: [] }
}

/** The fee setter is a Safe, sometimes one key: the powers change, without an event, and the label does not. */
export async function brambleMarket({ chain, artifacts, makeSafe, ago }: Stage, register: Register): Promise<Life> {
  const key = demoAccount('Kira of Bramble').address
  const crew = ['Kira', 'Liam', 'Mona'].map((name) => demoAccount(`${name} of Bramble`))
  const safe = await makeSafe(key, crew, 2)
  const market = chain.deploy(key, artifacts.OrderBook, key)
  await ago(43 * DAY)
  register('Bramble Market', 'Bramble Orders', 'immutable', market)
  register('Bramble Market', 'Bramble Crew', 'safe', safe)
  const toSafe: Act = () => chain.call(key, market, 'setFeeSetter', safe.address)
  return {
    past: [[2 * HOUR, toSafe]],
    acts: [() => safe.exec(market, 'setFeeSetter', key), () => chain.call(key, market, 'setFee', 25n), toSafe],
  }
}
