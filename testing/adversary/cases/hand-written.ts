/** Code that no compiler writes: forwarders and writers in assembly. */
import { concatHex, type Hex, pad, toFunctionSelector, toHex } from 'viem'
import { assemble, forwardTo, positionOf } from '../assemble.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, system } from '../chain.ts'

type Draft = Omit<Case, 'truth' | 'by' | 'settings'> & Partial<Pick<Case, 'by'>>

const SLOT_ZERO = '0x00 SLOAD'
const word = (value: Hex): Hex => pad(value, { size: 32 })

/** Deploys code with honest logic, and keeps the positions of its labels. */
const written =
  (sourceOf: (logic: Hex) => string) =>
  async (chain: Chain): Promise<Built> => {
    const logic = await chain.deploy('Plain')
    const source = sourceOf(logic)
    const [usual, write] = [toHex(positionOf(source, 'usual')), toHex(positionOf(source, 'write'))]
    return system(await chain.deployRuntime(assemble(source)), { logic, usual, write })
  }
/** An ERC-1967 proxy with hand-written logic. */
const behindProxy =
  (sourceOf: (logic: Hex) => string) =>
  async (chain: Chain): Promise<Built> => {
    const logic = await chain.deployRuntime(assemble(sourceOf(await chain.deploy('Plain'))))
    return system(await chain.proxy(logic), { logic })
  }
const NOTE = toFunctionSelector('note(address)')
/** The bucket of each remainder of a selector by four. */
const BUCKETS = [0, 1, 2, 3].map((remainder) => (Number(NOTE) % 4 === remainder ? 'bucket' : 'usual'))

