/** Forms that the analysis takes for others: clones, answers that are passed on, input that is passed on. */
import { concatHex, getCreate2Address, type Hex, keccak256, toFunctionSelector, toHex } from 'viem'
import { openZeppelin4 } from '../../evm/compile.ts'
import { assemble, forwardTo } from '../assemble.ts'
import { type Case, WEAK } from '../case.ts'
import { BEACON_SLOT, type Chain, creationCode, LOGIC_SLOT, system } from '../chain.ts'
import { timelocked } from './answers.ts'

type Draft = Omit<Case, 'truth'>

/** Deploys what its input contains after a salt. */
const FACTORY = assemble(`0x20 CALLDATASIZE SUB DUP1 0x20 0x00 CALLDATACOPY
  0x00 CALLDATALOAD SWAP1 0x00 0x00 data:0xf5 STOP`)

/** Deploys code at an address that begins with two zero bytes. */
async function deployShort(chain: Chain, runtime: Hex): Promise<Hex> {
  const factory = await chain.deployRuntime(FACTORY)
  const bytecode = creationCode(runtime)
  const bytecodeHash = keccak256(bytecode)
  for (let number = 0; ; number += 1) {
    const salt = toHex(number, { size: 32 })
    const address = getCreate2Address({ from: factory, salt, bytecodeHash })
    if (!address.startsWith('0x0000')) continue
    await chain.evm.sendRaw(factory, concatHex([salt, bytecode]))
    return address.toLowerCase() as Hex
  }
}

const drafts: readonly Draft[] = [
  {
    name: 'a clone of a short address jumps behind its own end',
    cause: 'forwarder',
    by: 'anyone',
    settings: ['optimized'],
    build: async (chain) => {
      const logic = await deployShort(chain, '0x00')
      // A push of 18 bytes has its own end at 0x29.
      const clone = concatHex(['0x363d3d373d3d3d363d71', `0x${logic.slice(6)}`, '0x5af43d82803e903d91602b57fd5bf3'])
      const source = `data:${clone} :behind CALLDATASIZE 0x14 EQ @set JUMPI ${forwardTo('0x00 SLOAD')}
        :set 0x00 CALLDATALOAD 0x60 SHR 0x00 SSTORE STOP`
      return system(await chain.deployRuntime(assemble(source)))
    },
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'the beacon returns other bytes than it was answered, and as many',
    cause: 'forwarder',
    by: 'one key',
    settings: ['optimized'],
    build: async (chain) => {
      const other = await chain.deployRuntime(assemble(`0x00 CALLDATALOAD 0x60 SHR ${BEACON_SLOT} SSTORE STOP`))
      const source = `0x00 CALLDATALOAD 0xe0 SHR ${toFunctionSelector('implementation()')} EQ @asked JUMPI 0x00 0x00 REVERT
        :asked data:0x32 ${chain.hidden().address} EQ @other JUMPI
        ${await chain.deploy('Plain')} 0x00 MSTORE 0x20 0x00 RETURN
        :other 0x20 0x00 0x20 0x00 0x04 GAS data:0xfa POP ${other} 0x00 MSTORE RETURNDATASIZE 0x00 RETURN`
      const beacon = await chain.deployRuntime(assemble(source))
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'), { beacon })
    },
    exploit: async ({ deployRuntime, sendRaw, code }, { address }) =>
      sendRaw(address, await deployRuntime(assemble(`${code} 0x00 MSTORE 0x20 0x00 RETURN`))),
  },
  {
    name: 'the written slot is read behind a number that may be zero',
    cause: 'second writer',
    by: 'anyone',
    settings: ['optimized'],
    build: async (chain) => {
      const number = '0x04 CALLDATALOAD 0xffe0 AND'
      const source = `CALLDATASIZE 0x38 EQ @note JUMPI ${forwardTo(await chain.deploy('Plain'))}
        :note 0x05 ${number} MSTORE 0x01 ${number} 0x0100 ADD MSTORE ${LOGIC_SLOT} 0x00 MSTORE
        0x24 CALLDATALOAD 0x60 SHR ${number} MLOAD SSTORE STOP`
      return system(await chain.proxy(await chain.deployRuntime(assemble(source))))
    },
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex([toHex(0, { size: 36 }), code])),
  },
  {
    name: 'a function runs another one as if it passed its input on',
    cause: 'second writer',
    by: 'anyone',
    build: timelocked('RenamedInput'),
    exploit: ({ send, code }, { address }) => send(address, 'start(address)', [code]),
  },
  {
    name: 'a function passes one byte of its input on, and another selector',
    cause: 'second writer',
    by: 'anyone',
    build: timelocked('MixedInput'),
    exploit: ({ send, code }, { address }) => send(address, 'start(address)', [code]),
  },
]

export const forgedForms: readonly Case[] = drafts.map((draft) => ({ ...draft, truth: WEAK }))
