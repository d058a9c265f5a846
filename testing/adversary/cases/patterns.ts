/** Patterns of libraries that look alike: authorities, owners in named storage, tables of jumps. */
import { concatHex, type Hex, pad, toFunctionSelector, toHex, zeroAddress } from 'viem'
import { assemble, forwardTo, positionOf } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, system } from '../chain.ts'

type Draft = Omit<Case, 'truth' | 'by'>

const ASSEMBLED = { cause: 'second writer', settings: ['optimized'] } as const

/** UUPS logic with Solmate's guard, which a timelock owns. */
export const authorized =
  (authority?: string) =>
  async (chain: Chain): Promise<Built> => {
    const asked = authority === undefined ? zeroAddress : await chain.deploy(authority)
    const data = callData('initialize(address,address)', [await chain.timelock(), asked])
    return system(await chain.proxy(await chain.deploy('SolmateLogic'), data))
  }
const upgrade = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])

/** A write that a table of jump destinations leads to, behind a proxy. */
const tabled =
  (sourceOf: (logic: Hex) => string) =>
  async (chain: Chain): Promise<Built> => {
    const source = sourceOf(await chain.deploy('Plain'))
    const logic = await chain.deployRuntime(assemble(source))
    return system(await chain.proxy(logic), { write: toHex(positionOf(source, 'write'), { size: 2 }) })
  }
const WRITE = `:write 0x04 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`
const SETTLE = toFunctionSelector('settle(address)')
const settle = ({ send, code }: Attack, { address }: Built): Promise<void> => send(address, 'settle(address)', [code])
/** Three entries, of which the one for the function is the write. */
const TABLE = [0, 1, 2].map((rest) => (Number(SETTLE) % 3 === rest ? '&write' : '&usual')).join(' ')

const drafts: readonly Draft[] = [
  {
    name: 'an authority next to the owner lets every account pass',
    cause: 'other guard',
    build: authorized('LenientAuthority'),
    exploit: upgrade,
  },
  {
    name: 'the slot of the owner looks like a name and is an element of a mapping',
    cause: 'second writer',
    build: async (chain) => system(await chain.uups('ElementOwner', await chain.timelock())),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'note(uint256,uint256)', [77n, BigInt(attack.account.address)])
      await upgrade(attack, built)
    },
  },
  {
    ...ASSEMBLED,
    name: 'an entry of a table of jumps leads to the write',
    build: tabled(
      (logic) => `0x02 0x03 0x00 CALLDATALOAD 0xe0 SHR MOD 0x02 MUL @table ADD 0x1e CODECOPY 0x00 MLOAD JUMP
        :usual ${forwardTo(logic)}
        ${WRITE} #table ${TABLE}`,
    ),
    exploit: settle,
  },
  {
    ...ASSEMBLED,
    name: 'one of many entries of a table of jumps leads to the write',
    build: tabled(
      (logic) => `0x02 0x1f 0x00 CALLDATALOAD 0xe0 SHR MOD 0x02 MUL @table ADD 0x1e CODECOPY 0x00 MLOAD JUMP
        :usual ${forwardTo(logic)}
        ${WRITE} #table ${Array.from({ length: 31 }, (_, rest) => (Number(SETTLE) % 31 === rest ? '&write' : '&usual')).join(' ')}`,
    ),
    exploit: settle,
  },
  {
    ...ASSEMBLED,
    name: 'a word in memory changes the jump of a table',
    build: tabled(
      (logic) => `CALLDATASIZE 0x40 EQ @odd JUMPI :usual ${forwardTo(logic)}
        :odd 0x20 CALLDATALOAD 0x00 MSTORE 0x01 0x03 0x00 CALLDATALOAD MOD @table ADD 0x1e CODECOPY 0x00 MLOAD JUMP
        :write 0x00 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP
        #table data:0x000000`,
    ),
    exploit: ({ sendRaw, code }, { address, parts }) =>
      sendRaw(address, concatHex([pad(code, { size: 32 }), pad(parts.write as Hex, { size: 32 })])),
  },
]

export const patterns: readonly Case[] = drafts.map((draft) => ({ ...draft, by: 'anyone', truth: WEAK }))
