/** Stored profiles for badges. */

import { LABELS, type Label } from '../../../../vocabulary/labels.ts'
import type { Queryable } from '../../platform/database.ts'
import type { ProfileSource } from '../http/badge-routes.ts'
import { findProfile, findProtocolLabels } from '../poll/profile-store.ts'

const labelOf = (text: string): Label => LABELS.find((label) => label === text) ?? 'unknown'

export function createProfileSource({ database }: { readonly database: Queryable }): ProfileSource {
  return {
    findProfile: async (chainId, address) => {
      const found = await findProfile(database, { chainId, address: address as `0x${string}` })
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
