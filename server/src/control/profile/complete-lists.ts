/**
 * Whether events name every account that has an entry in a table of storage.
 *
 * They do if every store of the table by code that runs or ran reports the account, and if the storage that the contract
 * was created with holds no entry that events do not name: the code that created it may have stored one without an event.
 */
import type { Hex } from 'viem'
import type { Effect } from '../code/effects.ts'
import { mayHit } from '../code/hits.ts'
import type { Position } from '../code/positions.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { hasOnlyKnownEntries, isPlain, setsOfMembers } from './known-entries.ts'
import { ProtectedStorage } from './protected-storage.ts'
import { codesOf, targetsOf } from './running-codes.ts'
import { UnreadSignal } from './state.ts'

/** Mappings whose first entries are looked up. */
const MAX_TABLES = 16

/** `list`: with `?0` for each key that is not fixed. `event`: the first topic of the event that reports an entry. */
export function isNamedByEvents(facts: Facts, list: Position, event: Hex): boolean {
  const codes = allCodes(facts)
  if (codes === undefined) return false
  const storage = new ProtectedStorage()
  storage.addList(list, event)
  const effects = codes.flatMap((code) => code.effects.effects)
  if (effects.some((effect) => storage.isSilent(withPlausibleLengths(facts, effect, effects)))) return false
  const slots = effects.flatMap(({ position }) => (position?.type === 'slot' ? [position.slot] : []))
  const tables = new Set(effects.flatMap(({ position }) => (isOther(position, list) ? [position.base] : [])))
  const known = { slots, tables: [...tables].slice(0, MAX_TABLES), sets: setsOfMembers(effects, storage) }
  const isKnown = (when: 'now' | 'created'): boolean => hasOnlyKnownEntries(facts, storage, when, known)
  return isKnown('created') || whereRead(() => isKnown('now'))
}

/** A mapping of one key that is not the list, such as balances. */
const isOther = (position: Position | undefined, list: Position): position is Position & { readonly type: 'table' } =>
  position?.type === 'table' &&
  position.keys.length === 1 &&
  isPlain(position.base) &&
  !(list.type === 'table' && list.base === position.base)

/** All code that runs or ran on the storage; undefined where it is not known or could not be followed. */
function allCodes(facts: Facts): readonly CodeFacts[] | undefined {
  const { codes, isComplete, isListed } = codesOf(facts)
  if (!isComplete || isListed) return undefined
  const logics = facts.members('history')?.logics ?? []
  const earlier = each(logics, (address) => facts.sameChain(address).code()).filter((code) => code !== undefined)
  // Code that was destroyed can no longer be read.
  if (earlier.length < logics.length) return undefined
  const found = new Map<Hex, CodeFacts>()
  const queue = [...codes, ...earlier]
  for (let code = queue.pop(); code !== undefined; code = queue.pop()) {
    if (found.has(code.hash)) continue
    if (!code.effects.settled) return undefined
    found.set(code.hash, code)
    const run = each(code.effects.effects, ({ kind, target }) => {
      if (kind !== 'delegatecall') return []
      // Code that an upgrade names runs at once; events name it too.
      const isNamed = target?.type === 'input' && logics.length > 0
      return isNamed ? [] : targetsOf(facts, target)
    })
    if (run.includes(undefined)) return undefined
    const addresses = [...new Set(run.flatMap((targets) => targets ?? []))]
    queue.push(...each(addresses, (address) => facts.sameChain(address).code()).filter((other) => other !== undefined))
  }
  return [...found.values()]
}

/** A store at an index counts as one anywhere if the length that bounds the index may be any number. */
export function withPlausibleLengths<T extends Pick<Effect, 'position'>>(
  facts: Facts,
  effect: T,
  all: readonly Effect[],
): T {
  const { position } = effect
  if (position === undefined || !('lengths' in position) || position.lengths === undefined) return effect
  const isPlausible = position.lengths.every((length) => {
    if (length.type === 'slot' && BigInt(facts.storage(length.slot) ?? 0) >= 1n << 64n) return false
    return all.every(
      ({ kind, isCount, position: stored }) =>
        kind !== 'store' || isCount === true || stored === undefined || !mayHit(stored, length),
    )
  })
  return isPlausible ? effect : { ...effect, position: { type: 'anywhere' } }
}

/** What no endpoint can prove is not known. It does not keep the last powers, because no later poll would be better. */
function whereRead(isKnown: () => boolean): boolean {
  try {
    return isKnown()
  } catch (signal) {
    if (signal instanceof UnreadSignal) return false
    throw signal
  }
}
