/**
 * Reads code hashes and storage of many contracts in one `eth_call` with state overrides.
 *
 * State overrides (geth, erigon, reth, nethermind and clients based on them) replace the code at an address for one call.
 * Our code at an unused address returns the code hashes of others; our code in place of a contract's code reads that
 * contract's storage. No other code runs, so no contract can return false values or use up the gas.
 *
 * An endpoint that ignores overrides returns no data, because there is no code at `READER_ADDRESS`.
 */
import type { Hex } from '../../lib/hex.ts'
import { toWord } from '../profile/abi-values.ts'
import { parseHex } from '../rpc/parse.ts'
import { CALL_LIMITS, type RpcRequest } from '../rpc/requests.ts'

/** An unused address without code on every chain. */
const READER_ADDRESS: Hex = '0x6a7e3a7c400000000000000000000000000001e5'

/**
 * Applies an instruction to every word of the input and returns the results in order:
 * i = 0; while (i != CALLDATASIZE) { MSTORE(i, INSTRUCTION(CALLDATALOAD(i))); i += 32 }; RETURN(0, CALLDATASIZE)
 */
const forEachWord = (instruction: '3f' | '54'): Hex =>
  `0x60005b3681146014578035${instruction}81526020016002565b366000f3`
const HASHES = forEachWord('3f') // EXTCODEHASH
const READER = forEachWord('54') // SLOAD

/**
 * Input: the length L of the positions, the positions, addresses. Calls every address with the positions and returns all
 * results in order; reverts where one does not return as many words as positions:
 * CALLDATACOPY(0, 32, L); p = 32 + L; o = L
 * while (p != CALLDATASIZE) { require(STATICCALL(GAS, CALLDATALOAD(p), 0, L, o, L) & RETURNDATASIZE == L); o += L; p += 32 }
 * RETURN(L, o - L)
 */
const FAN_OUT: Hex =
  '0x60003580602060003780602001815b368214603057828184600085355afa3d8414161560365782019060200190600e565b82900382f35b60006000fd'

/**
 * Replaces the proxy of a Safe. It stores what a module executes instead of executing it, returns it for empty input, and
 * passes other calls on to the singleton:
 * if (CALLDATASIZE == 0) RETURN(SLOAD(mark))
 * if (the function is execTransactionFromModule or execTransactionFromModuleReturnData) {
 *   SSTORE(mark, 1 << 168 | operation << 160 | to); RETURN(true, "") }
 * DELEGATECALL(SLOAD(0), input), and return or revert with its result
 */
const TAP: Hex =
  '0x3615608a5760003560e01c8063468721a71460435780635229073f14604357366000600037600060003660006000545af43d600060003e603e573d6000fd5b3d6000f35b60043560643560a01b17600160a81b177f6a7e3a7c400000000000000000000000000000000000000000000000000000015560016000526040602052600060405260606000f35b7f6a7e3a7c400000000000000000000000000000000000000000000000000000015460005260206000f3'

/**
 * Input: a module, a Safe, calls of 388 bytes each. Calls the module until the Safe was made to execute something, and
 * returns what the Safe stored:
 * i = 64; while (i < CALLDATASIZE) { CALLDATACOPY(0, i, 388); CALL(300000, module, 0, 388); STATICCALL(GAS, safe, out 0, 32)
 *   if (MLOAD(0) != 0) break; i += 388 }; RETURN(0, 32)
 */
const DRIVER: Hex =
  '0x60405b80361115604057610184816000376000600061018460006000600035620493e0f15060206000600060006020355afa50600051604057610184016002565b60206000f3'

const list = (values: readonly Hex[]): string => values.map((value) => toWord(value).slice(2)).join('')

function callWithOverrides(
  data: Hex,
  block: Hex,
  overrides: Readonly<Record<Hex, { readonly code: Hex }>>,
): RpcRequest<Hex> {
  return {
    method: 'eth_call',
    ...CALL_LIMITS,
    params: [{ to: READER_ADDRESS, data }, { blockHash: block }, overrides],
    parse: (result) => parseHex(result, 'result'),
  }
}

export const getCodeHashes = (addresses: readonly Hex[], block: Hex): RpcRequest<Hex> =>
  callWithOverrides(`0x${list(addresses)}`, block, { [READER_ADDRESS]: { code: HASHES } })

export function getSlots(addresses: readonly Hex[], positions: readonly Hex[], block: Hex): RpcRequest<Hex> {
  const length = toWord(positions.length * 32).slice(2)
  return callWithOverrides(`0x${length}${list(positions)}${list(addresses)}`, block, {
    [READER_ADDRESS]: { code: FAN_OUT },
    ...Object.fromEntries(addresses.map((address) => [address, { code: READER }])),
  })
}

/** Calls a module as an account without any privilege, with calls of 388 bytes each. */
export const driveModule = (module: Hex, safe: Hex, calls: readonly Hex[], block: Hex): RpcRequest<Hex> =>
  callWithOverrides(`0x${list([module, safe])}${calls.map((data) => data.slice(2)).join('')}`, block, {
    [READER_ADDRESS]: { code: DRIVER },
    [safe]: { code: TAP },
  })

/** Splits a result into words; undefined where their number differs from `count`. */
export function wordsOf(data: Hex, count: number): readonly Hex[] | undefined {
  if (data.length !== 2 + count * 64) return undefined
  return Array.from({ length: count }, (_, at): Hex => `0x${data.slice(2 + at * 64, 2 + (at + 1) * 64)}`)
}
