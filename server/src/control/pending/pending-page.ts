/** Reads queued changes, earliest first, or those that were closed, newest first. */
import { callText } from '../../../../vocabulary/call-sentence.ts'
import {
  mainCallOf,
  type PendingFamily,
  type PendingState,
  SIMULATION_PROBLEM_TEXTS,
} from '../../../../vocabulary/pending.ts'
import { SEVERITIES, type Severity } from '../../../../vocabulary/severities.ts'
import type { Token } from '../../../../vocabulary/tokens.ts'
import { type Hex, toBytes, toHex, toHexOrUndefined } from '../../lib/hex.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import type { Queryable } from '../../platform/database.ts'
import { type Sql, sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { findNamed } from '../powers/names.ts'
import { joinContractName } from '../registry/contracts.ts'
import type { Simulation } from './simulation/simulate.ts'
import type { PendingCall } from './steps.ts'

export type PendingFilter = {
  readonly chainId?: number | undefined
  /** The contract that queues the change, or one that the change affects. */
  readonly address?: Hex | undefined
  readonly protocolId?: number | undefined
  readonly isClosed?: boolean | undefined
}

/** The last change of a page: its earliest execution, or when it was closed. Infinity if the time is not known. */
type Position = { readonly time: number; readonly id: number }

type Row = {
  id: number
  chain_id: number
  address: Buffer
  operation: string
  family: PendingFamily
  state: Exclude<PendingState, 'ready'>
  severity: number
  queued_at: Date
  queued_block: number | null
  queued_tx: Buffer | null
  queued_by: Buffer | null
  earliest_at: Date | null
  expires_at: Date | null
  closed_at: Date | null
  closed_tx: Buffer | null
  calls: readonly PendingCall[]
  call_count: number
  confirmed_by: readonly Buffer[] | null
  missing_by: readonly Buffer[] | null
  nonce: number | null
  is_rejection: boolean
  trial: Simulation | null
  tried_at: Date | null
  threshold: number | null
  name: string | null
  kind: string | null
  protocol: string | null
}

/** An operation in a timelock that a proposal queued. */
type PartRow = {
  readonly part_of: number
  readonly address: Buffer
  readonly family: PendingFamily
  readonly operation: string
  readonly name: string | null
}

type TargetRow = {
  operation_id: number
  address: Buffer
  is_affected: boolean
  code_hash: Buffer | null
  implementation: Buffer | null
  changed_code_hash: Buffer | null
  name: string | null
  symbol: string | null
  decimals: number | null
}

const OF_ADDRESS = sql`
  select listed_operation(o.id, o.part_of) from pending_operation o where ($3::int is null or o.chain_id = $3) and o.address = $5
  union
  select listed_operation(o.id, o.part_of) from pending_target t join pending_operation o on o.id = t.operation_id
  where ($3::int is null or t.chain_id = $3) and t.address = $5 and t.is_affected
    and is_credible_target(t.chain_id, o.address, t.address)`

const OF_PROTOCOL = sql`
  select listed_operation(o.id, o.part_of) from contract c join pending_operation o on o.chain_id = c.chain_id and o.address = c.address
  where c.protocol_id = $6
  union
  select listed_operation(o.id, o.part_of) from contract c join pending_target t on t.chain_id = c.chain_id and t.address = c.address
  join pending_operation o on o.id = t.operation_id
  where c.protocol_id = $6 and t.is_affected and is_credible_target(t.chain_id, o.address, t.address)`

const OPEN = sql`o.state in ('proposed', 'queued') and (o.expires_at is null or o.expires_at > now())
  and (coalesce(o.earliest_at, 'infinity'), o.id) > ($1::timestamptz, $2)`
const CLOSED = sql`o.state not in ('proposed', 'queued') and (o.closed_at, o.id) < ($1::timestamptz, $2)`

const pageQuery = (isClosed: boolean): Sql => {
  const order = isClosed ? sql`o.closed_at desc, o.id desc` : sql`coalesce(o.earliest_at, 'infinity'), o.id`
  return sql`
    with page as (
      select o.* from pending_operation o
      where o.is_listed and ${isClosed ? CLOSED : OPEN} and (o.part_of is null or o.id = listed_operation(o.id, o.part_of)) and ($3::int is null or o.chain_id = $3)
        and ($5::bytea is null or o.id in (${OF_ADDRESS})) and ($6::bigint is null or o.id in (${OF_PROTOCOL}))
      order by ${order} limit $4
    )
    select o.*, c.name, c.kind, c.protocol from page o ${joinContractName(sql`o`)} order by ${order}`
}

/** Returns the changes after a position, and the addresses they concern. */
async function getPending(
  database: Queryable,
  { chainId, address, protocolId, isClosed = false }: PendingFilter,
  { after, limit }: { readonly after: Position | undefined; readonly limit: number },
) {
  const start = isClosed ? 'infinity' : '-infinity'
  const time = after === undefined ? start : Number.isFinite(after.time) ? new Date(after.time) : 'infinity'
  const { rows } = await database.query<Row>(pageQuery(isClosed), [
    time,
    after?.id ?? (isClosed ? Number.MAX_SAFE_INTEGER : 0),
    chainId ?? null,
    limit,
    address === undefined ? null : toBytes(address),
    protocolId ?? null,
  ])
  const ids = rows.map(({ id }) => id)
  const [targets, parts] = await Promise.all([getTargets(database, ids), getParts(database, ids)])
  return rows.map((row) => ({ row, targets: targets.get(row.id) ?? [], parts: parts.get(row.id) ?? [] }))
}

async function getTargets(database: Queryable, ids: readonly number[]): Promise<Map<number, TargetRow[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await database.query<TargetRow>({
    name: 'get_pending_targets',
    text: sql`select t.operation_id, t.address, t.is_affected, t.code_hash, t.implementation, t.changed_code_hash, c.name,
             m.metadata ->> 'symbol' as symbol, m.metadata -> 'decimals' as decimals
           from pending_target t ${joinContractName(sql`t`)} left join contract m on m.chain_id = t.chain_id and m.address = t.address
           where t.operation_id = any($1) order by t.operation_id, not t.is_affected, t.address`,
    values: [ids],
  })
  return Map.groupBy(rows, ({ operation_id: id }) => id)
}

async function getParts(database: Queryable, ids: readonly number[]): Promise<Map<number, PartRow[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await database.query<PartRow>({
    name: 'get_pending_parts',
    text: sql`select o.part_of, o.address, o.family, o.operation, c.name from pending_operation o ${joinContractName(sql`o`)}
           where o.part_of = any($1) order by o.id`,
    values: [ids],
  })
  return Map.groupBy(rows, ({ part_of: whole }) => whole)
}

export type PendingPageRequest = {
  readonly filter: PendingFilter
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Reads one page and the cursor of the next one. */
export async function getPendingPage(
  { database, clock }: { readonly database: Queryable; readonly clock: { readonly now: () => number } },
  { filter, limit, cursor }: PendingPageRequest,
) {
  const isClosed = filter.isClosed === true
  const found = await getPending(database, filter, { after: readCursor(cursor, isClosed), limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)?.row
  const time = (isClosed ? last?.closed_at : last?.earliest_at)?.getTime() ?? NO_TIME
  return {
    data: shown.map(({ row, targets, parts }) => pendingView({ row, targets, parts }, clock.now())),
    nextCursor: found.length > limit && last !== undefined ? encodeCursor(isClosed ? 'c' : 'o', time, last.id) : null,
  }
}

const NO_TIME = 'n'

function readCursor(cursor: string | undefined, isClosed: boolean): Position | undefined {
  if (cursor === undefined) return undefined
  const fields = decodeCursor(cursor, isClosed ? /^c\.(\d{1,15})\.(\d{1,15})$/ : /^o\.(\d{1,15}|n)\.(\d{1,15})$/)
  const [time, id] = fields ?? []
  if (time === undefined || Number(time) > MAX_TIME) throw invalidCursor('invalid_cursor')
  return { time: time === NO_TIME ? Number.POSITIVE_INFINITY : Number(time), id: Number(id) }
}

/** The largest time of a `Date`. */
const MAX_TIME = 8.64e15

/** A stored state does not depend on the time; this one does. */
function stateAt({ state, earliest_at: earliest, expires_at: expires }: Row, now: number): PendingState {
  if (state !== 'queued') return state
  if (expires !== null && expires.getTime() <= now) return 'expired'
  return earliest !== null && earliest.getTime() <= now ? 'ready' : 'queued'
}

type Found = { readonly row: Row; readonly targets: readonly TargetRow[]; readonly parts: readonly PartRow[] }

function pendingView({ row, targets, parts }: Found, now: number) {
  const around = { chainId: row.chain_id, home: row.chain_id, tokens: tokensOf(targets) }
  const calls = row.calls.map((call) => callView(call, around))
  return {
    id: row.id,
    chainId: row.chain_id,
    chainSlug: findChain(row.chain_id)?.slug ?? String(row.chain_id),
    address: toHex(row.address),
    contract: { name: row.name, protocol: row.protocol, kind: row.kind },
    family: row.family,
    operation: row.operation,
    state: stateAt(row, now),
    severity: (SEVERITIES[row.severity] ?? 'info') satisfies Severity,
    summary: row.is_rejection
      ? `Reject the other transactions with nonce ${row.nonce}`
      : summaryOf(calls, row.call_count),
    calls,
    callCount: row.call_count,
    queuedAt: row.queued_at.toISOString(),
    queuedBy: toHexOrUndefined(row.queued_by) ?? null,
    queuedBlock: row.queued_block,
    queuedTxHash: toHexOrUndefined(row.queued_tx) ?? null,
    earliestAt: row.earliest_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    closedTxHash: toHexOrUndefined(row.closed_tx) ?? null,
    confirmations:
      row.confirmed_by === null || row.threshold === null
        ? null
        : {
            required: row.threshold,
            owners: row.confirmed_by.map(toHex),
            missing: (row.missing_by ?? []).map(toHex),
            nonce: row.nonce,
          },
    queuedIn: parts.map((part) => ({
      address: toHex(part.address),
      name: part.name,
      family: part.family,
      operation: part.operation,
    })),
    after: afterView(row),
    targets: targets.map((target) => ({
      address: toHex(target.address),
      name: target.name,
      isAffected: target.is_affected,
      codeHash: toHexOrUndefined(target.code_hash) ?? null,
      implementation: toHexOrUndefined(target.implementation) ?? null,
      hasChanged: target.changed_code_hash !== null,
    })),
  }
}

/** What the simulation showed; null before it was made, and after the end. */
function afterView({ trial: simulation, tried_at: simulatedAt, closed_at: closedAt }: Row) {
  if (simulation === null || simulatedAt === null || closedAt !== null) return null
  return {
    simulatedAt: simulatedAt.toISOString(),
    block: simulation.block,
    problem: simulation.problem ?? null,
    reason: simulation.problem === undefined ? null : SIMULATION_PROBLEM_TEXTS[simulation.problem],
    contracts: simulation.contracts.map(({ address, before, after, gained, lost }) => ({
      address,
      label: after.label,
      tone: after.tone,
      previousLabel: before.label,
      previousTone: before.tone,
      gainedPowers: [...gained],
      lostPowers: [...lost],
    })),
  }
}

type CallView = {
  readonly chainId: number
  readonly chainSlug: string
  readonly target: string
  readonly text: string
  readonly selector: string | null
  readonly signature: string | null
  readonly args: unknown[] | null
  readonly value: string
  readonly isControl: boolean
  readonly isDelegated: boolean
  readonly isComplete: boolean
  readonly calls: CallView[]
}

const tokensOf = (targets: readonly TargetRow[]): ReadonlyMap<string, Token> =>
  new Map(
    targets.flatMap(({ address, symbol, decimals }): [string, Token][] =>
      symbol === null || decimals === null ? [] : [[toHex(address), { symbol, decimals }]],
    ),
  )

type Around = {
  /** The chain of the call around it, or of the operation. */
  readonly chainId: number
  /** The chain of the operation. */
  readonly home: number
  readonly tokens: ReadonlyMap<string, Token>
}

function callView(call: PendingCall, { home, tokens, ...around }: Around): CallView {
  const chainId = call.chainId ?? around.chainId
  const chain = findChain(chainId)
  const where = chainId === home ? '' : ` on ${chain?.name ?? `chain ${chainId}`}`
  const signature = call.signature ?? (call.selector && findNamed(call.selector)?.signature)
  const unread = call.problem === 'unread' ? ', whose calls could not be read' : ''
  return {
    chainId,
    chainSlug: chain?.slug ?? String(chainId),
    target: call.target,
    text: `${callText({ ...call, signature, token: tokens.get(call.target) })}${where}${unread}`,
    selector: call.selector ?? null,
    signature: signature ?? null,
    args: call.args === undefined ? null : [...call.args],
    value: call.value ?? '0',
    isControl: call.isControl,
    isDelegated: call.isDelegated === true,
    isComplete: call.problem === undefined,
    calls: (call.calls ?? []).map((inner) => callView(inner, { chainId, home, tokens })),
  }
}

/** The most serious call, and how many others there are. */
function summaryOf(calls: readonly CallView[], count: number): string {
  const main = mainCallOf(calls)
  if (main === undefined) return count === 0 ? 'The calls are not known' : `${count} calls`
  return count > 1 ? `${main.text}, and ${count - 1} more ${count === 2 ? 'call' : 'calls'}` : main.text
}
