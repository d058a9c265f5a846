/** Stores the events of subscriptions, the transactions that can still change, and the blocks that were matched. */
import type { CoinEventContent } from '../../../../vocabulary/coin-events.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import type { ChainId } from '../networks/network.ts'
import type { BlockRef } from '../node/block-source.ts'
import type { CoinSubscription } from './subscription-store.ts'
import type { Activity, CoinEventKind, RetractionReason } from './transitions.ts'

/** The PostgreSQL notification sent when there are new events. */
export const COIN_EVENTS_CHANNEL = sql`coin_event`

export type CoinEvent = CoinEventContent & {
  readonly id: number
  readonly accountId: string
  readonly createdAt: Date
  readonly retractedAt: Date | null
  readonly retractedBecause: RetractionReason | null
}

/** The state of the follower of a chain. */
export type FollowedState = {
  /** The matched blocks that a reorg can replace, lowest first. */
  readonly blocks: readonly BlockRef[]
  /** By subscription and txid. */
  readonly activities: ReadonlyMap<number, ReadonlyMap<string, Activity>>
  /** The mempool view that was matched, and its version then; undefined if all of it is to be matched. */
  readonly mempool: { readonly view: MempoolView; readonly version: number } | undefined
}

export async function getMatchedBlocks(database: Queryable, chain: ChainId): Promise<BlockRef[]> {
  const { rows } = await database.query<BlockRef>(
    sql`select height, encode(hash, 'hex') as hash from coin_block where chain = $1 order by height`,
    [chain],
  )
  return rows
}

const OUTPOINT_BYTES = 36

function packOutpoints(outpoints: readonly string[]): Buffer {
  const bytes = Buffer.alloc(outpoints.length * OUTPOINT_BYTES)
  for (const [i, outpoint] of outpoints.entries()) {
    const [txid = '', vout = '0'] = outpoint.split(':')
    bytes.write(txid, i * OUTPOINT_BYTES, 'hex')
    bytes.writeUInt32LE(Number(vout), i * OUTPOINT_BYTES + 32)
  }
  return bytes
}

const unpackOutpoints = (bytes: Buffer): string[] =>
  Array.from({ length: bytes.length / OUTPOINT_BYTES }, (_, i) => {
    const at = i * OUTPOINT_BYTES
    return `${bytes.toString('hex', at, at + 32)}:${bytes.readUInt32LE(at + 32)}`
  })

type ActivityRow = Pick<Activity, 'txid' | 'received' | 'sent' | 'spends' | 'isSpender'> & {
  readonly subscriptionId: number
  readonly height: number | null
  readonly hash: string | null
  readonly prevouts: Buffer
  readonly open: CoinEventKind[]
  readonly muted: CoinEventKind[]
  readonly replacedBy: string | null
}

export async function getActivities(database: Queryable, chain: ChainId): Promise<Map<number, Map<string, Activity>>> {
  const { rows } = await database.query<ActivityRow>(
    sql`select a.subscription_id as "subscriptionId", encode(a.txid, 'hex') as txid, a.block_height as height,
       encode(a.block_hash, 'hex') as hash, a.received, a.sent, a.spends, a.is_spender as "isSpender", a.prevouts,
       a.muted, array(select e.kind from coin_event e
         where e.subscription_id = a.subscription_id and e.txid = a.txid and e.retracted_at is null) as open,
       (select encode(e.replaced_by, 'hex') from coin_event e where e.subscription_id = a.subscription_id
         and e.txid = a.txid and e.kind = 'replaced' and e.retracted_at is null) as "replacedBy"
     from coin_activity a join coin_subscription s on s.id = a.subscription_id where s.chain = $1`,
    [chain],
  )
  const found = new Map<number, Map<string, Activity>>()
  for (const { subscriptionId, height, hash, prevouts, open, muted, replacedBy, ...row } of rows) {
    const activity: Activity = {
      ...row,
      replacedBy: replacedBy ?? undefined,
      muted: new Set(muted),
      block: height === null || hash === null ? undefined : { height, hash },
      prevouts: unpackOutpoints(prevouts),
      open: new Set(open),
    }
    const known = found.get(subscriptionId)
    if (known === undefined) found.set(subscriptionId, new Map([[row.txid, activity]]))
    else known.set(row.txid, activity)
  }
  return found
}

/** The changes of one activity. */
export type ActivityChange = {
  readonly subscription: CoinSubscription
  readonly before: Activity
  /** Undefined if nothing can change any more. */
  readonly next: Activity | undefined
  readonly replacedBy: string | undefined
  readonly added: readonly CoinEventKind[]
  readonly retracted: readonly { readonly kind: CoinEventKind; readonly because: RetractionReason }[]
}

/** Stores events and retractions. Returns the ids of both. Repeating it changes nothing. */
export async function saveChanges(
  client: Queryable,
  changes: readonly ActivityChange[],
): Promise<{ readonly added: number[]; readonly retracted: number[] }> {
  await lockPositions(client)
  const retracted = await retractEvents(client, changes)
  const added = await insertEvents(client, changes)
  await saveActivities(client, changes)
  if (added.length + retracted.length > 0) await notify(client, new Set(changes.map(accountOf)))
  return { added, retracted }
}