const drafts: readonly Draft[] = [
  {
    name: 'a forwarder with CALLCODE, whose target anyone may set with 20 bytes',
    cause: 'forwarder',
    build: async (chain) => {
      const source = `CALLDATASIZE 0x14 EQ @set JUMPI ${forwardTo(SLOT_ZERO, 'CALLCODE')}
        :set 0x00 CALLDATALOAD 0x60 SHR 0x00 SSTORE STOP`
      const address = await chain.deployRuntime(assemble(source))
      await chain.evm.sendRaw(address, await chain.deploy('Plain'))
      return system(address)
    },
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'a forwarder runs the code of its caller for one byte of calldata',
    cause: 'forwarder',
    build: async (chain) => {
      const logic = await chain.deploy('Plain')
      // The usual target is in storage and no code of the contract writes it.
      const source = `CALLDATASIZE 0x01 EQ @own JUMPI ${forwardTo(`0x07 SLOAD ${logic} XOR`)}
        :own 0x00 0x00 0x00 0x00 CALLER GAS DELEGATECALL STOP`
      return system(await chain.deployRuntime(assemble(source)), { logic })
    },
    exploit: async ({ deploy, send, code }, { address, parts }) => {
      const caller = await deploy('CallerCode', BigInt(code) ^ BigInt(parts.logic as Hex))
      await send(caller, 'start(address)', [address])
    },
  },
  {
    name: 'the jump destination is a number in storage that anyone may set',
    cause: 'forwarder',
    build: written(
      (logic) => `0x01 SLOAD @usual ADD JUMP
        :usual CALLDATASIZE 0x02 EQ @mark JUMPI ${forwardTo(`0x00 SLOAD ${logic} XOR`)}
        :mark 0x00 CALLDATALOAD 0xf0 SHR 0x01 SSTORE STOP
        :write 0x00 CALLDATALOAD 0x00 SSTORE 0x00 0x01 SSTORE STOP`,
    ),
    exploit: async ({ sendRaw, code }, { address, parts }) => {
      const distance = Number(parts.write) - Number(parts.usual)
      await sendRaw(address, toHex(distance, { size: 2 }))
      await sendRaw(address, word(toHex(BigInt(code) ^ BigInt(parts.logic as Hex))))
    },
  },
  {
    name: 'the first bytes of calldata are the jump destination',
    cause: 'second writer',
    build: written(
      (logic) => `CALLDATASIZE 0x16 EQ @odd JUMPI
        :usual ${forwardTo(`0x00 SLOAD ${logic} XOR`)}
        :odd 0x00 CALLDATALOAD 0xf0 SHR JUMP
        :write 0x02 CALLDATALOAD 0x60 SHR ${logic} XOR 0x00 SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address, parts }) =>
      sendRaw(address, concatHex([toHex(Number(parts.write), { size: 2 }), code])),
  },
  {
    name: 'code that looks like a minimal proxy continues after it',
    cause: 'forwarder',
    by: 'one key',
    build: async (chain) => {
      // The usual code ends with JUMPDEST RETURN at 0x2b. Here the key's successful calls go on and run what it names.
      const logic = await chain.deploy('StoredTargetLogic', await chain.deploy('Plain'))
      const usual = concatHex(['0x363d3d373d3d3d363d73', logic, '0x5af43d82803e903d91602b57fd'])
      const after = concatHex(['0x5b3373', chain.hidden().address, '0x14604757f3'])
      const own = assemble(':own 0x00 0x00 0x00 0x00 0x04 CALLDATALOAD GAS DELEGATECALL STOP')
      return system(await chain.deployRuntime(concatHex([usual, after, own])))
    },
    exploit: async ({ deployRuntime, sendRaw, code }, { address }) => {
      const program = await deployRuntime(assemble(`${code} 0x5107 SSTORE STOP`))
      await sendRaw(address, concatHex([callData('number()'), word(program)]))
    },
  },
  {
    name: 'a table of jump destinations in the data of the code, as Vyper writes it',
    cause: 'second writer',
    build: behindProxy(
      (logic) => `0x02 0x04 0x00 CALLDATALOAD 0xe0 SHR MOD 0x02 MUL @table ADD 0x1e CODECOPY 0x00 MLOAD JUMP
        :usual ${forwardTo(logic)}
        :bucket 0x00 CALLDATALOAD 0xe0 SHR ${NOTE} EQ @write JUMPI @usual JUMP
        :write 0x04 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP
        #table ${BUCKETS.map((name) => `&${name}`).join(' ')}`,
    ),
    exploit: ({ send, code }, { address }) => send(address, 'note(address)', [code]),
  },
  {
    name: 'the written slot is data behind the code',
    cause: 'second writer',
    build: behindProxy(
      (logic) => `CALLDATASIZE 0x14 EQ @write JUMPI ${forwardTo(logic)}
        :write 0x20 @slot 0x00 CODECOPY 0x00 CALLDATALOAD 0x60 SHR 0x00 MLOAD SSTORE STOP
        #slot data:${LOGIC_SLOT}`,
    ),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'the written slot is the difference of two words behind the code',
    cause: 'second writer',
    build: behindProxy(
      (logic) => `0x00 CALLDATALOAD 0xe0 SHR ${NOTE} EQ @write JUMPI ${forwardTo(logic)}
        :write 0x40 @words 0x00 CODECOPY 0x04 CALLDATALOAD 0x20 MLOAD 0x00 MLOAD SUB SSTORE STOP
        #words data:${toHex(BigInt(LOGIC_SLOT) + 999n, { size: 32 })} data:${toHex(999, { size: 32 })}`,
    ),
    exploit: ({ send, code }, { address }) => send(address, 'note(address)', [code]),
  },
  {
    name: 'the slot is computed from the position in the code',
    cause: 'second writer',
    build: behindProxy(
      (logic) => `CALLDATASIZE 0x14 EQ @write JUMPI ${forwardTo(logic)}
        :write PC @write SWAP1 SUB ${LOGIC_SLOT} ADD 0x01 SWAP1 SUB 0x00 CALLDATALOAD 0x60 SHR SWAP1 SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'a forwarder with its pointer in the slot of its own address',
    cause: 'forwarder',
    by: 'one key',
    build: async (chain) => {
      const logic = await chain.deploy('Plain')
      const key = chain.hidden().address
      const source = `CALLER ${key} EQ CALLDATASIZE 0x14 EQ AND @set JUMPI
        ${forwardTo(`ADDRESS SLOAD ${logic} XOR`)}
        :set ${logic} 0x00 CALLDATALOAD 0x60 SHR XOR ADDRESS SSTORE STOP`
      return system(await chain.deployRuntime(assemble(source)))
    },
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'a write at the end of a loop over calldata',
    cause: 'second writer',
    build: behindProxy(
      (logic) => `0x00
        :loop DUP1 CALLDATALOAD 0xf8 SHR 0x2a EQ @hit JUMPI
        0x01 ADD DUP1 0x20 LT @usual JUMPI @loop JUMP
        :hit DUP1 0x13 EQ @write JUMPI
        :usual POP ${forwardTo(logic)}
        :write 0x20 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) =>
      sendRaw(address, concatHex([toHex(0, { size: 19 }), '0x2a', toHex(0, { size: 12 }), word(code)])),
  },
  {
    name: 'a delegatecall to the address that another contract returned as an error',
    cause: 'second writer',
    build: behindProxy(
      (logic) => `CALLDATASIZE 0x15 EQ @ask JUMPI ${forwardTo(logic)}
        :ask 0x00 0x00 0x00 0x00 0x00 0x00 CALLDATALOAD 0x60 SHR GAS CALL POP
        0x20 0x00 0x00 RETURNDATACOPY
        0x00 0x00 0x40 0x20 0x00 MLOAD GAS DELEGATECALL STOP`,
    ),
    exploit: async ({ deployRuntime, sendRaw, code }, { address }) => {
      const program = await deployRuntime(assemble(`${code} ${LOGIC_SLOT} SSTORE STOP`))
      const errors = await deployRuntime(assemble(`${program} 0x00 MSTORE 0x20 0x00 REVERT`))
      await sendRaw(address, concatHex([errors, '0x00']))
    },
  },
]

export const handWritten: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  ...draft,
  settings: ['optimized'],
  truth: WEAK,
}))
