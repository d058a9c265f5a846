/** SQL of API keys. */

import { randomUUID } from 'node:crypto'
import { type Database, inTransaction, isStorable, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { MadeKey } from '../api-key.ts'
import { type Api, KEYS_PER_ACCOUNT, type MonitorPlan, type UtxoPlan } from '../plans.ts'

export type KeyRecord = {
  readonly id: string
  readonly api: Api
  readonly name: string
  readonly prefix: string
  readonly createdAt: Date
}

/** Whom a key acts for, and what their plans are at this moment. */
export type KeyHolder = {
  readonly keyId: string
  readonly api: Api
  readonly accountId: string
  readonly plan: MonitorPlan
  readonly utxoPlan: UtxoPlan
}

const COLUMNS = sql`id, api, name, prefix, created_at as "createdAt"`

export async function getKeys(database: Queryable, accountId: string, api?: Api): Promise<readonly KeyRecord[]> {
  const { rows } = await database.query<KeyRecord>(
    sql`select ${COLUMNS} from api_key where account_id = $1 and ($2::text is null or api = $2) and revoked_at is null order by created_at, id`,
    [accountId, api ?? null],
  )
  return rows
}

/** Every key the account ever had, revoked ones too. */
export async function getKeyIds(database: Queryable, accountId: string, api: Api): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    sql`select id from api_key where account_id = $1 and api = $2`,
    [accountId, api],
  )
  return rows.map(({ id }) => id)
}

export async function findHolder(database: Queryable, hash: string): Promise<KeyHolder | undefined> {
  const { rows } = await database.query<KeyHolder>({
    name: 'find_holder',
    text: sql`select k.id as "keyId", k.api, a.id as "accountId", a.plan, a.utxo_plan as "utxoPlan"
           from api_key k join user_account a on a.id = k.account_id
           where k.hash = decode($1, 'hex') and k.revoked_at is null`,
    values: [hash],
  })
  return rows[0]
}

/** Undefined when the account has all the keys it may have; the account's row is locked, so that two requests cannot both make the fifth. */
export async function insertKey(
  database: Database,
  accountId: string,
  api: Api,
  name: string,
  made: MadeKey,
): Promise<KeyRecord | undefined> {
  return inTransaction(database, async (client) => {
    await client.query(sql`select 1 from user_account where id = $1 for update`, [accountId])
    if ((await getKeys(client, accountId, api)).length >= KEYS_PER_ACCOUNT) return undefined
    const { rows } = await client.query<KeyRecord>(
      sql`insert into api_key (id, account_id, api, name, prefix, hash) values ($1, $2, $3, $4, $5, decode($6, 'hex')) returning ${COLUMNS}`,
      [randomUUID(), accountId, api, name, made.prefix, made.hash],
    )
    return rows[0]
  })
}

/** Whether there was such a key, still active, of this account (of any account and interface where not given). */
export async function revokeKey(
  database: Queryable,
  id: string,
  owner?: { readonly accountId: string; readonly api: Api },
): Promise<boolean> {
  if (!isStorable(id)) return false
  const { rowCount } = await database.query(
    sql`update api_key set revoked_at = now()
     where id::text = $1 and revoked_at is null and ($2::text is null or (account_id = $2 and api = $3))`,
    [id.toLowerCase(), owner?.accountId ?? null, owner?.api ?? null],
  )
  return rowCount === 1
}
