/** SQL of the keys that sign tokens; better-auth makes them. */

import type { JsonWebKey } from 'node:crypto'
import { isStorable, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export async function findSigningKey(database: Queryable, id: string): Promise<JsonWebKey | undefined> {
  if (!isStorable(id)) return undefined
  const { rows } = await database.query<{ key: JsonWebKey }>(
    sql`select public_key::json as key from signing_key where id = $1`,
    [id],
  )
  return rows[0]?.key
}

/** Those that may still sign, with their private part as it is encrypted. */
export async function getLiveSigningKeys(
  database: Queryable,
): Promise<readonly { readonly id: string; readonly encrypted: string }[]> {
  const { rows } = await database.query<{ id: string; encrypted: string }>(
    sql`select id, private_key::json #>> '{}' as encrypted from signing_key where expires_at is null or expires_at > now()`,
  )
  return rows
}

export async function expireSigningKeys(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query(sql`update signing_key set expires_at = now() where id = any($1)`, [ids])
}
