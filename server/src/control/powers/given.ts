/** What a function gives: assets that it sends, units and entries that it adds to, calls that it makes. */
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { isForwarding } from '../code/passed-input.ts'
import { type Key, type Position, positionOf } from '../code/positions.ts'
import { targetOf } from '../code/targets.ts'
import { isAccount, type Term, withoutMask } from '../code/terms.ts'
import { actsOf, type Context, chosenSlots, isAmountChange, isAt, isFromCaller, isTaken, isZero } from './acts.ts'
import { companions, entriesBehind, type Given, isLess, isSource, recipientOf } from './exchanges.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { mentions } from './guards.ts'
import { tokenCallOf } from './token-calls.ts'

/** What an initializer gives is there at the start. */
export const mayBeOpen = ({ isView, isOnce, access }: CodeFunction): boolean =>
  !isView && !isOnce && access.type !== 'guarded'

/**
 * Tables whose entries functions give assets or units for: balances, shares of a deposit, what an account is owed. What is added
 * to them must be paid for too.
 */
export function creditsOf(functions: readonly CodeFunction[], context: Context): readonly Position[] {
  const open = functions.filter(mayBeOpen)
  let credits = context.amounts.filter(
    ({ type, ...table }) => type === 'table' && 'keys' in table && table.keys.length === 1,
  )
  for (;;) {
    const found = open.flatMap((each) =>
      paidBy(each, credits).flatMap((given) => {
        const taken = companions(given, each).filter((cost) => isLess(cost) && isSource(given, cost))
        const behind = given.amount === undefined ? [] : entriesBehind(given.amount, given.effect.facts)
        const places = [
          ...[...taken, ...entriesIn(given)].map(({ subject, facts }) => positionOf(subject, facts)),
          ...behind,
        ]
        // An allowance shrinks next to what it allows to take.
        const owned = places.filter((place) => !mayBeAllowance(place))
        const tables = (owned.length > 0 ? owned : places).flatMap(tableOf)
        // Of several entries that shrink, one must be paid for.
        return tables.some((table) => credits.some((known) => isAt(table, known))) ? [] : tables.slice(0, 1)
      }),
    )
    const added = found.filter((table) => !credits.some((known) => isAt(table, known)))
    if (added.length === 0) return credits
    credits = [...credits, ...new Map(added.map((table) => [JSON.stringify(table), table])).values()]
  }
}

const mayBeAllowance = (position: Position): boolean =>
  position.type !== 'table' || (position.keys.length > 1 && position.keys.at(-1) === 'caller')

/** The table of a position. */
function tableOf(position: Position): readonly Position[] {
  if (position.type !== 'table') return []
  const keys = position.keys.map((key): Key => (key.startsWith('0x') ? key : '?0'))
  return [{ type: 'table', base: position.base, keys, member: position.member }]
}

/** Entries that an amount is. */
function entriesIn({ amount, effect: { facts } }: Given): readonly Pick<RawEffect, 'subject' | 'facts'>[] {
  const stored = amount === undefined ? undefined : withoutMask(amount)
  return stored?.kind === 'stored' ? [{ subject: stored.args[0] as Term, facts }] : []
}

export function givenBy({ effects }: CodeFunction, context: Context, credits: readonly Position[]): readonly Given[] {
  const own = { guards: [], chosen: chosenSlots(effects) }
  return effects.flatMap((effect): readonly Given[] => {
    if (effect.kind === 'store') return unitsIn(effect, credits)
    if (effect.kind === 'create')
      return actsOf(effect, context, own).map((act) => ({ act, effect, amount: effect.amount }))
    if (effect.kind !== 'call') return []
    const acts = actsOf(effect, context, own)
    if (acts.includes('execute'))
      return [{ act: 'execute', effect, amount: undefined, ...(isForwarding(effect.passed) && { isPartial: true }) }]
    return acts.includes('move_funds') || isForEntry(effect) ? assetsIn(effect) : []
  })
}

/** Whether a call pays an account that an entry names, such as the one that has made a request. The caller may choose the entry. */
function isForEntry(effect: RawEffect): boolean {
  const to = recipientOf(effect)
  if (to === undefined) return false
  const target = targetOf(to, effect.facts)
  if (target.type === 'table' && target.position.type === 'table')
    return target.position.keys.some((key) => !key.startsWith('0x'))
  // An element of an array, or the owner of an item that another contract names.
  const { kind, args } = withoutMask(to)
  const [at, asked] = args
  if (kind === 'stored') return at !== undefined && isFromCaller(at)
  return kind === 'returned' && asked?.segments?.some(({ term }) => isFromCaller(term)) === true
}

/** What a function pays to any account, or adds to entries. */
const paidBy = ({ effects }: CodeFunction, credits: readonly Position[]): readonly Given[] =>
  effects.flatMap((effect) => {
    if (effect.kind === 'store') return unitsIn(effect, credits)
    return effect.kind === 'call' && effect.op !== OP.STATICCALL ? assetsIn(effect) : []
  })

/** The ether or the tokens that a call sends. */
export function assetsIn(effect: RawEffect): readonly Given[] {
  const moved = tokenCallOf(effect)
  if (moved === undefined || !isZero(effect.amount)) return [{ act: 'move_funds', effect, amount: effect.amount }]
  // The tokens of the caller are its own. Whose they are is not known where the words are not.
  const isOwn = moved.from !== undefined && isAccount(withoutMask(moved.from))
  if (isOwn || (moved.isNamed && moved.to === undefined)) return []
  const isKnown = moved.to !== undefined
  return [{ act: 'move_funds', effect, amount: moved.amount, ...(!isKnown && { isPartial: true }) }]
}

/** What a store adds to an entry, or sets it to. */
export function unitsIn(effect: RawEffect, credits: readonly Position[]): readonly Given[] {
  const { subject, value, facts } = effect
  if (value === undefined || isTaken(value) || isCleared(value, subject)) return []
  const position = positionOf(subject, facts)
  if (position.type !== 'table' || !credits.some((table) => isAt(position, table))) return []
  const isBefore = (part: Term): boolean => part.kind === 'stored' && part.args[0] === subject
  if (!isAmountChange(effect)) return mentions(value, isBefore) ? [] : [{ act: 'mint', effect, amount: value }]
  return [{ act: 'mint', effect, amount: value.args.find((part) => !isBefore(part)) }]
}

/** Entries that are no units: what `balanceOf(address)` reads is judged on its own. */
export const entriesOf = (credits: readonly Position[], { amounts }: Context): readonly Position[] =>
  credits.filter((table) => !amounts.some((known) => isAt(table, known)))
