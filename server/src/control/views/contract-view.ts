/** All that is known of one contract, for whoever may read it. */
import type { z } from 'zod'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Chain } from '../chains/chains.ts'
import { getEvents } from '../feed/feed.ts'
import { shownEvent } from '../feed/feed-page.ts'
import type { contractView } from '../http/resources.ts'
import type { ControlNode } from '../profile/control-node.ts'
import {
  type ContractRow,
  getEventCounts,
  getKnown,
  type KnownProfile,
  type LatestSnapshot,
} from './contract-view-rows.ts'
import { shownProfile } from './shown-profile.ts'

export type ContractView = z.input<typeof contractView>

/** Events within the views of a contract and of a protocol. */
export const RECENT_EVENTS = 50

/** Undefined where nobody has entered the contract and none of its events was seen. */
export async function findContractView(
  { database }: { readonly database: Queryable },
  { chain, address }: { readonly chain: Chain; readonly address: Hex },
): Promise<ContractView | undefined> {
  const ref = { chainId: chain.id, address }
  const [{ row, snapshot, profile }, counts, events] = await Promise.all([
    getKnown(database, ref),
    getEventCounts(database, ref),
    getEvents(database, { ...ref, includeInit: false }, { limit: RECENT_EVENTS }),
  ])
  if (row === undefined && counts.length === 0) return undefined
  return {
    chain: { id: chain.id, slug: chain.slug },
    address,
    contract: row === undefined ? null : shownRow(row, snapshot),
    latestSnapshot: snapshot === undefined ? null : shownSnapshot(ref, snapshot, profile),
    counts: [...counts],
    recentEvents: events.map(shownEvent),
    controlProfile: { ...shownProfile(profile), reasons: [...shownProfile(profile).reasons] },
  }
}

/** What the chain shows comes before what somebody entered. */
function shownRow(row: ContractRow, snapshot: LatestSnapshot | undefined): ContractView['contract'] {
  const { firstSeenAt, lastCheckedAt, ...shown } = row
  const seen = (field: 'implementation' | 'admin' | 'owner') => {
    const value = snapshot?.fields[field]
    return value === undefined ? (row[field] ?? null) : value
  }
  return {
    ...shown,
    implementation: seen('implementation'),
    admin: seen('admin'),
    owner: seen('owner'),
    firstSeenAt: firstSeenAt.toISOString(),
    lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
  }
}

function shownSnapshot(
  { chainId }: { readonly chainId: number },
  { fields, seenBlock, seenAt }: LatestSnapshot,
  profile: KnownProfile | undefined,
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
      blockNumber: seenBlock,
    },
    takenAt: seenAt.toISOString(),
  }
}

/** Digits of up to 256 bits: exact, whatever their size. */
function wholeNumber(digits: string | null | undefined): number | bigint | null {
  if (digits === null || digits === undefined) return null
  const value = BigInt(digits)
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/** People's accounts; an alias of a contract elsewhere has no code here either. */
const NO_CONTRACT: ReadonlySet<string> = new Set(['none', 'eoa', 'l1_alias'])

/** Whether code stands there: as the last look saw it, or as far as the walk of control came by; null where neither did. */
function isContract(node: ControlNode | undefined, chainId: number, address: string | null): boolean | null {
  if (node === undefined || address === null) return null
  const seen = node.hasCode?.[address]
  if (seen !== undefined) return seen
  if (node.chainId === chainId && node.address === address && node.kind !== 'unjudged')
    return !NO_CONTRACT.has(node.kind)
  for (const path of node.paths) {
    const found = isContract(path, chainId, address)
    if (found !== null) return found
  }
  return null
}
