/** The `controlProfile` field of API responses. */
import type { z } from 'zod'
import { LABEL_TONES, LABELS, type Label, type Tone } from '../../../../vocabulary/labels.ts'
import { type Reason, reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { controlSummary } from './schemas.ts'

export type ProfileView = { readonly label: Label; readonly tone: Tone; readonly reasons: readonly string[] }

export type StoredProfile = { readonly label: string; readonly stale: boolean; readonly reasons: readonly Reason[] }

const UNPROFILED: ProfileView = {
  label: 'unknown',
  tone: LABEL_TONES.unknown,
  reasons: reasonTexts([{ code: 'not_profiled' }]),
}

/** `/v1` has no field for a stale profile, so a reason states it. */
export function profileView(stored: StoredProfile | undefined): ProfileView {
  if (stored === undefined) return UNPROFILED
  const label = labelOf(stored.label)
  const isStated = !stored.stale || stored.reasons.some(({ code }) => code === 'stale')
  const reasons: readonly Reason[] = isStated ? stored.reasons : [...stored.reasons, { code: 'stale', failed: [] }]
  return { label, tone: LABEL_TONES[label], reasons: reasonTexts(reasons) }
}

/** Reads a stored label. A contract without a profile has the label unknown. */
export const labelOf = (text: string | null): Label => LABELS.find((known) => known === text) ?? 'unknown'

export type ControlSummary = z.input<typeof controlSummary>

export function summaryOf(counts: ReadonlyMap<Label, number>): ControlSummary {
  const count = (label: Label): number => counts.get(label) ?? 0
  return {
    total: counts.values().reduce((sum, each) => sum + each, 0),
    singleKey: count('single_key'),
    multisig: count('multisig'),
    shortTimelock: count('short_timelock'),
    timelocked: count('timelocked'),
    immutable: count('immutable'),
    unknown: count('unknown'),
  }
}

/** Counts contracts by their labels. */
export function summaryOfLabels(labels: readonly (string | null)[]): ControlSummary {
  return summaryOf(new Map([...Map.groupBy(labels, labelOf)].map(([label, { length }]) => [label, length])))
}
