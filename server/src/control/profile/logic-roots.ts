/** Whether logic brings its own upgrade function, and who may use it. */
import type { Hex } from 'viem'
import { runningCode } from './authority.ts'
import type { CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import { type LogicRoots, uupsRoots } from './uups-proxy.ts'

const UPGRADE: readonly Hex[] = ['0x3659cfe6', '0x4f1ef286', '0x52d1902d']

const isUups = (logic: CodeFacts | undefined): boolean =>
  logic !== undefined && UPGRADE.some((selector) => logic.selectors.has(selector))

/**
 * Whether logic only calls such functions of others, as factories do: it lets nobody upgrade, and says of itself nothing
 * that the standard asks of logic (https://eips.ethereum.org/EIPS/eip-1822).
 */
export const isMentionOnly = (facts: Facts, implementation: Hex, { isRefused = false }: LogicRoots): boolean =>
  isRefused && facts.beside(implementation).answer('proxiableUUID') === undefined

/** Undefined where it has no such function; empty where nobody is named. */
export function logicRoots(facts: Facts, implementation: Hex): LogicRoots | undefined {
  const logic = runningCode(facts, implementation)
  return isUups(logic) ? uupsRoots(facts, implementation, logic) : undefined
}
