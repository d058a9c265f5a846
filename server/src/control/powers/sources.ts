/**
 * Contracts whose answers decide what functions for all callers give: how much, at what price, or to whom. An account that
 * decides what such a contract answers has the power over what is given.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import { areContradictory, type Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { JOIN } from '../code/joins.ts'
import { selectorPassed, selectorText } from '../code/passed-input.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { isPrecompiled, type Target, targetOf } from '../code/targets.ts'
import { ADDRESS_MASK, type Term } from '../code/terms.ts'
import { type Context, isFromCaller, isPaid, isZero } from './acts.ts'
import { companions, type Given, isCost } from './exchanges.ts'
import { type CodeFunction, isSetOutright } from './functions.ts'
import { givenBy, mayBeOpen } from './given.ts'
import { type Guard, mentions } from './guards.ts'
import { TRANSFERS } from './names.ts'
import { remembered } from './remembered.ts'
import { isOwnBalance, tokenCallOf } from './token-calls.ts'

/** A question to another contract. `by` is not known where a table or a computation names the contract. */
export type Asked = { readonly by: Target; readonly selector?: Hex }

export type Source = Asked & { readonly act: PowerEffect }

/** What decides the answer of a function: the functions that change what it reads, and the contracts that it asks. */
export type Deciding = {
  readonly selector: Hex
  /** Functions that not every caller may use. */
  readonly changedBy?: readonly Hex[]
  /** Every caller may store what the answer is computed from. */
  readonly isOpen?: true
  readonly asks?: readonly Asked[]
}

/** Whether the contract is found in the state of the one that asks. */
export const isFollowed = ({ type }: Target): boolean =>
  type === 'constant' || type === 'slot' || type === 'returned' || type === 'self'

/** The contracts that decide what a function gives, or whether units move. */
export function sourcesIn(each: CodeFunction, context: Context, credits: readonly Position[]): readonly Source[] {
  if (!mayBeOpen(each)) return []
  const { effects } = each
  const given = givenBy(each, context, credits).filter(({ act }) => act === 'move_funds' || act === 'mint')
  const tokens = new Set(effects.filter((effect) => tokenCallOf(effect) !== undefined).map(({ subject }) => subject))
  const found = [
    ...given.flatMap((one) => askedFor(one, each).map((asked) => ({ ...asked, act: 'set_price' as const }))),
    ...effects.flatMap((effect) => recipientsIn(effect).map((asked) => ({ ...asked, act: 'move_funds' as const }))),
    ...refusingIn(each).map((asked) => ({ ...asked, act: 'freeze' as const })),
  ]
  return distinct(
    found
      // The accounts that control a token decide about it anyway.
      .filter(({ from }) => !tokens.has(from))
      .map(({ by, selector, act }): Source => ({ by, ...(selector && { selector }), act })),
  )
}

type Found = Asked & { readonly from: Term }

/** The contracts that decide how much is given, or what it costs. */
function askedFor(given: Given, each: CodeFunction): readonly Found[] {
  const { amount, effect } = given
  const costs = companions(given, each).filter(isCost)
  const isPrice = ({ term }: Fact): boolean =>
    mentions(term, isPaid) || ((amount === undefined || isFromCaller(amount)) && isOrder(term))
  const terms = [
    amount,
    ...costs.map((cost) => tokenCallOf(cost)?.amount ?? cost.value),
    ...effect.facts.filter(isPrice).map(({ term }) => term),
  ]
  const hidden = amount !== undefined && isComputed(amount) ? hiddenIn(given, each) : []
  return [...terms.flatMap((term) => (term === undefined ? [] : answersIn(term, effect.facts))), ...hidden]
}

const isOrder = ({ kind, op }: Term): boolean => kind === 'operation' && (op === OP.LT || op === OP.SLT)

/** Whether paths have met with different values of an amount, as after a division of large numbers. */
const isComputed = ({ kind, tag, args }: Term): boolean =>
  kind === 'opaque' ? tag.includes(JOIN) : kind === 'operation' && args.some(isComputed)

/** What a function asks before an amount that is computed in a way that is not followed. Answers that are accounts are no amounts. */
function hiddenIn({ effect }: Given, { effects }: CodeFunction): readonly Found[] {
  const answered = contractsOfAddresses(effects)
  return effects
    .filter(({ kind, op, facts }) => kind === 'call' && op === OP.STATICCALL && !areContradictory(facts, effect.facts))
    .filter(({ subject }) => !answered.has(subject))
    .flatMap(({ subject, passed, facts }) => {
      const selector = selectorPassed(passed)
      const isOwn = passed?.some(({ term }) => term.kind === 'self') === true
      return selector === undefined || isOwn ? [] : askedOf(subject, selector, facts)
    })
}

/** The contracts that have returned accounts. */
const contractsOfAddresses = remembered((effects: readonly RawEffect[]): ReadonlySet<Term | undefined> => {
  const found = new Set<Term | undefined>()
  const visit = ({ kind, op, args: [mask, word] }: Term): boolean => {
    const isMasked = kind === 'operation' && op === OP.AND && mask?.kind === 'constant' && mask.value === ADDRESS_MASK
    if (isMasked && word?.kind === 'returned') found.add(word.args[0])
    return false
  }
  const all = effects.flatMap(({ subject, value, facts }) => [subject, value, ...facts.map(({ term }) => term)])
  for (const term of new Set(all)) if (term !== undefined) mentions(term, visit)
  return found
})

