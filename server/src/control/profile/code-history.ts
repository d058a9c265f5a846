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
import { isExcludedAt, keepsFunction } from './running-code.ts'
import { codesOf } from './running-codes.ts'

export const UPGRADED = toEventSelector('Upgraded(address)')
const MAX_CODES = 64
const MAX_DEPTH = 4

/** Code that ran on a storage, and the block in which it was named; zero where it may have run from the first block on. */
type Ran = { readonly code: CodeFacts; readonly named: number }

/** Slots that point to code, and to contracts that answer which code runs. */
type Slots = { readonly pointers: Set<Hex>; readonly beacons: Set<Hex> }

/** Undefined where code may have run that is not known. `running`: what runs now. */
export function codeThatRan(facts: Facts, running: readonly CodeFacts[]): readonly CodeFacts[] | undefined {
  const ran = allThatRan(facts, 0)
  const all = ran === undefined ? undefined : [...running, ...ran.map(({ code }) => code)]
  return all && [...new Map(all.map((code) => [code.hash, code])).values()]
}

function allThatRan(facts: Facts, depth: number): readonly Ran[] | undefined {
  const found = new Map<string, Ran>()
  const slots: Slots = { pointers: new Set(), beacons: new Set() }
  const own = facts.code()
  let open: readonly Ran[] | undefined = own === undefined ? undefined : [{ code: own, named: 0 }]
  while (open !== undefined && open.length > 0) {
    const added = open.filter((ran) => !found.has(keyOf(ran)))
    for (const ran of added) found.set(keyOf(ran), ran)
    if (found.size > MAX_CODES) return undefined
    open = allOf(each(added, (ran) => codesRunBy(facts, ran, slots, depth)))
  }
  const all = [...found.values()]
  return open !== undefined && areReported(facts, all, slots) ? all : undefined
}

const keyOf = ({ code, named }: Ran): string => `${code.hash}${named}`

/** The code that a code may run on the same storage. Adds the pointers to code. */
function codesRunBy(facts: Facts, { code, named }: Ran, slots: Slots, depth: number): readonly Ran[] | undefined {
  if (code.cloneOf !== undefined) return codesAt(facts, facts, [code.cloneOf], named)
  if (code.delegatedTo !== undefined || !code.effects.settled) return undefined
  return allOf(
    each(possibleEffects(facts, code), (effect) => {
      const { kind, target } = effect
      // Another contract may have been created at the address before, with the same code.
      if (kind === 'selfdestruct') return undefined
      if (kind !== 'delegatecall' || target?.type === 'self') return []
      if (target?.type === 'constant') return codesAt(facts, facts, [target.address], named)
      if (target?.type === 'slot')
        return allOf([firstCode(facts, facts, target, slots.pointers), namedCodes(facts, facts)])
      if (target?.type === 'returned') return codesOfBeacon(facts, target, slots, named, depth)
      return target?.type === 'input' && isNamed(effect) ? namedCodes(facts, facts) : undefined
    }),
  )
}

/** The code that a slot pointed to in the first block. `on`: where that code runs, if it is the pointer of a beacon. */
function firstCode(
  facts: Facts,
  on: Facts,
  { slot, shift }: Target & { readonly type: 'slot' },
  pointers: Set<Hex>,
): readonly Ran[] | undefined {
  pointers.add(slot)
  const first = facts.firstStorage(slot)
  return first === undefined ? undefined : codesAt(facts, on, [accountIn(first, shift)], 0)
}