const accountOf = ({ subscription }: ActivityChange): string => subscription.accountId

/** Positions are taken and committed by one transaction at a time, so that a reader of the stream misses none. */
export async function lockPositions(client: Queryable): Promise<void> {
  await client.query(sql`select pg_advisory_xact_lock(hashtext('coin_event_position'))`)
}

/** A notification has at most 8,000 bytes. */
const MAX_NAMED_ACCOUNTS = 100

export async function notify(client: Queryable, accounts: ReadonlySet<string>): Promise<void> {
  const payload = accounts.size > MAX_NAMED_ACCOUNTS ? '' : [...accounts].join(' ')
  await client.query(sql`select pg_notify('${COIN_EVENTS_CHANNEL}', $1)`, [payload])
}

async function retractEvents(client: Queryable, changes: readonly ActivityChange[]): Promise<number[]> {
  const rows = changes.flatMap(({ subscription: { id }, before: { txid }, retracted }) =>
    retracted.map((each) => ({ id, txid, ...each })),
  )
  if (rows.length === 0) return []
  const { rows: done } = await client.query<{ id: number }>(
    sql`update coin_event e set retracted_at = now(), retracted_because = r.because,
       retracted_position = nextval('coin_event_position')
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as r (subscription_id, txid, kind, because)
     where e.subscription_id = r.subscription_id and e.txid = decode(r.txid, 'hex') and e.kind = r.kind
       and e.retracted_at is null returning e.id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ txid }) => txid),
      rows.map(({ kind }) => kind),
      rows.map(({ because }) => because),
    ],
  )
  return done.map(({ id }) => id)
}

async function insertEvents(client: Queryable, changes: readonly ActivityChange[]): Promise<number[]> {
  const rows = changes.flatMap(({ subscription, before, next, replacedBy, added }) =>
    added.map((kind) => ({ ...before, subscription, kind, replacedBy, block: next?.block })),
  )
  if (rows.length === 0) return []
  const { rows: done } = await client.query<{ id: number }>(
    sql`insert into coin_event (account_id, subscription_id, chain, kind, target_kind, target, txid, block_height,
       block_hash, confirmations, received, sent, replaced_by)
     select s.account_id, s.id, s.chain, n.kind, s.kind, s.target, decode(n.txid, 'hex'), n.height,
       decode(n.hash, 'hex'), case n.kind when 'confirmed' then s.confirmations end, n.received, n.sent,
       case n.kind when 'replaced' then decode(n.replaced_by, 'hex') end
     from unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::text[])
       with ordinality as n (subscription_id, kind, txid, height, hash, received, sent, replaced_by, nth)
     join coin_subscription s on s.id = n.subscription_id order by n.nth
     on conflict (subscription_id, kind, txid) where retracted_at is null do nothing returning id`,
    [
      rows.map(({ subscription: { id } }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ txid }) => txid),
      rows.map(({ block }) => block?.height ?? null),
      rows.map(({ block }) => block?.hash ?? null),
      rows.map(({ received }) => received),
      rows.map(({ sent }) => sent),
      rows.map(({ replacedBy }) => replacedBy ?? null),
    ],
  )
  return done.map(({ id }) => id)
}

async function saveActivities(client: Queryable, changes: readonly ActivityChange[]): Promise<void> {
  const ended = changes.filter(({ next }) => next === undefined)
  if (ended.length > 0)
    await client.query(
      sql`delete from coin_activity a using unnest($1::bigint[], $2::text[]) as g (subscription_id, txid)
       where a.subscription_id = g.subscription_id and a.txid = decode(g.txid, 'hex')`,
      [ended.map(({ subscription }) => subscription.id), ended.map(({ before }) => before.txid)],
    )
  const kept = changes.flatMap(({ subscription, next }) =>
    next === undefined ? [] : [{ id: subscription.id, ...next }],
  )
  if (kept.length === 0) return
  await client.query(
    sql`insert into coin_activity (subscription_id, txid, block_height, block_hash, received, sent, spends, is_spender,
       prevouts, muted)
     select n.subscription_id, decode(n.txid, 'hex'), n.height, decode(n.hash, 'hex'), n.received, n.sent, n.spends,
       n.is_spender, decode(n.prevouts, 'hex'), string_to_array(n.muted, ' ')
     from unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::bigint[], $6::bigint[], $7::boolean[],
       $8::boolean[], $9::text[], $10::text[])
       as n (subscription_id, txid, height, hash, received, sent, spends, is_spender, prevouts, muted)
     on conflict (subscription_id, txid) do update set block_height = excluded.block_height,
       block_hash = excluded.block_hash, received = excluded.received, sent = excluded.sent, spends = excluded.spends,
       muted = excluded.muted,
       prevouts = case when excluded.prevouts = '' then coin_activity.prevouts else excluded.prevouts end`,
    [
      kept.map(({ id }) => id),
      kept.map(({ txid }) => txid),
      kept.map(({ block }) => block?.height ?? null),
      kept.map(({ block }) => block?.hash ?? null),
      kept.map(({ received }) => received),
      kept.map(({ sent }) => sent),
      kept.map(({ spends }) => spends),
      kept.map(({ isSpender }) => isSpender),
      kept.map(({ prevouts }) => packOutpoints(prevouts).toString('hex')),
      kept.map(({ muted }) => [...muted].join(' ')),
    ],
  )
  // An event that still holds refers to the block that its transaction is in now.
  await client.query(
    sql`update coin_event e set block_height = n.height, block_hash = decode(n.hash, 'hex')
     from unnest($1::bigint[], $2::text[], $3::int[], $4::text[]) as n (subscription_id, txid, height, hash)
     where e.subscription_id = n.subscription_id and e.txid = decode(n.txid, 'hex') and e.retracted_at is null
       and e.block_hash is distinct from decode(n.hash, 'hex') and e.kind <> 'replaced'`,
    [
      kept.map(({ id }) => id),
      kept.map(({ txid }) => txid),
      kept.map(({ block }) => block?.height ?? null),
      kept.map(({ block }) => block?.hash ?? null),
    ],
  )
}

/** Replaces the matched blocks above `fork` by `blocks`, and forgets those that no reorg can reach. */
export async function saveBlocks(
  client: Queryable,
  chain: ChainId,
  {
    fork,
    blocks,
    keepFrom,
  }: { readonly fork: number; readonly blocks: readonly BlockRef[]; readonly keepFrom: number },
): Promise<void> {
  await client.query(sql`delete from coin_block where chain = $1 and (height > $2 or height < $3)`, [
    chain,
    fork,
    keepFrom,
  ])
  await client.query(
    sql`insert into coin_block (chain, height, hash)
     select $1, b.height, decode(b.hash, 'hex') from unnest($2::int[], $3::text[]) as b (height, hash)`,
    [chain, blocks.map(({ height }) => height), blocks.map(({ hash }) => hash)],
  )
  await client.query(
    sql`update coin_cursor set height = (select max(height) from coin_block where chain = $1) where chain = $1`,
    [chain],
  )
}

/** Locks the cursor of a chain until the transaction ends, and returns its height. */
export async function lockCursor(client: Queryable, chain: ChainId): Promise<number | undefined> {
  const { rows } = await client.query<{ height: number | null }>(
    sql`select height from coin_cursor where chain = $1 for update`,
    [chain],
  )
  return rows[0]?.height ?? undefined
}

const HOUR_FORMAT = sql`YYYY-MM-DD"T"HH24:MI:SS.MS"Z"`
const EVENT_COLUMNS = sql`id, account_id as "accountId", subscription_id as "subscriptionId", chain, kind,
  target_kind as "targetKind", target, encode(txid, 'hex') as txid, block_height as "blockHeight",
  encode(block_hash, 'hex') as "blockHash", confirmations, received, sent, encode(replaced_by, 'hex') as "replacedBy",
  count, to_char(hour at time zone 'UTC', '${HOUR_FORMAT}') as hour, created_at as "createdAt", retracted_at as "retractedAt", retracted_because as "retractedBecause"`

/** An event at its place in the order of the stream: when it was reported, or when it was retracted. */
export type PositionedEvent = { readonly position: number; readonly isRetraction: boolean; readonly event: CoinEvent }

/** Returns events and retractions of an account after a position, in order. */
export async function getCoinEvents(
  database: Queryable,
  accountId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<PositionedEvent[]> {
  const { rows } = await database.query<CoinEvent & { place: number; isRetraction: boolean }>(
    sql`(select ${EVENT_COLUMNS}, position as place, false as "isRetraction" from coin_event
       where account_id = $1 and position > $2 order by position limit $3)
     union all
     (select ${EVENT_COLUMNS}, retracted_position as place, true as "isRetraction" from coin_event
       where account_id = $1 and retracted_position > $2 order by retracted_position limit $3)
     order by place limit $3`,
    [accountId, after, limit],
  )
  return rows.map(({ place: position, isRetraction, ...event }) => ({ position, isRetraction, event }))
}

/** The position of the last event or retraction of an account; 0 if there is none. */
export async function findLastPosition(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ position: number }>(
    sql`select greatest(0, (select max(position) from coin_event where account_id = $1),
       (select max(retracted_position) from coin_event where account_id = $1 and retracted_position is not null)
       ) as position`,
    [accountId],
  )
  return rows[0]?.position ?? 0
}

const PRUNE_BATCH = 1_000

/** Deletes events older than `days`, except those of transactions that can still change. */
export async function pruneCoinEvents(database: Queryable, chain: ChainId, days: number): Promise<void> {
  for (let pruned = PRUNE_BATCH; pruned === PRUNE_BATCH; ) {
    const { rowCount } = await database.query(
      sql`delete from coin_event where id in (
         select id from coin_event e where e.chain = $1 and e.created_at < now() - $2 * interval '1 day'
           and not exists (select from coin_activity a where a.subscription_id = e.subscription_id and a.txid = e.txid)
         order by e.created_at limit $3)`,
      [chain, days, PRUNE_BATCH],
    )
    pruned = rowCount ?? 0
  }
}
