/** The parts of the view of one protocol across chains. `prepared-protocols.ts` puts them together. */
import type { z } from 'zod'
import type { Leader, Tone } from '../../../../vocabulary/labels.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { type Hex, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { type Sql, sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { RECENT_EVENTS } from './contract-view.ts'
import { profileView, type StoredProfile } from './profile-view.ts'
import type { protocolView } from './schemas.ts'

export type ProtocolView = z.input<typeof protocolView>

export const WINDOW_MS = 30 * 86_400_000

type LastEvent = ContractRef & Pick<ProtocolContract, 'lastEventAt' | 'lastEventId'>

/** The 50 newest events belong to the 50 contracts with the newest last events, and are not older than those. */
export function newestOf<Contract extends LastEvent>(
  contracts: Iterable<Contract>,
): [Contract[], { since: Date | undefined; limit: number }] {
  const newest: { readonly contract: Contract; readonly at: Date }[] = []
  for (const contract of contracts) {
    const { lastEventAt: at, lastEventId: id } = contract
    if (at === null) continue
    const isNewer = (than: (typeof newest)[number] | undefined): boolean =>
      than === undefined || (at.getTime() - than.at.getTime() || (id ?? 0) - (than.contract.lastEventId ?? 0)) > 0
    if (!isNewer(newest[RECENT_EVENTS - 1])) continue
    const place = newest.findIndex(isNewer)
    newest.splice(place === -1 ? newest.length : place, 0, { contract, at })
    newest.length = Math.min(newest.length, RECENT_EVENTS)
  }
  const since = newest[RECENT_EVENTS - 1]?.at
  return [newest.map(({ contract }) => contract), { since, limit: RECENT_EVENTS }]
}

/** An entry of `contracts`. */
export function contractOfProtocol(protocol: string, contract: ProtocolContract): ProtocolView['contracts'][number] {
  const profile = profileView(contract.profile)
  return {
    chainId: contract.chainId,
    chainSlug: findChain(contract.chainId)?.slug ?? String(contract.chainId),
    address: contract.address,
    name: contract.name,
    protocol,
    kind: contract.kind,
    verified: contract.verified,
    source: contract.source,
    events30d: contract.events,
    critical30d: contract.critical,
    lastEventAt: contract.lastEventAt?.toISOString() ?? null,
    lastEventKey: contract.lastEventKey,
    controlProfile: { ...profile, reasons: [...profile.reasons] },
  }
}

export type ProtocolContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly kind: string
  readonly verified: boolean
  readonly source: string
  readonly events: number
  readonly critical: number
  /** No counted event is older, so that the counts hold until the window starts after it. */
  readonly countedFrom: Date | null
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

/** `events` and `critical` count events at or after `since`, without setup events. `only`: those of them in the protocol. */
export async function getProtocolContracts(
  database: Queryable,
  protocolId: number,
  since: Date,
  only?: readonly ContractRef[],
): Promise<readonly ProtocolContract[]> {
  const values = [protocolId, since, new Date(since.getTime() - (since.getTime() % HOUR_MS))]
  const { rows } = await database.query<Row>(
    only === undefined
      ? { name: 'get_protocol_contracts', text: ALL_CONTRACTS, values }
      : { name: 'get_some_protocol_contracts', text: SOME_CONTRACTS, values: [...values, ...refColumns(only)] },
  )
  return rows.map(({ address, label, tone, leader, stale, reasons, ...row }) => ({
    ...row,
    address: toHex(address),
    profile: label === null ? undefined : { label, tone, leader, stale, reasons },
  }))
}

const refColumns = (refs: readonly ContractRef[]) => [
  refs.map(({ chainId }) => chainId),
  refs.map(({ address }) => toDigits(address)),
]

/** The contracts of a protocol in the order of the view. */
export async function getProtocolOrder(database: Queryable, protocolId: number): Promise<readonly ContractRef[]> {
  const { rows } = await database.query<{ chainId: number; address: Buffer }>({
    name: 'get_protocol_order',
    text: sql`select chain_id as "chainId", address from contract where protocol_id = $1 order by chain_id, name, address`,
    values: [protocolId],
  })
  return rows.map(({ chainId, address }) => ({ chainId, address: toHex(address) }))
}

