/**
 * Code hashes and storage of many contracts in one call.
 *
 * A node lets a call pretend that other code stands at an address (state overrides of `eth_call`: geth, erigon, reth,
 * nethermind and what is built on them). So a few instructions of ours, put where no code is, list the code hashes of
 * others; and put in the ref of other contracts' code, they read the storage that is left where it was. No code but
 * ours runs, so no contract can answer wrongly or starve another.
 *
 * A node that ignores the pretence answers with nothing, because at `PLACE` there is nothing: then it is not used.
 */
import type { Hex } from '../../lib/hex.ts'
import { parseHex } from '../rpc/parse.ts'
import type { RpcRequest } from '../rpc/requests.ts'

/** Nobody's, and without code on any chain. */
const PLACE: Hex = '0x6a7e3a7c400000000000000000000000000001e5'

/**
 * For every word of the input what an instruction makes of it, in its ref in the output:
 * i = 0; while (i != CALLDATASIZE) { MSTORE(i, INSTRUCTION(CALLDATALOAD(i))); i += 32 }; RETURN(0, CALLDATASIZE)
 */
const forEachWord = (instruction: '3f' | '54'): Hex =>
  `0x60005b3681146014578035${instruction}81526020016002565b366000f3`
const HASHES = forEachWord('3f') // EXTCODEHASH
const READER = forEachWord('54') // SLOAD

/**
 * Input: the length L of the positions, the positions, addresses. Asks every address with the positions and returns all
 * answers one after the other; fails where one does not answer with as many words as it was asked:
 * CALLDATACOPY(0, 32, L); p = 32 + L; o = L
 * while (p != CALLDATASIZE) { require(STATICCALL(GAS, CALLDATALOAD(p), 0, L, o, L) & RETURNDATASIZE == L); o += L; p += 32 }
 * RETURN(L, o - L)
 */
const FAN_OUT: Hex =
  '0x60003580602060003780602001815b368214603057828184600085355afa3d8414161560365782019060200190600e565b82900382f35b60006000fd'

const word = (digits: string): string => digits.padStart(64, '0')
const list = (values: readonly Hex[]): string => values.map((value) => word(value.slice(2))).join('')

function ask(data: Hex, block: Hex, overrides: Readonly<Record<Hex, { readonly code: Hex }>>): RpcRequest<Hex> {
  return {
    method: 'eth_call',
    params: [{ to: PLACE, data }, { blockHash: block }, overrides],
    parse: (result) => parseHex(result, 'result'),
  }
}

export const askCodeHashes = (addresses: readonly Hex[], block: Hex): RpcRequest<Hex> =>
  ask(`0x${list(addresses)}`, block, { [PLACE]: { code: HASHES } })

export function askSlots(addresses: readonly Hex[], positions: readonly Hex[], block: Hex): RpcRequest<Hex> {
  const length = word((positions.length * 32).toString(16))
  return ask(`0x${length}${list(positions)}${list(addresses)}`, block, {
    [PLACE]: { code: FAN_OUT },
    ...Object.fromEntries(addresses.map((address) => [address, { code: READER }])),
  })
}

/** The words of an answer; undefined where there are not exactly as many. */
export function wordsOf(data: Hex, count: number): readonly Hex[] | undefined {
  if (data.length !== 2 + count * 64) return undefined
  return Array.from({ length: count }, (_, at): Hex => `0x${data.slice(2 + at * 64, 2 + (at + 1) * 64)}`)
}
