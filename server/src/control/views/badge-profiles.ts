/** Reads stored profiles for badges. */
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { findProfile, findProtocolLabels } from '../poll/profile-store.ts'
import { labelOf } from './profile-view.ts'

export type BadgeProfile = { readonly label: Label; readonly stale: boolean; readonly name?: string | undefined }
export type BadgeProtocol = { readonly name: string; readonly labels: readonly Label[] }

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
      const found = await findProtocolLabels(database, slug)
      return found === undefined ? undefined : { name: found.name, labels: found.labels.map(labelOf) }
    },
  }
}
