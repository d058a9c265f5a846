/**
 * SQL that takes back what looks at undone blocks found: snapshots, changes of labels, and what they asked for.
 *
 * Profiles stay as they are until the look that is due at once: between the two somebody would otherwise see nothing.
 */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { deleteDerivedAbove } from '../feed/events.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** Of every contract of a chain, after the watcher has gone back to block `to`. Derived events go with the others. */
export async function undoLooks(client: Queryable, chainId: number, to: number): Promise<void> {
  await client.query(sql`delete from poll_request where event_chain_id = $1 and block_number > $2`, [chainId, to])
  await client.query(
    sql`with undone as (
       delete from control_snapshot where chain_id = $1 and block_number > $2 returning address),
     shortened as (
       update control_snapshot set polled_block = $2, polled_hash = null
       where chain_id = $1 and block_number <= $2 and polled_block > $2 returning address),
     forgotten as (
       delete from control_profile_change where chain_id = $1 and block_number > $2 returning address)
     insert into poll_request (chain_id, address)
     select $1, address from undone union select $1, address from shortened union select $1, address from forgotten
     union select $1, address from control_profile where chain_id = $1 and block_number > $2
     union select chain_id, address from profile_source where source_chain_id = $1 and chain_id <> $1`,
    [chainId, to],
  )
}

/** Blocks that looks at a contract were made at, newest first. */
export async function getLookBlocks(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<readonly { readonly number: number; readonly hash: Hex }[]> {
  const { rows } = await database.query<{ number: number; hash: Buffer }>(
    sql`select block_number as number, block_hash as hash from control_snapshot where chain_id = $1 and address = $2
     union
     select block_number, block_hash from control_profile_change
     where chain_id = $1 and address = $2 and block_hash is not null
     order by 1 desc limit 200`,
    [chainId, toBytes(address)],
  )
  return rows.map(({ number, hash }) => ({ number, hash: toHex(hash) }))
}

/** Of one contract, after a look found that the blocks above `to` of its last looks are not on the chain. */
export async function undoLooksOf(
  database: Database,
  ref: ContractRef,
  to: { readonly number: number; readonly hash: Hex | undefined },
): Promise<void> {
  await inTransaction(database, async (client) => {
    const values = [ref.chainId, toBytes(ref.address), to.number]
    for (const table of [sql`control_snapshot`, sql`control_profile_change`])
      await client.query(sql`delete from ${table} where chain_id = $1 and address = $2 and block_number > $3`, values)
    await client.query(
      sql`update control_snapshot set polled_block = $3, polled_hash = $4
       where chain_id = $1 and address = $2 and polled_block > $3`,
      [...values, to.hash === undefined ? null : toBytes(to.hash)],
    )
    await deleteDerivedAbove(client, ref, to.number)
  })
}
