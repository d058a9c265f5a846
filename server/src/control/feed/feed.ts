/** SQL of the feed: reading control events, newest first. */

import { CATEGORIES, type Category } from '../../../../vocabulary/categories.ts'
import { SEVERITIES, type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { type Sql, sql } from '../../platform/sql.ts'
import { CHAINS, findChain } from '../chains/chains.ts'
import { joinContractName } from '../registry/contract-name.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** An event as both views and alerts show it. */
export type FeedEvent = {
  readonly id: number
  readonly chainId: number
  readonly chainSlug: string
  readonly blockNumber: number
  readonly blockTime: Date
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Hex
  readonly eventKey: string
  readonly category: Category
  readonly severity: Severity
  readonly args: Record<string, unknown>
  readonly isInit: boolean
  readonly contract: { readonly name: string | null; readonly protocol: string | null; readonly kind: string | null }
}

/** Where a page ended: the next one begins right after it, whatever has arrived since. */
export type FeedPosition = { readonly blockTime: number; readonly id: number }

export type FeedFilter = {
  readonly chainId?: number | undefined
  readonly address?: Hex | undefined
  readonly minSeverity?: Severity | undefined
  readonly key?: string | undefined
  readonly category?: Category | undefined
  readonly includeInit: boolean
}

type Row = {
  id: number
  chain_id: number
  block_number: number
  block_time: Date
  tx_hash: Buffer
  log_index: number
  address: Buffer
  event_key: string
  category: Category
  severity: number
  args: Record<string, unknown>
  is_init: boolean
  name: string | null
  protocol: string | null
  kind: string | null
}

export async function getEvents(
  database: Queryable,
  filter: FeedFilter,
  { after, limit }: { readonly after?: FeedPosition | undefined; readonly limit: number },
): Promise<readonly FeedEvent[]> {
  const { rows } = await database.query<Row>(feedQuery(filter, after, limit))
  return rows.slice(0, limit).map(eventOf)
}

/** The newest events of these contracts at or after `since`, setup included. */
export async function getEventsOf(
  database: Queryable,
  contracts: readonly ContractRef[],
  { since, limit }: { readonly since: Date | undefined; readonly limit: number },
): Promise<readonly FeedEvent[]> {
  const { rows } = await database.query<Row>({
    name: 'events_of_contracts',
    text: named(
      sql`newest_events_of($1, array(select decode(digits, 'hex') from unnest($2::text[]) as digits), $3, $4)`,
    ),
    values: [
      contracts.map(({ chainId }) => chainId),
      contracts.map(({ address }) => toDigits(address)),
      since ?? '-infinity',
      limit,
    ],
  })
  return rows.map(eventOf)
}

/** Events with what is known of their contracts, each asked for once, in the order of the feed. */
const named = (events: Sql): Sql => sql`
  with page as materialized (
    select * from ${events}
  ), emitter as (
    select e.chain_id, e.address, c.* from (select distinct chain_id, address from page) as e ${joinContractName(sql`e`)}
  )
  select id, chain_id, block_number, block_time, tx_hash, log_index, address, event_key, category, severity, args, is_init,
    name, kind, protocol
  from page join emitter using (chain_id, address)
  order by block_time desc, id desc`

/** How the walks work is told where they are made: migrations 0032 and 0035. */
function feedQuery(filter: FeedFilter, after: FeedPosition | undefined, limit: number) {
  const { key, address, chainId } = filter
  const walks = walksOf(filter)
  const chainIds = chainId === undefined ? CHAINS.map(({ id }) => id) : [chainId]
  const page = [
    after === undefined ? 'infinity' : new Date(after.blockTime),
    after?.id ?? 0,
    walks,
    chainIds,
    Math.max(FEW_OF_EACH_WALK, Math.ceil(limit / 20)),
    limit,
  ]
  if (address !== undefined)
    return {
      name: 'feed_of_address',
      text: named(sql`walk_feed_of_address(feed_end($1), $2, $3, $4, $5, $6, $7, $8)`),
      values: [...page, key ?? null, toBytes(address)],
    }
  if (key !== undefined)
    return {
      name: 'feed_of_key',
      text: named(sql`walk_feed_of_key(feed_end($1), $2, $3, $4, $5, $6, $7)`),
      values: [...page, key],
    }
  return { name: 'feed', text: named(sql`walk_feed(feed_end($1), $2, $3, $4, $5, $6)`), values: page }
}

/** A dozen walks or less fetch a page each; more make one of their first few. */
const FEW_OF_EACH_WALK = 4

/** Category, setup and severity in one number, as the database makes it. */
function walksOf({ category, includeInit, minSeverity = 'info' }: FeedFilter): readonly number[] {
  const severities = SEVERITIES.map((_, rank) => rank).filter((rank) => rank >= severityRank(minSeverity))
  return (category === undefined ? CATEGORIES : [category]).flatMap((name) =>
    (includeInit ? [0, 1] : [0]).flatMap((init) =>
      severities.map((severity) => SEVERITIES.length * (2 * CATEGORIES.indexOf(name) + init) + severity),
    ),
  )
}

function eventOf(row: Row): FeedEvent {
  const severity = SEVERITIES[row.severity]
  if (severity === undefined) throw new Error(`event ${row.id} has severity ${row.severity}`)
  return {
    id: row.id,
    chainId: row.chain_id,
    chainSlug: findChain(row.chain_id)?.slug ?? String(row.chain_id),
    blockNumber: row.block_number,
    blockTime: row.block_time,
    txHash: toHex(row.tx_hash),
    logIndex: row.log_index,
    address: toHex(row.address),
    eventKey: row.event_key,
    category: row.category,
    severity,
    args: row.args,
    isInit: row.is_init,
    contract: { name: row.name, protocol: row.protocol, kind: row.kind },
  }
}
