/** Conditions that the storage of a contract excludes. */
import type { Hex } from 'viem'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { Condition } from '../code/effects.ts'
import { evaluate, slotsRead } from '../code/expressions.ts'
import type { Target } from '../code/targets.ts'
import { each, type Facts } from './facts.ts'
import type { ProtectedStorage } from './protected-storage.ts'

/** A condition that the present storage contradicts. The slots it depends on are protected, so that it stays so. */
export const isImpossible = (
  conditions: readonly Condition[],
  facts: Facts,
  storage: ProtectedStorage,
  contractOf: (target: Target) => Hex | undefined,
): boolean =>
  conditions.some((condition) => {
    // The zero address returns nothing.
    if (condition.type === 'answered') return (contractOf(condition.by) ?? ZERO_ADDRESS) === ZERO_ADDRESS
    if (condition.type !== 'state') return false
    const slots = slotsRead(condition.expression)
    const words = new Map(each(slots, (slot) => [slot, BigInt(facts.storage(slot) ?? 0)] as const))
    const value = evaluate(condition.expression, BigInt(facts.state.address), words)
    if (value === undefined || (value === 0n) === condition.isZero) return false
    for (const slot of slots) storage.addSlot(slot)
    return true
  })
