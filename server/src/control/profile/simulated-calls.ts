/**
 * Simulated privileged calls: what the chain would let an account do.
 *
 * Getters may return false values, and a guard that the code shows may be a mistake of the analysis. A call simulated
 * from an address shows whether that address may make it. Calls of upgrades set what is already set, so they would
 * change nothing.
 */
import type { Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, hexToString, parseAbi, toFunctionSelector } from 'viem/utils'
import { classOf, EFFECTS } from '../../../../vocabulary/powers.ts'
import { MULTICALL3, ZERO_ADDRESS } from '../chains/chains.ts'
import { MULTICALL_ABI } from '../chains/multicall.ts'
import type { CodePower } from '../powers/code-powers.ts'
import { toWord } from './abi-values.ts'
import { each, type Facts } from './facts.ts'

/** An address without any privilege: what it may do, anyone may. */
export const UNPRIVILEGED_CALLER: Hex = '0x57a6e5c0de000000000000000000000000000001'

const ABI = parseAbi(['function diamondCut((address,uint8,bytes4[])[],address,bytes)'])
const UPGRADE_TO = toFunctionSelector('upgradeTo(address)')
const UPGRADE_TO_AND_CALL = toFunctionSelector('upgradeToAndCall(address,bytes)')
const UPGRADE = toFunctionSelector('upgrade(address,address)')
const UPGRADE_AND_CALL = toFunctionSelector('upgradeAndCall(address,address,bytes)')

/** A function and the words that it is called with. */
type Call = readonly [selector: Hex, ...words: (Hex | number)[]]

/** The calls whose function the code may have. */
const having = (selectors: ReadonlySet<Hex> | undefined, calls: readonly Call[]): readonly Hex[] =>
  calls
    .filter(([selector]) => selectors?.has(selector) === true)
    .map(([selector, ...words]): Hex => `${selector}${words.map((word) => toWord(word).slice(2)).join('')}`)

/**
 * Upgrades to the same logic by the contract's own functions. Both are tried: before its fifth version OpenZeppelin
 * called the logic in `upgradeToAndCall` even with empty data, which most logic refuses from every caller.
 */
export function upgradeCalls(selectors: ReadonlySet<Hex> | undefined, logic: Hex): readonly Hex[] {
  // Empty data: where its length is, and zero.
  return having(selectors, [
    [UPGRADE_TO, logic],
    [UPGRADE_TO_AND_CALL, logic, 64, 0],
  ])
}

/** Upgrades to the same logic through the ProxyAdmin of a proxy. */
export function proxyAdminCalls(selectors: ReadonlySet<Hex> | undefined, proxy: Hex, logic: Hex): readonly Hex[] {
  return having(selectors, [
    [UPGRADE, proxy, logic],
    [UPGRADE_AND_CALL, proxy, logic, 96, 0],
  ])
}

/** A diamondCut without any facet. */
export const EMPTY_CUT: Hex = encodeFunctionData({
  abi: ABI,
  functionName: 'diamondCut',
  args: [[], ZERO_ADDRESS, '0x'],
})

/** Arguments that many functions accept: zeros; ones, which are true; and offsets to strings of 32 bytes. */
const ARGUMENTS: readonly string[] = ['0', '1', '20'].map((digits) => digits.padStart(64, '0').repeat(64))

/** Calls of a function of which nothing but the selector is known. */
export const plainCalls = (selector: Hex): readonly Hex[] => ARGUMENTS.map((words): Hex => `${selector}${words}`)

/** What calls of guarded functions showed, for the code that runs and the accounts that it names. */
export type PowerTrials = {
  readonly codes: readonly Hex[]
  readonly accounts: readonly Hex[]
  /** Functions that an account without any privilege can call, although their code names a guard. */
  readonly open: readonly Hex[]
  /** Accounts that can call a function whose guard is not known, and whom other accounts cannot replace. */
  readonly allowed: readonly { readonly selector: Hex; readonly account: Hex }[]
}

/** Functions that are tried, most harmful first: each takes several calls. */
const MAX_TRIED = 8
const MAX_ACCOUNTS = 4

/**
 * Tries guarded functions once for the same code and accounts. A trial refutes a guard or adds a holder. It never
 * removes one, because a contract can tell a trial from an attack.
 */
export function powerTrials(
  facts: Facts,
  powers: readonly CodePower[],
  { codes, accounts: all }: Pick<PowerTrials, 'codes' | 'accounts'>,
  known: PowerTrials | undefined,
): { readonly trials: PowerTrials; readonly isTried: boolean } {
  const accounts = all.slice(0, MAX_ACCOUNTS)
  if (known?.codes.join() === codes.join() && known.accounts.join() === accounts.join())
    return { trials: known, isTried: true }
  const harmful = powers
    .filter(({ effect, grants }) => classOf(effect, grants) !== 'info')
    .toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect))
  const selectors = (of: readonly CodePower[]): readonly Hex[] =>
    [...new Set(of.map(({ selector }) => selector))].slice(0, MAX_TRIED)
  let isTried = true
  const succeeds = (selector: Hex, from?: Hex): boolean => {
    const results = each(plainCalls(selector), (data) => facts.succeeds(data, from))
    if (results.includes(true)) return true
    if (results.includes(undefined)) isTried = false
    return false
  }
  const guarded = selectors(harmful.filter(({ isWhole }) => isWhole === true))
  // Every caller may call a function that asks for something in return: one that has it is no holder.
  const unknown = selectors(
    harmful.filter(({ unknown: why }) => why !== undefined && why !== 'payment' && why !== 'source'),
  )
  const refuted = each(guarded, (selector) => succeeds(selector))
  const callable = each(
    unknown.flatMap((selector) => accounts.map((account) => ({ selector, account }))),
    (holder) => ({ holder, isAllowed: succeeds(holder.selector, holder.account) }),
  )
  const others = new Map(
    each(
      [...new Set(callable.filter(({ isAllowed }) => isAllowed).map(({ holder }) => holder.selector))],
      (selector) => [selector, succeeds(selector)] as const,
    ),
  )
  const trials = {
    codes,
    accounts,
    open: guarded.filter((_, at) => refuted[at]),
    allowed: callable
      .filter(({ isAllowed, holder }) => isAllowed && others.get(holder.selector) === false)
      .map(({ holder }) => holder),
  }
  return { trials, isTried }
}

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
  const data = encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'aggregate3', args: [calls] })
  const returned = facts.sameChain(MULTICALL3).call(data)
  if (returned === undefined || returned === '0x') return undefined
  const [result] = decodeFunctionResult({ abi: MULTICALL_ABI, functionName: 'aggregate3', data: returned })
  if (result === undefined || result.success) return undefined
  if (result.returnData.startsWith(MISSING_ROLE) && result.returnData.length === 2 + 8 + 128)
    return `0x${result.returnData.slice(-64)}`
  return MISSING_ROLE_TEXT.exec(hexToString(result.returnData))?.[1] as Hex | undefined
}
