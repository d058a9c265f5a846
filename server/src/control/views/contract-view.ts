/** The view of one contract: registry entry, latest snapshot, event counts, recent events, control profile. */
import type { z } from 'zod'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Chain } from '../chains/chains.ts'
import { getEvents } from '../feed/feed.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { eventView } from '../registry/control-event.ts'
import {
  type ContractRow,
  getEventCounts,
  getStoredContract,
  type LatestSnapshot,
  type StoredControl,
} from './contract-view-rows.ts'
import { profileView } from './profile-view.ts'
import type { contractView } from './schemas.ts'

export type ContractView = z.input<typeof contractView>

/** Number of recent events in the views of a contract and of a protocol. */
export const RECENT_EVENTS = 50

/** Returns undefined if the contract is not registered and none of its events is stored. */
export async function findContractView(
  { database }: { readonly database: Queryable },
  { chain, address }: { readonly chain: Chain; readonly address: Hex },
): Promise<ContractView | undefined> {
  const ref = { chainId: chain.id, address }
  const [{ row, snapshot, profile }, counts, events] = await Promise.all([
    getStoredContract(database, ref),
    getEventCounts(database, ref),
    getEvents(database, { ...ref, includeInit: false }, { limit: RECENT_EVENTS }),
  ])
  if (row === undefined && counts.length === 0) return undefined
  return {
    chain: { id: chain.id, slug: chain.slug },
    address,
    contract: row === undefined ? null : rowView(row, snapshot),
    latestSnapshot: snapshot === undefined ? null : snapshotView(ref, snapshot, profile),
    counts: [...counts],
    recentEvents: events.map(eventView),
    controlProfile: { ...profileView(profile), reasons: [...profileView(profile).reasons] },
  }
}

/** Values read from the chain take precedence over registered ones. */
function rowView(row: ContractRow, snapshot: LatestSnapshot | undefined): ContractView['contract'] {
  const { firstSeenAt, lastCheckedAt, ...registered } = row
  const current = (field: 'implementation' | 'admin' | 'owner') => {
    const value = snapshot?.fields[field]
    return value === undefined ? (row[field] ?? null) : value
  }
  return {
    ...registered,
    implementation: current('implementation'),
    admin: current('admin'),
    owner: current('owner'),
    firstSeenAt: firstSeenAt.toISOString(),
    lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
  }
}

function snapshotView(
  { chainId }: { readonly chainId: number },
  { fields, polledBlock, polledAt }: LatestSnapshot,
  profile: StoredControl | undefined,
): ContractView['latestSnapshot'] {
  const tree = profile?.tree as ControlNode | undefined
  const [admin, owner] = [fields.admin ?? null, fields.owner ?? null]
  return {
    implementation: fields.implementation ?? null,
    admin,
    owner,
    beacon: fields.beacon ?? null,
    adminIsContract: isContract(tree, chainId, admin),
    ownerIsContract: isContract(tree, chainId, owner),
    extra: {
      safeThreshold: wholeNumber(fields.safeThreshold),
      minDelay: wholeNumber(fields.minDelay),
      blockNumber: polledBlock,
    },
    takenAt: polledAt.toISOString(),
  }
}

/** Parses an integer of up to 256 bits without loss. */
function wholeNumber(digits: string | null | undefined): number | bigint | null {
  if (digits === null || digits === undefined) return null
  const value = BigInt(digits)
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/** Kinds without code on this chain. */
const WITHOUT_CODE: ReadonlySet<string> = new Set(['none', 'eoa', 'l1_alias'])

/** Returns whether the address has code, as the last poll or the control tree shows; null if neither does. */
function isContract(node: ControlNode | undefined, chainId: number, address: string | null): boolean | null {
  if (node === undefined || address === null) return null
  const seen = node.hasCode?.[address]
  if (seen !== undefined) return seen
  if (node.chainId === chainId && node.address === address && node.account.kind !== 'unjudged')
    return !WITHOUT_CODE.has(node.account.kind)
  for (const path of node.paths) {
    const found = isContract(path, chainId, address)
    if (found !== null) return found
  }
  return null
}
