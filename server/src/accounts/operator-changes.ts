/** The audit trail of operators: every change made on the operator pages or with a command. */
import { userInfo } from 'node:os'
import type { Queryable } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

export const OPERATOR_ACTIONS = [
  'account.create',
  'account.plan',
  'account.remove-codes',
  'contract.save',
  'registry.import',
  'key.create',
  'key.revoke',
  'deliveries.hold',
  'deliveries.resume',
  'secrets.rotate',
  'subscriptions.apply',
] as const
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

export type NewOperatorChange = {
  /** The e-mail address of the operator, or `commandLineActor()`. */
  readonly actor: string
  readonly action: OperatorAction
  /** What was changed: the e-mail address of an account, a chain and address, the id of a key. */
  readonly subject: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

export type OperatorChange = {
  readonly id: number
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
}

/** Records a change. Callers that change the database pass the client of the same transaction. */
export async function recordOperatorChange(database: Queryable, change: NewOperatorChange): Promise<void> {
  const { actor, action, subject, before, after } = change
  await database.query(
    sql`insert into operator_change (actor, action, subject, before, after) values ($1, $2, $3, $4, $5)`,
    [actor, action, subject, asJson(before), asJson(after)],
  )
}

const asJson = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value))

/** The newest changes first; those before the id `before`. */
export async function getOperatorChanges(
  database: Queryable,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly OperatorChange[]> {
  const { rows } = await database.query<OperatorChange>(
    sql`select id, at, actor, action, subject, before, after from operator_change
     where id < coalesce($1, 9223372036854775807) order by id desc limit $2`,
    [before ?? null, limit],
  )
  return rows
}

/** Names the command line as an actor, with the account of the system that runs it. */
export function commandLineActor(): string {
  try {
    return `command line (${userInfo().username})`
  } catch {
    return 'command line' // the account has no name
  }
}

const COLUMNS = ['id', 'at', 'actor', 'action', 'subject', 'before', 'after'] as const

const jsonOf = (value: object | null): string => (value === null ? '' : JSON.stringify(value))

/** Changes as CSV (RFC 4180). A spreadsheet must not run a value as a formula. */
export function changesAsCsv(changes: readonly OperatorChange[]): string {
  const field = (value: OperatorChange[(typeof COLUMNS)[number]]): string => {
    const text = value instanceof Date ? value.toISOString() : typeof value === 'object' ? jsonOf(value) : String(value)
    const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
  }
  const lines = changes.map((change) => COLUMNS.map((column) => field(change[column])).join(','))
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`
}
