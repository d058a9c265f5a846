/** The `controlProfile` field of API responses. */
import type { z } from 'zod'
import {
  holderLabelText,
  LABEL_TONES,
  LABELS,
  type Label,
  type Leader,
  labelText,
  type Tone,
} from '../../../../vocabulary/labels.ts'
import {
  decisivePower,
  type Power,
  powerText,
  type ShortPower,
  shortPowerText,
  toneOf,
  UNKNOWN_HOLDERS,
} from '../../../../vocabulary/powers.ts'
import { type Reason, reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { findProfile, getProtocolLabels } from '../poll/profile-store.ts'
import { findProtocol } from '../registry/contracts.ts'
import type { controlSummary, power } from './schemas.ts'

export type ProfileView = {
  readonly label: Label
  readonly text: string
  readonly tone: Tone
  readonly reasons: readonly string[]
}

/** `tone`: null if it is that of the label. */
export type StoredProfile = {
  readonly label: string
  readonly tone?: Tone | null
  readonly leader?: Leader | null
  readonly stale: boolean
  readonly reasons: readonly Reason[]
}

const UNPROFILED: ProfileView = {
  label: 'unknown',
  text: labelText('unknown'),
  tone: LABEL_TONES.unknown,
  reasons: reasonTexts([{ code: 'not_profiled' }]),
}

/** `/v1` has no field for a stale profile, so a reason states it. */
export function profileView(stored: StoredProfile | undefined): ProfileView {
  if (stored === undefined) return UNPROFILED
  const label = labelOf(stored.label)
  const isStated = !stored.stale || stored.reasons.some(({ code }) => code === 'stale')
  const reasons: readonly Reason[] = isStated ? stored.reasons : [...stored.reasons, { code: 'stale', failed: [] }]
  return {
    label,
    text: labelText(label, stored.leader),
    tone: stored.tone ?? LABEL_TONES[label],
    reasons: reasonTexts(reasons),
  }
}

type PowerView = z.input<typeof power>

/** `powers`: null if they were not analyzed. */
export function powersView(powers: readonly Power[] | null | undefined): PowerView[] | null {
  if (powers === null || powers === undefined) return null
  return powers.map((each) => ({
    effect: each.effect,
    class: each.class,
    functions: [...each.functions],
    holders: each.holders.map(({ leader, threshold = null, owners = null, ...holder }) => ({
      ...holder,
      labelText: holderLabelText(holder.label, leader),
      threshold,
      owners,
    })),
    label: each.label,
    delaySeconds: each.delaySeconds,
    isOpen: each.isOpen === true,
    unknown: each.unknown === undefined ? null : UNKNOWN_HOLDERS[each.unknown],
    summary: powerText(each),
    shortSummary: shortPowerText(each),
  }))
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

/** `power`: the power that makes the tone worse than that of the label. */
type BadgeControl = {
  readonly label: Label
  readonly leader?: Leader | null | undefined
  readonly tone: Tone
  readonly power?: ShortPower | undefined
}
type BadgeProfile = BadgeControl & { readonly stale: boolean; readonly name?: string | undefined }
type BadgeProtocol = { readonly name: string; readonly contracts: readonly BadgeControl[] }

export type BadgeProfiles = {
  readonly findProfile: (chainId: number, address: Hex) => Promise<BadgeProfile | undefined>
  /** `text` is a label or slug, in any case. */
  readonly findProtocol: (text: string) => Promise<BadgeProtocol | undefined>
}

export function createBadgeProfiles({ database }: { readonly database: Queryable }): BadgeProfiles {
  return {
    findProfile: async (chainId, address) => {
      const found = await findProfile(database, { chainId, address })
      if (found === undefined) return undefined
      const label = labelOf(found.label)
      const power = decisivePower(LABEL_TONES[label], found.powers ?? [])
      const tone = toneOf(LABEL_TONES[label], found.powers ?? [])
      return { label, leader: found.leader, tone, power, stale: found.stale, name: found.name ?? undefined }
    },
    findProtocol: async (slug) => {
      const protocol = await findProtocol(database, slug)
      if (protocol === undefined) return undefined
      const contracts = await getProtocolLabels(database, protocol.id)
      return {
        name: protocol.label,
        contracts: contracts.map(({ label: text, leader, tone, power }) => {
          const label = labelOf(text)
          return { label, leader, tone: tone ?? LABEL_TONES[label], power: power ?? undefined }
        }),
      }
    },
  }
}
