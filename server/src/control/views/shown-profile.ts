/** A stored profile as answers show it: what is not known is said, never guessed. */
import { LABEL_TONES, LABELS, type Label, type Tone } from '../../../../vocabulary/labels.ts'

export type ShownProfile = { readonly label: Label; readonly tone: Tone; readonly reasons: readonly string[] }

type Stored = { readonly label: string; readonly stale: boolean; readonly reasons: readonly string[] }

const NOT_PROFILED: ShownProfile = { label: 'unknown', tone: LABEL_TONES.unknown, reasons: ['Not profiled yet.'] }
const STALE = 'Not everything could be read at the last look, so this is the last profile that was settled.'

/** The interface has no field for it, so a reason says that a profile is stale, where the profile itself does not. */
export function shownProfile(stored: Stored | undefined): ShownProfile {
  if (stored === undefined) return NOT_PROFILED
  const label = LABELS.find((known) => known === stored.label) ?? 'unknown'
  const isSaid = !stored.stale || stored.reasons.some((reason) => reason.startsWith('Not everything could be read'))
  return { label, tone: LABEL_TONES[label], reasons: isSaid ? stored.reasons : [...stored.reasons, STALE] }
}
