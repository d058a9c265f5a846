/** Stores subscriptions to addresses, wallets and transactions. */
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ChainId } from '../networks/network.ts'
import type { CoinEventKind } from './transitions.ts'

export const COIN_TARGETS = ['address', 'wallet', 'transaction'] as const
export type CoinTarget = (typeof COIN_TARGETS)[number]

export type CoinSubscription = {
  readonly id: number
  readonly accountId: string
  readonly chain: ChainId
  readonly kind: CoinTarget
  /** The address, the id of the kept wallet, or the txid. */
  readonly target: string
  readonly events: readonly CoinEventKind[]
  /** Of the event `confirmed`. */
  readonly confirmations: number
  readonly channels: readonly string[]
  /** Transactions of later blocks are reported, and unconfirmed ones. */
  readonly fromHeight: number
  /** The first index of each branch of a wallet that was never watched. Null before the subscription was matched. */
  readonly watchedTo: readonly number[] | null
  readonly createdAt: Date
}

const COLUMNS = sql`id, account_id as "accountId", chain, kind, target, events, confirmations, channels,
  from_height as "fromHeight", to_json(watched_to) as "watchedTo", created_at as "createdAt"`

type SubscriptionPage = {
  readonly before: number | undefined
  readonly limit: number
  /** Only subscriptions to this address, wallet or transaction. */
  readonly target?: string | undefined
}

/** Newest first. */
export async function getCoinSubscriptions(
  database: Queryable,
  accountId: string,
  { before, limit, target }: SubscriptionPage,
): Promise<CoinSubscription[]> {
  const { rows } = await database.query<CoinSubscription>(
    sql`select ${COLUMNS} from coin_subscription where account_id = $1 and id < coalesce($2, 9223372036854775807)
       and ($4::text is null or target = $4)
     order by id desc limit $3`,
    [accountId, before ?? null, limit, target ?? null],
  )
  return rows
}

export async function findCoinSubscription(
  database: Queryable,
  accountId: string,
  id: number,
): Promise<CoinSubscription | undefined> {
  const { rows } = await database.query<CoinSubscription>(
    sql`select ${COLUMNS} from coin_subscription where account_id = $1 and id = $2`,
    [accountId, id],
  )
  return rows[0]
}

export async function countCoinSubscriptions(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    sql`select count(*)::int as count from coin_subscription where account_id = $1`,
    [accountId],
  )
  return rows[0]?.count ?? 0
}

/** Returns whether the account had it. Its deliveries that wait are canceled. */
export async function deleteCoinSubscription(database: Queryable, accountId: string, id: number): Promise<boolean> {
  const { rowCount } = await database.query(sql`delete from coin_subscription where account_id = $1 and id = $2`, [
    accountId,
    id,
  ])
  return rowCount === 1
}

export type NewCoinSubscription = Omit<CoinSubscription, 'id' | 'watchedTo' | 'createdAt'>

/**
 * Stores a subscription. One to the same target is changed instead and keeps its id. Undefined if the account has `limit`
 * subscriptions already.
 */
export function saveCoinSubscription(
  database: Database,
  { accountId, chain, kind, target, events, confirmations, channels, fromHeight }: NewCoinSubscription,
  limit: number,
): Promise<CoinSubscription | undefined> {
  return inTransaction(database, async (client) => {
    // Two requests at once must not exceed the limit together.
    await client.query(sql`select from user_account where id = $1 for update`, [accountId])
    const { rows: changed } = await client.query<CoinSubscription>(
      sql`update coin_subscription set events = $5, confirmations = $6, channels = $7
       where account_id = $1 and chain = $2 and kind = $3 and target = $4 returning ${COLUMNS}`,
      [accountId, chain, kind, target, events, confirmations, channels],
    )
    if (changed[0] !== undefined) return changed[0]
    if ((await countCoinSubscriptions(client, accountId)) >= limit) return undefined
    const { rows } = await client.query<CoinSubscription>(
      sql`insert into coin_subscription
         (account_id, chain, kind, target, wallet_id, events, confirmations, channels, from_height)
       values ($1, $2, $3::text, $4::text, case $3::text when 'wallet' then $4::text::uuid end, $5, $6, $7, $8) returning ${COLUMNS}`,
      [accountId, chain, kind, target, events, confirmations, channels, fromHeight],
    )
    return rows[0]
  })
}

const PAGE = 5_000

/** Notes how far subscriptions are watched. */
export async function saveWatchedTo(
  client: Queryable,
  watchedTo: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const rows = [...watchedTo]
  for (let at = 0; at < rows.length; at += PAGE) {
    const page = rows.slice(at, at + PAGE)
    await client.query(
      sql`update coin_subscription s set watched_to = array(select json_array_elements_text(w.ends::json)::int)
       from unnest($1::bigint[], $2::text[]) as w (id, ends) where s.id = w.id`,
      [page.map(([id]) => id), page.map(([, ends]) => JSON.stringify(ends))],
    )
  }
}

/** All subscriptions of a chain, in pages. */
export async function* subscriptionsOfChain(database: Queryable, chain: ChainId): AsyncGenerator<CoinSubscription[]> {
  for (let after = 0; ; ) {
    const { rows } = await database.query<CoinSubscription>(
      sql`select ${COLUMNS} from coin_subscription where chain = $1 and id > $2 order by id limit $3`,
      [chain, after, PAGE],
    )
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}

export async function getSubscriptionsById(database: Queryable, ids: readonly number[]): Promise<CoinSubscription[]> {
  const { rows } = await database.query<CoinSubscription>(
    sql`select ${COLUMNS} from coin_subscription where id = any($1)`,
    [ids],
  )
  return rows
}

/** Whether subscriptions of the chain changed since they were last taken. */
export async function haveSubscriptionsChanged(database: Queryable, chain: ChainId): Promise<boolean> {
  const { rows } = await database.query<{ changed: boolean }>(
    sql`select exists (select from coin_subscription_change where chain = $1) as changed`,
    [chain],
  )
  return rows[0]?.changed ?? false
}

/** Returns the subscriptions that changed, and forgets the changes. The caller reads the subscriptions afterwards. */
export async function takeSubscriptionChanges(database: Queryable, chain: ChainId): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    sql`delete from coin_subscription_change where chain = $1 returning subscription_id as id`,
    [chain],
  )
  return [...new Set(rows.map(({ id }) => id))]
}
