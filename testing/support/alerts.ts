/** Test accounts with alerts, the events that cause them, and their deliveries. */

import { randomUUID } from 'node:crypto'
import { type ClaimedMessage, claimMessages } from '../../server/src/control/alerts/alert-messages.ts'
import { saveChannel } from '../../server/src/control/alerts/channels.ts'
import { coinAlerts } from '../../server/src/control/alerts/coin-alerts.ts'
import {
  channelFlagsOf,
  insertSubscription,
  type Subscription,
  type SubscriptionSettings,
  type Target,
} from '../../server/src/control/alerts/subscriptions.ts'
import type { EventRecord } from '../../server/src/control/catalog/catalog.ts'
import { insertEvents } from '../../server/src/control/feed/events.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { type Database, inTransaction } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'

export const CHAIN = 1

export const addressOf = (n: number): Hex => `0x${n.toString(16).padStart(40, 'a')}`
export const hashOf = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`

const FIRST_BLOCK = 20_000_000

/** Returns upgrade events of an address, each by default in a separate block and transaction after the first block. */
export function newUpgrades(): (address: Hex, more?: Partial<EventRecord>) => EventRecord {
  let height = FIRST_BLOCK
  return (address, more = {}) => {
    height += 1
    return {
      blockNumber: height,
      blockHash: hashOf(height),
      blockTime: Date.UTC(2026, 0, 1) + (height - FIRST_BLOCK) * 12_000,
      txHash: hashOf(height),
      logIndex: 0,
      address,
      key: 'proxy.upgraded',
      category: 'upgrade',
      severity: 'critical',
      args: { implementation: addressOf(height) },
      isInit: false,
      subject: undefined,
      ...more,
    }
  }
}

/** Upgrade events for files that do not compare heights: files of one process share them. */
export const upgradeOf = newUpgrades()

export const publish = (database: Database, events: readonly EventRecord[], announce = true): Promise<number> =>
  inTransaction(database, (client) => insertEvents(client, CHAIN, events, announce))

export async function subscribe(
  database: Database,
  account: Account,
  target: Hex | Target,
  settings: Partial<SubscriptionSettings> = {},
): Promise<Subscription> {
  const made = await insertSubscription(
    database,
    account.id,
    typeof target === 'string' ? { chainId: CHAIN, address: target } : target,
    {
      minSeverity: 'info',
      channels: channelFlagsOf(() => true),
      includeControllers: true,
      ...settings,
    },
  )
  if (made === undefined || typeof made === 'string') throw new Error('not subscribed')
  return made
}

export type Account = { readonly id: string }

/** Creates an account without a password, because hashing one would take most of a test's time. */
export async function createAccount(database: Database): Promise<Account> {
  const id = randomUUID()
  await database.query(sql`insert into user_account (id, name, email, email_verified) values ($1, $2, $2, true)`, [
    id,
    `${id}@example.org`,
  ])
  return { id }
}

/** Creates an account with a webhook. */
export async function accountWithWebhook(database: Database, url = 'https://hooks.example/in'): Promise<Account> {
  const account = await createAccount(database)
  await saveChannel(database, account.id, 'webhook', { target: url })
  return account
}

export type ReportedCoinEvent = {
  readonly accountId: string
  readonly subscriptionId: number
  readonly kind: 'seen' | 'confirmed'
  readonly chain: 'btc' | 'ltc'
  readonly target: string
}

let transactions = 0

/** Stores an event of a subscription to an address, of another transaction each time, with its messages. Returns its id. */
export const reportCoinEvent = (
  database: Database,
  { accountId, subscriptionId, kind, chain, target }: ReportedCoinEvent,
): Promise<number> =>
  inTransaction(database, async (client) => {
    transactions += 1
    const { rows } = await client.query<{ id: number }>(
      sql`insert into coin_event (account_id, subscription_id, chain, kind, target_kind, target, txid, block_height,
         block_hash, confirmations, received, sent)
       values ($1, $2, $3, $4, 'address', $5, decode(lpad(to_hex($6::int), 64, '0'), 'hex'), 7, '', 3, 125000000, 0)
       returning id`,
      [accountId, subscriptionId, chain, kind, target, transactions],
    )
    const ids = rows.map(({ id }) => id)
    await coinAlerts.queue(client, ids)
    return ids[0] ?? 0
  })

/** Retracts an event of a coin subscription as dropped, with its messages. */
export const retractCoinEvent = (database: Database, id: number): Promise<void> =>
  inTransaction(database, async (client) => {
    await client.query(sql`update coin_event set retracted_at = now(), retracted_because = 'dropped' where id = $1`, [
      id,
    ])
    await coinAlerts.retract(client, [id])
  })

export type TestDelivery = {
  readonly subscription: number
  readonly key: string
  readonly channel: string
  readonly message: number
  readonly status: string
}

/** The deliveries of an account, oldest first. */
export async function deliveriesTo(database: Database, { id }: Account): Promise<readonly TestDelivery[]> {
  const { rows } = await database.query<TestDelivery>(
    sql`select d.subscription_id as subscription, e.event_key as key, d.channel, d.message_id as message,
       case when d.cancelled_at is null then m.status else 'cancelled' end as status
     from delivery d join alert_message m on m.id = d.message_id join alert_event e on e.id = d.event_id
     where d.account_id = $1 order by d.id`,
    [id],
  )
  return rows
}

/** Claims the due webhook messages. */
export async function claimWebhooks(database: Database): Promise<readonly ClaimedMessage[]> {
  const now = Date.now()
  const { messages } = await claimMessages(database, {
    channel: 'webhook',
    now,
    until: now + 60_000,
    limit: 10,
    after: 0,
    recipients: { listed: new Map(), others: 10 },
    hosts: { listed: new Map(), others: 10 },
  })
  return messages
}
