/**
 * Keys that every caller can take: slots and tables that decide who passes a guard, and that a function changes which asks
 * for no certain caller.
 *
 * Such a store counts unless the present storage contradicts one of its conditions, as after an initialization, and no caller
 * can change that.
 */
import type { Hex } from 'viem'
import { classOf, type PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Expression } from '../code/effects.ts'
import { evaluate, slotsRead } from '../code/expressions.ts'
import { canonical, mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import type { Position } from '../code/positions.ts'
import { guardingOf } from '../powers/acts.ts'
import type { CodePower } from '../powers/code-powers.ts'
import type { Dependency } from '../powers/dependencies.ts'
import type { Guard } from '../powers/guards.ts'
import type { OpenStore, StateCondition } from '../powers/open-stores.ts'
import { ALL_BITS } from '../powers/stored-bits.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { withPlausibleLengths } from './plausible-lengths.ts'
import { codesOf, librariesOf } from './running-codes.ts'

/** Code can be made to have far more. */
const MAX_STORES = 1_000

/** Bits of a position that decide about something. */
type Held = { readonly position: Position; readonly bits: bigint }

/** What a store makes of a guard: every caller passes it, another account does, or it is not known who does. */
type Taking = { readonly store: OpenStore; readonly who: 'any' | 'unknown' | Guard }

/** The powers, with the accounts that every caller can make pass their guards, and the functions by which it can. */
export function withTakenKeys(facts: Facts, powers: readonly CodePower[]): readonly CodePower[] {
  const harmful = powers.filter(({ effect, grants }) => classOf(effect, grants) !== 'info')
  const dependencies = codesOf(facts).codes.flatMap((code) => code.powers.dependencies)
  if (dependencies.length === 0 && harmful.every(({ guards }) => guards.length === 0)) return powers
  const stores = storesOf(facts)
  if (stores.length > MAX_STORES) return powers.map((power) => ({ ...power, unknown: power.unknown ?? 'taken' }))
  const takings = new Map<string, readonly Taking[]>()
  const takingsOf = (guard: Guard): readonly Taking[] => {
    const key = JSON.stringify(guard)
    const known = takings.get(key) ?? takingsIn(facts, stores, guard)
    takings.set(key, known)
    return known
  }
  each([...harmful.flatMap(({ guards }) => guards), ...dependencies], takingsOf)
  const granted = new Map<OpenStore, { readonly who: Set<Taking['who']>; readonly grants: Set<PowerEffect> }>()
  const judged = powers.map((power): CodePower => {
    if (!harmful.includes(power)) return power
    const guards = [...power.guards]
    const whos: Taking['who'][] = []
    // An account that a slot names may be replaced in turn.
    for (const guard of guards)
      for (const { store, who } of takingsOf(guard)) {
        const found = granted.get(store) ?? { who: new Set(), grants: new Set() }
        granted.set(store, found)
        found.who.add(who)
        for (const effect of power.effect === 'grant' ? (power.grants ?? []) : [power.effect]) found.grants.add(effect)
        whos.push(who)
        if (typeof who !== 'string' && !guards.some((other) => JSON.stringify(other) === JSON.stringify(who)))
          guards.push(who)
      }
    return { ...power, guards, ...takenBy(whos, power) }
  })
  const appointing = [...granted].map(
    ([{ selector }, { who, grants }]): CodePower => ({
      selector,
      effect: 'grant',
      evidence: 'code',
      guards: [...who].filter((each) => typeof each !== 'string'),
      ...takenBy([...who], {}),
      grants: [...grants],
    }),
  )
  return [...judged, ...appointing, ...dependencies.flatMap((dependency) => replacedIn(dependency, takingsOf))]
}

/** The functions by which every caller chooses a contract that functions call. Stores that may be anywhere are judged apart. */
function replacedIn(dependency: Dependency, takingsOf: (guard: Guard) => readonly Taking[]): readonly CodePower[] {
  const slots: Guard[] = [dependency]
  const found: CodePower[] = []
  for (const slot of slots)
    for (const { store, who } of takingsOf(slot)) {
      if (canonical(store.position).type !== 'slot') continue
      if (typeof who === 'string') {
        const { selector } = store
        found.push({ selector, effect: 'set_dependency', evidence: 'code', guards: [], ...takenBy([who], {}) })
      } else if (!slots.some((other) => JSON.stringify(other) === JSON.stringify(who))) slots.push(who)
    }
  return found
}

/** Whether the storage prevents all stores of a function that every caller may use, as after an initialization. */
export function isPrevented(facts: Facts, selector: Hex): boolean {
  const stores = storesOf(facts)
  const own = stores.filter((store) => store.selector === selector)
  const prevented = stores.length > MAX_STORES ? undefined : lastingly(failingOf(facts, stores, own))
  return own.length > 0 && own.every((store) => prevented?.has(store) === true)
}

const takenBy = (
  whos: readonly Taking['who'][],
  { unknown }: Pick<CodePower, 'unknown'>,
): Pick<CodePower, 'isTaken' | 'unknown'> => ({
  ...(whos.includes('any') && { isTaken: true }),
  ...(unknown === undefined && whos.includes('unknown') && { unknown: 'taken' }),
})

/** What every caller can store, by the code that runs on the storage and by the libraries that it calls. */
function storesOf(facts: Facts): readonly OpenStore[] {
  const { codes } = codesOf(facts)
  const librariesAt = librariesOf(facts)
  const effects = codes.flatMap((code) => code.effects.effects)
  const isHidden = hiddenBy(codes[0])
  const own = codes.flatMap(({ powers }, at) =>
    at === 0 ? powers.openStores : powers.openStores.filter(({ selector }) => !isHidden(selector)),
  )
  const called = each(
    codes.flatMap(({ powers }) => powers.libraryCalls),
    ({ selector, target, runs, guards, unknown }) =>
      guards.length > 0 || unknown !== undefined
        ? []
        : (librariesAt(target) ?? [])
            .flatMap((library) => library.openStores)
            .filter((store) => (runs === undefined || store.selector === runs) && isFixed(store.position))
            .map((store) => ({ ...store, selector })),
  )
  return [...own, ...called.flat()].map((store) => withPlausibleLengths(facts, store, effects))
}

/** Functions of other code that no call reaches: the code of the contract has functions of the same names, and keeps them. */
function hiddenBy(code: CodeFacts | undefined): (selector: Hex) => boolean {
  const runs = code?.effects.effects.filter(({ kind }) => kind === 'delegatecall') ?? []
  if (code === undefined || runs.some(({ isRenamed }) => isRenamed === true)) return () => false
  const passedOn = new Set(runs.map(({ selector }) => selector))
  const kept = new Set(code.powers.functions.map(({ selector }) => selector).filter((each) => !passedOn.has(each)))
  return (selector) => kept.has(selector)
}

/** Libraries write to places that the calling contract passes, which their own code does not show. */
const isFixed = ({ type }: Position): boolean => type === 'slot' || type === 'table'

const heldBy = (guard: Guard): readonly Held[] =>
  guardingOf(guard).map(({ position, bits }) => ({
    position,
    bits: guard.type === 'member' ? BigInt(guard.mask) : bits,
  }))

function takingsIn(facts: Facts, stores: readonly OpenStore[], guard: Guard): readonly Taking[] {
  const held = heldBy(guard)
  const hitting = stores.filter(({ isClear, ...store }) => isClear !== true && held.some((each) => hits(store, each)))
  const failing = failingOf(facts, stores, hitting)
  const prevented = lastingly(failing)
  return hitting.flatMap((store): readonly Taking[] => {
    if (prevented.has(store)) return []
    const isNow = failing.get(store)?.length === 0
    const isSure = isNow && store.isConditional !== true && held.some((each) => isExact(store, each))
    const who = isSure ? appointed(store, guard) : 'unknown'
    return JSON.stringify(who) === JSON.stringify(guard) ? [] : [{ store, who }]
  })
}

/** The account that passes a guard after a store. */
function appointed({ position, stores }: OpenStore, guard: Guard): Taking['who'] {
  if (guard.type === 'slot') return stores ?? 'unknown'
  if (guard.type !== 'member') return stores === 'any' ? stores : 'unknown'
  if (position.type !== 'table' || stores === undefined) return 'unknown'
  const keys = position.keys.filter((_, at) => guard.table.keys[at] === 'caller')
  if (keys.every((key) => key === 'caller' || key === '?0')) return 'any'
  const [only, ...others] = keys
  return only?.startsWith('0x') === true && others.length === 0
    ? { type: 'constant', address: `0x${only.slice(-40)}` }
    : 'unknown'
}

const isExact = ({ position: written }: Pick<OpenStore, 'position'>, { position }: Held): boolean => {
  const [a, b] = [canonical(written), canonical(position)]
  return a.type === b.type && (a.type === 'slot' || a.type === 'table')
}

function hits(store: Pick<OpenStore, 'position' | 'bits'>, held: Held): boolean {
  if (!mayHit(store.position, held.position)) return false
  return !isExact(store, held) || (BigInt(store.bits) & held.bits) !== 0n
}

/** A condition that the storage contradicts, by the stores that may change the bits that it depends on. */
type Failing = readonly OpenStore[]

/** The conditions of these stores that the storage contradicts, and those of the stores that may change that. */
function failingOf(
  facts: Facts,
  stores: readonly OpenStore[],
  of: readonly OpenStore[],
): Map<OpenStore, readonly Failing[]> {
  const found = new Map<OpenStore, readonly Failing[]>()
  for (let next = of; next.length > 0; ) {
    const failing = each(next, (store) =>
      each(store.conditions, (condition) => (holdsNow(facts, condition) ? [] : [condition])).flat(),
    )
    for (const [at, store] of next.entries())
      found.set(
        store,
        (failing[at] ?? []).map(({ expression }) => {
          const marks = slotsRead(expression).map(
            (slot): Held => ({ position: { type: 'slot', slot }, bits: bitsOf(expression, slot) }),
          )
          return stores.filter((other) => marks.some((mark) => hits(other, mark)))
        }),
      )
    next = [...new Set(next.flatMap((store) => found.get(store)?.flat() ?? []))].filter((store) => !found.has(store))
  }
  return found
}

/** The stores that the storage prevents as long as no privileged caller changes it. */
function lastingly(failing: ReadonlyMap<OpenStore, readonly Failing[]>): ReadonlySet<OpenStore> {
  const prevented = new Set([...failing.keys()].filter((store) => failing.get(store)?.length !== 0))
  for (let size = -1; size !== prevented.size; ) {
    size = prevented.size
    for (const store of prevented)
      if (failing.get(store)?.some((changing) => changing.every((other) => prevented.has(other))) !== true)
        prevented.delete(store)
  }
  return prevented
}

/** Whether a condition holds, or may hold. */
function holdsNow(facts: Facts, { expression, isZero }: StateCondition): boolean {
  const slots = slotsRead(expression)
  const words = new Map(each(slots, (slot) => [slot, BigInt(facts.storage(slot) ?? 0)] as const))
  const value = evaluate(expression, BigInt(facts.state.address), words)
  return value === undefined || (value === 0n) === isZero
}

/** The bits of a slot that an expression depends on. */
function bitsOf(expression: Expression, slot: Hex, bits = ALL_BITS): bigint {
  if (typeof expression === 'string') return 0n
  if ('stored' in expression) return expression.stored === slot ? bits : 0n
  const [op, left, right] = expression
  const constant = typeof left === 'string' && left !== 'self' ? BigInt(left) : undefined
  if (constant !== undefined && right !== undefined) {
    if (op === OP.AND) return bitsOf(right, slot, bits & constant)
    if (op === OP.SHR && constant < 256n) return bitsOf(right, slot, (bits << constant) & ALL_BITS)
  }
  const [, ...operands] = expression
  return operands.reduce((sum: bigint, operand) => sum | bitsOf(operand, slot), 0n)
}