/** The contracts that name an account to which assets are sent. */
function recipientsIn(effect: RawEffect): readonly Found[] {
  const { kind, op, subject, amount, passed, facts } = effect
  if (kind !== 'call' || op === OP.STATICCALL) return []
  const isEther = !isZero(amount) && !isPaid(amount) && (passed?.length ?? 0) === 0
  const moved = tokenCallOf(effect)
  // The tokens of the caller are its own.
  const to = isEther ? subject : moved?.from?.kind === 'caller' ? undefined : moved?.to
  return to === undefined ? [] : answersIn(to, facts)
}

/** The fixed contracts that may refuse a transfer of units: lists that are asked, and hooks. */
function refusingIn({ selector: own, effects }: CodeFunction): readonly Found[] {
  if (!TRANSFERS.has(own)) return []
  return effects
    .filter(({ kind }) => kind === 'call')
    .flatMap(({ subject, passed, facts }) => askedOf(subject, selectorPassed(passed), facts))
    .filter(({ by }) => isFollowed(by))
}

/** The contracts that have returned a part of a term. */
function answersIn(term: Term, facts: readonly Fact[], depth = 0): readonly Found[] {
  if (term.kind === 'operation') return depth > 12 ? [] : term.args.flatMap((arg) => answersIn(arg, facts, depth + 1))
  const [target, asked] = term.args
  if (term.kind !== 'returned' || !term.tag.startsWith('word') || target === undefined || isOwnBalance(term)) return []
  const selector = asked?.kind === 'constant' ? selectorText(asked.value) : selectorPassed(asked?.segments)
  return askedOf(target, selector, facts)
}

/** The caller is responsible for a contract that it chooses. */
function askedOf(target: Term, selector: Hex | undefined, facts: readonly Fact[]): readonly Found[] {
  const by = targetOf(target, facts)
  const isChosen = by.type === 'input' || by.type === 'caller' || mentions(target, ({ kind }) => kind === 'input')
  if (isPrecompiled(by) || (isChosen && by.type !== 'table')) return []
  return [{ by, ...(selector && { selector }), from: target }]
}

/** What decides the answer of each function. */
export function decidingIn(functions: readonly CodeFunction[]): readonly Deciding[] {
  const stores = functions
    .filter(({ isView, isOnce, access }) => !isView && !(isOnce && access.type !== 'guarded'))
    .flatMap(({ selector, access, accessAtAny, effects }) =>
      effects.flatMap((effect) => {
        if (effect.kind !== 'store' || effect.value === undefined) return []
        const isOpen = access.type !== 'guarded' && accessAtAny([effect]).type === 'open'
        // What every caller may store of the answer of a further contract.
        const passedOn = isOpen ? answersIn(effect.value, effect.facts) : []
        const isChosen = isOpen && isChosenAnswer(effect)
        if (isOpen && !isChosen && passedOn.length === 0) return []
        const asks = passedOn.map(({ by, selector: asked }): Asked => ({ by, ...(asked && { selector: asked }) }))
        return [{ selector, isOpen, isChosen, asks, position: positionOf(effect.subject, effect.facts) }]
      }),
    )
  return functions.flatMap((each): readonly Deciding[] => {
    const { selector, isFallback, reads, effects } = each
    if (isFallback) return []
    const changing = stores.filter(({ position }) => reads.some((read) => mayHit(position, read)))
    const changedBy = [...new Set(changing.filter(({ isOpen }) => !isOpen).map((store) => store.selector))]
    const asks = distinct([
      ...effects
        .filter(({ kind }) => kind === 'call' || kind === 'delegatecall')
        .map(({ subject, passed, facts }) => ({ by: targetOf(subject, facts), selector: selectorPassed(passed) }))
        .filter(({ by }) => !isPrecompiled(by))
        .map(({ by, selector: asked }): Asked => ({ by, ...(asked && { selector: asked }) })),
      ...changing.flatMap((store) => store.asks),
    ])
    const isOpen = changing.some((store) => store.isChosen)
    if (changedBy.length === 0 && asks.length === 0 && !isOpen) return []
    return [
      {
        selector,
        ...(changedBy.length > 0 && { changedBy }),
        ...(isOpen && { isOpen }),
        ...(asks.length > 0 && { asks }),
      },
    ]
  })
}

/** A store of what the caller passes, where it concerns others. Sums and records of the caller follow rules. */
function isChosenAnswer(effect: RawEffect): boolean {
  const { subject, value } = effect
  return value !== undefined && isSetOutright(effect) && isFromCaller(value) && !subject.hasCaller
}

const distinct = <T>(found: readonly T[]): readonly T[] => [
  ...new Map(found.map((each) => [JSON.stringify(each), each])).values(),
]

export const sourceGuard = ({ by, selector }: Asked): Guard => ({ type: 'source', by, ...(selector && { selector }) })
