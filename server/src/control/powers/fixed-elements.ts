/** Elements of mappings and arrays under constant keys: the compiler computes their slots, which name no table any more. */
import { isArraySlot, LEAST_HASH } from '../code/hits.ts'
import { originOf } from '../code/named-slots.ts'
import type { Position } from '../code/positions.ts'

/** Fixed arrays have few elements. */
const MOST_ELEMENTS = 32n

/** Whether a store to an element that the caller chooses may be one to a slot. */
export function mayBeElement(written: Position, held: Position): boolean {
  if (held.type !== 'slot') return false
  const slot = BigInt(held.slot)
  switch (written.type) {
    case 'table': {
      const isRooted = BigInt(written.base) < LEAST_HASH && written.keys.length === 1
      const isChosen = written.keys.some((key) => !key.startsWith('0x') && key !== 'caller')
      return isRooted && isChosen && slot >= LEAST_HASH && originOf(slot) === undefined && !isArraySlot(slot)
    }
    case 'hashed':
      return written.bytes === 32 && isArraySlot(slot)
    case 'near': {
      const start = BigInt(written.slot)
      return slot >= start && slot - start < MOST_ELEMENTS
    }
    case 'slot':
    case 'anywhere':
    default:
      return false
  }
}
