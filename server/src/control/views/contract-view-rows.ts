/** Reads what is stored about one contract: registration, last snapshot, profile, event counts. */

import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHexOrUndefined } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { StoredProfile } from './profile-view.ts'

export type ContractRow = {
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
export type LatestSnapshot = {
  readonly fields: Readonly<Record<string, string | null>>
  readonly polledBlock: number
  readonly polledAt: Date
}

export type StoredControl = StoredProfile & { readonly tree: unknown }

export type StoredContract = {
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
  stale: boolean
  reasons: readonly Reason[]
  tree: unknown
}

export async function getStoredContract(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<StoredContract> {
  const { rows } = await database.query<Found>({
    name: 'get_stored_contract',
    text: sql`
      select c.id, c.kind, c.name, p.label as protocol, c.implementation, c.admin, c.owner,
        c.verified or coalesce(own.published, false) as verified, c.source, c.metadata,
        coalesce(nullif(logic.verified, false), logic_source.published) as implementation_verified,
        c.first_seen_at, c.last_checked_at, s.fields, s.polled_block, s.polled_at, f.label, f.stale, f.reasons, f.tree
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

const profileOf = ({ label, stale, reasons, tree }: Found): StoredControl | undefined =>
  label === null ? undefined : { label, stale, reasons, tree }

export type EventCount = {
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
