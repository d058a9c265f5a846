/** SQL of the contract list for operators. */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ContractRef } from './contracts.ts'

export type RegisteredContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly kind: string
  readonly source: 'seed' | 'manual' | 'discovered'
  readonly lastCheckedAt: Date | null
}

type Row = Omit<RegisteredContract, 'address'> & { readonly address: Buffer }

const CONTRACT = sql`
  select c.chain_id as "chainId", c.address, c.name, p.label as protocol, c.kind, c.source, c.last_checked_at as "lastCheckedAt"
  from contract c left join protocol p on p.id = c.protocol_id`

const contractOf = ({ address, ...row }: Row): RegisteredContract => ({ ...row, address: toHex(address) })

/** Contracts whose name or protocol contains the text, or with this address. Contracts added by operators come first. */
export async function searchRegistered(
  database: Queryable,
  text: string,
  limit: number,
): Promise<readonly RegisteredContract[]> {
  const { rows } = await database.query<Row>(
    sql`${CONTRACT}
     where $1 = '' or strpos(lower(c.name), lower($1)) > 0 or strpos(lower(p.label), lower($1)) > 0
       or '0x' || encode(c.address, 'hex') = lower($1)
     order by array_position(array['manual', 'seed', 'discovered'], c.source), p.label nulls last, c.name nulls last, c.chain_id, c.address limit $2`,
    [text, limit],
  )
  return rows.map(contractOf)
}

export async function countRegistered(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(sql`select count(*)::int as count from contract`)
  return rows[0]?.count ?? 0
}

export async function findRegistered(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<RegisteredContract | undefined> {
  const { rows } = await database.query<Row>(sql`${CONTRACT} where c.chain_id = $1 and c.address = $2`, [
    chainId,
    toBytes(address),
  ])
  return rows.map(contractOf)[0]
}
