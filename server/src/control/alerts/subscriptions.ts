/** Stores subscriptions. A protocol subscription has a child row for each contract, which events are matched with. */

import type { Category } from '../../../../vocabulary/categories.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { SEVERITIES, type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes, toHexOrUndefined } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { CHANNEL_KINDS, type ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { type ContractRef, joinContractName } from '../registry/contracts.ts'
import { requestPoll } from '../registry/poll-requests.ts'

export type ChannelFlags = Readonly<Record<ChannelKind, boolean>>

/** When the alerts of a subscription are sent. */
export const ALERT_TIMES = ['head', 'confirmed'] as const
export type AlertTime = (typeof ALERT_TIMES)[number]

/** Flags of every kind: true for the kinds that `isOn` accepts. */
export const channelFlagsOf = (isOn: (kind: ChannelKind) => boolean): ChannelFlags =>
  Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, isOn(kind)])) as ChannelFlags

const kindsOf = (flags: { readonly [kind in ChannelKind]?: boolean | undefined }, value: boolean): ChannelKind[] =>
  CHANNEL_KINDS.filter((kind) => flags[kind] === value)

export type ContractName = {
  readonly name: string | null
  readonly protocol: string | null
  readonly kind: string | null
}

export type Subscription = {
  readonly id: number
  readonly source: 'manual' | 'protocol'
  readonly chainId: number | null
  readonly chainSlug: string | null
  readonly address: Hex | null
  /** The protocol that the account subscribed to. */
  readonly protocol: { readonly label: string; readonly slug: string; readonly contracts: number } | null
  readonly minSeverity: Severity
  readonly channels: ChannelFlags
  readonly includeControllers: boolean
  /** Changes of these powers are sent whatever their severity. */
  readonly powerEffects: readonly PowerEffect[]
  /** Only events of these categories, or with one of `eventKeys`. Both empty: every event. */
  readonly categories: readonly Category[]
  readonly eventKeys: readonly string[]
  /** Queued changes are sent whatever their severity, category and key. */
  readonly queuedChanges: boolean
  /** Null: transactions with a critical event at head, others once their block is confirmed. */
  readonly alertAt: AlertTime | null
  readonly createdAt: Date
  readonly pausedAt: Date | null
  readonly contract: ContractName | null
}

type Row = {
  id: number
  channels: readonly ChannelKind[]
  parent_id: number | null
  chain_id: number | null
  address: Buffer | null
  protocol_label: string | null
  protocol_slug: string | null
  contracts: number
  min_severity: number
  include_controllers: boolean
  power_effects: PowerEffect[]
  categories: Category[]
  event_keys: string[]
  queued_changes: boolean
  alert_at: AlertTime | null
  created_at: Date
  paused_at: Date | null
  name: string | null
  kind: string | null
  protocol: string | null
}

const SELECT = sql`
  select s.*, c.name, c.kind, c.protocol, p.label as protocol_label, p.slug as protocol_slug,
    case when s.protocol_id is null then 0
      else (select count(*)::int from subscription child where child.parent_id = s.id) end as contracts
  from subscription s
  left join protocol p on p.id = s.protocol_id
  ${joinContractName(sql`s`)}`

function subscriptionOf(row: Row): Subscription {
  const { protocol_label: label, protocol_slug: slug } = row
  const isProtocol = label !== null && slug !== null
  return {
    id: row.id,
    source: isProtocol || row.parent_id !== null ? 'protocol' : 'manual',
    chainId: row.chain_id,
    chainSlug: row.chain_id === null ? null : (findChain(row.chain_id)?.slug ?? String(row.chain_id)),
    address: toHexOrUndefined(row.address) ?? null,
    protocol: isProtocol ? { label, slug, contracts: row.contracts } : null,
    minSeverity: SEVERITIES[row.min_severity] ?? 'info',
    channels: channelFlagsOf((kind) => row.channels.includes(kind)),
    includeControllers: row.include_controllers,
    powerEffects: row.power_effects,
    categories: row.categories,
    eventKeys: row.event_keys,
    queuedChanges: row.queued_changes,
    alertAt: row.alert_at,
    createdAt: row.created_at,
    pausedAt: row.paused_at,
    contract: isProtocol ? null : { name: row.name, protocol: row.protocol, kind: row.kind },
  }
}

