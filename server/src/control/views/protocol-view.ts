/** The view of one protocol across chains. */
import type { z } from 'zod'
import type { Leader, Tone } from '../../../../vocabulary/labels.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Hex, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { getEventsOf } from '../feed/feed.ts'
import { getPendingPage } from '../pending/pending-page.ts'
import { findProtocol } from '../registry/contracts.ts'
import { eventView } from '../registry/control-event.ts'
import { NEXT_CHANGES, RECENT_EVENTS } from './contract-view.ts'
import { type ProfileView, profileView, type StoredProfile, summaryOfLabels } from './profile-view.ts'
import type { protocolView } from './schemas.ts'

export type ProtocolView = z.input<typeof protocolView>

const DAY_MS = 86_400_000
const WINDOW_MS = 30 * DAY_MS

/** `text` is the label or slug of the protocol, in any case. Returns undefined if there is no such protocol. */
export async function findProtocolView(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  text: string,
): Promise<ProtocolView | undefined> {
  const protocol = await findProtocol(database, text)
  if (protocol === undefined) return undefined
  const contracts = await getProtocolContracts(database, protocol.id, new Date(clock.now() - WINDOW_MS))
  const [events, pending] = await Promise.all([
    getEventsOf(database, ...newestOf(contracts)),
    getPendingPage({ database, clock }, { filter: { protocolId: protocol.id }, limit: NEXT_CHANGES }),
  ])
  const profiles = contracts.map(({ profile }) => profileView(profile))
  return {
    protocol: protocol.label,
    slug: protocol.slug,
    contracts: contracts.map((contract, at) => contractOfProtocol(protocol.label, contract, profiles[at])),
    recentEvents: events.map(eventView),
    counts: {
      contracts: contracts.length,
      chains: new Set(contracts.map(({ chainId }) => chainId)).size,
      events30d: contracts.reduce((sum, { events }) => sum + events, 0),
      critical30d: contracts.reduce((sum, { critical }) => sum + critical, 0),
    },
    controlSummary: summaryOfLabels(profiles.map(({ label }) => label)),
    pending: pending.data,
  }
}

/** The newest events of a protocol's contracts, newest first. */
export async function findProtocolEvents(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  text: string,
) {
  const protocol = await findProtocol(database, text)
  if (protocol === undefined) return undefined
  const contracts = await getProtocolContracts(database, protocol.id, new Date(clock.now() - WINDOW_MS))
  return { protocol, events: await getEventsOf(database, ...newestOf(contracts)) }
}

/** The 50 newest events belong to the 50 contracts with the newest last events, and are not older than those. */
function newestOf(
  contracts: readonly ProtocolContract[],
): [ProtocolContract[], { since: Date | undefined; limit: number }] {
  const newest = contracts
    .flatMap((contract) => (contract.lastEventAt === null ? [] : { contract, at: contract.lastEventAt }))
    .sort((a, b) => b.at.getTime() - a.at.getTime() || (b.contract.lastEventId ?? 0) - (a.contract.lastEventId ?? 0))
    .slice(0, RECENT_EVENTS)
  const since = newest[RECENT_EVENTS - 1]?.at
  return [newest.map(({ contract }) => contract), { since, limit: RECENT_EVENTS }]
}

function contractOfProtocol(
  protocol: string,
  { chainId, address, name, kind, verified, source, events, critical, lastEventAt, lastEventKey }: ProtocolContract,
  profile: ProfileView = profileView(undefined),
): ProtocolView['contracts'][number] {
  return {
    chainId,
    chainSlug: findChain(chainId)?.slug ?? String(chainId),
    address,
    name,
    protocol,
    kind,
    verified,
    source,
    events30d: events,
    critical30d: critical,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    lastEventKey,
    controlProfile: { ...profile, reasons: [...profile.reasons] },
  }
}

type ProtocolContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly kind: string
  readonly verified: boolean
  readonly source: string
  readonly events: number
  readonly critical: number
  /** The newest event, setup events included. */
  readonly lastEventAt: Date | null
  readonly lastEventKey: string | null
  readonly lastEventId: number | null
  readonly profile: StoredProfile | undefined
}

type Row = Omit<ProtocolContract, 'address' | 'profile'> & {
  address: Buffer
  label: string | null
  tone: Tone | null
  leader: Leader | null
  stale: boolean
  reasons: readonly Reason[]
}

const HOUR_MS = 3_600_000

/** `events` and `critical` count events at or after `since`, without setup events. */
export async function getProtocolContracts(
  database: Queryable,
  protocolId: number,
  since: Date,
): Promise<readonly ProtocolContract[]> {
  const { rows } = await database.query<Row>({
    name: 'get_protocol_contracts',
    text: CONTRACTS,
    values: [protocolId, since, new Date(since.getTime() - (since.getTime() % HOUR_MS))],
  })
  return rows.map(({ address, label, tone, leader, stale, reasons, ...row }) => ({
    ...row,
    address: toHex(address),
    profile: label === null ? undefined : { label, tone, leader, stale, reasons },
  }))
}

/**
 * Every table is read by the key of each contract. The planner cannot know how many contracts a protocol has, and other
 * plans are quadratic for a large one. For the same reason the two lists are joined with a full join, which is never a
 * nested loop; every pending row belongs to a member.
 */
const CONTRACTS = sql`
  with member as materialized (
    select chain_id, address, m.name, m.kind, m.verified or coalesce(s.published, false) as verified, m.source,
      f.label, f.tone, f.led_by as leader, f.stale, f.reasons, l.block_time, l.event_id, l.kind_id, t.*
    from contract m
    left join control_profile f using (chain_id, address)
    left join last_event l using (chain_id, address)
    left join source_check s using (chain_id, address)
    cross join lateral (
      select sum(t.events) filter (where hour > $3) as events,
        sum(t.critical) filter (where hour > $3) as critical, bool_or(hour = $3) as at_edge
      from event_count_hour t
      where t.chain_id = m.chain_id and t.address = m.address and hour >= $3) as t
    where protocol_id = $1
  ), pending as materialized (
    select p.chain_id, p.address, sum(total - init) filter (where hour > $3) as events,
      sum(critical) filter (where hour > $3) as critical, bool_or(hour = $3) as at_edge
    from event_count_pending p
    cross join lateral (
      select protocol_id from contract c where c.chain_id = p.chain_id and c.address = p.address offset 0) as c
    where c.protocol_id = $1 group by p.chain_id, p.address
  ), unmerged as (
    select pending.*, last.* from pending left join lateral last_event_of(pending.chain_id, pending.address) as last on true
  )
  select chain_id as "chainId", address, m.name, m.kind, m.verified, m.source,
    (coalesce(m.events, 0) + coalesce(unmerged.events, 0) + coalesce(partial.events, 0))::bigint as events,
    (coalesce(m.critical, 0) + coalesce(unmerged.critical, 0) + coalesce(partial.critical, 0))::bigint as critical,
    case when unmerged.chain_id is null then m.block_time else unmerged.block_time end as "lastEventAt",
    (select k.key from event_kind k
      where k.id = case when unmerged.chain_id is null then m.kind_id else unmerged.kind_id end) as "lastEventKey",
    case when unmerged.chain_id is null then m.event_id else unmerged.event_id end as "lastEventId",
    m.label, m.tone, m.leader, m.stale, m.reasons
  from member m
  full join unmerged using (chain_id, address)
  left join lateral (
    select * from count_events_of(chain_id, address, $2, $3::timestamptz + interval '1 hour')
    where m.at_edge or unmerged.at_edge offset 0) as partial on true
  order by chain_id, m.name, address`
