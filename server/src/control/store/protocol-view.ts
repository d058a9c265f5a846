/**
 * SQL of a protocol: its contracts with what each has been through lately.
 *
 * Figures come from the tallies (migration 0031): stored ones, what is still pending, and, one by one, the events of
 * the hour in which the window begins.
 */
import type { Queryable } from '../../platform/database.ts'
import type { Hex } from '../node/parse.ts'
import { isProtocol, protocolSlug } from '../registry/protocol.ts'
import { toHex } from './bytes.ts'

export type Protocol = { readonly id: number; readonly label: string; readonly slug: string }

/** By label or slug, in any case. */
export async function findProtocol(database: Queryable, text: string): Promise<Protocol | undefined> {
  const { rows } = await database.query<Protocol>({
    name: 'find_protocol',
    text: 'select id, label, slug from protocol where slug = $1 or lower(label) = lower($2) order by id',
    values: [protocolSlug(text), text],
  })
  const wanted = text.toLowerCase()
  return rows.find(({ slug }) => slug === wanted) ?? rows.find(({ label }) => isProtocol(label, text))
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
  /** The newest event of all, setup included. */
  readonly lastEventAt: Date | null
  readonly lastEventKey: string | null
  readonly lastEventId: number | null
  readonly profile: { readonly label: string; readonly stale: boolean; readonly reasons: readonly string[] } | undefined
}

type Row = Omit<ProtocolContract, 'address' | 'profile'> & {
  address: Buffer
  label: string | null
  stale: boolean
  reasons: readonly string[]
}

/** `events` and `critical` count those at or after `since` that are no setup. */
export async function getProtocolContracts(
  database: Queryable,
  protocolId: number,
  since: Date,
): Promise<readonly ProtocolContract[]> {
  const { rows } = await database.query<Row>({
    name: 'get_protocol_contracts',
    text: CONTRACTS,
    values: [protocolId, since],
  })
  return rows.map(({ address, label, stale, reasons, ...row }) => ({
    ...row,
    address: toHex(address),
    profile: label === null ? undefined : { label, stale, reasons },
  }))
}

const CONTRACTS = `
  with member as materialized (
    select * from contract where protocol_id = $1
  ), pending as materialized (
    select p.* from event_tally_pending p join member using (chain_id, address)
  ), edge as (
    select date_trunc('hour', $2::timestamptz, 'UTC') as hour
  ), partial as (
    select chain_id, address from event_tally_of_hour join member using (chain_id, address) where hour = (select hour from edge)
    union
    select chain_id, address from pending where hour = (select hour from edge)
  ), recent as (
    select chain_id, address, sum(events) as events, sum(critical) as critical from (
      select chain_id, address, events, critical from event_tally_of_hour join member using (chain_id, address)
      where hour > (select hour from edge)
      union all
      select chain_id, address, total - init, critical from pending where hour > (select hour from edge)
      union all
      select chain_id, address, 1, (severity = 2)::int from partial join control_event using (chain_id, address)
      where not is_init and block_time >= $2 and block_time < (select hour from edge) + interval '1 hour'
    ) as tally group by chain_id, address
  ), newest as (
    select chain_id, address, block_time, event_id, event_key from event_last join member using (chain_id, address)
    where (chain_id, address) not in (select chain_id, address from pending)
    union all
    select moving.*, e.block_time, e.id, e.event_key from (select distinct chain_id, address from pending) as moving
    cross join lateral (
      select block_time, id, event_key from control_event e
      where e.chain_id = moving.chain_id and e.address = moving.address order by block_time desc, id desc limit 1) as e
  )
  select chain_id as "chainId", address, m.name, m.kind, m.verified, m.source,
    coalesce(recent.events, 0)::bigint as events, coalesce(recent.critical, 0)::bigint as critical,
    newest.block_time as "lastEventAt", newest.event_key as "lastEventKey",
    newest.event_id as "lastEventId", f.label, f.stale, f.reasons
  from member m
  left join control_profile f using (chain_id, address)
  left join recent using (chain_id, address)
  left join newest using (chain_id, address)
  order by chain_id, m.name, address`
