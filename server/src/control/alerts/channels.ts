/** Stores channels, the codes that confirm them, and webhook secrets. */

import { createHash, randomBytes } from 'node:crypto'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { newWebhookSecret } from '../../platform/deliveries/webhook.ts'
import { hostDigest, sealContexts, vaultOf } from '../../platform/sealed-columns.ts'
import { sql } from '../../platform/sql.ts'
import { SealError } from '../../platform/vault.ts'
import { SCHEDULE_COLUMNS, type Schedule } from './schedules.ts'

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
  readonly schedule: Schedule
}

const COLUMNS = sql`${SCHEDULE_COLUMNS}, id, account_id as "accountId", kind, target, title, token, confirmed_at as "confirmedAt",
  disabled_at as "disabledAt", disabled_reason as "disabledReason"`

export async function getChannels(database: Queryable, accountId: string): Promise<readonly Channel[]> {
  const { rows } = await database.query<Channel>(sql`select ${COLUMNS} from alert_channel where account_id = $1`, [
    accountId,
  ])
  return rows.map((row) => opened(database, row))
}

const opened = (database: Queryable, channel: Channel): Channel => ({
  ...channel,
  target: openTarget(database, channel, channel.target),
})

/**
 * Returns the recipient of a channel, as it was before it was sealed; empty if its key is lost, so that one lost key does
 * not stop the messages of others.
 */
export const openTarget = (
  database: Queryable,
  { accountId, kind }: { readonly accountId: string; readonly kind: ChannelKind },
  sealed: string,
): string => readable(() => vaultOf(database).open(sealed, sealContexts.channelTarget(accountId, kind))) ?? ''

/** Returns undefined if the key of a sealed text is lost. */
function readable<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** Sets the target of a channel and switches it on. Pending messages go to the new target. */
export async function saveChannel(
  database: Queryable,
  accountId: string,
  kind: ChannelKind,
  { target, title = null }: { readonly target: string; readonly title?: string | null },
): Promise<void> {
  const vault = vaultOf(database)
  const before = (await getChannels(database, accountId)).find((channel) => channel.kind === kind)
  // Links in earlier mails to the same address stay valid.
  const token = before?.target === target ? before.token : newToken()
  await database.query(
    sql`insert into alert_channel (account_id, kind, target, webhook_host, title, token) values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, kind) do update set target = excluded.target, webhook_host = excluded.webhook_host,
       title = excluded.title, token = excluded.token, confirmed_at = now(), disabled_at = null, disabled_reason = null`,
    [
      accountId,
      kind,
      vault.seal(target, sealContexts.channelTarget(accountId, kind)),
      hostDigest(vault, target),
      title,
      token,
    ],
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
  return rows[0] && opened(database, rows[0])
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
export async function moveChat(
  database: Queryable,
  { accountId, recipient }: { readonly accountId: string; readonly recipient: number },
  to: string,
): Promise<void> {
  await database.query(sql`update alert_channel set target = $2 where kind = 'telegram' and id = $1`, [
    recipient,
    vaultOf(database).seal(to, sealContexts.channelTarget(accountId, 'telegram')),
  ])
}

/** Whether a chat is the one that a message was sent to. */
export async function isChatOfMessage(database: Queryable, chatId: string, uid: string): Promise<boolean> {
  const { rows } = await database.query<{ accountId: string; target: string }>(
    sql`select c.account_id as "accountId", c.target from alert_message m join alert_channel c on c.id = m.channel_id
     where m.uid = $1 and c.kind = 'telegram'`,
    [uid],
  )
  const [found] = rows
  if (found === undefined) return false
  return openTarget(database, { accountId: found.accountId, kind: 'telegram' }, found.target) === chatId
}

/** Returns the Slack channel whose requests have this token in their URL. */
export async function findSlackChannel(database: Queryable, token: string): Promise<Channel | undefined> {
  const { rows } = await database.query<Channel>(
    sql`select ${COLUMNS} from alert_channel where token = $1 and kind = 'slack'`,
    [token],
  )
  return rows[0] && opened(database, rows[0])
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
    [
      accountId,
      kind,
      hashOf(code),
      target === undefined ? null : sealedTarget(database, accountId, kind, target),
      validMs,
    ],
  )
  return rows[0]?.expiresAt ?? new Date(0)
}

const sealedTarget = (database: Queryable, accountId: string, kind: ConfirmedKind, target: string): string =>
  vaultOf(database).seal(target, sealContexts.confirmationTarget(accountId, kind))

const openConfirmation = (database: Queryable, found: Confirmation): Confirmation => ({
  ...found,
  target:
    found.target === null
      ? null
      : vaultOf(database).open(found.target, sealContexts.confirmationTarget(found.accountId, found.kind)),
})

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
  return rows[0] && openConfirmation(database, rows[0])
}

