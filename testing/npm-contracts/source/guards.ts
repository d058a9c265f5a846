/** Who the caller must be, as the conditions of a source state it. */
import { type Condition, keyOf, mentions, mentionsSender, operation, type Stored, type Value } from './values.ts'

/** One way to be allowed, as the source states it. */
export type SourceGuard =
  | { readonly type: 'slot'; readonly at: Stored }
  | { readonly type: 'constant'; readonly value: bigint }
  | { readonly type: 'immutable'; readonly id: number }
  | { readonly type: 'self' }
  | { readonly type: 'member'; readonly at: Stored }
  | {
      readonly type: 'answer'
      readonly name: string
      readonly selector?: string
      readonly isAboutCaller: boolean
      readonly by: Value
    }

export type Formula =
  /** No restriction of the caller. */
  | { readonly type: 'any' }
  | { readonly type: 'never' }
  /** Concerns the caller, in a form that these rules do not decide. */
  | { readonly type: 'odd'; readonly why: string }
  | { readonly type: 'guard'; readonly guard: SourceGuard }
  | { readonly type: 'and' | 'or'; readonly of: readonly Formula[] }

const ANY: Formula = { type: 'any' }
const NEVER: Formula = { type: 'never' }
const odd = (why: string): Formula => ({ type: 'odd', why })
const only = (guard: SourceGuard): Formula => ({ type: 'guard', guard })

export function and(of: readonly Formula[]): Formula {
  const parts = of.filter(({ type }) => type !== 'any')
  if (parts.some(({ type }) => type === 'never')) return NEVER
  return parts.length === 0 ? ANY : parts.length === 1 ? (parts[0] as Formula) : { type: 'and', of: parts }
}

export function or(of: readonly Formula[]): Formula {
  const parts = of.filter(({ type }) => type !== 'never')
  if (parts.some(({ type }) => type === 'any')) return ANY
  return parts.length === 0 ? NEVER : parts.length === 1 ? (parts[0] as Formula) : { type: 'or', of: parts }
}

export const formulaOf = (when: readonly Condition[]): Formula =>
  and(when.map(({ value, holds }) => conditionOf(value, holds)))

/** Amounts of tokens that the caller has or may spend. */
const AMOUNTS = new Set(['balanceOf', 'allowance', 'getVotes', 'getPriorVotes', 'getPastVotes'])
/** Functions that move tokens of the caller, or that a contract of the caller's choice answers: no permission. */
const ACTS = new Set(['transfer', 'transferFrom', 'burnFrom', 'executeOperation'])
/** The owner of one item is not privileged. */
const ITEMS = new Set(['ownerOf', 'getApproved', 'isApprovedForAll', 'isAuthorized'])

function conditionOf(value: Value, holds: boolean): Formula {
  if (value.kind === 'constant') return (value.value !== 0n) === holds ? ANY : NEVER
  if (value.kind === 'choice')
    return or(value.of.map((each) => and([formulaOf(each.when), conditionOf(each.value, holds)])))
  if (value.kind === 'operation') {
    const [left, right] = value.args
    switch (value.op) {
      case '!':
        return left === undefined ? ANY : conditionOf(left, !holds)
      case '&&':
      case '||': {
        const parts = value.args.map((arg) => conditionOf(arg, holds))
        return (value.op === '&&') === holds ? and(parts) : or(parts)
      }
      // In assembly.
      case '|':
        if (value.args.every(isTruth)) {
          const parts = value.args.map((arg) => conditionOf(arg, holds))
          return holds ? or(parts) : and(parts)
        }
        break
      case '&':
        if (value.args.every(isTruth)) {
          const parts = value.args.map((arg) => conditionOf(arg, holds))
          return holds ? and(parts) : or(parts)
        }
        break
      case '==':
      case '!=':
      case '-':
        if (left !== undefined && right !== undefined && (value.op !== '-' || !holds || mentionsSender(value)))
          return equality(left, right, (value.op === '==') === holds)
        break
      case '<':
      case '>':
      case '<=':
      case '>=':
        return left === undefined || right === undefined ? ANY : order(value.op, left, right, holds)
      default:
        break
    }
  }
  if (mentions(value, (part) => part.kind === 'operation' && part.op === 'ecrecover')) return odd('signature')
  if (!mentionsSender(value)) return ANY
  return entry(value, holds)
}

const isTruth = (value: Value): boolean =>
  value.kind === 'operation' && /^(?:!|&&|\|\||==|!=|<|>|<=|>=|\||&)$/.test(value.op)

function equality(left: Value, right: Value, isEqual: boolean): Formula {
  for (const [choice, other] of [
    [left, right],
    [right, left],
  ] as const)
    if (choice.kind === 'choice')
      return or(choice.of.map((each) => and([formulaOf(each.when), equality(each.value, other, isEqual)])))
  if (left.kind === 'constant' && right.kind === 'constant')
    return (left.value === right.value) === isEqual ? ANY : NEVER
  for (const [flag, other] of [
    [left, right],
    [right, left],
  ] as const)
    if (flag.kind === 'constant' && flag.value <= 1n && (isTruth(other) || other.kind === 'answer'))
      return conditionOf(other, (flag.value === 1n) === isEqual)
  if (left.kind === 'sender' || right.kind === 'sender') {
    const other = left.kind === 'sender' ? right : left
    if (other.kind === 'sender') return isEqual ? ANY : NEVER
    return isEqual ? comparedWith(other) : ANY
  }
  if (mentions(operation('==', left, right), (part) => part.kind === 'operation' && part.op === 'ecrecover'))
    return odd('signature')
  const [about, other] = mentionsSender(left) ? [left, right] : [right, left]
  if (!mentionsSender(about)) return ANY
  if (mentionsSender(other)) return odd('two values of the caller')
  if (other.kind === 'constant') return entry(about, other.value === 0n ? !isEqual : isEqual)
  // A nonce or a record of the caller's own that is compared with what the caller passes.
  return ANY
}

