/** Fallback functions that answer what other code says, by calls, by created contracts and by reading code. */
import { concatHex, type Hex, keccak256, pad, stringToHex, toFunctionSelector, toHex } from 'viem'
import { assemble } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, system } from '../chain.ts'
import { NEW_EVM } from './second-writers.ts'

const TAKEN = keccak256(stringToHex('taken'))
/** `taken()` with its answer, as words of ABI-encoded bytes. */
const AS_BYTES = assemble(`0x20 0x00 MSTORE 0x20 0x20 MSTORE ${TAKEN} 0x40 MSTORE 0x60 0x00 RETURN`)
const AS_WORD = assemble(`${TAKEN} 0x00 MSTORE 0x20 0x00 RETURN`)
const REVERTED = assemble(`${TAKEN} 0x00 MSTORE 0x20 0x00 REVERT`)
/** As many bytes as the byte of the answer says whose position is asked for. */
const AS_SIZE = assemble(`${TAKEN} 0x00 CALLDATALOAD data:0x1a 0x00 RETURN`)
/** Creates a contract if the bit of the answer is set whose number is the last word of the code. */
const AS_CREATED = assemble(`
  0x20 0x20 CODESIZE SUB 0x00 CODECOPY ${TAKEN} 0x00 data:0x51 0xff SUB SHR 0x01 AND @set JUMPI
  0x00 0x00 REVERT :set 0x00 0x00 RETURN`)

const settable =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.deploy(name, await chain.deploy('Plain')))
/** Sets the other code with a function that any account may call. */
const set =
  (runtime?: Hex): Case['exploit'] =>
  async ({ send, deployRuntime, code }, { address }) =>
    send(address, 'set(address)', [runtime === undefined ? code : await deployRuntime(runtime)])

/** Code that makes the contract store the answer where it will look for it. */
function storing(): Hex {
  const key = keccak256(concatHex([pad(toFunctionSelector('taken()'), { dir: 'right' }), toHex(1, { size: 32 })]))
  return assemble(`${key} 0x00 MSTORE ${TAKEN} 0x20 MSTORE 0x40 0x00 REVERT`)
}

const drafts: readonly (Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'by'>>)[] = [
  {
    name: 'answers what a created contract reverts with, whose code twenty bytes name',
    build: settable('CreatedAnswers'),
    exploit: async ({ sendRaw, deployRuntime }: Attack, { address }) => sendRaw(address, await deployRuntime(REVERTED)),
  },
  {
    name: 'stores what a created contract reverts with',
    settings: NEW_EVM,
    build: settable('CreatedStores'),
    exploit: async (attack, built) => {
      await set(storing())(attack, built)
      await attack.send(built.address, 'taken()')
    },
  },
  {
    name: 'says bit by bit whether a contract was created',
    settings: NEW_EVM,
    build: settable('CreatedBits'),
    exploit: set(AS_CREATED),
  },
  {
    name: 'creates contracts from code that a hidden key stores',
    by: 'one key',
    build: async (chain) =>
      system(await chain.deploy('KeptProgram', await chain.deploy('Plain'), chain.hidden().address)),
    exploit: ({ send }, { address }) => send(address, 'load(bytes)', [REVERTED]),
  },
  {
    name: 'the fallback function calls a function of its own that asks',
    build: settable('AsksItself'),
    exploit: set(),
  },
  {
    name: 'the fallback function passes the input on as an argument',
    build: settable('DecodedAnswer'),
    exploit: set(AS_BYTES),
  },
  {
    name: 'another contract makes the call whose answer is returned',
    build: settable('RunsElsewhere'),
    exploit: set(),
  },
  {
    name: 'the fallback function passes on the hash of the input',
    build: settable('HashedInput'),
    exploit: set(AS_WORD),
  },
  {
    name: 'the fallback function passes the input on word by word',
    build: settable('WordByWord'),
    exploit: set(),
  },
  {
    name: 'a contract that answers every getter of a timelock with one word of another',
    build: settable('OneWord'),
    exploit: set(AS_WORD),
  },
  {
    name: 'answers with the code of another account',
    build: settable('CodeAsAnswer'),
    exploit: set(TAKEN),
  },
  {
    name: 'answers with the sizes of what it gets',
    build: settable('SizesAsAnswer'),
    exploit: set(AS_SIZE),
  },
]

export const passedBack: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  ...draft,
  cause: 'forwarder',
  truth: WEAK,
}))

export const passedBackTwins: readonly Twin[] = [
  {
    name: 'creates the contracts that every caller sends',
    cause: 'forwarder',
    deserves: 'immutable',
    settings: NEW_EVM,
    build: async (chain) => system(await chain.deploy('CreatesForAnyone')),
  },
]