/** The code that a beacon ever named, if the contract always had this beacon. */
function codesOfBeacon(
  facts: Facts,
  { by, selector }: Target & { readonly type: 'returned' },
  slots: Slots,
  named: number,
  depth: number,
): readonly Ran[] | undefined {
  if (depth >= MAX_DEPTH || (by.type !== 'slot' && by.type !== 'constant')) return undefined
  if (by.type === 'slot') {
    slots.beacons.add(by.slot)
    if (facts.firstStorage(by.slot) !== (facts.storage(by.slot) ?? NO_WORD)) return undefined
  }
  const address = by.type === 'constant' ? by.address : accountIn(facts.storage(by.slot) ?? NO_WORD, by.shift)
  const beacon = facts.sameChain(address)
  const running = codesOf(beacon)
  const ran = running.isComplete && !running.isListed ? allThatRan(beacon, depth + 1) : undefined
  if (ran === undefined || !beacon.hadSameCode({ on: facts.state.address, named })) return undefined
  const pointers = new Set<Hex>()
  const answered = each(ran, ({ code, named: since }) =>
    allOf(
      each(
        code.effects.answers.filter((answer) => answer.selector === undefined || answer.selector === selector),
        ({ is }) => {
          if (is.type === 'constant') return codesAt(beacon, facts, [is.address], since)
          if (is.type === 'slot') return firstCode(beacon, facts, is, pointers)
          // The code that is run answers itself, if it gets the same input.
          return is.type === 'forwarded' && keepsInput(code, selector) ? [] : undefined
        },
      ),
    ),
  )
  const codes = allOf([...answered, namedCodes(beacon, facts)])
  return areReported(beacon, ran, { pointers, beacons: new Set() }) ? codes : undefined
}

const keepsInput = ({ effects: { effects } }: CodeFacts, selector: Hex): boolean =>
  effects.every(
    (effect) => effect.kind !== 'delegatecall' || keepsFunction(effect) || (effect.selector ?? selector) !== selector,
  )

const NO_WORD: Hex = `0x${'0'.repeat(64)}`

/** The code that logs of a contract name. `on`: where it runs. */
const namedCodes = (facts: Facts, on: Facts): readonly Ran[] | undefined =>
  allOf(
    each([...(facts.members('history')?.logicBlocks ?? [])], ([logic, block]) => codesAt(facts, on, [logic], block)),
  )

/** Whether a log names every value that pointers get, and no beacon is replaced: what another one named is not known. */
function areReported(facts: Facts, ran: readonly Ran[], { pointers, beacons }: Slots): boolean {
  const effects = ran.flatMap(({ code }) => possibleEffects(facts, code))
  return each(effects, (effect) => {
    const { kind, position } = withPlausibleLengths(facts, effect, effects)
    const mayMove = (slots: ReadonlySet<Hex>): boolean =>
      kind === 'store' && position !== undefined && [...slots].some((slot) => mayHit(position, { type: 'slot', slot }))
    return !mayMove(beacons) && (!mayMove(pointers) || isNamed(effect))
  }).every(Boolean)
}

/**
 * Undefined where code was destroyed, and can no longer be read, or where other code may have been there when it ran first:
 * code that its own transaction destroys is in no block.
 */
function codesAt(facts: Facts, on: Facts, addresses: readonly Hex[], named: number): readonly Ran[] | undefined {
  const codes = each(
    addresses.filter((address) => BigInt(address) > 0xffffn && !isBurnAddress(address)),
    (address) => {
      const there = facts.sameChain(address)
      const code = there.code()
      return code !== undefined && there.hadSameCode({ on: on.state.address, named }) ? { code, named } : undefined
    },
  )
  return codes.includes(undefined) ? undefined : codes.filter((code) => code !== undefined)
}

/** Undefined where one of the lists is. */
const allOf = (lists: readonly (readonly Ran[] | undefined)[]): readonly Ran[] | undefined =>
  lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])

/** A condition is excluded for all times only if it depends on no storage. */
const possibleEffects = ({ state }: Facts, { effects }: CodeFacts): readonly Effect[] =>
  effects.effects.filter(({ conditions }) => !conditions.some((condition) => isExcludedAt(state.address, condition)))

const isNamed = ({ reportedBy }: Effect): boolean => reportedBy === UPGRADED
