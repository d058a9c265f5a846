/** The `controlProfile` field of API responses. */
import type { z } from 'zod'
import { LABEL_TONES, LABELS, type Label, type Tone } from '../../../../vocabulary/labels.ts'
import { type Reason, reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { findProfile, getProtocolLabels } from '../poll/profile-store.ts'
import { findProtocol } from '../registry/contracts.ts'
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

type BadgeProfile = { readonly label: Label; readonly stale: boolean; readonly name?: string | undefined }
type BadgeProtocol = { readonly name: string; readonly labels: readonly Label[] }

export type BadgeProfiles = {
  readonly findProfile: (chainId: number, address: Hex) => Promise<BadgeProfile | undefined>
  /** `text` is a label or slug, in any case. */
  readonly findProtocol: (text: string) => Promise<BadgeProtocol | undefined>
}

export function createBadgeProfiles({ database }: { readonly database: Queryable }): BadgeProfiles {
  return {
    findProfile: async (chainId, address) => {
      const found = await findProfile(database, { chainId, address })
      return found === undefined
        ? undefined
        : { label: labelOf(found.label), stale: found.stale, name: found.name ?? undefined }
    },
    findProtocol: async (slug) => {
      const protocol = await findProtocol(database, slug)
      if (protocol === undefined) return undefined
      return { name: protocol.label, labels: (await getProtocolLabels(database, protocol.id)).map(labelOf) }
    },
  }
}
