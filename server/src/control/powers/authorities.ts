/** Entries that say who may use those of an account, or where it is paid, and stores that write them for others. */
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { type Key, type Position, positionOf } from '../code/positions.ts'
import { type Term, withoutMask } from '../code/terms.ts'
import { type Context, isAmountChange, isAt } from './acts.ts'
import { hashedIn } from './entries.ts'
import { companions, type Given, isOwnEntry, recipientOf } from './exchanges.ts'
import { accountsNamed } from './free-amounts.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { givenBy, mayBeOpen } from './given.ts'
import { mentions, type Table } from './guards.ts'
import { remembered } from './remembered.ts'

const isHash = (key: Key): boolean => key.startsWith('#')
const isNamed = (key: Key): boolean => !key.startsWith('0x')

/** Tables by which functions that are open find out whose an entry is. What transfers of tokens ask is judged on its own. */
export function authoritiesOf(
  functions: readonly CodeFunction[],
  context: Context,
  credits: readonly Position[],
): readonly Position[] {
  const found = functions
    .filter(mayBeOpen)
    .flatMap((each) => givenBy(each, context, credits).flatMap((given) => [...askedFor(given, each), ...paidAt(given)]))
    .map(({ base, keys, member }): Position => {
      const general = keys.map((key): Key => (isNamed(key) ? '?0' : key))
      return { type: 'table', base, keys: general, member }
    })
    .filter((table) => !context.transferred.some((read) => isAt(table, read)))
  return [...new Map(found.map((table) => [JSON.stringify(table), table])).values()]
}

/** Where it is stored who may use an entry that pays for something. */
function askedFor(given: Given, each: CodeFunction): readonly Table[] {
  return companions(given, each).flatMap((cost) => {
    const entry = cost.kind === 'store' ? positionOf(cost.subject, cost.facts) : undefined
    if (entry?.type !== 'table' || entry.keys[0] === 'caller') return []
    const isOfEntry = ({ keys }: Table): boolean => keys.some((key) => isNamed(key) && entry.keys.includes(key))
    return [...cost.facts, ...given.effect.facts].flatMap(tablesAsked).filter(isOfEntry)
  })
}

const tablesAsked = remembered((fact: Fact): readonly Table[] => {
  const tables = accountsNamed(fact).flatMap(tableRead)
  mentions(fact.term, (part) => {
    const [allowance] = tableRead(part)
    if (allowance?.keys.length === 2 && allowance.keys[1] === 'caller') tables.push(allowance)
    return false
  })
  return tables
})

/** Where it is stored who is paid for an entry. */
function paidAt({ effect }: Given): readonly Table[] {
  const to = recipientOf(effect)
  return (to === undefined ? [] : tableRead(to)).filter(({ keys }) => keys.some(isNamed))
}

function tableRead(term: Term): Table[] {
  const { kind, args } = withoutMask(term)
  const position = kind === 'stored' ? positionOf(args[0] as Term, []) : undefined
  return position?.type === 'table' ? [position] : []
}

/**
 * Whether a store says it for an account, or an item, that the caller names and neither is nor owns. `credits`: tables with what
 * accounts have.
 */
export function isForOthers(
  effect: RawEffect,
  each: CodeFunction,
  { authorities }: Context,
  credits: readonly Position[],
): boolean {
  const { kind, subject, value, facts } = effect
  if (kind !== 'store' || value === undefined || isCleared(value, subject) || isAmountChange(effect)) return false
  const position = positionOf(subject, facts)
  // What a hash names is a new request.
  if (position.type !== 'table' || position.keys[0] === 'caller' || position.keys.some(isHash)) return false
  if (!authorities.some((table) => isAt(position, table))) return false
  if (!hashedIn(subject).some((key) => withoutMask(key).kind === 'input') || facts.some(isEmpty(position, credits)))
    return false
  const given: Given = { act: 'move_funds', effect, amount: undefined }
  return !isOwnEntry(effect, given, companions(given, each))
}

/** Nothing is stored there yet, or nothing that is worth anything. */
const isEmpty =
  ({ base, keys, member }: Table, credits: readonly Position[]) =>
  ({ term, holds }: Fact): boolean =>
    !holds &&
    tableRead(term).some(
      (table) =>
        table.base === base &&
        table.keys.join() === keys.join() &&
        (table.member === member || credits.some((credit) => isAt(table, credit))),
    )