/** Returns the subscriptions of an account, newest first. A protocol is one subscription. */
export async function getSubscriptions(database: Queryable, accountId: string): Promise<readonly Subscription[]> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where s.account_id = $1 and s.parent_id is null order by s.id desc`,
    [accountId],
  )
  return rows.map(subscriptionOf)
}

/** A contract that a subscription covers. `id` is the position in the list, `subscription.id` the id to manage it by. */
export type SubscribedContract = { readonly id: number; readonly subscription: Subscription }

/** Returns the contracts of all subscriptions, newest first. Those of a protocol have the id of one subscription. */
export async function getSubscribedContracts(
  database: Queryable,
  accountId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly SubscribedContract[]> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where s.account_id = $1 and s.address is not null and s.id < coalesce($2, 9223372036854775807)
     order by s.id desc limit $3`,
    [accountId, before ?? null, limit],
  )
  return rows.map((row) => ({ id: row.id, subscription: { ...subscriptionOf(row), id: row.parent_id ?? row.id } }))
}

export async function findSubscription(
  database: Queryable,
  accountId: string,
  id: number,
): Promise<Subscription | undefined> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where s.account_id = $1 and s.id = $2 and s.parent_id is null`,
    [accountId, id],
  )
  return rows[0] === undefined ? undefined : subscriptionOf(rows[0])
}

/** A limit, because every row is matched with every event. */
export const MAX_SUBSCRIPTIONS = 1_000

export type SubscriptionSettings = {
  readonly minSeverity: Severity
  readonly channels: ChannelFlags
  readonly includeControllers: boolean
  readonly powerEffects?: readonly PowerEffect[]
  readonly categories?: readonly Category[]
  readonly eventKeys?: readonly string[]
  readonly queuedChanges?: boolean
  readonly alertAt?: AlertTime | null
}

export type Target = ContractRef | { readonly protocolId: number }

/**
 * Returns undefined if the subscription exists, `full` if the account has reached its limit of subscriptions, and
 * `new_contracts_full` if it may not add another contract to the watched ones.
 */
export async function insertSubscription(
  database: Database,
  accountId: string,
  target: Target,
  settings: SubscriptionSettings,
  { maxNewContracts }: { readonly maxNewContracts?: number } = {},
): Promise<Subscription | 'full' | 'new_contracts_full' | undefined> {
  return await inTransaction(database, async (client) => {
    // Two concurrent requests must not both pass the limit.
    await client.query(sql`select from user_account where id = $1 for update`, [accountId])
    const { rows: counted } = await client.query<{ count: number }>(
      sql`select count(*)::int from subscription where account_id = $1 and parent_id is null`,
      [accountId],
    )
    if ((counted[0]?.count ?? 0) >= MAX_SUBSCRIPTIONS) return 'full'
    if ('address' in target && !(await ensureContract(client, accountId, target, maxNewContracts)))
      return 'new_contracts_full'
    const { rows } = await client.query<{ id: number }>(
      sql`insert into subscription (account_id, chain_id, address, protocol_id, min_severity, channels,
         include_controllers, power_effects, alert_at, categories, event_keys, queued_changes)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing returning id`,
      [
        accountId,
        'address' in target ? target.chainId : null,
        'address' in target ? toBytes(target.address) : null,
        'address' in target ? null : target.protocolId,
        severityRank(settings.minSeverity),
        kindsOf(settings.channels, true),
        settings.includeControllers,
        settings.powerEffects ?? [],
        settings.alertAt ?? null,
        settings.categories ?? [],
        settings.eventKeys ?? [],
        settings.queuedChanges ?? false,
      ],
    )
    return rows[0] === undefined ? undefined : await findSubscription(client, accountId, rows[0].id)
  })
}

/**
 * Watches the contract as `discovered`, because any account can add one: its events about other contracts do not count.
 * It is polled at once, because alerts about its controllers need to know them. Returns false if the account may not add
 * another contract. One that expired counts as new.
 */
async function ensureContract(
  client: Queryable,
  accountId: string,
  contract: ContractRef,
  maxNewContracts = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const values = [contract.chainId, toBytes(contract.address)]
  const { rows } = await client.query<{ watch_state: string }>(
    sql`select watch_state from contract where chain_id = $1 and address = $2 for update`,
    values,
  )
  const isWatched = rows[0] !== undefined && rows[0].watch_state !== 'expired'
  if (!isWatched && (await countNewContracts(client, accountId)) >= maxNewContracts) return false
  if (rows[0] !== undefined) await client.query(sql`select revive_contracts(array[$1::int], array[$2::bytea])`, values)
  if (isWatched) return true
  await client.query(
    sql`insert into contract (chain_id, address, source, added_by) values ($1, $2, 'discovered', $3)
     on conflict (chain_id, address) do update set added_by = excluded.added_by`,
    [...values, accountId],
  )
  await requestPoll(client, contract, 0)
  return true
}

export async function isWatched(database: Queryable, { chainId, address }: ContractRef): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`select from contract where chain_id = $1 and address = $2 and watch_state <> 'expired'`,
    [chainId, toBytes(address)],
  )
  return rowCount === 1
}

/** The contracts that the account has added to the watched ones. */
export async function countNewContracts(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    sql`select count(*)::int as count from contract
     where added_by = $1 and source = 'discovered' and watch_state <> 'expired'`,
    [accountId],
  )
  return rows[0]?.count ?? 0
}

export type SubscriptionChange = {
  readonly minSeverity?: Severity | undefined
  readonly channels?: { readonly [kind in ChannelKind]?: boolean | undefined } | undefined
  readonly includeControllers?: boolean | undefined
  readonly powerEffects?: readonly PowerEffect[] | undefined
  readonly categories?: readonly Category[] | undefined
  readonly eventKeys?: readonly string[] | undefined
  readonly queuedChanges?: boolean | undefined
  /** Null sets the default. */
  readonly alertAt?: AlertTime | null | undefined
  readonly paused?: boolean | undefined
}

/** Returns the changed subscription, or undefined if the account has none with this id. */
export async function changeSubscription(
  database: Queryable,
  accountId: string,
  id: number,
  { channels = {}, ...change }: SubscriptionChange,
): Promise<Subscription | undefined> {
  const { rowCount } = await database.query(
    sql`update subscription set min_severity = coalesce($3, min_severity),
       channels = array(select unnest(channels) union select unnest($4::text[]) except select unnest($5::text[])),
       include_controllers = coalesce($6, include_controllers), power_effects = coalesce($8, power_effects),
       alert_at = case when $9 then $10 else alert_at end, categories = coalesce($11, categories),
       event_keys = coalesce($12, event_keys), queued_changes = coalesce($13, queued_changes),
       paused_at = case when $7::boolean is null then paused_at when $7 then coalesce(paused_at, now()) end
     where account_id = $1 and id = $2 and parent_id is null`,
    [
      accountId,
      id,
      change.minSeverity === undefined ? null : severityRank(change.minSeverity),
      kindsOf(channels, true),
      kindsOf(channels, false),
      change.includeControllers ?? null,
      change.paused ?? null,
      change.powerEffects ?? null,
      change.alertAt !== undefined,
      change.alertAt ?? null,
      change.categories ?? null,
      change.eventKeys ?? null,
      change.queuedChanges ?? null,
    ],
  )
  return rowCount === 1 ? await findSubscription(database, accountId, id) : undefined
}

/** Deletes a subscription and cancels its pending deliveries. */
export async function deleteSubscription(database: Queryable, accountId: string, id: number): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`delete from subscription where account_id = $1 and id = $2 and parent_id is null`,
    [accountId, id],
  )
  return rowCount === 1
}

/** Returns the subscription of an account to a contract. */
export async function findSubscriptionOn(
  database: Queryable,
  accountId: string,
  { chainId, address }: ContractRef,
): Promise<Subscription | undefined> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where s.account_id = $1 and s.chain_id = $2 and s.address = $3 and s.parent_id is null`,
    [accountId, chainId, toBytes(address)],
  )
  return rows[0] === undefined ? undefined : subscriptionOf(rows[0])
}
