import type { Effect } from '../code/effects.ts'
import { mayHit } from '../code/hits.ts'
import type { Position } from '../code/positions.ts'
import type { Facts } from './facts.ts'

/**
 * A store at an index counts as one anywhere if the length that bounds the index may be any number. `all`: the effects of all
 * code that may store a length.
 */
export function withPlausibleLengths<T extends Pick<Effect, 'position'>>(
  facts: Facts,
  effect: T,
  all: readonly Effect[] | ((length: Position) => readonly Effect[]),
): T {
  const { position } = effect
  if (position === undefined || !('lengths' in position) || position.lengths === undefined) return effect
  const isPlausible = position.lengths.every((length) => {
    if (length.type === 'slot' && BigInt(facts.storage(length.slot) ?? 0) >= 1n << 64n) return false
    const others = typeof all === 'function' ? all(length) : all
    return others.every(
      ({ kind, isCount, position: stored }) =>
        kind !== 'store' || isCount === true || stored === undefined || !mayHit(stored, length),
    )
  })
  return isPlausible ? effect : { ...effect, position: { type: 'anywhere' } }
}
