/**
 * Simulated privileged calls: what the chain would let an account do.
 *
 * Getters may return false values, and guards are not derived from code. A call simulated from an address shows whether
 * that address may make it. The calls set what is already set, so they would change nothing.
 */
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToString, multicall3Abi, parseAbi } from 'viem'
import { MULTICALL3, ZERO_ADDRESS } from '../chains/chains.ts'
import { each, type Facts } from './facts.ts'

/** An address without any privilege: what it may do, anyone may. */
export const UNPRIVILEGED_CALLER: Hex = '0x57a6e5c0de000000000000000000000000000001'

const ABI = parseAbi([
  'function upgradeToAndCall(address,bytes)',
  'function upgradeTo(address)',
  'function upgradeAndCall(address,address,bytes)',
  'function upgrade(address,address)',
  'function diamondCut((address,uint8,bytes4[])[],address,bytes)',
])

const selectorOf = (data: Hex): Hex => data.slice(0, 10) as Hex

/** The calls whose function the code may have. */
const having = (selectors: ReadonlySet<Hex> | undefined, calls: readonly Hex[]): readonly Hex[] =>
  calls.filter((data) => selectors?.has(selectorOf(data)) === true)

/**
 * Upgrades to the same logic by the contract's own functions. Both are tried: before its fifth version OpenZeppelin
 * called the logic in `upgradeToAndCall` even with empty data, which most logic refuses from every caller.
 */
export function upgradeCalls(selectors: ReadonlySet<Hex> | undefined, logic: Hex): readonly Hex[] {
  const andCall = encodeFunctionData({ abi: ABI, functionName: 'upgradeToAndCall', args: [logic, '0x'] })
  const plain = encodeFunctionData({ abi: ABI, functionName: 'upgradeTo', args: [logic] })
  return having(selectors, [plain, andCall])
}

/** Upgrades to the same logic through the ProxyAdmin of a proxy. */
export function proxyAdminCalls(selectors: ReadonlySet<Hex> | undefined, proxy: Hex, logic: Hex): readonly Hex[] {
  const andCall = encodeFunctionData({ abi: ABI, functionName: 'upgradeAndCall', args: [proxy, logic, '0x'] })
  const plain = encodeFunctionData({ abi: ABI, functionName: 'upgrade', args: [proxy, logic] })
  return having(selectors, [plain, andCall])
}

/** A diamondCut without any facet. */
export const EMPTY_CUT: Hex = encodeFunctionData({
  abi: ABI,
  functionName: 'diamondCut',
  args: [[], ZERO_ADDRESS, '0x'],
})

/** Whether one of these calls succeeds from this address. */
export function isAllowed(facts: Facts, calls: readonly Hex[], from: Hex): boolean {
  return each(calls, (data) => facts.call(data, from)).some((result) => result !== undefined)
}

/** `AccessControlUnauthorizedAccount(address,bytes32)`, and the revert reason of earlier versions. */
const MISSING_ROLE = '0xe2517d3f'
const MISSING_ROLE_TEXT = /is missing role (0x[0-9a-f]{64})/

/** The role that a revert names as missing. The call goes through Multicall3, which returns the revert data. */
export function roleRequired(facts: Facts, call: Hex): Hex | undefined {
  const calls = [{ target: facts.state.address, allowFailure: true, callData: call }]
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  const returned = facts.sameChain(MULTICALL3).call(data)
  if (returned === undefined || returned === '0x') return undefined
  const [result] = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: returned })
  if (result === undefined || result.success) return undefined
  if (result.returnData.startsWith(MISSING_ROLE) && result.returnData.length === 2 + 8 + 128)
    return `0x${result.returnData.slice(-64)}`
  return MISSING_ROLE_TEXT.exec(hexToString(result.returnData))?.[1] as Hex | undefined
}
