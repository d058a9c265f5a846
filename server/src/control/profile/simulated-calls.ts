/**
 * What the chain would let somebody do.
 *
 * Getters may lie and guards are not read from code: a call made as if from an address settles whether it may. The
 * calls tried here put in place what stands there already, so that they would change nothing.
 */
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToString, multicall3Abi, parseAbi } from 'viem'
import { MULTICALL3 } from '../chains/chains.ts'
import { each, type Facts } from './facts.ts'

/** Holds nothing and is nobody's: what it may do, anyone may. */
export const STRANGER: Hex = '0x57a6e5c0de000000000000000000000000000001'

const ABI = parseAbi([
  'function upgradeToAndCall(address,bytes)',
  'function upgradeTo(address)',
  'function upgradeAndCall(address,address,bytes)',
  'function upgrade(address,address)',
  'function diamondCut((address,uint8,bytes4[])[],address,bytes)',
])

const selectorOf = (data: Hex): Hex => data.slice(0, 10) as Hex

/** The trials whose function is among these, which are all that the code may have. */
const having = (selectors: ReadonlySet<Hex> | undefined, trials: readonly Hex[]): readonly Hex[] =>
  trials.filter((data) => selectors?.has(selectorOf(data)) === true)

/**
 * The same logic again, by the functions of the contract itself. Both are tried: before its fifth version OpenZeppelin
 * called the logic with the second one even with nothing to say, which most logic refuses from everyone.
 */
export function upgradeTrials(selectors: ReadonlySet<Hex> | undefined, logic: Hex): readonly Hex[] {
  const andCall = encodeFunctionData({ abi: ABI, functionName: 'upgradeToAndCall', args: [logic, '0x'] })
  const plain = encodeFunctionData({ abi: ABI, functionName: 'upgradeTo', args: [logic] })
  return having(selectors, [plain, andCall])
}

/** The same logic again, through the ProxyAdmin of a proxy. */
export function adminTrials(selectors: ReadonlySet<Hex> | undefined, proxy: Hex, logic: Hex): readonly Hex[] {
  const andCall = encodeFunctionData({ abi: ABI, functionName: 'upgradeAndCall', args: [proxy, logic, '0x'] })
  const plain = encodeFunctionData({ abi: ABI, functionName: 'upgrade', args: [proxy, logic] })
  return having(selectors, [plain, andCall])
}

const NOWHERE: Hex = '0x0000000000000000000000000000000000000000'

/** A cut that cuts nothing. */
export const CUT_TRIAL: Hex = encodeFunctionData({ abi: ABI, functionName: 'diamondCut', args: [[], NOWHERE, '0x'] })

/** Whether one of these calls succeeds from there. */
export function maySend(facts: Facts, trials: readonly Hex[], from: Hex): boolean {
  return each(trials, (data) => facts.call(data, from)).some((answer) => answer !== undefined)
}

/** `AccessControlUnauthorizedAccount(address,bytes32)`, and the words of the versions before. */
const MISSING_ROLE = '0xe2517d3f'
const MISSING_WORDS = /is missing role (0x[0-9a-f]{64})/

/** The role that the contract says is missing when somebody without any tries; Multicall3 hands on what it says. */
export function roleAskedFor(facts: Facts, trial: Hex): Hex | undefined {
  const calls = [{ target: facts.state.address, allowFailure: true, callData: trial }]
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  const answer = facts.beside(MULTICALL3).call(data)
  if (answer === undefined || answer === '0x') return undefined
  const [result] = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
  if (result === undefined || result.success) return undefined
  if (result.returnData.startsWith(MISSING_ROLE) && result.returnData.length === 2 + 8 + 128)
    return `0x${result.returnData.slice(-64)}`
  return MISSING_WORDS.exec(hexToString(result.returnData))?.[1] as Hex | undefined
}
