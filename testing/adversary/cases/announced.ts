/** What waits in the queue of a timelock when it is labeled: a shorter delay, or what a former proposer left. */
import { type Hex, keccak256, numberToHex, stringToHex, toHex, zeroAddress } from 'viem'
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WITHOUT_DELAY } from '../case.ts'
import { type Built, type Chain, callData, system, TWO_DAYS } from '../chain.ts'
import { execSigned, upgradeCall } from '../safes.ts'
import { EXECUTE, now, QUEUE, queued, safeOfThree } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Pick<Case, 'name' | 'build' | 'exploit' | 'truth'>

const NOTHING = toHex(0, { size: 32 })
const SCHEDULE_ONE = 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)'
const EXECUTE_ONE = 'execute(address,uint256,bytes,bytes32,bytes32)'
const SCHEDULE_BATCH = 'scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256)'
const EXECUTE_BATCH = 'executeBatch(address[],uint256[],bytes[],bytes32,bytes32)'
const PROPOSER_ROLE = keccak256(stringToHex('PROPOSER_ROLE'))
const WAITED = Number(TWO_DAYS) + 100
const noDelay = callData('updateDelay(uint256)', [0n])

const wait = async ({ evm }: Chain, seconds: number): Promise<void> => {
  await evm.pass(seconds)
  await evm.mine()
}

/** A proxy of a timelock that anyone executes, whose Safe has announced something; so many seconds have passed since. */
const announcedIn =
  (
    signature: string,
    argsOf: (lock: Hex) => readonly unknown[],
    {
      seconds = WAITED,
      from = openZeppelin5,
    }: { readonly seconds?: number; readonly from?: typeof openZeppelin5 } = {},
  ) =>
  async (chain: Chain): Promise<Built> => {
    const safe = await safeOfThree(chain)
    const lock = (await chain.controllers.timelock(TWO_DAYS, [safe], [zeroAddress], zeroAddress, from)).address
    const built = await controlledBy(chain, lock, { safe })
    await chain.send(lock, signature, argsOf(lock), safe)
    await wait(chain, seconds)
    return built
  }

const runOf =
  (attack: Attack, built: Built) =>
  (data: Hex): Promise<void> =>
    execSigned(attack, part(built, 'safe'), part(built, 'controller'), data, [attack.hidden(0), attack.hidden(1)])

/** Executes what was announced, then upgrades without a delay. */
const thenUpgrade =
  (signature: string, argsOf: (lock: Hex) => readonly unknown[], seconds = 0): Case['exploit'] =>
  async (attack, built) => {
    const lock = part(built, 'controller')
    if (seconds > 0) await attack.wait(seconds)
    await attack.send(lock, signature, argsOf(lock))
    const call = [part(built, 'admin'), 0n, upgradeCall(built.address, attack.code), NOTHING, NOTHING]
    await runOf(attack, built)(callData(SCHEDULE_ONE, [...call, 0n]))
    await attack.send(lock, EXECUTE_ONE, call)
  }

const one = (lock: Hex): readonly unknown[] => [lock, 0n, noDelay, NOTHING, NOTHING]
const batch = (lock: Hex): readonly unknown[] => [[zeroAddress, lock], [0n, 0n], ['0x', noDelay], NOTHING, NOTHING]

const drafts: readonly Draft[] = [
  {
    name: 'a timelock of which a shorter delay is announced, and due',
    truth: WITHOUT_DELAY,
    build: announcedIn(SCHEDULE_ONE, (lock) => [...one(lock), TWO_DAYS]),
    exploit: thenUpgrade(EXECUTE_ONE, one),
  },
  {
    name: 'a timelock of which a shorter delay is announced, and due (OpenZeppelin 4)',
    truth: WITHOUT_DELAY,
    build: announcedIn(SCHEDULE_ONE, (lock) => [...one(lock), TWO_DAYS], { from: openZeppelin4 }),
    exploit: thenUpgrade(EXECUTE_ONE, one),
  },
  {
    name: 'a timelock of which a shorter delay is announced in a batch',
    truth: WITHOUT_DELAY,
    build: announcedIn(SCHEDULE_BATCH, (lock) => [...batch(lock), TWO_DAYS]),
    exploit: thenUpgrade(EXECUTE_BATCH, batch),
  },
  {
    name: 'a timelock of which a shorter delay is announced, and due in an hour',
    truth: ['short_timelock', ...WITHOUT_DELAY],
    build: announcedIn(SCHEDULE_ONE, (lock) => [...one(lock), TWO_DAYS], { seconds: Number(TWO_DAYS) - 3_600 }),
    exploit: thenUpgrade(EXECUTE_ONE, one, 3_700),
  },
  {
    name: 'a queue of which a shorter delay is announced, and due',
    truth: WITHOUT_DELAY,
    build: async (chain) => {
      const built = await queued('AdjustableQueue')(chain)
      const [safe, lock] = [part(built, 'safe'), part(built, 'controller')]
      const { timestamp } = await chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
      const eta = BigInt(timestamp) + BigInt(WAITED)
      await chain.send(lock, QUEUE, [lock, 0n, '', callData('setDelay(uint256)', [0n]), eta], safe)
      await wait(chain, WAITED)
      return system(built.address, { ...built.parts, eta: numberToHex(eta) })
    },
    exploit: async (attack, built) => {
      const [lock, run] = [part(built, 'controller'), runOf(attack, built)]
      const shorter = callData('setDelay(uint256)', [0n])
      await attack.wait(100)
      await run(callData(EXECUTE, [lock, 0n, '', shorter, BigInt(part(built, 'eta'))]))
      const eta = (await now(attack)) + 30n
      const call = [part(built, 'admin'), 0n, '', upgradeCall(built.address, attack.code), eta]
      await run(callData(QUEUE, call))
      await attack.wait(30)
      await run(callData(EXECUTE, call))
    },
  },
]

export const announced: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  cause: 'lying getter',
  by: 'the signers',
  settings: NEW_EVM,
}))

export const announcedTwins: readonly Twin[] = [
  {
    name: 'a timelock without proposers, in which a Safe executes what a former one left',
    cause: 'lying getter',
    // What is left was announced for the delay.
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: async (chain) => {
      const [safe, key, creator] = [await safeOfThree(chain), chain.hidden(3).address, chain.evm.accounts[0] as Hex]
      const lock = (await chain.controllers.timelock(TWO_DAYS, [key], [safe], creator)).address
      const built = await controlledBy(chain, lock, { safe })
      const code = await chain.deploy('Taken')
      const call = [part(built, 'admin'), 0n, upgradeCall(built.address, code), NOTHING, NOTHING]
      await chain.send(lock, SCHEDULE_ONE, [...call, TWO_DAYS], key)
      await chain.send(lock, 'revokeRole(bytes32,address)', [PROPOSER_ROLE, key])
      await chain.send(lock, 'renounceRole(bytes32,address)', [NOTHING, creator])
      await wait(chain, WAITED)
      return system(built.address, { ...built.parts, code })
    },
  },
  {
    name: 'a timelock of which a longer delay is announced, and due',
    cause: 'lying getter',
    deserves: 'timelocked',
    settings: ['optimized'],
    build: announcedIn(SCHEDULE_ONE, (lock) => {
      const longer = callData('updateDelay(uint256)', [TWO_DAYS * 2n])
      return [lock, 0n, longer, NOTHING, NOTHING, TWO_DAYS]
    }),
  },
  {
    name: 'a queue that changes its own delay',
    cause: 'lying getter',
    deserves: 'timelocked',
    build: queued('AdjustableQueue'),
  },
]
