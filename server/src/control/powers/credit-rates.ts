/**
 * At which rates entries are credited for payments, and whether what is paid for an entry is more than it was credited for.
 *
 * Rates that are stored, or answered, count as one. Rates between different assets are not compared.
 */
import { areContradictory } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { targetOf } from '../code/targets.ts'
import { type Term, word } from '../code/terms.ts'
import { isPaid, isZero } from './acts.ts'
import type { CreditRates, Ratio } from './amounts.ts'
import { type Given, isCost, priceOf } from './exchanges.ts'
import { mentions } from './guards.ts'
import { isAbove, product, ratioTo, SAME, slotsOfRate } from './proportions.ts'
import { tokenCallOf } from './token-calls.ts'

/** What one call gives, and what it does. */
export type Call = { readonly given: readonly Given[]; readonly effects: readonly RawEffect[] }

export function creditRates(calls: readonly Call[]): CreditRates {
  const rates = new Map<string, Ratio>()
  for (const { one, effects } of calls.flatMap((call) => call.given.map((one) => ({ one, effects: call.effects })))) {
    const table = one.act === 'mint' ? tableOf(one.effect) : undefined
    if (table === undefined) continue
    for (const { asset, ratio } of pricesOf(one, effects)) {
      if (asset === undefined) continue
      const [key, known] = [`${table} ${asset}`, rates.get(`${table} ${asset}`)]
      if (known === undefined || isAbove(ratio, known)) rates.set(key, ratio)
    }
  }
  return rates
}

/** What is taken for something, and at which rate. `asset`: undefined for an entry. */
export function pricesOf(
  given: Given,
  effects: readonly RawEffect[],
): readonly { readonly asset: string | undefined; readonly ratio: Ratio }[] {
  const { amount, effect } = given
  const ether = amount === undefined ? undefined : paidIn(amount)
  const ofEther = ether && amount && ratioTo(amount, ether, effect.facts)
  const others = effects.filter((other) => other !== effect && !areContradictory(effect.facts, other.facts))
  const ofTokens = others.filter(isCost).flatMap((cost) => {
    const [asset, ratio] = [assetOf(cost), priceOf(cost, given, others)]
    return ratio === undefined || ratio === 'rate' ? [] : [{ asset, ratio }]
  })
  return ofEther === undefined ? ofTokens : [{ asset: ETHER, ratio: ofEther }, ...ofTokens]
}

/** Whether more is paid for an entry than it was credited for. */
export function isAboveCredit(cost: RawEffect, given: Given, ratio: Ratio, rates: CreditRates): boolean {
  const [table, asset] = [tableOf(cost), assetOf(given.effect)]
  const credited = table === undefined || asset === undefined ? undefined : rates.get(`${table} ${asset}`)
  return given.act === 'move_funds' && credited !== undefined && isAbove(product(ratio, credited), SAME)
}

/** Slots with rates at which functions give something, also where it is not understood what they take. */
export const slotsOfRates = (calls: readonly Call[]): readonly Position[] =>
  calls
    .flatMap(({ given, effects }) => given.map((one) => ({ one, effects })))
    .flatMap(({ one, effects }) => [
      ...pricesOf(one, effects).flatMap(({ ratio }) => ratio.rates.flatMap((rate) => slotsOfRate(rate))),
      ...(one.amount === undefined ? [] : factorsOf(one.amount)),
    ])
    .map((slot) => ({ type: 'slot', slot: word(slot) }))

/** The slots with factors and divisors of an amount, other than of what is taken from it, such as a fee. */
function factorsOf({ kind, op, args: [left, right] }: Term, depth = 0): readonly bigint[] {
  if (kind !== 'operation' || left === undefined || depth > MOST_DEPTH) return []
  const inner = (part: Term | undefined): readonly bigint[] => (part === undefined ? [] : factorsOf(part, depth + 1))
  if (op === OP.MUL) return [left, right].flatMap((part) => (part === undefined ? [] : slotsOfRate(part)))
  if (op === OP.DIV) return [...inner(left), ...(right === undefined ? [] : slotsOfRate(right))]
  return op === OP.SUB ? inner(left) : [...inner(left), ...inner(right)]
}
const MOST_DEPTH = 24

const ETHER = 'ether'

function assetOf(effect: RawEffect): string | undefined {
  if (effect.kind !== 'call') return undefined
  if (!isZero(effect.amount)) return ETHER
  return tokenCallOf(effect) === undefined ? undefined : JSON.stringify(targetOf(effect.subject, effect.facts))
}

/** Entries of a table are credited and paid for, by whichever account. */
function tableOf({ kind, subject, facts }: RawEffect): string | undefined {
  const position = kind === 'store' ? positionOf(subject, facts) : undefined
  return position?.type === 'table' ? `${position.base} ${position.member}` : undefined
}

function paidIn(amount: Term): Term | undefined {
  let found: Term | undefined
  mentions(amount, (part) => {
    if (isPaid(part)) found = part
    return found !== undefined
  })
  return found
}
