/**
 * API keys: a prefix that names the API, followed by 32 random bytes. The database stores only the SHA-256 of a key.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { plainText } from '../lib/http/params.ts'
import { type Database, inTransaction, isStorable, type Queryable } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { APIS, type Api, KEYS_PER_ACCOUNT, type MonitorPlan, type UtxoPlan } from './plans.ts'

const PREFIXES: Readonly<Record<Api, string>> = { v1: 'gw_live_', v2: 'utxo_live_' }
const PATTERNS: Readonly<Record<Api, RegExp>> = { v1: /^gw_live_[\w-]{43}$/, v2: /^utxo_live_[\w-]{43}$/ }

/** Random characters of a key that may be displayed to identify it. The other 37 stay secret. */
const VISIBLE_CHARACTERS = 6

/** The name an account gives a key. */
export const keyName = plainText(64)

export type MadeKey = { readonly key: string; readonly prefix: string; readonly hash: string }

/** Generates a key. The full key exists only in the returned value. */
export function makeKey(api: Api): MadeKey {
  const key = PREFIXES[api] + randomBytes(32).toString('base64url')
  return { key, prefix: key.slice(0, PREFIXES[api].length + VISIBLE_CHARACTERS), hash: hashOf(key) }
}

export const isWellFormed = (api: Api, key: string): boolean => PATTERNS[api].test(key)

export const UNKNOWN_KEY = 'This API key is unknown, revoked or expired. Create a new one in your account.'

/** Why no caller has this key. The prefix tells which API it was made for. */
export function refusalOf(api: Api, key: string): string {
  const other = APIS.find((one) => one !== api && key.startsWith(PREFIXES[one]))
  return other === undefined
    ? UNKNOWN_KEY
    : `This is a key of the ${other} API. Send a key of the ${api} API (${PREFIXES[api]}…), which your account creates too.`
}

/**
 * Returns the digest by which keys are looked up. The timing of the lookup reveals nothing about a key: keys that share
 * their first characters have unrelated digests.
 */
export const hashOf = (key: string): string => hash('sha256', key, 'hex')

export type KeyRecord = {
  readonly id: string
  readonly api: Api
  readonly name: string
  readonly prefix: string
  readonly createdAt: Date
  /** Null if the key does not expire. */
  readonly expiresAt: Date | null
}

/** The account a key belongs to, with its current plans. */
export type KeyHolder = {
  readonly keyId: string
  readonly api: Api
  readonly accountId: string
  readonly plan: MonitorPlan
  readonly utxoPlan: UtxoPlan
  /** Null if the key does not expire. */
  readonly expiresAt: Date | null
}

/** Whether a key has ended by itself. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: Date | null }, now: number): boolean =>
  expiresAt !== null && expiresAt.getTime() <= now

const COLUMNS = sql`id, api, name, prefix, created_at as "createdAt", expires_at as "expiresAt"`

/** Returns the keys of an account that are not revoked, oldest first: active and expired ones. */
export async function getKeys(database: Queryable, accountId: string, api?: Api): Promise<readonly KeyRecord[]> {
  const { rows } = await database.query<KeyRecord>(
    sql`select ${COLUMNS} from api_key where account_id = $1 and ($2::text is null or api = $2) and revoked_at is null order by created_at, id`,
    [accountId, api ?? null],
  )
  return rows
}

/** Finds the holder of a key that is not revoked, by the digest of the key. It may have expired. */
export async function findHolder(database: Queryable, hash: string): Promise<KeyHolder | undefined> {
  const { rows } = await database.query<KeyHolder>({
    name: 'find_holder',
    text: sql`select k.id as "keyId", k.api, a.id as "accountId", a.plan, a.utxo_plan as "utxoPlan", k.expires_at as "expiresAt"
           from api_key k join user_account a on a.id = k.account_id
           where k.hash = decode($1, 'hex') and k.revoked_at is null`,
    values: [hash],
  })
  return rows[0]
}

/**
 * Inserts a key; returns undefined if the account already has the maximum number of active keys. The account row is locked, so
 * two concurrent requests cannot both insert the last key.
 */
export async function insertKey(
  database: Database,
  accountId: string,
  api: Api,
  name: string,
  made: MadeKey,
  { expiresAt, now = Date.now() }: { readonly expiresAt?: Date | undefined; readonly now?: number } = {},
): Promise<KeyRecord | undefined> {
  return inTransaction(database, async (client) => {
    await client.query(sql`select 1 from user_account where id = $1 for update`, [accountId])
    const active = (await getKeys(client, accountId, api)).filter((key) => !isExpired(key, now))
    if (active.length >= KEYS_PER_ACCOUNT) return undefined
    const { rows } = await client.query<KeyRecord>(
      sql`insert into api_key (id, account_id, api, name, prefix, hash, expires_at) values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7) returning ${COLUMNS}`,
      [randomUUID(), accountId, api, name, made.prefix, made.hash, expiresAt ?? null],
    )
    return rows[0]
  })
}

/** Revokes an active key and reports whether there was one. Without `owner`, the key may belong to any account. */
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
