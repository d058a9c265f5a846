/**
 * Alerts about coins: queues, retracts and replays the messages of coin events, and reads their content.
 *
 * Coin events use the messages, deliveries and channels of control events. Their copies in `alert_event` have the chain 0,
 * their id as block number, by which they are found, and the event itself as arguments.
 */
import { type CoinEventContent, coinEventTitle } from '../../../../vocabulary/coin-events.ts'
import type { Database, Queryable } from '../../platform/database.ts'
import { literal, sql } from '../../platform/sql.ts'
import { acknowledgeMessage, findMessageUid } from './acknowledgments.ts'
import type { AlertItem } from './alert.ts'
import { ALERTS_CHANNEL, queueSql, retractEvents } from './alert-matches.ts'
import { replayDelivery } from './alert-messages.ts'
import { type AlertEvent, COIN_CHAIN_ID, type CoinDeliveryRecord, findCoinDelivery } from './delivery-records.ts'

/** A digest is about contracts or about coins: the latter is due a second later. */
const QUEUE = queueSql({
  matching: sql`
    event as materialized (
      select e.id, ${literal(COIN_CHAIN_ID)}::int as chain_id, e.id as block_number, e.created_at as block_time,
        coalesce(e.txid, decode(lpad(to_hex(e.id), 64, '0'), 'hex')) as tx_hash, 0 as log_index, ''::bytea as address, 'coin.' || e.kind as event_key, 'coins' as category,
        0::smallint as severity, false as is_init, false as is_derived, null as operation, e.block_hash,
        json_build_object('chain', e.chain, 'kind', e.kind, 'targetKind', e.target_kind, 'target', e.target,
          'txid', encode(e.txid, 'hex'), 'blockHeight', e.block_height, 'blockHash', encode(e.block_hash, 'hex'),
          'confirmations', e.confirmations, 'received', e.received, 'sent', e.sent,
          'replacedBy', encode(e.replaced_by, 'hex'), 'count', e.count,
          'hour', to_char(e.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'subscriptionId', e.subscription_id) as args
      from coin_event e where e.id = any($1)
    ), matched as (
      select s.id as subscription_id, s.account_id, e.id as event_id, v.tx_hash, c.id as channel_id, c.kind, v.severity
      from coin_event e join event v on v.id = e.id join coin_subscription s on s.id = e.subscription_id
      join alert_channel c on c.account_id = s.account_id and c.disabled_at is null and c.kind = any(s.channels)
    )`,
  confirmedAt: sql`now()`,
  digestDelay: sql`interval '1 second'`,
})

export const coinAlerts = {
  /** Queues messages about events, in the transaction that stores them. */
  queue: async (client: Queryable, eventIds: readonly number[]): Promise<void> => {
    if (eventIds.length === 0) return
    const { rows } = await client.query<{ messages: number }>({
      name: 'queue_coin_events',
      text: QUEUE,
      values: [eventIds],
    })
    if ((rows[0]?.messages ?? 0) > 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
  },
  /** Retracts the messages of events, in the transaction that retracts them. */
  retract: async (client: Queryable, eventIds: readonly number[]): Promise<void> => {
    if (eventIds.length === 0) return
    await client.query(
      sql`update alert_event a
       set args = (a.args::jsonb || jsonb_build_object('retractedBecause', e.retracted_because))::json
       from coin_event e where a.id = any($1) and e.id = a.id`,
      [eventIds],
    )
    const first = eventIds.reduce((least, id) => Math.min(least, id))
    await retractEvents(
      client,
      COIN_CHAIN_ID,
      first - 1,
      eventIds,
      'The event was retracted: it does not hold any more.',
    )
  },
}

/** Sends the message of a coin delivery again, as `replayDelivery` does. Returns the delivery, or why it is not sent. */
export async function replayCoinDelivery(
  database: Database,
  accountId: string,
  id: number,
): Promise<CoinDeliveryRecord | 'not_found' | 'retracted' | 'no_channel'> {
  if ((await findCoinDelivery(database, accountId, id)) === undefined) return 'not_found'
  const outcome = await replayDelivery(database, accountId, id)
  // A message in progress is sent anyway.
  if (outcome !== 'queued' && outcome !== 'in_progress') return outcome
  return (await findCoinDelivery(database, accountId, id)) ?? 'not_found'
}

/** Acknowledges the message of a coin delivery, as `acknowledgeMessage` does. Undefined if there is no such delivery. */
export async function acknowledgeCoinDelivery(
  database: Database,
  accountId: string,
  id: number,
  by: string,
): Promise<CoinDeliveryRecord | undefined> {
  if ((await findCoinDelivery(database, accountId, id)) === undefined) return undefined
  const uid = await findMessageUid(database, accountId, id)
  if (uid !== undefined) await acknowledgeMessage(database, uid, by)
  return await findCoinDelivery(database, accountId, id)
}

export const isCoinEvent = ({ chainId }: Pick<AlertEvent, 'chainId'>): boolean => chainId === COIN_CHAIN_ID

/** The page about a transaction; of `more` about its address, or the deliveries of the account. */
function pageOf({ chain, txid, targetKind, target }: CoinEventContent, publicUrl: string): string {
  if (txid !== null) return `${publicUrl}/coins/${chain}/tx/${txid}`
  return targetKind === 'address' ? `${publicUrl}/coins/${chain}/address/${target}` : `${publicUrl}/account/coins`
}

/** The content of a coin event in a message. */
export function coinItem(event: AlertEvent, publicUrl: string): AlertItem {
  const coin = event.args as CoinEventContent
  return {
    event: { ...event, chainSlug: coin.chain },
    severity: event.severity,
    description: { title: coinEventTitle(coin), changes: [], queued: undefined, facts: [], advice: '' },
    contracts: [],
    coin,
    explorerUrl: pageOf(coin, publicUrl),
  }
}
