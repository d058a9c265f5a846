/** Operations and votes that count although they were made under other rules than those that hold now, or lost the vote. */
import { type Hex, keccak256, numberToHex, padHex, stringToHex, zeroHash } from 'viem'
import { openZeppelin5 } from '../../evm/compile.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData, system, TWO_DAYS } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { EXECUTE, proposal, QUEUE } from './lists.ts'
import { controlledBy, part, voting } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

const timeOf = async ({ node }: Pick<Chain, 'node'>): Promise<bigint> => {
  const { timestamp } = await node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  return BigInt(timestamp)
}

/** The upgrade to code of the attacker. */
const upgrade = (built: Built): Hex => upgradeCall(built.address, part(built, 'code'))

/** One key may use the upgrade function of a proxy after two days. It scheduled an upgrade when it had to wait for a second. */
async function scheduledEarly(chain: Chain): Promise<Built> {
  const [lock, key] = [await chain.timelock(), chain.hidden().address]
  const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), lock)
  const address = await chain.deploy('NamedProxy', await chain.deploy('Plain'), manager)
  const code = await chain.deploy('Taken')
  const data = callData('replaceLogic(address)', [code])
  const selector = data.slice(0, 10)
  await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [address, [selector], 7n], lock)
  const wait = (seconds: number) => chain.send(manager, 'grantRole(uint64,address,uint32)', [7n, key, seconds], lock)
  await wait(1)
  await chain.send(manager, 'schedule(address,bytes,uint48)', [address, data, 0], key)
  await wait(Number(TWO_DAYS))
  return system(address, { manager, code })
}

/**
 * A queue of a Safe with a delay of two days. Its first administrator was one key, which waited for `delay`. `isQueued`: it left
 * an upgrade in the queue.
 */
const left =
  (name: string, delay: bigint, isQueued = true) =>
  async (chain: Chain): Promise<Built> => {
    const key = chain.hidden().address
    const queue = await chain.deploy(name, key)
    const eta = (await timeOf(chain)) + delay + 100n
    const parts = { queue, code: await chain.deploy('Taken'), eta: numberToHex(eta) }
    const built = await controlledBy(chain, queue, parts)
    const settled = [queue, 0n, '', callData('settle(uint256,address)', [TWO_DAYS, await chain.council()]), eta]
    if (isQueued) await chain.send(queue, QUEUE, queuedUpgrade(built), key)
    await chain.send(queue, QUEUE, settled, key)
    await chain.evm.pass(Number(delay) + 200)
    await chain.send(queue, EXECUTE, settled, key)
    return built
  }
const queuedUpgrade = (built: Built): readonly unknown[] => [
  part(built, 'admin'),
  0n,
  '',
  upgrade(built),
  BigInt(part(built, 'eta')),
]

const executeLeft: Case['exploit'] = (attack, built) => attack.send(part(built, 'queue'), EXECUTE, queuedUpgrade(built))

/** A vote by a token that was set later. `isVoted`: after a proposal had passed by another one. */
const tokenSettled =
  (isVoted: boolean) =>
  async (chain: Chain): Promise<Built> => {
    const token = await chain.deploy('CheckpointToken', await chain.council())
    const governor = await chain.deploy('FirstTokenBallots', await chain.deploy('Whale'))
    const built = await controlledBy(chain, governor, { governor, code: await chain.deploy('Taken') })
    const call = [part(built, 'admin'), upgrade(built)] as const
    if (isVoted) {
      await chain.send(governor, 'propose(address,bytes)', call)
      await chain.evm.mine(2)
      await chain.send(governor, 'vote(bytes32,bool)', [proposal(...call), true])
    }
    await chain.send(governor, 'settle(address)', [token])
    return built
  }

const NOTE = 'note'

async function passDefeated(attack: Attack, built: Built): Promise<void> {
  const governor = part(built, 'governor')
  const calls = [[part(built, 'admin')], [0n], [upgradeCall(built.address, attack.code)]]
  await attack.send(governor, 'propose(address[],uint256[],bytes[],string)', [...calls, NOTE])
  await attack.mine(200)
  const described = [...calls, keccak256(stringToHex(NOTE))]
  await attack.send(governor, 'queue(address[],uint256[],bytes[],bytes32)', described)
  await attack.wait(Number(TWO_DAYS) + 1)
  const salt = BigInt(padHex(governor, { dir: 'right', size: 32 })) ^ BigInt(described[3] as Hex)
  const run = [...calls, zeroHash, numberToHex(salt, { size: 32 })]
  await attack.send(part(built, 'controller'), 'executeBatch(address[],uint256[],bytes[],bytes32,bytes32)', run)
}

const drafts: readonly Omit<Case, 'cause' | 'truth'>[] = [
  {
    name: 'an AccessManager keeps what one key scheduled before its delay was raised',
    by: 'one key',
    settings: ['optimized'],
    build: scheduledEarly,
    exploit: async (attack, built) => {
      await attack.wait(10)
      const data = callData('replaceLogic(address)', [part(built, 'code')])
      await attack.send(part(built, 'manager'), 'execute(address,bytes)', [built.address, data])
    },
  },
  {
    name: 'a queue keeps what its first administrator queued without a delay',
    by: 'anyone',
    build: left('RaisedQueue', 0n),
    exploit: executeLeft,
  },
  {
    name: 'a queue keeps what its first administrator queued and reported, and every account executes it',
    by: 'anyone',
    build: left('LeftQueue', TWO_DAYS),
    exploit: executeLeft,
  },
  {
    name: 'a queue keeps what an account queued and reported that is no longer in its list',
    by: 'anyone',
    build: left('WardQueue', TWO_DAYS),
    exploit: executeLeft,
  },
  {
    name: 'a proposal stays passed that was voted on with another token',
    by: 'anyone',
    build: tokenSettled(true),
    exploit: async (attack, built) => {
      await attack.wait(700_000)
      await attack.send(part(built, 'governor'), 'execute(address,bytes)', [part(built, 'admin'), upgrade(built)])
    },
  },
  {
    name: 'a proposal that was voted down counts as passed',
    by: 'anyone',
    settings: NEW_EVM,
    build: async (chain) => {
      const { lock, governor } = await voting(chain, 'MildGovernor', () => chain.deploy('GivenVotes'))
      return controlledBy(chain, lock, { governor })
    },
    exploit: passDefeated,
  },
]

export const earlierRules: readonly Case[] = drafts.map((draft) => ({ cause: 'lying getter', truth: WEAK, ...draft }))

export const earlierRuleTwins: readonly Twin[] = [
  {
    name: 'a vote by a token that was set before the first proposal',
    cause: 'lying getter',
    twinOf: 'a proposal stays passed that was voted on with another token',
    deserves: 'multisig',
    build: tokenSettled(false),
  },
  {
    name: 'a queue in which its first administrator left nothing',
    cause: 'lying getter',
    twinOf: 'a queue keeps what its first administrator queued and reported, and every account executes it',
    deserves: 'timelocked',
    build: left('LeftQueue', TWO_DAYS, false),
  },
  {
    name: 'a queue of a list of accounts in which the first one left nothing',
    cause: 'lying getter',
    twinOf: 'a queue keeps what an account queued and reported that is no longer in its list',
    deserves: 'timelocked',
    build: left('WardQueue', TWO_DAYS, false),
  },
  {
    name: 'a queue whose present administrator executes what the first one left',
    cause: 'lying getter',
    twinOf: 'a queue keeps what its first administrator queued and reported, and every account executes it',
    deserves: 'timelocked',
    build: left('HeldQueue', TWO_DAYS),
  },
]
