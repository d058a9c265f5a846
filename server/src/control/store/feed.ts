/** SQL of the feed: reading control events, newest first. */
import { createHash } from 'node:crypto'
import type { Queryable } from '../../platform/database.ts'
import type { Category, Severity } from '../catalog/event-row.ts'
import { SEVERITIES } from '../catalog/event-row.ts'
import { CHAINS, findChain } from '../chains/chains.ts'
import type { Hex } from '../node/parse.ts'
import { toBytes, toDigits, toHex } from './bytes.ts'
import type { ContractRef } from './contracts.ts'
import { severityRank } from './events.ts'

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
  page: { readonly after?: FeedPosition | undefined; readonly limit: number },
): Promise<readonly FeedEvent[]> {
  const { text, values } = feedQuery(filter, page)
  // Prepared under a name of its own for each combination of filters: planning over all partitions costs several times
  // what the walk itself does.
  const name = `feed_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  const { rows } = await database.query<Row>({ name, text, values })
  return rows.map(eventOf)
}

/** The newest events of these contracts at or after `since`, setup included. */
export async function getEventsOf(
  database: Queryable,
  contracts: readonly ContractRef[],
  { since, limit }: { readonly since: Date | undefined; readonly limit: number },
): Promise<readonly FeedEvent[]> {
  const { rows } = await database.query<Row>({
    name: 'events_of_contracts',
    text: named(`
      select e.* from unnest($1::int[], $2::text[]) as wanted (chain_id, digits) cross join lateral (
        select * from control_event e
        where e.chain_id = wanted.chain_id and e.address = decode(wanted.digits, 'hex') and e.block_time >= $3
        ${ORDER} limit $4) as e
      ${ORDER} limit $4`),
    values: [
      contracts.map(({ chainId }) => chainId),
      contracts.map(({ address }) => toDigits(address)),
      since ?? '-infinity',
      limit,
    ],
  })
  return rows.map(eventOf)
}

const ORDER = 'order by block_time desc, id desc'

/** Events with what is known of their contracts, in the order of the feed. */
const named = (events: string): string => `
  select e.*, c.name, c.kind, p.label as protocol from (${events}) as e
  left join contract c on c.chain_id = e.chain_id and c.address = e.address
  left join protocol p on p.id = c.protocol_id
  order by e.block_time desc, e.id desc`

/**
 * One index walk for each pair of chain and setup flag, each already in order and stopped at the page's length, merged:
 * the feed's index begins with both. An address or a key has an index of its own, and one walk is enough.
 */
function feedQuery(
  filter: FeedFilter,
  { after, limit }: { readonly after?: FeedPosition | undefined; readonly limit: number },
) {
  const values: unknown[] = []
  const bind = (value: unknown): string => `$${values.push(value)}`
  const conditions: string[] = []
  if (filter.address !== undefined) conditions.push(`address = ${bind(toBytes(filter.address))}`)
  if (filter.key !== undefined) conditions.push(`event_key = ${bind(filter.key)}`)
  if (filter.category !== undefined) conditions.push(`category = ${bind(filter.category)}`)
  if (filter.minSeverity !== undefined) conditions.push(`severity >= ${bind(severityRank(filter.minSeverity))}`)
  if (after !== undefined) conditions.push(`(block_time, id) < (${bind(new Date(after.blockTime))}, ${bind(after.id)})`)
  const most = bind(limit)

  const chainIds = filter.chainId === undefined ? CHAINS.map(({ id }) => id) : [filter.chainId]
  const flags = filter.includeInit ? ['false', 'true'] : ['false']
  const hasOwnIndex = filter.address !== undefined || filter.key !== undefined
  const walks = hasOwnIndex
    ? [[`chain_id = any(${bind(chainIds)})`, filter.includeInit ? 'true' : 'not is_init']]
    : chainIds.flatMap((id) => flags.map((flag) => [`chain_id = ${bind(id)}`, `is_init = ${flag}`]))
  const parts = walks.map(
    (walk) => `(select * from control_event where ${[...walk, ...conditions].join(' and ')} ${ORDER} limit ${most})`,
  )
  return { text: named(`select * from (${parts.join(' union all ')}) as walks ${ORDER} limit ${most}`), values }
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
