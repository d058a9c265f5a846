/**
 * Stores that every successful call of a function makes, and what is known about the bits of a stored value.
 *
 * A governor counts the votes of an account once only if each call that counts them also records that the account has
 * voted, and no store removes the record.
 */

import { WORD_MASK } from './arithmetic.ts'
import { common } from './conditions.ts'
import type { RawEffect } from './dataflow.ts'
import { carry, type Execution, isEnd } from './executions.ts'
import { OP } from './instructions.ts'
import { isBoolean, type Term } from './terms.ts'

/** Bits that are one, bits that are zero, and bits that are those of the value before. */
type Bits = { readonly ones: bigint; readonly zeros: bigint; readonly kept: bigint }

const UNKNOWN: Bits = { ones: 0n, zeros: 0n, kept: 0n }
const MAX_DEPTH = 12

/** What is known about the bits of a value that is stored at a position after the last write or call, `epoch`. */
export function bitsStored(value: Term, position: Term, epoch: string, depth = 0): Bits {
  if (value.kind === 'constant') return { ones: value.value, zeros: WORD_MASK ^ value.value, kept: 0n }
  if (value.kind === 'stored' && value.args[0] === position && value.tag === epoch)
    return { ones: 0n, zeros: 0n, kept: WORD_MASK }
  if (isBoolean(value)) return { ...UNKNOWN, zeros: WORD_MASK ^ 1n }
  const [left, right] = value.args
  if (value.kind !== 'operation' || left === undefined || right === undefined || depth > MAX_DEPTH) return UNKNOWN
  const [a, b] = [left, right].map((part) => bitsStored(part, position, epoch, depth + 1)) as [Bits, Bits]
  switch (value.op) {
    case OP.AND:
      return {
        ones: a.ones & b.ones,
        zeros: a.zeros | b.zeros,
        kept: (a.kept & b.ones) | (b.kept & a.ones) | (a.kept & b.kept),
      }
    case OP.OR:
      return {
        ones: a.ones | b.ones,
        zeros: a.zeros & b.zeros,
        kept: (a.kept & b.zeros) | (b.kept & a.zeros) | (a.kept & b.kept),
      }
    case OP.SHL:
      return left.kind === 'constant' ? shifted(b, left.value) : UNKNOWN
    case OP.MUL: {
      const isPower = left.kind === 'constant' && left.value > 0n && (left.value & (left.value - 1n)) === 0n
      return isPower ? shifted(b, BigInt(left.value.toString(2).length - 1)) : UNKNOWN
    }
    default:
      return UNKNOWN
  }
}

function shifted({ ones, zeros }: Bits, by: bigint): Bits {
  if (by > 255n) return { ones: 0n, zeros: WORD_MASK, kept: 0n }
  return { ones: (ones << by) & WORD_MASK, zeros: ((zeros << by) | ((1n << by) - 1n)) & WORD_MASK, kept: 0n }
}

export class CertainStores {
  /** By position, and by the bits that are set. */
  readonly #numbers = new Map<string, number>()
  /** The stores that all calls of a function make that succeed. */
  readonly #certain = new Map<bigint | undefined, readonly number[]>()

  /** `nodes`: the blocks of the code with their last executions. */
  constructor(nodes: Parameters<typeof carry>[0]) {
    carry<readonly number[]>(nodes, [], (made, ...reached) => this.#after(made, ...reached), common)
  }

  /** The stores that were made on every path: sorted numbers. Those that set no bit do not count. */
  #after(
    before: readonly number[],
    { effect, epoch }: Execution['effects'][number],
    selector: bigint | undefined,
  ): readonly number[] {
    if (isEnd(effect)) this.#ended(selector, before)
    const key = effect.value === undefined ? undefined : keyOf(effect.subject, effect.value, epoch)
    if (key === undefined) return before
    const number = this.#numbers.get(key) ?? this.#numbers.size
    this.#numbers.set(key, number)
    return before.includes(number) ? before : [...before, number].sort((a, b) => a - b)
  }

  /** A call of the function succeeds after these stores. */
  #ended(selector: bigint | undefined, made: readonly number[]): void {
    const known = this.#certain.get(selector)
    this.#certain.set(selector, known === undefined ? made : common(known, made))
  }

  isCertain({ subject, value, selector, epoch }: RawEffect): boolean {
    const key = value === undefined ? undefined : keyOf(subject, value, epoch)
    const number = key === undefined ? undefined : this.#numbers.get(key)
    return number !== undefined && this.#certain.get(selector)?.includes(number) === true
  }
}

/** Only elements of mappings are of interest. */
function keyOf(position: Term, value: Term, epoch: string): string | undefined {
  if (position.kind === 'constant' || position.kind === 'input') return undefined
  const { ones } = bitsStored(value, position, epoch)
  return ones === 0n ? undefined : `${position.id}:${ones.toString(16)}`
}