/** The contract that follows another one in that order, on the same chain; undefined for the last one there. */
export async function findNextContract(
  database: Queryable,
  protocolId: number,
  { chainId, address, name }: ContractRef & Pick<ProtocolContract, 'name'>,
): Promise<(ContractRef & Pick<ProtocolContract, 'name'>) | undefined> {
  const { rows } = await database.query<{ chainId: number; address: Buffer; name: string | null }>({
    name: 'find_next_contract_of_protocol',
    text: sql`select chain_id as "chainId", address, name from contract
      where protocol_id = $1 and chain_id = $2 and (
        (name is null and $3::text is not null) or name > $3
        or (name is not distinct from $3 and address > decode($4, 'hex')))
      order by name, address limit 1`,
    values: [protocolId, chainId, name, toDigits(address)],
  })
  return rows.map((row) => ({ ...row, address: toHex(row.address) }))[0]
}

const MEMBERS = sql`contract m`
const SOME_MEMBERS = sql`(select distinct chain_id, decode(digits, 'hex') as address
      from unnest($4::int[], $5::text[]) as r (chain_id, digits)) as r join contract m using (chain_id, address)`

/**
 * Every table is read by the key of each contract. The planner cannot know how many contracts a protocol has, and other
 * plans are quadratic for a large one. For the same reason the two lists are joined with a full join, which is never a
 * nested loop; every pending row belongs to a member.
 */
const contractsQuery = (members: Sql, pending: Sql): Sql => sql`
  with member as materialized (
    select chain_id, address, m.name, m.kind, m.verified or coalesce(s.published, false) as verified, m.source,
      f.label, f.tone, f.led_by as leader, f.stale, f.reasons, l.block_time, l.event_id, l.kind_id, t.*
    from ${members}
    left join control_profile f using (chain_id, address)
    left join last_event l using (chain_id, address)
    left join source_check s using (chain_id, address)
    cross join lateral (
      select sum(t.events) filter (where hour > $3) as events,
        sum(t.critical) filter (where hour > $3) as critical, bool_or(hour = $3) as at_edge,
        min(hour) filter (where hour > $3) as first_hour
      from event_count_hour t
      where t.chain_id = m.chain_id and t.address = m.address and hour >= $3) as t
    where protocol_id = $1
  ), pending as materialized (
    select p.chain_id, p.address, sum(total - init) filter (where hour > $3) as events,
      sum(critical) filter (where hour > $3) as critical, bool_or(hour = $3) as at_edge,
      min(hour) filter (where hour > $3) as first_hour
    from ${pending} group by p.chain_id, p.address
  ), unmerged as (
    select pending.*, last.* from pending left join lateral last_event_of(pending.chain_id, pending.address) as last on true
  )
  select chain_id as "chainId", address, m.name, m.kind, m.verified, m.source,
    (coalesce(m.events, 0) + coalesce(unmerged.events, 0) + coalesce(partial.events, 0))::bigint as events,
    (coalesce(m.critical, 0) + coalesce(unmerged.critical, 0) + coalesce(partial.critical, 0))::bigint as critical,
    least(m.first_hour, unmerged.first_hour, partial.first_time) as "countedFrom",
    case when unmerged.chain_id is null then m.block_time else unmerged.block_time end as "lastEventAt",
    (select k.key from event_kind k
      where k.id = case when unmerged.chain_id is null then m.kind_id else unmerged.kind_id end) as "lastEventKey",
    case when unmerged.chain_id is null then m.event_id else unmerged.event_id end as "lastEventId",
    m.label, m.tone, m.leader, m.stale, m.reasons
  from member m
  full join unmerged using (chain_id, address)
  left join lateral (
    select counted.*, first_event_time_of(chain_id, address, $2, $3::timestamptz + interval '1 hour') as first_time
    from count_events_of(chain_id, address, $2, $3::timestamptz + interval '1 hour') as counted
    where m.at_edge or unmerged.at_edge offset 0) as partial on true
  order by chain_id, m.name, address`

const ALL_CONTRACTS = contractsQuery(
  MEMBERS,
  sql`event_count_pending p
    cross join lateral (
      select protocol_id from contract c where c.chain_id = p.chain_id and c.address = p.address offset 0) as c
    where c.protocol_id = $1`,
)
const SOME_CONTRACTS = contractsQuery(
  SOME_MEMBERS,
  sql`${SOME_MEMBERS} join event_count_pending p using (chain_id, address) where m.protocol_id = $1`,
)
