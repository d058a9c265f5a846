/** SQL of the keys that sign tokens; better-auth makes them. */
import type { JsonWebKey } from 'node:crypto'
import type { Queryable } from '../../platform/database.ts'

export async function findSigningKey(database: Queryable, id: string): Promise<JsonWebKey | undefined> {
  const { rows } = await database.query<{ key: JsonWebKey }>(
    'select public_key::json as key from signing_key where id = $1',
    [id],
  )
  return rows[0]?.key
}
