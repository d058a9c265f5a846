/** SQL of poll requests: stored with the events that trigger them, deleted by the polls that cover them. */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'

/** Requests polls of the contracts these events concern: emitters, subjects, and contracts whose profile depends on either. */
export async function requestPolls(client: Queryable, chainId: number, events: readonly EventRecord[]): Promise<void> {
  await client.query({
    name: 'request_polls',
    text: sql`
      insert into poll_request (chain_id, address, event_chain_id, block_number, tx_hash, log_index, event_key)
      select due.chain_id, due.address, $1, e.number, decode(e.tx, 'hex'), e.log_index, e.key
      from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::int[], $7::text[])
          as e (address, subject, number, tx, log_index, key)
        cross join lateral (
          select chain_id, address from contract
          where chain_id = $1 and address in (decode(e.address, 'hex'), decode(e.subject, 'hex'))
            and watch_state not in ('expiring', 'expired')
          union
          select chain_id, address from profile_source
          where source_chain_id = $1 and source in (decode(e.address, 'hex'), decode(e.subject, 'hex'))) as due
      on conflict do nothing`,
    values: [
      chainId,
      events.map((event) => toDigits(event.address)),
      events.map((event) => (event.subject === undefined ? null : toDigits(event.subject))),
      events.map((event) => event.blockNumber),
      events.map((event) => toDigits(event.txHash)),
      events.map((event) => event.logIndex),
      events.map((event) => event.key),
    ],
  })
}

/** Whether a poll that an event or a rollback requested is still to come. Requests for later only repeat a poll. */
export async function isUpdating(
  database: Queryable,
  { chainId, address }: { readonly chainId: number; readonly address: Hex },
): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    sql`select exists (select from poll_request where chain_id = $1 and address = $2
       and (event_key is not null or not_before <= now())) as found`,
    [chainId, toBytes(address)],
  )
  return rows[0]?.found === true
}

/**
 * Requests polls of the contracts whose profile depends on this one, after a poll found that it changed without an
 * event. Label changes since its previous poll that have no cause yet get these events as their cause.
 */
export async function requestDependentPolls(
  client: Queryable,
  { chainId, address, since }: { readonly chainId: number; readonly address: Hex; readonly since: number | undefined },
  events: readonly TriggerEvent[],
): Promise<void> {
  await client.query(
    sql`insert into poll_request (chain_id, address, event_chain_id, block_number, tx_hash, log_index, event_key)
     select p.chain_id, p.address, $1, e.number, decode(e.tx, 'hex'), e.log_index, e.key
     from profile_source p
       cross join unnest($3::bigint[], $4::text[], $5::int[], $6::text[]) as e (number, tx, log_index, key)
     where p.source_chain_id = $1 and p.source = $2
     on conflict do nothing`,
    [
      chainId,
      toBytes(address),
      events.map(({ blockNumber }) => blockNumber),
      events.map(({ txHash }) => toDigits(txHash)),
      events.map(({ logIndex }) => logIndex),
      events.map(({ eventKey }) => eventKey),
    ],
  )
  await client.query(
    sql`update control_profile_change c set cause = $3 from profile_source p
     where p.source_chain_id = $1 and p.source = $2 and p.chain_id = $1 and c.chain_id = $1 and c.address = p.address
       and c.block_number > $4 and c.from_label is not null and json_array_length(c.cause) = 0`,
    [chainId, toBytes(address), JSON.stringify(events), since ?? -1],
  )
}

/** An event that triggered a poll request. */
export type TriggerEvent = {
  readonly chainId: number
  readonly blockNumber: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly eventKey: string
}

/** `event` is undefined after a reorg, for a new controller and for periodic polls. */
export type PollRequest = { readonly id: number; readonly event: TriggerEvent | undefined }

/** Contracts of a chain with due poll requests, the oldest request first. */
export async function getContractsToPoll(database: Queryable, chainId: number, limit: number): Promise<readonly Hex[]> {
  const { rows } = await database.query<{ address: Buffer }>({
    name: 'get_contracts_to_poll',
    text: sql`select address from poll_request where chain_id = $1 and not_before <= now()
           group by address order by min(id) limit $2`,
    values: [chainId, limit],
  })
  return rows.map(({ address }) => toHex(address))
}

type Row = {
  readonly id: number
  readonly address: Buffer
  readonly event_chain_id: number | null
  readonly block_number: number
  readonly tx_hash: Buffer
  readonly log_index: number
  readonly event_key: string
}

/** The poll requests of these contracts, by address. */
export async function getPollRequests(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, readonly PollRequest[]>> {
  const { rows } = await database.query<Row>(
    sql`select id, address, event_chain_id, block_number, tx_hash, log_index, event_key from poll_request
     where chain_id = $1 and address = any($2) order by id`,
    [chainId, addresses.map(toBytes)],
  )
  const requests = rows.map((row): readonly [Hex, PollRequest] => [
    toHex(row.address),
    { id: row.id, event: eventOf(row) },
  ])
  return new Map(
    [...Map.groupBy(requests, ([address]) => address)].map(([address, all]) => [address, all.map(([, each]) => each)]),
  )
}

const eventOf = (row: Row): TriggerEvent | undefined =>
  row.event_chain_id === null
    ? undefined
    : {
        chainId: row.event_chain_id,
        blockNumber: row.block_number,
        txHash: toHex(row.tx_hash),
        logIndex: row.log_index,
        eventKey: row.event_key,
      }

export async function deletePollRequests(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await client.query(sql`delete from poll_request where id = any($1)`, [ids])
}

/** Postpones requests whose poll failed or found no change yet. */
export async function postponePollRequests(
  database: Queryable,
  ids: readonly number[],
  seconds: number,
): Promise<void> {
  if (ids.length > 0)
    await database.query(
      sql`update poll_request set not_before = now() + $2 * interval '1 second' where id = any($1)`,
      [ids, seconds],
    )
}

/** Requests a poll of one contract after `seconds`, without a triggering event. */
export async function requestPoll(
  client: Queryable,
  { chainId, address }: { readonly chainId: number; readonly address: Hex },
  seconds: number,
): Promise<void> {
  await client.query(
    sql`insert into poll_request (chain_id, address, not_before) values ($1, $2, now() + $3 * interval '1 second')`,
    [chainId, toBytes(address), seconds],
  )
}
