/**
 * All code that ever ran on the storage of a contract. It may have filled tables without an event.
 *
 * Earlier code is known if a log reports each change of a pointer to code, and if the pointer of the first block is known.
 */
import type { Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Effect } from '../code/effects.ts'
import { mayHit } from '../code/hits.ts'
import type { Target } from '../code/targets.ts'
import { accountIn } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { withPlausibleLengths } from './plausible-lengths.ts'
import { isExcludedAt } from './running-code.ts'
import { codesOf } from './running-codes.ts'

export const UPGRADED = toEventSelector('Upgraded(address)')
const MAX_CODES = 64
const MAX_DEPTH = 4

/** Undefined where code may have run that is not known. `running`: what runs now. */
export function codeThatRan(facts: Facts, running: readonly CodeFacts[], depth = 0): readonly CodeFacts[] | undefined {
  const found = new Map<Hex, CodeFacts>()
  const slots = new Set<Hex>()
  const named = namedCodes(facts)
  let open = allOf([running, named])
  while (open !== undefined && open.length > 0) {
    const added = open.filter((code) => !found.has(code.hash))
    for (const code of added) found.set(code.hash, code)
    if (found.size > MAX_CODES) return undefined
    open = allOf(each(added, (code) => codesRunBy(facts, code, slots, depth)))
  }
  const codes = [...found.values()]
  return open !== undefined && areReported(facts, codes, [...slots]) ? codes : undefined
}

/** The code that a code may run on the same storage. What logs name is known without it. Adds the pointers to code. */
function codesRunBy(facts: Facts, code: CodeFacts, slots: Set<Hex>, depth: number): readonly CodeFacts[] | undefined {
  if (code.cloneOf !== undefined) return codesAt(facts, [code.cloneOf])
  if (code.delegatedTo !== undefined || !code.effects.settled) return undefined
  return allOf(
    each(possibleEffects(facts, code), (effect) => {
      const { kind, target } = effect
      // Another contract may have been created at the address before, with the same code.
      if (kind === 'selfdestruct') return undefined
      if (kind !== 'delegatecall' || target?.type === 'self') return []
      if (target?.type === 'constant') return codesAt(facts, [target.address])
      if (target?.type === 'slot') return firstCode(facts, target, slots)
      if (target?.type === 'returned') return codesOfBeacon(facts, target, slots, depth)
      return target?.type === 'input' && isNamed(effect) ? [] : undefined
    }),
  )
}

/** The code that a slot pointed to in the first block. */
function firstCode(
  facts: Facts,
  { slot, shift }: Target & { readonly type: 'slot' },
  slots: Set<Hex>,
): readonly CodeFacts[] | undefined {
  slots.add(slot)
  const first = facts.firstStorage(slot)
  return first === undefined ? undefined : codesAt(facts, [accountIn(first, shift)])
}

/** The code that a beacon ever named, if the contract always had this beacon. */
function codesOfBeacon(
  facts: Facts,
  { by, selector }: Target & { readonly type: 'returned' },
  slots: Set<Hex>,
  depth: number,
): readonly CodeFacts[] | undefined {
  if (depth >= MAX_DEPTH || (by.type !== 'slot' && by.type !== 'constant')) return undefined
  if (by.type === 'slot') {
    slots.add(by.slot)
    if (facts.firstStorage(by.slot) !== (facts.storage(by.slot) ?? NO_WORD)) return undefined
  }
  const address = by.type === 'constant' ? by.address : accountIn(facts.storage(by.slot) ?? NO_WORD, by.shift)
  const beacon = facts.sameChain(address)
  const running = codesOf(beacon)
  const codes = running.isComplete && !running.isListed ? codeThatRan(beacon, running.codes, depth + 1) : undefined
  if (codes === undefined) return undefined
  const answers = codes.flatMap((code) => code.effects.answers.filter((answer) => answer.selector === selector))
  if (answers.length === 0) return undefined
  const pointers = new Set<Hex>()
  const first = each(answers, ({ is }) => {
    if (is.type === 'constant') return codesAt(facts, [is.address])
    return is.type === 'slot' ? firstCode(beacon, is, pointers) : undefined
  })
  return areReported(beacon, codes, [...pointers]) ? allOf([...first, namedCodes(beacon)]) : undefined
}

const NO_WORD: Hex = `0x${'0'.repeat(64)}`

const namedCodes = (facts: Facts): readonly CodeFacts[] | undefined =>
  codesAt(facts, facts.members('history')?.logics ?? [])

/** Whether a log names every value that these slots get. */
function areReported(facts: Facts, codes: readonly CodeFacts[], slots: readonly Hex[]): boolean {
  const effects = codes.flatMap((code) => possibleEffects(facts, code))
  return each(effects, (effect) => {
    const { kind, position } = withPlausibleLengths(facts, effect, effects)
    const isMoved =
      kind === 'store' && position !== undefined && slots.some((slot) => mayHit(position, { type: 'slot', slot }))
    return !isMoved || isNamed(effect)
  }).every(Boolean)
}

/** Undefined where code was destroyed, and can no longer be read. */
function codesAt(facts: Facts, addresses: readonly Hex[]): readonly CodeFacts[] | undefined {
  const codes = each(
    addresses.filter((address) => BigInt(address) > 0xffffn && !isBurnAddress(address)),
    (address) => facts.sameChain(address).code(),
  )
  return codes.includes(undefined) ? undefined : codes.filter((code) => code !== undefined)
}

/** Undefined where one of the lists is. */
const allOf = (lists: readonly (readonly CodeFacts[] | undefined)[]): readonly CodeFacts[] | undefined =>
  lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])

/** A condition is excluded for all times only if it depends on no storage. */
const possibleEffects = ({ state }: Facts, { effects }: CodeFacts): readonly Effect[] =>
  effects.effects.filter(({ conditions }) => !conditions.some((condition) => isExcludedAt(state.address, condition)))

const isNamed = ({ reportedBy }: Effect): boolean => reportedBy === UPGRADED
