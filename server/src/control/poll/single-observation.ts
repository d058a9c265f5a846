/**
 * Changes that only one of several endpoints could be asked about.
 *
 * Pure. The others may be away for a moment or for good. So one endpoint's word is not believed at once, and is believed
 * once it has been the only one for long enough: else a label greener than what was read would stand for as long as the
 * others are away.
 */
import type { SlotChange } from './snapshot.ts'

/** By field: what was said, and since when, in milliseconds by the clock of the chain. */
export type LoneWords = Readonly<Record<string, { readonly current: string | null; readonly since: number }>>

const LONG_ENOUGH_MS = 600_000

export function isLongEnough(words: LoneWords, { field, current }: SlotChange, now: number): boolean {
  const word = words[field]
  return word !== undefined && word.current === current && now - word.since >= LONG_ENOUGH_MS
}

/** What the next look has to know: another value, or a look at which somebody else spoke, begins anew. */
export function nextWords(words: LoneWords, alone: readonly SlotChange[], now: number): LoneWords {
  return Object.fromEntries(
    alone.map(({ field, current }) => {
      const word = words[field]
      return [field, word?.current === current ? word : { current, since: now }]
    }),
  )
}
