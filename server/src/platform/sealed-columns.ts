/** The columns that are sealed, and the rotation of their keys. */
import type { Database, Queryable } from './database.ts'
import { identifier, type Sql, sql } from './sql.ts'
import { SealError, type Vault } from './vault.ts'

/** The context that binds a sealed text to its row, by column. Rows keep it for as long as they exist. */
export const sealContexts = {
  channelTarget: (accountId: string, kind: string) => `channel ${accountId} ${kind}`,
  confirmationTarget: (accountId: string, kind: string) => `confirmation ${accountId} ${kind}`,
  webhookSecret: (accountId: string) => `webhook secret ${accountId}`,
  batchWebhook: (accountId: string) => `batch ${accountId}`,
  keptWallet: (accountId: string) => `wallet ${accountId}`,
}

type SealedColumn = {
  readonly table: string
  readonly column: string
  /** The columns of its key. */
  readonly key: readonly string[]
  /** The same context in SQL. */
  readonly context: Sql
  /** A column with the digest of the host, if the text is a URL. */
  readonly host?: string
}

const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'alert_channel',
    column: 'target',
    key: ['id'],
    context: sql`'channel ' || account_id || ' ' || kind`,
    host: 'webhook_host',
  },
  {
    table: 'channel_confirmation',
    column: 'target',
    key: ['account_id', 'kind'],
    context: sql`'confirmation ' || account_id || ' ' || kind`,
  },
  { table: 'webhook_secret', column: 'secret', key: ['account_id'], context: sql`'webhook secret ' || account_id` },
  { table: 'webhook_secret', column: 'previous', key: ['account_id'], context: sql`'webhook secret ' || account_id` },
  {
    table: 'analysis_batch',
    column: 'webhook_url',
    key: ['id'],
    context: sql`'batch ' || account_id`,
    host: 'webhook_host',
  },
  { table: 'analysis_batch', column: 'webhook_secret', key: ['id'], context: sql`'batch ' || account_id` },
  { table: 'kept_wallet', column: 'content', key: ['id'], context: sql`'wallet ' || account_id` },
  { table: 'kept_wallet', column: 'labels', key: ['id'], context: sql`'wallet ' || account_id` },
]

/** The vault of a connection. Every connection that reads sealed columns was opened with one. */
export function vaultOf(database: Queryable): Vault {
  const { vault } = database
  if (vault === undefined) throw new SealError('This connection was opened without the keys of stored secrets.')
  return vault
}

/**
 * The digest of the host of a URL, or of the `url` of a JSON object. Requests to one host share a limit, which needs no
 * readable name.
 */
export function hostDigest(vault: Vault, text: string): string | null {
  const parsed = URL.parse(text.startsWith('{') ? String((JSON.parse(text) as { url?: unknown }).url) : text)
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? null : vault.digest(parsed.host)
}

const BATCH = 500

/** How many values were sealed, and how many could not be read because their key is lost. */
export type Sealing = { readonly sealed: number; readonly unreadable: number }

/** Seals every value that is not sealed with the current key. Rows may change meanwhile. */
export async function sealWithCurrentKey(database: Database): Promise<Sealing> {
  const vault = vaultOf(database)
  let [sealed, unreadable] = [0, 0]
  for (const { table, column, key, context, host } of SEALED_COLUMNS) {
    const [name, value] = [identifier(table), identifier(column)]
    const position = sql`row(${joinedKey(key)})::text`
    let after = ''
    for (;;) {
      const { rows } = await database.query<{ position: string; value: string; context: string }>(
        sql`select ${position} as position, ${value} as value, ${context} as context from ${name}
           where ${value} is not null and ${position} > $1 order by 1 limit ${BATCH_SIZE}`,
        [after],
      )
      for (const row of rows) {
        after = row.position
        if (vault.isSealedWithCurrentKey(row.value)) continue
        const text = tryOpen(vault, row)
        if (text === undefined) {
          unreadable += 1
          continue
        }
        const { rowCount } = await database.query(
          sql`update ${name} set ${value} = $1 ${host === undefined ? sql`` : sql`, ${identifier(host)} = $4`}
             where ${position} = $2 and ${value} = $3`,
          [
            vault.seal(text, row.context),
            row.position,
            row.value,
            ...(host === undefined ? [] : [hostDigest(vault, text)]),
          ],
        )
        sealed += rowCount ?? 0
      }
      if (rows.length < BATCH) break
    }
  }
  return { sealed, unreadable }
}

function tryOpen(vault: Vault, row: { readonly value: string; readonly context: string }): string | undefined {
  try {
    return vault.open(row.value, row.context)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

const BATCH_SIZE = sql`500`

const joinedKey = (columns: readonly string[]): Sql => {
  const [first = '', second] = columns
  return second === undefined ? identifier(first) : sql`${identifier(first)}, ${identifier(second)}`
}
