/** What certain accounts can take of the assets that others leave in a contract, by functions that are not theirs alone. */
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { targetOf } from '../code/targets.ts'
import { type Term, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { type Context, isAddress, isAt, isFromCaller, isPaid, isZero, slotWritten } from './acts.ts'
import { isForOthers } from './authorities.ts'
import { companions, isLess } from './exchanges.ts'
import type { CodeFunction } from './functions.ts'
import { assetsIn, entriesOf, givenBy, unitsIn } from './given.ts'
import { type Access, type Guard, guardsOf, mentions } from './guards.ts'
import { type Code, isLost, isTakenElsewhere, isUnclear, judge } from './open-funds.ts'
import { callsShown } from './paths-apart.ts'
import { isReachedByAll } from './plain-conditions.ts'
import { tokenCallOf } from './token-calls.ts'

/**
 * Accounts that move funds by a function: one that reaches a payment for an entry which is not its own, one that changes entries for
 * which functions pay, and one to which the callers may send the assets. `credits`: see `creditsOf`.
 */
export function reservedFunds(each: CodeFunction, { flow, context, credits }: Code): readonly Guard[] {
  if (each.isView || each.isOnce) return []
  const entries = entriesOf(credits, context)
  const isOpen = (effect: RawEffect): boolean => accessAt(each, effect).type === 'open'
  const found = [
    ...each.effects.flatMap((effect) => changedBy(each, effect, credits, context)),
    ...each.effects.flatMap((effect) => reachedBy(each, effect, context)),
    ...callsShown(flow, each).flatMap((effect) => (isOpen(effect) ? sentTo(each, effect, entries, context) : [])),
  ]
  return distinct(found)
}

/** Accounts that may send assets to fixed accounts, and these. */
export function fixedRecipients(
  each: CodeFunction,
  { flow, context, credits }: Code,
): readonly { readonly guards: readonly Guard[]; readonly recipients: readonly Guard[] }[] {
  if (each.isView || each.isOnce) return []
  const entries = entriesOf(credits, context)
  return distinct(
    callsShown(flow, each).flatMap((effect) => {
      const access = effect.kind === 'call' ? accessAt(each, effect) : undefined
      if (access?.type !== 'guarded') return []
      return sentTo(each, effect, entries, context).map((to) => ({ guards: access.guards, recipients: [to] }))
    }),
  )
}

const distinct = <T>(all: readonly T[]): readonly T[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
]

const accessAt = (each: CodeFunction, effect: RawEffect): Access =>
  each.access.type === 'guarded' ? each.access : each.accessAtAny([effect])

/** The accounts to which one effect of a function is reserved. Those in a table may be every caller that enters itself. */
function reservedTo({ access, accessAtAny }: CodeFunction, effect: RawEffect): readonly Guard[] {
  if (access.type === 'guarded') return access.guards
  const reached = accessAtAny([effect])
  const guards = reached.type === 'guarded' ? guardsOf(reached) : []
  return guards.some(({ type }) => type === 'member') ? [] : guards
}

function changedBy(
  each: CodeFunction,
  effect: RawEffect,
  credits: readonly Position[],
  context: Context,
): readonly Guard[] {
  if (effect.kind !== 'store') return []
  const entries = entriesOf(credits, context)
  // What is chosen of a word of several values may be an account, or the time.
  const isWord = (amount: Term): boolean => amount.op === OP.OR || isAddress(amount)
  const isChosen = (amount: Term | undefined): boolean =>
    amount !== undefined && isFromCaller(amount) && !isWord(amount)
  const isFree = unitsIn(effect, entries).some(
    (given) => isChosen(given.amount) && judge(given, each, context) !== undefined,
  )
  // In a loop over a list it is not known what is asked about each account.
  const isAgain = each.effects.some((other) => other !== effect && other.at === effect.at)
  const isInLoop = isAgain || each.mayRepeat(effect)
  const isNamed = !isInLoop && isForOthers(effect, each, context, credits)
  const isTaken = isLost(each, effect, entries) || isTakenElsewhere(each, effect, entries)
  return isFree || isNamed || isTaken ? reservedTo(each, effect) : []
}

function reachedBy(each: CodeFunction, effect: RawEffect, context: Context): readonly Guard[] {
  const guards = effect.kind === 'call' ? reservedTo(each, effect) : []
  if (guards.length === 0) return []
  const given = givenBy({ ...each, effects: [effect] }, context, [])
  return given.some((part) => part.act === 'move_funds' && judge(part, each, context) !== undefined) ? guards : []
}

/** The fixed account to which the callers may send all that a contract has, as much as they like, or more with time. */
function sentTo(
  each: CodeFunction,
  effect: RawEffect,
  entries: readonly Position[],
  context: Context,
): readonly Guard[] {
  const { kind, op, subject, amount, facts } = effect
  if (kind !== 'call' || op === OP.STATICCALL) return []
  const isReserved = accessAt(each, effect).type === 'guarded'
  const isEther = amount !== undefined && !isZero(amount) && !isPaid(amount)
  const recipient = isEther ? subject : tokenCallOf(effect)?.to
  const to = recipient === undefined ? undefined : targetOf(recipient, facts)
  const isFixed = to?.type === 'slot' || (to?.type === 'constant' && mayBeKey(BigInt(to.address)))
  // A number in a slot that the call leaves as it is, such as fees that are not cleared.
  const written = new Set(each.effects.flatMap(slotWritten))
  const isKept = (part: Term): boolean => {
    const slot = part.kind === 'stored' ? valueOf(part.args[0] as Term) : undefined
    return slot !== undefined && !written.has(word(slot))
  }
  // What a token answers is not for the caller to choose.
  const isSent = assetsIn(effect).some((given) => {
    const who = judge(given, each, context, isReserved ? () => true : isReachedByAll)
    if (who !== undefined && isReserved && companions(given, each).some((cost) => isEntry(cost, entries))) return true
    const isOften = (part: Term): boolean => isTime(part) || isKept(part)
    if (who === undefined || given.amount === undefined) return who === 'any'
    // Ether with a call, such as a deposit, is for what that call does.
    const isPlain = !isEther || effect.passed?.length === 0
    return who === 'any' || (isPlain && isUnclear(given.amount)) || mentions(given.amount, isOften)
  })
  return isFixed && isSent ? [to] : []
}

/** A store that takes from an entry for which functions pay. */
function isEntry(effect: RawEffect, entries: readonly Position[]): boolean {
  const position = isLess(effect) ? positionOf(effect.subject, effect.facts) : undefined
  return position !== undefined && entries.some((table) => isAt(position, table))
}

const isTime = ({ kind, op }: Term): boolean => kind === 'environment' && (op === OP.TIMESTAMP || op === OP.NUMBER)

/** Whether a number may be the address of a key: small ones, such as 0xdead, are not. */
export const mayBeKey = (address: bigint): boolean => address > 0xffff_ffffn
