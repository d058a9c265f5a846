/** The view of one contract: registry entry, latest snapshot, event counts, recent events, control profile. */
import type { z } from 'zod'
import type { Leader, Tone } from '../../../../vocabulary/labels.ts'
import type { Power } from '../../../../vocabulary/powers.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Hex, toBytes, toHexOrUndefined } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { Chain } from '../chains/chains.ts'
import { getEvents } from '../feed/feed.ts'
import { getPendingPage } from '../pending/pending-page.ts'
import type { ControlNode } from '../profile/control-node.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { eventView } from '../registry/control-event.ts'
import { powersView, profileView, type StoredProfile } from './profile-view.ts'
import type { contractView } from './schemas.ts'

export type ContractView = z.input<typeof contractView>

/** Number of recent events in the views of a contract and of a protocol. */
export const RECENT_EVENTS = 50
/** The same for queued changes. */
export const NEXT_CHANGES = 20

/** Returns undefined if the contract is not registered and none of its events is stored. */
export async function findContractView(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  { chain, address }: { readonly chain: Chain; readonly address: Hex },
): Promise<ContractView | undefined> {
  const ref = { chainId: chain.id, address }
  const [{ row, snapshot, profile }, counts, events, pending] = await Promise.all([
    getStoredContract(database, ref),
    getEventCounts(database, ref),
    getEvents(database, { ...ref, includeInit: false }, { limit: RECENT_EVENTS }),
    getPendingPage({ database, clock }, { filter: ref, limit: NEXT_CHANGES }),
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
    powers: powersView(profile?.powers),
    pending: pending.data,
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

type ContractRow = {
  readonly id: number
  readonly kind: string
  readonly name: string | null
  readonly protocol: string | null
  readonly implementation: Hex | undefined
  readonly admin: Hex | undefined
  readonly owner: Hex | undefined
  readonly verified: boolean
  readonly source: string
  readonly metadata: Record<string, unknown>
  readonly firstSeenAt: Date
  readonly lastCheckedAt: Date | null
}

/** The state at the last poll. */
type LatestSnapshot = {
  readonly fields: Readonly<Record<string, string | null>>
  readonly polledBlock: number
  readonly polledAt: Date
}

export type StoredControl = StoredProfile & { readonly tree: unknown; readonly powers: readonly Power[] | null }

type StoredContract = {
  readonly row: ContractRow | undefined
  readonly snapshot: LatestSnapshot | undefined
  readonly profile: StoredControl | undefined
}

type Found = {
  id: number | null
  kind: string
  name: string | null
  protocol: string | null
  implementation: Buffer | null
  admin: Buffer | null
  owner: Buffer | null
  verified: boolean
  source: string
  metadata: Record<string, unknown>
  implementation_verified: boolean | null
  first_seen_at: Date
  last_checked_at: Date | null
  fields: Record<string, string | null> | null
  polled_block: number
  polled_at: Date
  label: string | null
  tone: Tone | null
  leader: Leader | null
  stale: boolean
  reasons: readonly Reason[]
  tree: unknown
  powers: readonly Power[] | null
}

async function getStoredContract(database: Queryable, { chainId, address }: ContractRef): Promise<StoredContract> {
  const { rows } = await database.query<Found>({
    name: 'get_stored_contract',
    text: sql`
      select c.id, c.kind, c.name, p.label as protocol, c.implementation, c.admin, c.owner,
        c.verified or coalesce(own.published, false) as verified, c.source, c.metadata,
        coalesce(nullif(logic.verified, false), logic_source.published) as implementation_verified,
        c.first_seen_at, c.last_checked_at, s.fields, s.polled_block, s.polled_at, f.label, f.tone, f.led_by as leader, f.stale, f.reasons, f.tree, f.powers
      from (select $1::int as chain_id, $2::bytea as address) as requested
      left join contract c using (chain_id, address)
      left join protocol p on p.id = c.protocol_id
      left join control_profile f using (chain_id, address)
      left join lateral (
        select fields, polled_block, polled_at from control_snapshot s
        where s.chain_id = requested.chain_id and s.address = requested.address order by block_number desc, id desc limit 1
      ) as s on true
      left join source_check own using (chain_id, address)
      left join lateral (
        select decode(substr(coalesce(s.fields ->> 'implementation', s.fields ->> 'beaconImplementation'), 3), 'hex') as address
      ) as runs on true
      left join contract logic on logic.chain_id = requested.chain_id and logic.address = runs.address
      left join source_check logic_source on logic_source.chain_id = requested.chain_id and logic_source.address = runs.address`,
    values: [chainId, toBytes(address)],
  })
  const [found] = rows
  if (found === undefined) throw new Error('The query for one contract returned no row.')
  return { row: rowOf(found), snapshot: snapshotOf(found), profile: profileOf(found) }
}

function rowOf(found: Found): ContractRow | undefined {
  const { id, kind, name, protocol, verified, source, implementation_verified: implementationVerified } = found
  if (id === null) return undefined
  return {
    id,
    kind,
    name,
    protocol,
    implementation: toHexOrUndefined(found.implementation),
    admin: toHexOrUndefined(found.admin),
    owner: toHexOrUndefined(found.owner),
    verified,
    source,
    metadata: { ...found.metadata, ...(implementationVerified !== null && { implementationVerified }) },
    firstSeenAt: found.first_seen_at,
    lastCheckedAt: found.last_checked_at,
  }
}

const snapshotOf = ({ fields, polled_block, polled_at }: Found): LatestSnapshot | undefined =>
  fields === null ? undefined : { fields, polledBlock: polled_block, polledAt: polled_at }

const profileOf = ({ label, tone, leader, stale, reasons, tree, powers }: Found): StoredControl | undefined =>
  label === null ? undefined : { label, tone, leader, stale, reasons, tree, powers }

type EventCount = {
  readonly eventKey: string
  readonly total: number
  readonly real: number
  readonly init: number
}

/** Counts the events of a contract by key, most frequent first. */
export async function getEventCounts(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<readonly EventCount[]> {
  const { rows } = await database.query<EventCount>({
    name: 'get_event_counts',
    text: sql`
      select k.key as "eventKey", sum(total)::bigint as total, sum(total - init)::bigint as real, sum(init)::bigint as init
      from (
        select kind_id, total, init from event_count where chain_id = $1 and address = $2
        union all
        select kind_id, total, init from event_count_pending where chain_id = $1 and address = $2
      ) as count join event_kind k on k.id = count.kind_id
      group by k.key having sum(total) > 0 order by sum(total) desc, k.key`,
    values: [chainId, toBytes(address)],
  })
  return rows
}
