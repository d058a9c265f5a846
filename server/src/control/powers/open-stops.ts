/** What every caller can stop. */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { actsOf, type Context, slotWritten } from './acts.ts'
import { type CodeFunction, isStoreIn, lockSlots } from './functions.ts'
import { isChange, mentions } from './guards.ts'
import { isMetByAll } from './plain-conditions.ts'
import { stopping } from './stops.ts'

/** A log that a contract is paused, and stores that transfers of all accounts, or of one that the caller names, depend on. */
export function openStops(each: CodeFunction, context: Context): readonly PowerEffect[] {
  const { effects, accessAtAny, isView, isOnce, access } = each
  if (isView || access.type === 'guarded') return []
  const locks = lockSlots(effects.filter(isChange))
  // That it is not stopped yet is no condition about the caller.
  const known = new Set([...locks, ...effects.flatMap(slotWritten)])
  const acts = effects.flatMap((effect) => {
    // A function that runs once is over, unless it stops what it asks for.
    if (isOnce && !isAsked(effect)) return []
    if (accessAtAny([effect]).type !== 'open' || !isMetByAll(effect, effects, known)) return []
    if (effect.kind === 'log')
      return actsOf(effect, context, { guards: [], chosen: [] }).filter((act) => act === 'pause')
    // An entry of the caller is its own.
    const isOwn = effect.subject.hasCaller || isStoreIn(effect, locks)
    return effect.kind === 'store' && !isOwn ? stopping(effect, context.stops) : []
  })
  return [...new Set(acts)]
}

/** Whether a condition of a store is about what was stored there before. */
const isAsked = ({ kind, subject, facts }: RawEffect): boolean =>
  kind === 'store' &&
  facts.some(({ term }) => mentions(term, (part) => part.kind === 'stored' && part.args[0] === subject))
