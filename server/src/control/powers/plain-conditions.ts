/** Conditions that every caller can meet, whatever the contract has stored. */
import type { Hex } from '../../lib/hex.ts'
import { areContradictory, type Fact, isSelectorTest } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { type Term, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { isAmountChange } from './acts.ts'
import { isBalance, isTokenAnswer } from './token-calls.ts'

/** A constant above this in a comparison may be one that only some callers know. */
const LARGEST_MARK = 0xffn

/** Whether a call by any account reaches an effect. `locks`: slots that a call sets and sets back. */
export function isReachedByAll(effect: RawEffect, effects: readonly RawEffect[], locks: ReadonlySet<Hex>): boolean {
  return effect.facts.every(plainIn(effects, locks))
}

/** Whether a call by any account reaches an effect and then an end. */
export function isMetByAll(effect: RawEffect, effects: readonly RawEffect[], locks: ReadonlySet<Hex>): boolean {
  const isPlain = plainIn(effects, locks)
  return (
    effect.facts.every(isPlain) &&
    effects.some(({ kind, facts }) => kind === 'exit' && !areContradictory(effect.facts, facts) && facts.every(isPlain))
  )
}

function plainIn(effects: readonly RawEffect[], locks: ReadonlySet<Hex>): (fact: Fact) => boolean {
  const changed = new Set(effects.filter(isAmountChange).map(({ subject }) => subject))
  return (fact) => isSelectorTest(fact.term) || isPlainTest(fact, { locks, changed })
}

const RANGE: ReadonlySet<number> = new Set([OP.ADD, OP.SUB, OP.NOT])

type Known = {
  readonly locks: ReadonlySet<Hex>
  /** Positions of amounts that the function adds to, or takes from. */
  readonly changed: ReadonlySet<Term>
}

function isPlainTest({ term, holds }: Fact, { locks, changed }: Known): boolean {
  const [left, right] = term.args
  if (term.kind === 'operation' && term.op === OP.EQ && holds && left !== undefined && right !== undefined) {
    const isMark = left.kind === 'constant' && left.value <= LARGEST_MARK
    if (!isMark && !isClean(left, right) && !isClean(right, left)) return false
  }
  const isOrder = term.kind === 'operation' && (term.op === OP.LT || term.op === OP.SLT)
  // A sum must not be too large, and no difference below zero.
  const isRange = [left, right].some((side) => side?.kind === 'input' || (side !== undefined && RANGE.has(side.op)))
  return isEach(term, (part) => {
    switch (part.kind) {
      case 'constant':
      case 'input':
      case 'caller':
      case 'origin':
      case 'self':
      case 'operation':
        return true
      case 'environment':
        return part.op === OP.CALLVALUE || part.op === OP.CALLDATASIZE || part.op === OP.EXTCODESIZE
      case 'stored': {
        const position = part.args[0] as Term
        const slot = valueOf(position)
        return (slot !== undefined && locks.has(word(slot))) || (isOrder && isRange && changed.has(position))
      }
      case 'returned':
        return isOutcome(part) || isBalance(part)
      case 'opaque':
        // A balance of the contract.
        return isOrder
      case 'hash':
      case 'signer':
      case 'asked':
      default:
        return false
    }
  })
}

/** A value in its valid form. */
const isClean = (value: Term, { kind, op, args }: Term): boolean =>
  kind === 'operation' && (op === OP.AND || op === OP.ISZERO) && (args.includes(value) || op === OP.ISZERO)

/** Whether a call succeeded, how much it returned, and what a token returns about a transfer. */
const isOutcome = (term: Term): boolean =>
  term.tag.startsWith('success:') || term.tag.startsWith('size:') || isTokenAnswer(term)

function isEach(term: Term, is: (part: Term) => boolean, depth = 0): boolean {
  if (!is(term)) return false
  if (term.kind === 'stored' || term.kind === 'returned' || term.kind === 'input') return true
  return depth < 24 && term.args.every((arg) => isEach(arg, is, depth + 1))
}
