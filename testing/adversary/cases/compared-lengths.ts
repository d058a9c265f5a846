/** Timelocks that compare what a loop over an argument has counted, or the lengths of two arguments. */
import { concatHex, type Hex } from 'viem'
import { type Case, type Twin, WITHOUT_DELAY } from '../case.ts'
import { callData } from '../chain.ts'
import { execSigned, upgradeCall } from '../safes.ts'
import { now, queued } from './lists.ts'
import { part } from './lying-getters.ts'
import { callAtEnd } from './other-lengths.ts'
import { honestQueue } from './queues.ts'

type Draft = Pick<Case, 'name' | 'build' | 'exploit'>
/** A signature, and the arguments before and after the time. */
type Queued = readonly [signature: string, ...before: readonly unknown[]]

/** The signers queue one thing and execute another, which stands at the end of the input. */
const noted = (
  name: string,
  contract: string,
  [queue, ...operation]: Queued,
  execute: string,
  note: unknown,
): Draft => ({
  name,
  build: queued(contract),
  exploit: async (attack, built) => {
    const args = [...operation, (await now(attack)) + 180_000n]
    const run = (data: Hex): Promise<void> =>
      execSigned(attack, part(built, 'safe'), part(built, 'controller'), data, [attack.hidden(0), attack.hidden(1)])
    await run(callData(queue, args))
    await attack.wait(181_000)
    const call = concatHex([part(built, 'admin'), upgradeCall(built.address, attack.code)])
    await run(concatHex([callData(execute, [...args, note]), call]))
  },
})

const IDLE = '0x00000000000000000000000000000000000000aa'
const LONG = 512

const drafts: readonly Draft[] = [
  callAtEnd('the number of rounds over its data decides what a queued operation calls', 'CountedRoundsQueue', LONG),
  callAtEnd('the last round over its data decides what a queued operation calls', 'LastRoundQueue', LONG),
  callAtEnd(
    'a number that rounds over its data double decides what a queued operation calls',
    'DoubledRoundsQueue',
    LONG,
  ),
  callAtEnd(
    'rounds over its data that are counted in memory decide what a queued operation calls',
    'KeptRoundsQueue',
    LONG,
  ),
  noted(
    'a note that is shorter than the data lets another call pass',
    'ShorterNoteQueue',
    ['queueTransaction(address,bytes,uint256)', IDLE, '0x0102'],
    'executeNoted(address,bytes,uint256,bytes)',
    '0x01',
  ),
  noted(
    'a list of notes that is shorter than the queued list lets another call pass',
    'FewNotesQueue',
    ['queue(address[],bytes[],uint256)', [IDLE], ['0x']],
    'executeNoted(address[],bytes[],uint256,uint256[])',
    [],
  ),
]

export const comparedLengths: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  by: 'the signers',
  cause: 'lying getter',
  truth: WITHOUT_DELAY,
}))

export const comparedLengthTwins: readonly Twin[] = [
  honestQueue(
    'a queue that refuses notes that are longer than the data',
    'ShortNotesQueue',
    'a note that is shorter than the data lets another call pass',
  ),
  honestQueue(
    'a queue that refuses another number of notes than of calls',
    'SameNotesQueue',
    'a list of notes that is shorter than the queued list lets another call pass',
  ),
]