function comparedWith(other: Value): Formula {
  switch (other.kind) {
    case 'constant':
      // No caller has the zero address.
      return other.value === 0n ? NEVER : only({ type: 'constant', value: other.value })
    case 'immutable':
      return only({ type: 'immutable', id: other.id })
    case 'self':
      return only({ type: 'self' })
    case 'stored': {
      // An item that the caller names has an owner, who is not privileged.
      const isNamed = other.path.some((part) => 'key' in part && part.key.kind !== 'constant')
      if (!isNamed) return only({ type: 'slot', at: other })
      const isStored = other.path.some((part) => 'key' in part && part.key.kind === 'stored')
      return isStored ? odd('an element that storage names') : ANY
    }
    case 'answer': {
      if (ITEMS.has(other.name)) return ANY
      const isFixed = other.args.every(({ kind }) => kind === 'constant')
      if (!isFixed) return odd(`an account that ${other.name} returns`)
      return only({
        type: 'answer',
        name: other.name,
        ...(other.selector && { selector: other.selector }),
        isAboutCaller: false,
        by: other.target,
      })
    }
    case 'input':
      return ANY
    case 'operation':
    case 'choice':
    case 'encoded':
    case 'unknown':
    case 'sender':
    default:
      return odd('an account of unknown origin')
  }
}

/** The caller has an entry, or another contract answers for it. */
function entry(value: Value, holds: boolean): Formula {
  switch (value.kind) {
    case 'stored': {
      if (!holds) return ANY
      const at = { ...value, path: value.path }
      const isIndexed = at.path.some((part) => 'key' in part && part.key.kind === 'sender')
      return isIndexed ? only({ type: 'member', at }) : odd('a table indexed by a value of the caller')
    }
    case 'answer': {
      if (AMOUNTS.has(value.name) || ITEMS.has(value.name)) return ANY
      // That a call of assembly succeeded is no permission.
      if (!holds || value.name === 'call' || ACTS.has(value.name)) return ANY
      const isAsked = value.args.some(({ kind }) => kind === 'sender')
      if (!isAsked) return value.args.some(mentionsSender) || mentionsSender(value.target) ? odd(value.name) : ANY
      return only({
        type: 'answer',
        name: value.name,
        ...(value.selector && { selector: value.selector }),
        isAboutCaller: true,
        by: value.target,
      })
    }
    case 'operation': {
      if (value.op === '&' || value.op === '>>' || value.op === '<<') {
        const about = value.args.find(mentionsSender)
        return about === undefined ? ANY : entry(about, holds)
      }
      return holds || value.op !== '==' ? odd(value.op) : ANY
    }
    case 'sender':
    case 'self':
    case 'input':
    case 'unknown':
    case 'constant':
    case 'immutable':
    case 'choice':
    case 'encoded':
    default:
      return odd(value.kind)
  }
}

/** An amount of the caller's own, or an entry that must be above zero. */
function order(op: string, left: Value, right: Value, holds: boolean): Formula {
  if (!mentionsSender(left) && !mentionsSender(right)) return ANY
  const [about, other] = mentionsSender(left) ? [left, right] : [right, left]
  const isAbove = (op.startsWith('>') === (about === left)) === holds
  if (!isAbove || other.kind !== 'constant') return ANY
  if (about.kind === 'stored') return entry(about, true)
  // A delay that another contract returns for the caller.
  if (about.kind === 'answer') return entry(about, true)
  const product = about.kind === 'operation' && about.op === '*' ? about.args.find(mentionsSender) : undefined
  if (product !== undefined) return order('>', product, other, true)
  if (about.kind !== 'choice') return ANY
  return or(about.of.map((each) => and([formulaOf(each.when), atLeast(each.value, other)])))
}

/** A value is above a number. */
function atLeast(value: Value, least: Value & { readonly kind: 'constant' }): Formula {
  if (value.kind === 'constant') return value.value > least.value ? ANY : NEVER
  return order('>', value, least, true)
}

/** Whether a caller passes, by which guards it passes. `odds`: whether it passes what is not decided. */
export function passes(formula: Formula, isPassed: (guard: SourceGuard) => boolean, odds: boolean): boolean {
  switch (formula.type) {
    case 'any':
      return true
    case 'never':
      return false
    case 'odd':
      return odds
    case 'guard':
      return isPassed(formula.guard)
    case 'and':
      return formula.of.every((each) => passes(each, isPassed, odds))
    case 'or':
    default:
      return formula.of.some((each) => passes(each, isPassed, odds))
  }
}

export function guardsIn(formula: Formula): readonly SourceGuard[] {
  const found = new Map<string, SourceGuard>()
  const add = (each: Formula): void => {
    if (each.type === 'guard') found.set(keyOf(each.guard), each.guard)
    else if (each.type === 'and' || each.type === 'or') for (const part of each.of) add(part)
  }
  add(formula)
  return [...found.values()]
}

export function oddsIn(formula: Formula): readonly string[] {
  if (formula.type === 'odd') return [formula.why]
  return formula.type === 'and' || formula.type === 'or' ? formula.of.flatMap(oddsIn) : []
}
