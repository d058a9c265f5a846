/** Stores channels, the codes that confirm them, and webhook secrets. */

import { createHash, randomBytes } from 'node:crypto'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { newWebhookSecret } from '../../platform/deliveries/webhook.ts'
import { sql } from '../../platform/sql.ts'
import type { ChannelKind } from './subscriptions.ts'

export type Channel = {
  readonly id: number
  readonly accountId: string
  readonly kind: ChannelKind
  readonly target: string
  readonly title: string | null
  readonly token: string
  readonly confirmedAt: Date
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
}

const COLUMNS = sql`id, account_id as "accountId", kind, target, title, token, confirmed_at as "confirmedAt",
  disabled_at as "disabledAt", disabled_reason as "disabledReason"`

export async function getChannels(database: Queryable, accountId: string): Promise<readonly Channel[]> {
  return (await database.query<Channel>(sql`select ${COLUMNS} from alert_channel where account_id = $1`, [accountId]))
    .rows
}

/** Sets the target of a channel and switches it on. Pending messages go to the new target. */
export async function saveChannel(
  database: Queryable,
  accountId: string,
  kind: ChannelKind,
  { target, title = null }: { readonly target: string; readonly title?: string | null },
): Promise<void> {
  await database.query(
    sql`insert into alert_channel (account_id, kind, target, title, token) values ($1, $2, $3, $4, $5)
     on conflict (account_id, kind) do update set target = excluded.target, title = excluded.title,
       token = case when alert_channel.target = excluded.target then alert_channel.token else excluded.token end,
       confirmed_at = now(), disabled_at = null, disabled_reason = null`,
    [accountId, kind, target, title, newToken()],
  )
}

const newToken = (): string => randomBytes(24).toString('base64url')

export async function deleteChannel(database: Queryable, accountId: string, kind: ChannelKind): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`with confirmation as (delete from channel_confirmation where account_id = $1 and kind = $2 returning 1)
     , channel as (delete from alert_channel where account_id = $1 and kind = $2 returning 1)
     select from confirmation union all select from channel`,
    [accountId, kind],
  )
  return (rowCount ?? 0) > 0
}

/** Returns the e-mail channel of an unsubscribe token. */
export async function findMailChannel(database: Queryable, token: string): Promise<Channel | undefined> {
  const { rows } = await database.query<Channel>(
    sql`select ${COLUMNS} from alert_channel where token = $1 and kind = 'email'`,
    [token],
  )
  return rows[0]
}

export async function deleteMailChannel(database: Queryable, token: string): Promise<void> {
  await database.query(sql`delete from alert_channel where token = $1 and kind = 'email'`, [token])
}

/** Switches a channel off at the request of its recipient and gives up its pending messages. */
export async function disableChannel(database: Database, id: number, reason: string): Promise<void> {
  await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ kind: ChannelKind }>(
      sql`update alert_channel set disabled_at = now(), disabled_reason = $2 where id = $1 and disabled_at is null
       returning kind`,
      [id, reason],
    )
    if (rows[0] === undefined) return
    await client.query(
      sql`update alert_message set status = 'failed', next_at = null, last_error = $3
       where channel = $1 and channel_id = $2 and next_at is not null and claim is null`,
      [rows[0].kind, id, `The channel is switched off. ${reason}`],
    )
  })
}

/** Changes the id of a group that became a supergroup. */
export async function moveChat(database: Queryable, from: string, to: string): Promise<void> {
  await database.query(sql`update alert_channel set target = $2 where kind = 'telegram' and target = $1`, [from, to])
}

export type ConfirmedKind = 'telegram' | 'email'

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest()

/** Stores a confirmation code. An account has one for each kind, so a new code invalidates the previous one. */
export async function saveConfirmation(
  database: Queryable,
  accountId: string,
  kind: ConfirmedKind,
  { code, target, validMs }: { readonly code: string; readonly target?: string; readonly validMs: number },
): Promise<Date> {
  const { rows } = await database.query<{ expiresAt: Date }>(
    sql`insert into channel_confirmation (account_id, kind, code_hash, target, expires_at)
     values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
     on conflict (account_id, kind) do update
       set code_hash = excluded.code_hash, target = excluded.target, expires_at = excluded.expires_at
     returning expires_at as "expiresAt"`,
    [accountId, kind, hashOf(code), target ?? null, validMs],
  )
  return rows[0]?.expiresAt ?? new Date(0)
}

