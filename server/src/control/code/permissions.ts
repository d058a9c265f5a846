/** What a contract such as OpenZeppelin's AccessManager answers about the caller of a function. */
import { type Fact, isSelectorTest } from './conditions.ts'
import { OP } from './instructions.ts'
import { partsCopied, selectorIn } from './passed-input.ts'
import { FIRST_WORD, isOfSuccess, SECOND_WORD, type Target, targetOf } from './targets.ts'
import type { Term } from './terms.ts'

/** `canCall(address,address,bytes4)`. */
const CAN_CALL = 0xb7009613n

/**
 * The contract that was asked whether the caller may use this function of this contract, and answered with a first word
 * that is not zero, or with a second one: the number of seconds for which the caller must announce its call.
 */
export function permissionOf(fact: Fact, facts: readonly Fact[], selector: bigint): Permission | undefined {
  for (const answer of isSelectorTest(fact.term) ? [] : wordsNeeded(fact)) {
    const [target, asked] = answer.args
    const isDelayed = answer.tag.startsWith(SECOND_WORD)
    if (answer.kind !== 'returned' || target === undefined || asked === undefined) continue
    if (!isDelayed && !answer.tag.startsWith(FIRST_WORD)) continue
    if (!isOfSuccess(answer, facts) || !isAbout(asked, selector)) continue
    return { by: targetOf(target, facts), isDelayed }
  }
  return undefined
}

export type Permission = { readonly by: Target; readonly isDelayed: boolean }

/** Words without which a condition would not hold: a product of zero is zero. */
function wordsNeeded({ term, holds }: Fact): readonly Term[] {
  const [left, right] = term.args
  if (term.op === OP.ISZERO && left !== undefined) return wordsNeeded({ term: left, holds: !holds })
  if (!holds) return []
  if (term.op === OP.LT && left?.kind === 'constant' && right !== undefined) return factorsOf(right)
  return factorsOf(term)
}

/** The words that a value is zero without. */
function factorsOf(term: Term): readonly Term[] {
  const { kind, op, args } = term
  if (kind !== 'operation') return [term]
  if (op === OP.AND || op === OP.MUL) return args.flatMap(factorsOf)
  const [amount, shifted] = args
  const isShift = (op === OP.SHR || op === OP.SHL) && amount?.kind === 'constant'
  return isShift && shifted !== undefined ? factorsOf(shifted) : []
}

/** Whether a question is about the caller, this contract, and the function that it calls. */
function isAbout({ segments = [] }: Term, selector: bigint): boolean {
  const [name, caller, self, called] = partsCopied(segments)
  const isWord = (part: typeof name): boolean => part?.from === 0 && part.to === 32
  return (
    name?.term.kind === 'constant' &&
    name.to - name.from === 4 &&
    selectorIn(name) === CAN_CALL &&
    caller?.term.kind === 'caller' &&
    isWord(caller) &&
    self?.term.kind === 'self' &&
    isWord(self) &&
    called?.from === 0 &&
    called.to >= 4 &&
    isCalled(called.term, selector)
  )
}

const FIRST_BYTES = 0xffff_ffffn << 224n

/** Whether a word begins with the selector of the function. */
function isCalled({ kind, op, args, value }: Term, selector: bigint): boolean {
  const [left, right] = args
  if (kind === 'constant') return value >> 224n === selector
  if (kind === 'input') return left?.kind === 'constant' && left.value === 0n
  if (kind !== 'operation' || left?.kind !== 'constant' || right === undefined) return false
  if (op === OP.AND) return (left.value & FIRST_BYTES) === FIRST_BYTES && isCalled(right, selector)
  // Moved to the right end of the word, and back.
  const [back, moved] = right.args
  const isBack = op === OP.SHL && right.op === OP.SHR && back === left && left.value <= 224n
  return isBack && moved !== undefined && isCalled(moved, selector)
}