/** Returns the address that is not confirmed yet. */
export async function findPendingAddress(database: Queryable, accountId: string): Promise<string | undefined> {
  const { rows } = await database.query<{ target: string }>(
    sql`select target from channel_confirmation where account_id = $1 and kind = 'email' and expires_at > now()`,
    [accountId],
  )
  const [found] = rows
  return found && (openConfirmation(database, { accountId, kind: 'email', ...found }).target ?? undefined)
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
    const found = rows[0] && openConfirmation(client, rows[0])
    const target = chat?.target ?? found?.target ?? undefined
    if (found === undefined || target === undefined) return false
    await saveChannel(client, found.accountId, kind, { target, title: chat?.title ?? null })
    return true
  })
}

/** Sets up the verified address of the account as its e-mail channel, if it has none. Returns whether it has one. */
export async function ensureMailChannel(database: Queryable, accountId: string): Promise<boolean> {
  const { rows } = await database.query<{ email: string }>(
    sql`select email from user_account where id = $1 and email_verified`,
    [accountId],
  )
  if (rows[0] !== undefined)
    await database.query(
      sql`insert into alert_channel (account_id, kind, target, token) values ($1, 'email', $2, $3) on conflict do nothing`,
      [accountId, vaultOf(database).seal(rows[0].email, sealContexts.channelTarget(accountId, 'email')), newToken()],
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
    [accountId, newSealedSecret(database, accountId)],
  )
  const found = readable(() => openSecret(database, accountId, rows[0] as WebhookSecret))
  // A secret whose key is lost cannot sign. Its receiver has to learn the new one.
  return found ?? (await replaceSecret(database, accountId))
}

const newSealedSecret = (database: Queryable, accountId: string): string =>
  vaultOf(database).seal(newWebhookSecret(), sealContexts.webhookSecret(accountId))

function openSecret(
  database: Queryable,
  accountId: string,
  { secret, previous, ...stored }: WebhookSecret,
): WebhookSecret {
  const open = (sealed: string) => vaultOf(database).open(sealed, sealContexts.webhookSecret(accountId))
  return { ...stored, secret: open(secret), previous: previous === null ? null : open(previous) }
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
  const found = new Map(
    rows.map(({ accountId, ...secret }) => [
      accountId,
      readable(() => validSecrets(openSecret(database, accountId, secret))) ?? [],
    ]),
  )
  for (const accountId of accountIds)
    if (!found.has(accountId)) found.set(accountId, validSecrets(await ensureSecret(database, accountId)))
  return found
}

export const validSecrets = ({ secret, previous }: WebhookSecret): readonly string[] =>
  previous === null ? [secret] : [secret, previous]

/** Creates a new secret. The previous one stays valid for a day, so that no webhook is lost during the change. */
export async function rotateSecret(database: Queryable, accountId: string): Promise<WebhookSecret> {
  await ensureSecret(database, accountId)
  return await replaceSecret(database, accountId)
}

async function replaceSecret(database: Queryable, accountId: string): Promise<WebhookSecret> {
  const { rows } = await database.query<WebhookSecret>(
    sql`update webhook_secret set previous = secret, previous_until = now() + interval '1 day', secret = $2
     where account_id = $1 returning ${SECRET}`,
    [accountId, newSealedSecret(database, accountId)],
  )
  const [stored] = rows as [WebhookSecret]
  return (
    readable(() => openSecret(database, accountId, stored)) ??
    openSecret(database, accountId, { ...stored, previous: null, previousUntil: null })
  )
}
