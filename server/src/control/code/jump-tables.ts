/** Tables of jump destinations in the code, as Vyper writes them. */

import { fold } from './arithmetic.ts'
import { IS_PURE, OP, pushedValue } from './instructions.ts'
import { type Term, type Terms } from './terms.ts'

const MAX_ENTRIES = 64

/**
 * The entries of a table of jump destinations in the code, from which a remainder of the selector chooses, as Vyper writes
 * it. Undefined for another copy of code.
 */
export function jumpTable(
  { code, terms }: { readonly code: Uint8Array; readonly terms: Terms },
  next: number,
  from: Term,
  length: number,
): readonly Term[] | undefined {
  if (from.kind === 'constant' || length === 0 || length > 32 || !leadsToJump(code, next)) return undefined
  const unused = BigInt((32 - length) * 8)
  return choicesOf(from)?.map((place) =>
    terms.constant(place < BigInt(code.length) ? pushedValue(code, Number(place) - 1, length) << unused : 0n),
  )
}

/**
 * Whether a block does nothing more than compute and go on to a jump without a condition. What it did before the jump would
 * count as done one after the other, though each entry of the table has a path of its own.
 */
function leadsToJump(code: Uint8Array, start: number): boolean {
  for (let at = start; at < code.length; at += 1) {
    const op = code[at] as number
    if (op === OP.JUMP) return true
    const isOfStack = op >= OP.PUSH0 && op <= OP.SWAP16
    if (!isOfStack && IS_PURE[op] !== true && !OF_MEMORY.has(op)) return false
    if (op > OP.PUSH0 && op <= OP.PUSH32) at += op - OP.PUSH0
  }
  return false
}

const OF_MEMORY: ReadonlySet<number> = new Set([OP.POP, OP.MLOAD, OP.MSTORE])

/** All numbers that a term can be, where they are few. */
function choicesOf({ kind, op, args: [left, right], value }: Term): readonly bigint[] | undefined {
  if (kind === 'constant') return [value]
  if (kind !== 'operation' || left === undefined || right === undefined) return undefined
  const most = BigInt(MAX_ENTRIES)
  if (op === OP.MOD && right.kind === 'constant' && right.value > 0n && right.value <= most)
    return Array.from({ length: Number(right.value) }, (_, number) => BigInt(number))
  if (left.kind !== 'constant' || (op !== OP.ADD && op !== OP.MUL && op !== OP.SHL)) return undefined
  return choicesOf(right)?.map((choice) => fold(op, left.value, choice) as bigint)
}
