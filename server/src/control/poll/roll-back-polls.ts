/**
 * SQL that rolls back polls at blocks that were reorganized away: snapshots, versions of profiles, changes of labels,
 * powers and code, and poll requests.
 *
 * Profiles stay until the poll that is requested at once, so that a contract is never without a profile.
 */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { deleteDerivedAbove } from '../feed/events.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** Rolls back the polls of every contract of a chain to block `to`. The watcher retracts derived events itself. */
export async function rollBackPolls(client: Queryable, chainId: number, to: number): Promise<void> {
  await client.query(sql`delete from poll_request where event_chain_id = $1 and block_number > $2`, [chainId, to])
  await client.query(
    sql`with deleted as (
       delete from control_snapshot where chain_id = $1 and block_number > $2 returning address),
     shortened as (
       update control_snapshot set polled_block = $2, polled_hash = null
       where chain_id = $1 and block_number <= $2 and polled_block > $2 returning address),
     changed as (
       delete from control_profile_change where chain_id = $1 and block_number > $2 returning address),
     lost as (
       delete from control_powers where chain_id = $1 and block_number > $2 returning address),
     downgraded as (
       delete from code_change where chain_id = $1 and block_number > $2 returning address),
     reverted as (
       delete from profile_version where chain_id = $1 and block_number > $2 returning address)
     insert into poll_request (chain_id, address)
     select $1, address from deleted union select $1, address from shortened union select $1, address from changed union select $1, address from lost
     union select $1, address from downgraded union select $1, address from reverted
     union select $1, address from control_profile where chain_id = $1 and block_number > $2
     union select chain_id, address from profile_source where source_chain_id = $1 and chain_id <> $1`,
    [chainId, to],
  )
}

/** The blocks at which a contract was polled, newest first. */
export async function getPolledBlocks(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<readonly { readonly number: number; readonly hash: Hex }[]> {
  const { rows } = await database.query<{ number: number; hash: Buffer }>(
    sql`select block_number as number, block_hash as hash from control_snapshot where chain_id = $1 and address = $2
     union
     select block_number, block_hash from control_profile_change
     where chain_id = $1 and address = $2 and block_hash is not null
     union
     select block_number, block_hash from control_powers where chain_id = $1 and address = $2
     union
     select block_number, block_hash from code_change where chain_id = $1 and address = $2
     union
     select block_number, block_hash from profile_version where chain_id = $1 and address = $2
     order by 1 desc limit 200`,
    [chainId, toBytes(address)],
  )
  return rows.map(({ number, hash }) => ({ number, hash: toHex(hash) }))
}

/** Tables with a row for each change that polls found. */
const HISTORIES = [
  sql`control_snapshot`,
  sql`control_profile_change`,
  sql`control_powers`,
  sql`code_change`,
  sql`profile_version`,
]

/** Rolls back the polls of one contract above block `to`, after a poll found that those blocks are not canonical. */
export async function rollBackPollsOf(
  database: Database,
  ref: ContractRef,
  to: { readonly number: number; readonly hash: Hex | undefined },
): Promise<void> {
  await inTransaction(database, async (client) => {
    const values = [ref.chainId, toBytes(ref.address), to.number]
    for (const table of HISTORIES)
      await client.query(sql`delete from ${table} where chain_id = $1 and address = $2 and block_number > $3`, values)
    await client.query(
      sql`update control_snapshot set polled_block = $3, polled_hash = $4
       where chain_id = $1 and address = $2 and polled_block > $3`,
      [...values, to.hash === undefined ? null : toBytes(to.hash)],
    )
    await deleteDerivedAbove(client, ref, to.number)
  })
}
