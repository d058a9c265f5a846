/**
 * Whether events name every account that has an entry in a table of storage.
 *
 * They do if every store of the table by code that runs or ran reports the account, and if the storage that the contract
 * was created with holds no entry that events do not name: the code that created it may have stored one without an event.
 */
import type { Hex } from 'viem'
import type { Position } from '../code/positions.ts'
import type { CodeFacts } from './code-facts.ts'
import { codeThatRan } from './code-history.ts'
import type { Facts } from './facts.ts'
import { hasOnlyKnownEntries, isPlain, setsOfMembers } from './known-entries.ts'
import { withPlausibleLengths } from './plausible-lengths.ts'
import { ProtectedStorage } from './protected-storage.ts'
import { codesOf } from './running-codes.ts'
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
  return codeThatRan(facts, codes)
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
