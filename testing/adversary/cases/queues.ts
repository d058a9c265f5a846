/** Timelocks whose queue lets the signers execute what they did not queue, or what was executed before. */
import { concatHex, type Hex, padHex, sliceHex, toFunctionSelector, toHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WITHOUT_DELAY } from '../case.ts'
import { type Built, callData, LOGIC_SLOT, TWO_DAYS } from '../chain.ts'
import { execSigned, upgradeCall } from '../safes.ts'
import { EXECUTE, now, QUEUE, queued, safeOfThree } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Pick<Case, 'name' | 'build' | 'exploit' | 'settings'>

/** Two of three signers make the Safe call the queue. */
const sign =
  (attack: Attack, built: Built) =>
  (data: Hex): Promise<unknown> =>
    execSigned(attack, part(built, 'safe'), part(built, 'controller'), data, [attack.hidden(0), attack.hidden(1)])

const logicOf = async ({ chain }: Attack, { address }: Built): Promise<Hex> =>
  `0x${(await chain.storage(address, LOGIC_SLOT)).slice(-40)}`

/** The signers execute the upgrade a second time, after they took it back. */
const repeats = (name: string, contract: string): Draft => ({
  name,
  build: queued(contract),
  exploit: async (attack, built) => {
    const run = sign(attack, built)
    // An odd number.
    const eta = ((await now(attack)) + 180_000n) | 1n
    const operation = (signature: string, code: Hex): Hex =>
      callData(signature, [part(built, 'admin'), 0n, '', upgradeCall(built.address, code), eta])
    const before = await logicOf(attack, built)
    for (const code of [attack.code, before]) await run(operation(QUEUE, code))
    await attack.wait(181_000)
    for (const code of [attack.code, before, attack.code]) await run(operation(EXECUTE, code))
  },
})

type Act = { readonly target: Hex; readonly data: Hex }
type Plan = {
  readonly queued: Act
  /** Calls to the queue when the time has come. */
  readonly before?: readonly Hex[]
  readonly executed: Act
  /** Bytes behind the arguments of the execution. */
  readonly tail?: Hex
}

/** The signers queue one thing and execute another. */
const replaces = (
  name: string,
  contract: string,
  planOf: (parts: { readonly upgrade: Act; readonly harmless: Act; readonly same: Act; readonly code: Hex }) => Plan,
): Draft => ({
  name,
  build: queued(contract),
  exploit: async (attack, built) => {
    const run = sign(attack, built)
    const eta = (await now(attack)) + 180_000n
    const target = part(built, 'admin')
    const upgrade = { target, data: upgradeCall(built.address, attack.code) }
    const same = { target, data: upgradeCall(built.address, await logicOf(attack, built)) }
    const harmless = { target: part(built, 'safe'), data: upgrade.data }
    const plan = planOf({ upgrade, harmless, same, code: attack.code })
    const operation = (signature: string, act: Act): Hex => callData(signature, [act.target, 0n, '', act.data, eta])
    await run(operation(QUEUE, plan.queued))
    await attack.wait(181_000)
    for (const data of plan.before ?? []) await run(data)
    await run(concatHex([operation(EXECUTE, plan.executed), plan.tail ?? '0x']))
  },
})

type Times = { readonly value: bigint; readonly eta: bigint }

/** The signers queue the upgrade and execute it in the next transaction. */
const hurries = (
  name: string,
  contract: string,
  timesAt: (now: bigint) => Times,
  executedWith: (queued: Times) => Times = (times) => times,
): Draft => ({
  name,
  build: queued(contract),
  exploit: async (attack, built) => {
    const run = sign(attack, built)
    const times = timesAt(await now(attack))
    const operation = (signature: string, { value, eta }: Times): Hex =>
      callData(signature, [part(built, 'admin'), value, '', upgradeCall(built.address, attack.code), eta])
    await run(operation(QUEUE, times))
    await run(operation(EXECUTE, executedWith(times)))
  },
})

/** Moves the data of a call, which are its last argument but one, by one byte. */
const movedByOne = (input: Hex): Hex => {
  const at = Number(BigInt(sliceHex(input, 100, 132)))
  const head = concatHex([sliceHex(input, 0, 100), toHex(at + 1, { size: 32 }), sliceHex(input, 132, 4 + at)])
  return concatHex([head, '0x00', sliceHex(input, 4 + at)])
}

