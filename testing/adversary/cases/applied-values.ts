/** Owners that apply what others decide after it was announced, and fallback functions that answer what others store. */
import { type Hex, keccak256, pad, stringToHex, toFunctionSelector, zeroAddress } from 'viem'
import { assemble } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData, system, TWO_DAYS } from '../chain.ts'
import { part } from './lying-getters.ts'

const TAKEN_TEXT = stringToHex('taken')
const TAKEN = keccak256(TAKEN_TEXT)
const SCHEDULE = 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)'
const EXECUTE = 'execute(address,uint256,bytes,bytes32,bytes32)'
const NOTHING = pad('0x')
const WAITED = Number(TWO_DAYS) + 100

type Made = { readonly built: Built; readonly target: Hex; readonly data: Hex }
type Suggest = (attack: Attack, built: Built) => Promise<void>

const APPLY = callData('apply_()')
const uups =
  (name: string) =>
  async (chain: Chain, lock: Hex): Promise<Made> => {
    const built = system(await chain.uups(name, lock))
    return { built, target: built.address, data: APPLY }
  }
const owned =
  (name: string) =>
  async (chain: Chain, lock: Hex): Promise<Made> => {
    const target = await chain.deploy(name, lock)
    const built = system(await chain.uups('OwnedLogic', target), { admin: target })
    return { built, target, data: callData('apply_(address)', [built.address]) }
  }

/** A timelock that anyone executes has announced the call, which is due. */
const announced =
  (make: (chain: Chain, lock: Hex) => Promise<Made>) =>
  async (chain: Chain): Promise<Built> => {
    const council = await chain.council()
    const lock = (await chain.controllers.timelock(TWO_DAYS, [council], [zeroAddress])).address
    const { built, target, data } = await make(chain, lock)
    await chain.send(lock, SCHEDULE, [target, 0n, data, NOTHING, NOTHING, TWO_DAYS], council)
    await chain.evm.pass(WAITED)
    await chain.evm.mine()
    return system(built.address, { ...built.parts, lock, target, data })
  }

const executed =
  (suggest: Suggest, upgrades = true): Case['exploit'] =>
  async (attack, built) => {
    await suggest(attack, built)
    const call = [part(built, 'target'), 0n, part(built, 'data'), NOTHING, NOTHING]
    await attack.send(part(built, 'lock'), EXECUTE, call)
    if (!upgrades) await attack.send(built.address, 'upgradeTo(address)', [attack.code])
  }

const SUGGEST = 'suggest(address)'
const suggestCode: Suggest = ({ send, code }, { address }) => send(address, SUGGEST, [code])
const suggestTo =
  (name: string): Suggest =>
  ({ send, code }, built) =>
    send(part(built, name), SUGGEST, [code])

const say =
  (signature: string, argsOf: (attack: Attack) => Promise<readonly unknown[]> | readonly unknown[]): Case['exploit'] =>
  async (attack, built) =>
    attack.send(built.parts.keeper ?? built.address, signature, await argsOf(attack))