export type Confirmation = { readonly accountId: string; readonly kind: ConfirmedKind; readonly target: string | null }

export async function findConfirmation(
  database: Queryable,
  kind: ConfirmedKind,
  code: string,
): Promise<Confirmation | undefined> {
  const { rows } = await database.query<Confirmation>(
    sql`select account_id as "accountId", kind, target from channel_confirmation
     where kind = $1 and code_hash = $2 and expires_at > now()`,
    [kind, hashOf(code)],
  )
  return rows[0]
}

/** Returns the address that is not confirmed yet. */
export async function findPendingAddress(database: Queryable, accountId: string): Promise<string | undefined> {
  const { rows } = await database.query<{ target: string }>(
    sql`select target from channel_confirmation where account_id = $1 and kind = 'email' and expires_at > now()`,
    [accountId],
  )
  return rows[0]?.target
}

/** Uses a code and sets up its channel. Returns false if the code is unknown, used or expired. */
export async function redeemConfirmation(
  database: Database,
  kind: ConfirmedKind,
  code: string,
  chat?: { readonly target: string; readonly title: string },
): Promise<boolean> {
  return await inTransaction(database, async (client) => {
    const { rows } = await client.query<Confirmation>(
      sql`delete from channel_confirmation where kind = $1 and code_hash = $2 and expires_at > now()
       returning account_id as "accountId", kind, target`,
      [kind, hashOf(code)],
    )
    const target = chat?.target ?? rows[0]?.target ?? undefined
    if (rows[0] === undefined || target === undefined) return false
    await saveChannel(client, rows[0].accountId, kind, { target, title: chat?.title ?? null })
    return true
  })
}

/** Sets up the verified address of the account as its e-mail channel, if it has none. Returns whether it has one. */
export async function ensureMailChannel(database: Queryable, accountId: string): Promise<boolean> {
  await database.query(
    sql`insert into alert_channel (account_id, kind, target, token)
     select id, 'email', email, $2 from user_account where id = $1 and email_verified on conflict do nothing`,
    [accountId, newToken()],
  )
  const { rowCount } = await database.query(sql`select from alert_channel where account_id = $1 and kind = 'email'`, [
    accountId,
  ])
  return rowCount === 1
}

export async function isOwnAddress(database: Queryable, accountId: string, address: string): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`select from user_account where id = $1 and lower(email) = lower($2) and email_verified`,
    [accountId, address],
  )
  return rowCount === 1
}

export type WebhookSecret = {
  readonly secret: string
  readonly previous: string | null
  readonly previousUntil: Date | null
}

const SECRET = sql`secret, case when previous_until > now() then previous end as previous,
  case when previous_until > now() then previous_until end as "previousUntil"`

/** Returns the webhook secret of an account, and creates it if needed. */
export async function ensureSecret(database: Queryable, accountId: string): Promise<WebhookSecret> {
  const { rows } = await database.query<WebhookSecret>(
    sql`insert into webhook_secret as stored (account_id, secret) values ($1, $2)
     on conflict (account_id) do update set secret = stored.secret returning ${SECRET}`,
    [accountId, newWebhookSecret()],
  )
  return rows[0] as WebhookSecret
}

/** Returns the valid secrets of each account, and creates missing ones. */
export async function getSecrets(
  database: Queryable,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await database.query<WebhookSecret & { accountId: string }>({
    name: 'get_webhook_secrets',
    text: sql`select account_id as "accountId", ${SECRET} from webhook_secret where account_id = any($1)`,
    values: [accountIds],
  })
  const found = new Map(rows.map(({ accountId, ...secret }) => [accountId, validSecrets(secret)]))
  for (const accountId of accountIds)
    if (!found.has(accountId)) found.set(accountId, validSecrets(await ensureSecret(database, accountId)))
  return found
}

export const validSecrets = ({ secret, previous }: WebhookSecret): readonly string[] =>
  previous === null ? [secret] : [secret, previous]

/** Creates a new secret. The previous one stays valid for a day, so that no webhook is lost during the change. */
export async function rotateSecret(database: Queryable, accountId: string): Promise<WebhookSecret> {
  await ensureSecret(database, accountId)
  const { rows } = await database.query<WebhookSecret>(
    sql`update webhook_secret set previous = secret, previous_until = now() + interval '1 day', secret = $2
     where account_id = $1 returning ${SECRET}`,
    [accountId, newWebhookSecret()],
  )
  return rows[0] as WebhookSecret
}
