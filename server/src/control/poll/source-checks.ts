/** SQL of source checks: running code, pending checks, their results, and the contracts they concern. */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

/** Code that runs at an address. */
export type RunningCode = { readonly chainId: number; readonly address: Hex; readonly codeHash: Hex }

/** Stores the code that a poll found running. `isNew`: a contract was upgraded to it since the last poll. */
export async function saveRunningCode(
  client: Queryable,
  chainId: number,
  codes: readonly (Pick<RunningCode, 'address' | 'codeHash'> & { readonly isNew: boolean })[],
): Promise<void> {
  if (codes.length === 0) return
  await client.query({
    name: 'save_running_code',
    // Known rows are left out first, because a conflict would write every row at every poll.
    text: sql`
      insert into source_check as known (chain_id, address, code_hash, check_at)
      select $1, run.address, run.code_hash, case when run.is_new then '-infinity' else now() end
      from (select decode(address, 'hex') as address, decode(code_hash, 'hex') as code_hash, is_new
            from unnest($2::text[], $3::text[], $4::boolean[]) as u (address, code_hash, is_new)) as run
      left join source_check before on before.chain_id = $1 and before.address = run.address
      where before.address is null or before.code_hash <> run.code_hash or run.is_new
      order by run.address
      on conflict (chain_id, address) do update set code_hash = excluded.code_hash, check_at = '-infinity',
        published = case when known.code_hash = excluded.code_hash then known.published end,
        checked_at = case when known.code_hash = excluded.code_hash then known.checked_at end`,
    values: [
      chainId,
      codes.map(({ address }) => toDigits(address)),
      codes.map(({ codeHash }) => toDigits(codeHash)),
      codes.map(({ isNew }) => isNew),
    ],
  })
}

/** The code whose check has been due longest. */
export async function findUncheckedCode(
  database: Queryable,
  chainIds: readonly number[],
): Promise<RunningCode | undefined> {
  const { rows } = await database.query<{ chain_id: number; address: Buffer; code_hash: Buffer }>({
    name: 'find_unchecked_code',
    text: sql`select chain_id, address, code_hash from source_check where check_at <= now() and chain_id = any($1)
           order by check_at, chain_id, address limit 1`,
    values: [chainIds],
  })
  return rows.map((row) => ({
    chainId: row.chain_id,
    address: toHex(row.address),
    codeHash: toHex(row.code_hash),
  }))[0]
}

/** Stores a result. A positive result is final, a negative one is checked again after a day. False if other code runs now. */
export async function saveSourceCheck(
  client: Queryable,
  { chainId, address, codeHash }: RunningCode,
  published: boolean,
): Promise<boolean> {
  const { rowCount } = await client.query(
    sql`update source_check set published = $4, checked_at = now(), check_at = case when not $4 then now() + interval '1 day' end
     where chain_id = $1 and address = $2 and code_hash = $3`,
    [chainId, toBytes(address), toBytes(codeHash), published],
  )
  return rowCount === 1
}

/** Postpones a check that failed, so that others come first. */
export async function postponeSourceCheck(database: Queryable, { chainId, address }: RunningCode): Promise<void> {
  await database.query(
    sql`update source_check set check_at = now() + interval '1 hour' where chain_id = $1 and address = $2`,
    [chainId, toBytes(address)],
  )
}

/** A contract that was upgraded. */
export type Upgrade = {
  readonly chainId: number
  readonly address: Hex
  readonly field: string
  readonly previous: string | null
  /** The block at which the upgrade was first found, with its time in milliseconds. */
  readonly block: { readonly number: number; readonly time: number }
}

/** Snapshot fields that name the logic. */
export const LOGIC_FIELDS = ['implementation', 'secondaryImplementation', 'beaconImplementation'] as const

/** Contracts that were upgraded to this code in the last week and still run it. Verified registry contracts are left out. */
export async function getUpgradesTo(
  client: Queryable,
  { chainId, address }: Pick<RunningCode, 'chainId' | 'address'>,
): Promise<readonly Upgrade[]> {
  const { rows } = await client.query<{
    address: Buffer
    field: string
    previous: string | null
    block_number: number
    block_time: Date
  }>(
    sql`with moved as (
       select p.address, f.field, other.block_number, other.id, other.fields ->> f.field as previous
       from profile_source p cross join unnest($3::text[]) as f (field)
       cross join lateral (
         select fields from control_snapshot s
         where s.chain_id = p.chain_id and s.address = p.address order by block_number desc, id desc limit 1) as latest
       cross join lateral (
         select block_number, id, fields from control_snapshot s
         where s.chain_id = p.chain_id and s.address = p.address and s.fields ? f.field
           and s.fields ->> f.field is distinct from $4 and not s.fields @> '{"codeHash": null}' -- a deployment is no upgrade
         order by block_number desc, id desc limit 1) as other
       where p.source_chain_id = $1 and p.source = $2 and p.chain_id = $1 and latest.fields ->> f.field = $4
         and not exists (select from contract c where c.chain_id = $1 and c.address = $2 and c.verified))
     select moved.address, field, previous, since.block_number, since.block_time
     from moved cross join lateral (
       select block_number, taken_at, coalesce(block_time, taken_at) as block_time from control_snapshot s
       where s.chain_id = $1 and s.address = moved.address and (s.block_number, s.id) > (moved.block_number, moved.id)
       order by block_number, id limit 1) as since
     where since.taken_at > now() - interval '7 days' order by moved.address`,
    [chainId, toBytes(address), LOGIC_FIELDS, address],
  )
  return rows.map((row) => ({
    chainId,
    address: toHex(row.address),
    field: row.field,
    previous: row.previous,
    block: { number: row.block_number, time: row.block_time.getTime() },
  }))
}