/** The signers queue shorter data than they execute. */
const shortens = (
  name: string,
  contract: string,
  shorter: (data: Hex) => Hex,
  changed: (input: Hex) => Hex = (input) => input,
): Draft => ({
  name,
  build: queued(contract),
  exploit: async (attack, built) => {
    const run = sign(attack, built)
    const eta = (await now(attack)) + 180_000n
    const data = upgradeCall(built.address, attack.code)
    const operation = (signature: string, each: Hex): Hex =>
      callData(signature, [part(built, 'admin'), 0n, '', each, eta])
    await run(operation(QUEUE, shorter(data)))
    await attack.wait(181_000)
    await run(changed(operation(EXECUTE, data)))
  },
})

const drafts: readonly Draft[] = [
  repeats('an executed operation stays in a queue of times', 'RepeatingTimes'),
  repeats('of an executed operation something next to its time is removed', 'NotingTimes'),
  repeats('of an executed operation bits next to its flag are removed', 'FlaggedQueue'),
  repeats('some executed operations stay in the queue', 'SparingTimes'),
  replaces('the key of a queued operation does not cover its data', 'WithoutDataQueue', ({ same, upgrade }) => ({
    queued: same,
    executed: upgrade,
  })),
  replaces('the key of a queued operation covers another text than its data', 'NotedQueue', ({ same, upgrade }) => ({
    queued: same,
    executed: upgrade,
  })),
  replaces('the key of a queued operation covers its selector only', 'SelectorQueue', ({ same, upgrade }) => ({
    queued: same,
    executed: upgrade,
  })),
  replaces('the key of a queued operation covers how long its data is', 'LengthQueue', ({ same, upgrade }) => ({
    queued: same,
    executed: upgrade,
  })),
  replaces('a queue executes stored data', 'StoredDataQueue', ({ same, upgrade }) => ({
    queued: same,
    before: [callData('prepare(bytes)', [upgrade.data])],
    executed: same,
  })),
  replaces('a queue calls a stored target', 'StoredTargetQueue', ({ harmless, upgrade }) => ({
    queued: harmless,
    before: [callData('prepare(address)', [upgrade.target])],
    executed: harmless,
  })),
  replaces('a queue calls a target behind its arguments', 'TailTargetQueue', ({ harmless, upgrade }) => ({
    queued: harmless,
    executed: harmless,
    tail: upgrade.target,
  })),
  replaces('a queue changes the data after it was looked up', 'ChangedDataQueue', ({ same, code }) => ({
    queued: same,
    executed: same,
    tail: padHex(code, { size: 32 }),
  })),
  hurries('the time that must have come is not the time that was checked', 'OtherTimeQueue', (now) => ({
    value: 0n,
    eta: now + 180_000n,
  })),
  hurries(
    'the time that must have come stands elsewhere in the key',
    'TurnedQueue',
    (now) => ({ value: 0n, eta: now + 180_000n }),
    ({ value, eta }) => ({ value: eta, eta: value }),
  ),
  hurries('the time of an entry is not compared', 'UncheckedQueue', () => ({ value: 180_000n, eta: 0n })),
  hurries('the time of an entry has come from the start', 'EarlyTimes', (now) => ({ value: 0n, eta: now + 180_000n })),
  {
    name: 'the key of a queued operation does not tell its texts apart',
    build: queued('PackedQueue'),
    exploit: async (attack, built) => {
      const run = sign(attack, built)
      const eta = (await now(attack)) + 180_000n
      const [target, data] = [part(built, 'admin'), upgradeCall(built.address, attack.code)]
      const operation = (signature: string, note: Hex, shown: Hex): Hex =>
        callData(signature.replace('string', 'bytes'), [target, 0n, note, shown, eta])
      // The data of the upgrade stands in the text, and the selector is that of another function.
      const queuedData = operation(QUEUE, data, '0x')
      await run(concatHex([toFunctionSelector(QUEUE), sliceHex(queuedData, 4)]))
      await attack.wait(181_000)
      const executedData = operation(EXECUTE, '0x', data)
      await run(concatHex([toFunctionSelector(EXECUTE), sliceHex(executedData, 4)]))
    },
  },
  {
    name: 'the key of a queued operation covers four bytes of the hash of a name',
    build: queued('ShortNameQueue'),
    exploit: async (attack, built) => {
      const run = sign(attack, built)
      const eta = (await now(attack)) + 180_000n
      const operation = (signature: string, name: string): Hex =>
        callData(signature, [part(built, 'admin'), 0n, name, upgradeCall(built.address, attack.code), eta])
      // The selector of this name is zero, so that a function is announced that the target does not have.
      await run(operation(QUEUE, 'wycpnbqcyf()'))
      await attack.wait(181_000)
      await run(operation(EXECUTE, ''))
    },
  },
  {
    name: 'of several calls only the first one is looked up in a queue',
    build: queued('FirstCallQueue'),
    exploit: async (attack, built) => {
      const run = sign(attack, built)
      const [idle, eta] = [attack.account.address, (await now(attack)) + 180_000n]
      await run(callData(QUEUE, [idle, 0n, '', '0x', eta]))
      await attack.wait(181_000)
      const targets = [idle, part(built, 'admin')]
      const datas = ['0x', upgradeCall(built.address, attack.code)]
      await run(callData('executeMany(address[],bytes[],uint256)', [targets, datas, eta]))
    },
  },
  {
    name: 'the number of a batch of calls covers its first call',
    settings: NEW_EVM,
    build: async (chain) => {
      const safe = await safeOfThree(chain)
      return controlledBy(chain, await chain.deploy('FirstCallTimelock', [safe]), { safe })
    },
    exploit: async (attack, built) => {
      const run = sign(attack, built)
      const [idle, none] = [attack.account.address, toHex(0, { size: 32 })]
      const batch = 'Batch(address[],uint256[],bytes[],bytes32,bytes32'
      await run(callData(`schedule${batch},uint256)`, [[idle], [0n], ['0x'], none, none, TWO_DAYS]))
      await attack.wait(181_000)
      const datas = ['0x', upgradeCall(built.address, attack.code)]
      await run(callData(`execute${batch})`, [[idle, part(built, 'admin')], [0n, 0n], datas, none, none]))
    },
  },
  shortens('the key of a queued operation does not cover long data', 'LongDataQueue', () => '0x'),
  {
    name: 'the key of a queued operation does not cover very long data',
    build: queued('LongestDataQueue'),
    exploit: async (attack, built) => {
      const run = sign(attack, built)
      const eta = (await now(attack)) + 180_000n
      const operation = (signature: string, data: Hex): Hex =>
        callData(signature, [part(built, 'admin'), 0n, '', data, eta])
      const upgrade = upgradeCall(built.address, attack.code)
      await run(operation(QUEUE, '0x'))
      await attack.wait(181_000)
      await run(operation(EXECUTE, padHex(upgrade, { size: 1_200, dir: 'right' })))
    },
  },
  shortens('the key of a queued operation covers the beginning of its data', 'CutDataQueue', (data) =>
    sliceHex(data, 0, 64),
  ),
  shortens('the key of a queued operation does not cover data of one length', 'OneLengthQueue', () => '0x'),
  shortens(
    'the key of a queued operation does not cover the data of a long input',
    'LongInputQueue',
    () => '0x',
    (input) => padHex(input, { size: 1_200, dir: 'right' }),
  ),
  shortens(
    'the key of a queued operation does not cover data at an odd place of the input',
    'OddPlaceQueue',
    () => '0x',
    movedByOne,
  ),
]

export const queues: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  by: 'the signers',
  cause: 'lying getter',
  truth: WITHOUT_DELAY,
}))

/** The same queue without the trick. */
export const honestQueue = (name: string, contract: string, twinOf: string): Twin => ({
  name,
  cause: 'lying getter',
  twinOf,
  deserves: 'timelocked',
  build: async (chain) => {
    const safe = await chain.council()
    return controlledBy(chain, await chain.deploy(contract, safe), { safe })
  },
})

export const queueTwins: readonly Twin[] = [
  honestQueue(
    'a queue of times that removes what is executed',
    'HonestTimes',
    'an executed operation stays in a queue of times',
  ),
  honestQueue(
    'a queue whose keys cover texts and data of the input',
    'HonestCallData',
    'of an executed operation bits next to its flag are removed',
  ),
]