const drafts: readonly Pick<Case, 'name' | 'build' | 'exploit'>[] = [
  {
    name: 'the next logic is a word that anyone stores',
    build: announced(uups('SuggestedLogic')),
    exploit: executed(suggestCode),
  },
  {
    name: 'the next logic is in a table that anyone fills',
    build: announced(uups('AliasedLogic')),
    exploit: executed(suggestCode),
  },
  {
    name: 'anyone chooses the next logic from a list of the owner',
    build: announced(async (chain, lock) => {
      const made = await uups('ChosenLogic')(chain, lock)
      await chain.send(made.built.address, 'learn(uint256,address)', [7n, await chain.deploy('Taken')], lock)
      return made
    }),
    exploit: executed(({ send }, { address }) => send(address, 'point(uint256)', [7n])),
  },
  {
    name: 'another contract says what the next logic is',
    build: announced(async (chain, lock) => {
      const source = await chain.deploy('LatestLogic')
      const built = system(await chain.uups('AskingLogic', lock, source), { source })
      return { built, target: built.address, data: APPLY }
    }),
    exploit: executed(suggestTo('source')),
  },
  {
    name: 'the next logic is created by code that anyone stores',
    build: announced(uups('CreatedLogic')),
    exploit: executed(({ send, chain }, { address }) => send(address, 'suggest(bytes)', [chain.own('Taken').bytecode])),
  },
  {
    name: 'the next logic is created by code that any contract has',
    build: announced(uups('CopiedLogic')),
    exploit: executed(async (attack, { address }) => {
      const source = await attack.deployRuntime(attack.chain.own('Taken').bytecode)
      await attack.send(address, SUGGEST, [source])
    }),
  },
  {
    name: 'the next owner is a word that anyone stores',
    build: announced(uups('CandidateLogic')),
    exploit: executed(({ send, account }, { address }) => send(address, SUGGEST, [account.address]), false),
  },
  {
    name: 'the account that executes becomes the owner',
    build: announced(uups('OriginLogic')),
    exploit: executed(async () => undefined, false),
  },
  {
    name: 'a mask that anyone stores turns the next logic',
    build: announced(uups('MaskedLogic')),
    exploit: executed(({ send, code }, { address }) => send(address, 'suggest(uint256)', [BigInt(code) ^ 0x777n])),
  },
  {
    name: 'anyone stores the slot and the value that the owner writes',
    build: announced(uups('PlacedLogic')),
    exploit: executed(suggestCode),
  },
  {
    name: 'the owner calls what anyone stores',
    build: announced(uups('CallingLogic')),
    exploit: executed(suggestCode),
  },
  {
    name: 'an owner in between upgrades to what anyone stores',
    build: announced(owned('SuggestedAdmin')),
    exploit: executed(suggestTo('admin')),
  },
  {
    name: 'an owner in between sends a letter that anyone writes',
    build: announced(owned('LetterAdmin')),
    exploit: executed(suggestTo('admin')),
  },
  {
    name: 'a fallback function answers a word that anyone stores',
    build: async (chain) => system(await chain.deploy('WordAnswer')),
    exploit: ({ sendRaw }, { address }) => sendRaw(address, TAKEN),
  },
  {
    name: 'a fallback function answers the hash of a text that anyone stores',
    build: async (chain) => system(await chain.deploy('TextAnswer')),
    exploit: say('say(bytes)', () => [TAKEN_TEXT]),
  },
  {
    name: 'a fallback function answers the hash of the code of an account that anyone names',
    build: async (chain) => system(await chain.deploy('CodeHashAnswer', await chain.deploy('Plain'))),
    exploit: say('say(address)', async ({ deployRuntime }) => [await deployRuntime(TAKEN_TEXT)]),
  },
  {
    name: 'a fixed contract keeps the answers of a fallback function, which anyone writes',
    build: async (chain) => {
      const keeper = await chain.deploy('KeptAnswers')
      return system(await chain.deploy('AsksKeeper', keeper), { keeper })
    },
    exploit: say('say(bytes4,bytes32)', () => [toFunctionSelector('taken()'), TAKEN]),
  },
  {
    name: 'hand-written code asks a fixed contract whose other one anyone replaces',
    build: async (chain) => {
      const keeper = await chain.deploy('Asker', await chain.deploy('Plain'))
      // Asks `ask()` and answers the word.
      const source = `0x4a896384 0x00 MSTORE 0x20 0x00 0x04 0x1c 0x00 ${keeper} GAS CALL POP 0x20 0x00 RETURN`
      return system(await chain.deployRuntime(assemble(source)), { keeper })
    },
    exploit: say('set(address)', async ({ deployRuntime }) => [
      await deployRuntime(assemble(`${TAKEN} 0x00 MSTORE 0x20 0x00 RETURN`)),
    ]),
  },
]

export const appliedValues: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  settings: ['optimized'],
  cause: 'second writer',
  by: 'anyone',
  truth: WEAK,
}))

export const appliedValueTwins: readonly Twin[] = [
  {
    name: 'an owner applies what it stored itself',
    cause: 'second writer',
    twinOf: 'the next logic is a word that anyone stores',
    deserves: 'timelocked',
    settings: ['optimized'],
    build: announced(uups('OwnSuggestedLogic')),
  },
  {
    name: 'an owner creates the next logic by the code of the contract',
    cause: 'second writer',
    twinOf: 'the next logic is created by code that any contract has',
    deserves: 'timelocked',
    settings: ['optimized'],
    build: announced(uups('OwnCreatedLogic')),
  },
]
