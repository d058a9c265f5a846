/** SQL of looks that are due: written with the events that ask for them, taken out by the looks that have seen them. */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/event-record.ts'

/** Every contract that these events concern: who emitted them, whom they are about, and whose profile these had a say in. */
export async function insertDue(client: Queryable, chainId: number, events: readonly EventRecord[]): Promise<void> {
  await client.query({
    name: 'insert_profile_due',
    text: sql`
      insert into profile_due (chain_id, address, event_chain_id, block_number, tx_hash, log_index, event_key)
      select due.chain_id, due.address, $1, e.number, decode(e.tx, 'hex'), e.log_index, e.key
      from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::int[], $7::text[])
          as e (address, subject, number, tx, log_index, key)
        cross join lateral (
          select chain_id, address from contract
          where chain_id = $1 and address in (decode(e.address, 'hex'), decode(e.subject, 'hex'))
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

/**
 * Every contract whose profile this one had a say in, after a look found that it changed silently; itself it has just been
 * looked at. Labels that moved since the look before are put down to it where nothing explained them so far.
 */
export async function insertDueOfOthers(
  client: Queryable,
  { chainId, address, since }: { readonly chainId: number; readonly address: Hex; readonly since: number | undefined },
  events: readonly DueEvent[],
): Promise<void> {
  await client.query(
    sql`insert into profile_due (chain_id, address, event_chain_id, block_number, tx_hash, log_index, event_key)
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

/** An event that asked for a look. */
export type DueEvent = {
  readonly chainId: number
  readonly blockNumber: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly eventKey: string
}

/** `event` is undefined where a rewind or a new controller asked. */
export type Due = { readonly id: number; readonly event: DueEvent | undefined }

/** Contracts of a chain that a look is due for, the longest waiting first. */
export async function getDueContracts(database: Queryable, chainId: number, most: number): Promise<readonly Hex[]> {
  const { rows } = await database.query<{ address: Buffer }>({
    name: 'get_due_contracts',
    text: sql`select address from profile_due where chain_id = $1 and not_before <= now()
           group by address order by min(id) limit $2`,
    values: [chainId, most],
  })
  return rows.map(({ address }) => toHex(address))
}

type DueRow = {
  readonly id: number
  readonly address: Buffer
  readonly event_chain_id: number | null
  readonly block_number: number
  readonly tx_hash: Buffer
  readonly log_index: number
  readonly event_key: string
}

/** What asks for a look at these contracts, by address. */
export async function getDue(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, readonly Due[]>> {
  const { rows } = await database.query<DueRow>(
    sql`select id, address, event_chain_id, block_number, tx_hash, log_index, event_key from profile_due
     where chain_id = $1 and address = any($2) order by id`,
    [chainId, addresses.map(toBytes)],
  )
  const due = rows.map((row): readonly [Hex, Due] => [toHex(row.address), { id: row.id, event: eventOf(row) }])
  return new Map(
    [...Map.groupBy(due, ([address]) => address)].map(([address, all]) => [address, all.map(([, each]) => each)]),
  )
}

const eventOf = (row: DueRow): DueEvent | undefined =>
  row.event_chain_id === null
    ? undefined
    : {
        chainId: row.event_chain_id,
        blockNumber: row.block_number,
        txHash: toHex(row.tx_hash),
        logIndex: row.log_index,
        eventKey: row.event_key,
      }

export async function deleteDue(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await client.query(sql`delete from profile_due where id = any($1)`, [ids])
}

/** A look that saw nothing new, or nothing at all, is made again after a while. */
export async function postponeDue(database: Queryable, ids: readonly number[], seconds: number): Promise<void> {
  if (ids.length > 0)
    await database.query(sql`update profile_due set not_before = now() + $2 * interval '1 second' where id = any($1)`, [
      ids,
      seconds,
    ])
}

/** A look for its own sake, after `seconds`. */
export async function insertLook(
  client: Queryable,
  { chainId, address }: { readonly chainId: number; readonly address: Hex },
  seconds: number,
): Promise<void> {
  await client.query(
    sql`insert into profile_due (chain_id, address, not_before) values ($1, $2, now() + $3 * interval '1 second')`,
    [chainId, toBytes(address), seconds],
  )
}
