/** SQL of what has changed about a contract's control: its labels, and the states it was seen in. */

import { toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ContractRef } from '../registry/contracts.ts'

export type LabelChange = {
  readonly at: Date
  readonly blockNumber: number
  readonly from: string | null
  readonly to: string
  readonly cause: readonly Record<string, unknown>[]
}

/** Newest first. */
export async function getLabelChanges(
  database: Queryable,
  { chainId, address }: ContractRef,
  limit: number,
): Promise<readonly LabelChange[]> {
  const { rows } = await database.query<LabelChange>(
    sql`select changed_at as at, block_number as "blockNumber", from_label as "from", to_label as "to", cause
     from control_profile_change where chain_id = $1 and address = $2 order by id desc limit $3`,
    [chainId, toBytes(address), limit],
  )
  return rows
}

export type SeenState = {
  readonly takenAt: Date
  readonly blockNumber: number
  readonly seenAt: Date
  readonly seenBlock: number
  readonly fields: Readonly<Record<string, string | null>>
}

/** Newest first; each stood from `takenAt` until at least `seenAt`. */
export async function getSeenStates(
  database: Queryable,
  { chainId, address }: ContractRef,
  limit: number,
): Promise<readonly SeenState[]> {
  const { rows } = await database.query<SeenState>(
    sql`select taken_at as "takenAt", block_number as "blockNumber", seen_at as "seenAt", seen_block as "seenBlock", fields
     from control_snapshot where chain_id = $1 and address = $2 order by block_number desc, id desc limit $3`,
    [chainId, toBytes(address), limit],
  )
  return rows
}

export type StoredControl = {
  readonly label: string
  readonly stale: boolean
  readonly reasons: readonly string[]
  readonly kind: string
  readonly tree: unknown
  readonly blockNumber: number
  readonly updatedAt: Date
}

export async function findControl(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<StoredControl | undefined> {
  const { rows } = await database.query<StoredControl>(
    sql`select label, stale, reasons, kind, tree, block_number as "blockNumber", updated_at as "updatedAt"
     from control_profile where chain_id = $1 and address = $2`,
    [chainId, toBytes(address)],
  )
  return rows[0]
}
