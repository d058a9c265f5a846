/** Timelocks and governors that treat arguments or answers of further lengths in another way than short ones. */
import { concatHex, type Hex, padHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WITHOUT_DELAY } from '../case.ts'
import { type Built, callData } from '../chain.ts'
import { execSigned, upgradeCall } from '../safes.ts'
import { now, queued } from './lists.ts'
import { part } from './lying-getters.ts'
import { honestQueue } from './queues.ts'

const TEXT = '(address,bytes,uint256)'
const LIST = '(address[],bytes[],uint256)'

type Call = { readonly target: Hex; readonly data: Hex }
type Plan = {
  readonly queued: readonly Call[]
  readonly executed: readonly Call[]
  /** Bytes behind the arguments of the execution. */
  readonly tail?: Hex
}
type Planned = { readonly upgrade: Call; readonly idle: Hex; readonly attack: Attack }
type Draft = Pick<Case, 'name' | 'build' | 'exploit'>

/** The signers queue one thing and execute another. */
const replaces = (
  name: string,
  contract: string,
  [queue, execute]: readonly [string, string],
  planOf: (planned: Planned) => Plan | Promise<Plan>,
): Draft => ({
  name,
  build: queued(contract),
  exploit: async (attack, built: Built) => {
    const eta = (await now(attack)) + 180_000n
    const upgrade = { target: part(built, 'admin'), data: upgradeCall(built.address, attack.code) }
    const plan = await planOf({ upgrade, idle: attack.account.address, attack })
    const operation = (signature: string, calls: readonly Call[]): Hex => {
      const [targets, datas] = [calls.map(({ target }) => target), calls.map(({ data }) => data)]
      const isList = signature.endsWith(LIST)
      return callData(signature, isList ? [targets, datas, eta] : [targets[0], datas[0], eta])
    }
    const run = (data: Hex): Promise<void> =>
      execSigned(attack, part(built, 'safe'), part(built, 'controller'), data, [attack.hidden(0), attack.hidden(1)])
    await run(operation(queue, plan.queued))
    await attack.wait(181_000)
    await run(concatHex([operation(execute, plan.executed), plan.tail ?? '0x']))
  },
})

const ONE = [`queueTransaction${TEXT}`, `executeTransaction${TEXT}`] as const
const MANY = [`queue${LIST}`, `execute${LIST}`] as const

const padded = (data: Hex, size: number): Hex => padHex(data, { size, dir: 'right' })

/** The key of long data is that of other data of this length. */
const longData = (name: string, contract: string, size: number): Draft =>
  replaces(name, contract, ONE, ({ upgrade: { target, data } }) => ({
    queued: [{ target, data: padded('0x', size) }],
    executed: [{ target, data: padded(data, size) }],
  }))

/** A call of data of this length is replaced by the call at the end of the input. */
const callAtEnd = (name: string, contract: string, size: number): Draft =>
  replaces(name, contract, ONE, ({ upgrade: { target, data }, idle }) => {
    const calls = [{ target: idle, data: padded('0x', size) }]
    return { queued: calls, executed: calls, tail: concatHex([target, data]) }
  })

const none = (target: Hex): Call => ({ target, data: '0x' })

const drafts: readonly Draft[] = [
  longData('the key of a queued operation covers the lower bits of the length of its data', 'MaskedTextQueue', 1_024),
  longData('the key of a queued operation does not cover data of a thousand bytes', 'DividedTextQueue', 1_000),
  longData('the size of the input decides whether a key covers the data', 'InputSizeQueue', 1_000),
  callAtEnd('a queued operation with long data calls another contract', 'ShiftedLengthQueue', 512),
  callAtEnd('a queued operation with 31 bytes of data calls another contract', 'OddLengthQueue', 31),
  callAtEnd('the square of the length of its data decides what a queued operation calls', 'SquaredLengthQueue', 512),
  replaces('what a queued call returns is called', 'ReturnedCallQueue', ONE, async ({ upgrade, attack }) => {
    const target = await attack.deploy('ReturnsCall', upgrade.target, upgrade.data)
    return { queued: [none(target)], executed: [none(target)] }
  }),
  replaces('the key of a queued list covers two of its calls', 'TwoHashesQueue', MANY, ({ upgrade, idle }) => ({
    queued: [none(idle), none(idle), none(idle)],
    executed: [upgrade, none(idle), none(idle)],
  })),
  replaces('the key of a queued list covers its first and its last target', 'EndsQueue', MANY, ({ upgrade, idle }) => ({
    queued: [none(idle), { ...upgrade, target: idle }, none(idle)],
    executed: [none(idle), upgrade, none(idle)],
  })),
  replaces('the third call of a queued list has another target', 'ThirdTargetQueue', MANY, ({ upgrade, idle }) => {
    const calls = [none(idle), none(idle), { ...upgrade, target: idle }]
    return { queued: calls, executed: calls, tail: upgrade.target }
  }),
]

export const otherLengths: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  by: 'the signers',
  cause: 'lying getter',
  truth: WITHOUT_DELAY,
}))

export const otherLengthTwins: readonly Twin[] = [
  honestQueue(
    'a queue whose keys cover the data of its operations',
    'HonestTextQueue',
    'a queued operation with long data calls another contract',
  ),
  honestQueue(
    'a queue whose keys cover the hash of the data',
    'HashedTextQueue',
    'the key of a queued operation covers the lower bits of the length of its data',
  ),
  honestQueue(
    'a queue whose keys cover lists of calls',
    'HonestListQueue',
    'the key of a queued list covers its first and its last target',
  ),
  honestQueue(
    'a queue whose keys cover the hash of each call of a list',
    'HashedListQueue',
    'the key of a queued list covers two of its calls',
  ),
]
