/** SQL of the versions of profiles: who controlled a contract, and since which block. */

import { hash } from 'node:crypto'
import { LABEL_TONES, type Leader, type Tone } from '../../../../vocabulary/labels.ts'
import { type Power, toneOf } from '../../../../vocabulary/powers.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { PowerPath } from '../profile/contract-powers.ts'
import type { Profile } from '../profile/profile.ts'
import type { ContractRef } from '../registry/contracts.ts'

type Versioned = ContractRef & {
  readonly block: { readonly number: number; readonly hash: Hex }
  readonly profile: Pick<Profile, 'label' | 'kind' | 'stale' | 'reasons' | 'tree' | 'powers'> & {
    readonly leader?: Leader | null | undefined
    readonly powerPaths?: Profile['powerPaths'] | null
  }
}

const LATEST_FIRST = sql`order by block_number desc, id desc`

/**
 * Stores the profile if it differs from the latest version. A poll that could not read everything makes a version only if
 * it changed the label or the tone.
 */
export async function saveProfileVersion(
  client: Queryable,
  { chainId, address, block, profile }: Versioned,
): Promise<void> {
  const { label, kind, stale, leader, reasons, tree, powers, powerPaths } = profile
  const tone = toneOf(LABEL_TONES[label], powers ?? [])
  const columns = [
    label,
    tone,
    leader ?? null,
    kind,
    stale,
    JSON.stringify(reasons),
    JSON.stringify(tree),
    powers === null ? null : JSON.stringify(powers),
    powerPaths === undefined || powerPaths === null ? null : JSON.stringify(powerPaths),
  ]
  const digest = hash('sha256', JSON.stringify(columns), 'buffer')
  const values = [chainId, toBytes(address)]
  const { rows } = await client.query<{ digest: Buffer; label: string; tone: string }>(
    sql`select digest, label, tone from profile_version where chain_id = $1 and address = $2 ${LATEST_FIRST} limit 1`,
    values,
  )
  const [last] = rows
  const isSameLabel = last !== undefined && last.label === label && last.tone === tone
  if (last?.digest.equals(digest) === true || (stale && isSameLabel)) return
  await client.query(
    sql`insert into profile_version (chain_id, address, block_number, block_hash, digest, label, tone, led_by, kind, stale, reasons, tree, powers, power_paths)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [...values, block.number, toBytes(block.hash), digest, ...columns],
  )
}

export type ProfileVersion = {
  readonly blockNumber: number
  readonly recordedAt: Date
  readonly label: string
  readonly tone: Tone
  readonly leader: Leader | null
  readonly kind: string
  readonly stale: boolean
  readonly reasons: readonly Reason[]
  readonly tree: unknown
  readonly powers: readonly Power[] | null
  readonly powerPaths: readonly PowerPath[] | null
}

/** A block, or a time. */
export type Moment = { readonly block: number } | { readonly time: Date }

/** The parameters of a comparison of a block number and a time with a moment: one of them is null, which matches nothing. */
export const momentValues = (moment: Moment): readonly [block: number | null, time: Date | null] =>
  'block' in moment ? [moment.block, null] : [null, moment.time]

/** The version at a moment. */
export async function findProfileVersion(
  database: Queryable,
  { chainId, address }: ContractRef,
  moment: Moment,
): Promise<ProfileVersion | undefined> {
  const { rows } = await database.query<ProfileVersion>(
    sql`select block_number as "blockNumber", recorded_at as "recordedAt", label, tone, led_by as leader, kind, stale, reasons, tree, powers, power_paths as "powerPaths"
     from profile_version where chain_id = $1 and address = $2 and (block_number <= $3 or recorded_at <= $4) ${LATEST_FIRST} limit 1`,
    [chainId, toBytes(address), ...momentValues(moment)],
  )
  return rows[0]
}

/** When the profile changed, newest first. */
export async function getVersionTimes(
  database: Queryable,
  { chainId, address }: ContractRef,
  limit: number,
): Promise<readonly { readonly at: Date; readonly blockNumber: number }[]> {
  const { rows } = await database.query<{ at: Date; blockNumber: number }>(
    sql`select recorded_at as at, block_number as "blockNumber" from profile_version
     where chain_id = $1 and address = $2 ${LATEST_FIRST} limit $3`,
    [chainId, toBytes(address), limit],
  )
  return rows
}
