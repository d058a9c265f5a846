/** SQL of what the chain returned for queued operations, and of the warnings that follow from it. */
import type { PendingFamily } from '../../../../vocabulary/pending.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes, toHex, toHexOrUndefined } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { derivedHash, insertDerived } from '../poll/derived-events.ts'
import type { QueueFacts } from './families.ts'
import type { PendingCall } from './steps.ts'

export type Code = {
  readonly hash: Hex
  readonly implementation: Hex | undefined
  readonly implementationHash: Hex | undefined
}

export type OperationToRead = {
  readonly id: number
  readonly address: Hex
  readonly operation: string
  readonly family: PendingFamily
  readonly queuedAt: number
  readonly queuedBlock: number
  readonly queuedTx: Hex | undefined
  readonly queuedBy: Hex | undefined
  readonly earliestAt: number | undefined
  readonly targets: readonly { readonly address: Hex; readonly code: Code | undefined }[]
}

export type Inspection = {
  readonly queuedBy: Hex | undefined
  readonly facts: QueueFacts
  /** The calls of an operation whose events do not contain them. */
  readonly calls?: readonly PendingCall[] | undefined
  readonly codes: readonly {
    readonly address: Hex
    /** At the time of queueing; undefined if it is stored or could not be read. */
    readonly first: Code | undefined
    readonly now: Code | undefined
  }[]
}

type Row = {
  id: number
  address: Buffer
  operation: string
  family: PendingFamily
  queued_at: Date
  queued_block: number
  queued_tx: Buffer | null
  queued_by: Buffer | null
  earliest_at: Date | null
}

type TargetRow = {
  operation_id: number
  address: Buffer
  code_hash: Buffer | null
  implementation: Buffer | null
  implementation_hash: Buffer | null
}

/** The open operations of a chain that were not read for a minute: the most serious first, so that a flood of others does not delay them. */
export async function getOperationsToRead(
  database: Queryable,
  chainId: number,
  limit: number,
): Promise<readonly OperationToRead[]> {
  const { rows } = await database.query<Row>({
    name: 'get_operations_to_read',
    text: sql`select id, address, operation, family, queued_at, queued_block, queued_tx, queued_by, earliest_at from pending_operation
           where chain_id = $1 and state in ('proposed', 'queued') and is_listed and queued_block is not null
             and (read_at is null or read_at < now() - interval '1 minute')
           order by severity desc, coalesce(read_at, queued_at), id limit $2`,
    values: [chainId, limit],
  })
  const { rows: targets } = await database.query<TargetRow>({
    name: 'get_targets_to_read',
    text: sql`select operation_id, address, code_hash, implementation, implementation_hash from pending_target
           where operation_id = any($1)`,
    values: [rows.map(({ id }) => id)],
  })
  const targetsOf = Map.groupBy(targets, ({ operation_id: id }) => id)
  return rows.map((row) => ({
    id: row.id,
    address: toHex(row.address),
    operation: row.operation,
    family: row.family,
    queuedAt: row.queued_at.getTime(),
    queuedBlock: row.queued_block,
    queuedTx: toHexOrUndefined(row.queued_tx),
    queuedBy: toHexOrUndefined(row.queued_by),
    earliestAt: row.earliest_at?.getTime(),
    targets: (targetsOf.get(row.id) ?? []).map((target) => ({ address: toHex(target.address), code: codeOf(target) })),
  }))
}

const codeOf = (row: Omit<TargetRow, 'operation_id' | 'address'>): Code | undefined =>
  row.code_hash === null
    ? undefined
    : {
        hash: toHex(row.code_hash),
        implementation: toHexOrUndefined(row.implementation),
        implementationHash: toHexOrUndefined(row.implementation_hash),
      }

const bytesOf = (hex: Hex | undefined): Buffer | null => (hex === undefined ? null : toBytes(hex))
const dateOf = (seconds: number | undefined): Date | null => (seconds === undefined ? null : new Date(seconds * 1_000))

/** Stores what was read, unless the operation changed meanwhile. Changed code is reported once. */
export async function saveInspection(
  database: Database,
  chainId: number,
  { id, address, operation, queuedTx }: OperationToRead,
  { queuedBy, facts, calls, codes }: Inspection,
  block: { readonly number: number; readonly time: number },
): Promise<void> {
  await inTransaction(database, async (client) => {
    const isCurrent = await isCollectedTo(client, chainId, block.number)
    const { rows } = await client.query<{ queued_tx: Buffer | null; is_part: boolean }>(
      sql`select queued_tx, id <> listed_operation(id, part_of) as is_part from pending_operation
       where id = $1 and state in ('proposed', 'queued') for update`,
      [id],
    )
    if (rows[0] === undefined || toHexOrUndefined(rows[0].queued_tx) !== queuedTx) return
    const state = facts.state === 'passed' ? await endOfPassed(client, chainId, id, address) : facts.state
    const isClosed = state !== undefined && state !== 'queued'
    await client.query(
      sql`update pending_operation set queued_by = coalesce(queued_by, $2), state = coalesce($3, state),
         earliest_at = coalesce($4, earliest_at), expires_at = coalesce($5, expires_at), closed_at = $6, read_at = now(),
         calls = coalesce($7, calls), call_count = coalesce($8, call_count)
       where id = $1`,
      [
        id,
        bytesOf(queuedBy),
        state ?? null,
        dateOf(facts.earliestAt),
        dateOf(facts.expiresAt),
        isClosed ? new Date(block.time) : null,
        calls === undefined ? null : JSON.stringify(calls),
        calls?.length ?? null,
      ],
    )
    for (const { address: target, first, now } of codes) {
      if (first !== undefined)
        await client.query(
          sql`update pending_target set code_hash = $3, implementation = $4, implementation_hash = $5
           where operation_id = $1 and address = $2 and code_hash is null`,
          [id, toBytes(target), toBytes(first.hash), bytesOf(first.implementation), bytesOf(first.implementationHash)],
        )
      // The proposal that an operation is part of has the same targets.
      if (now !== undefined && isCurrent && !isClosed && !rows[0].is_part)
        await reportChangedCode(client, { chainId, address, operation, id }, target, now, block)
    }
  })
}

/** Whether the events of every block up to this one are stored and collected. */
export async function isCollectedTo(client: Queryable, chainId: number, block: number): Promise<boolean> {
  const { rows } = await client.query<{ current: boolean }>(
    sql`select exists (select from chain_cursor where chain_id = $1 and number >= $2)
       and not exists (select from publication where position > (select position from pending_reader where id = 1)) as current`,
    [chainId, block],
  )
  return rows[0]?.current === true
}

/** How a transaction of a delay module ended that the module has passed: executed if its Safe reported an execution since. */
async function endOfPassed(
  client: Queryable,
  chainId: number,
  id: number,
  module: Hex,
): Promise<'executed' | 'canceled'> {
  const { rows } = await client.query<{ executed: boolean }>(
    sql`select exists (
         select 1 from pending_operation o join event_kind k on k.key = 'safe.module_tx_ok'
         join control_event e on e.kind_id = k.id and e.chain_id = o.chain_id and e.block_time >= o.queued_at
         where o.id = $1 and o.chain_id = $2 and e.args ->> 'module' = $3) as executed`,
    [id, chainId, module],
  )
  return rows[0]?.executed === true ? 'executed' : 'canceled'
}

type Operation = { readonly chainId: number; readonly address: Hex; readonly operation: string; readonly id: number }

const TARGET_CHANGED = { key: 'pending.target_changed', category: 'timelock', severity: 'critical' } as const

async function reportChangedCode(
  client: Queryable,
  { chainId, address, operation, id }: Operation,
  target: Hex,
  now: Code,
  block: { readonly number: number; readonly time: number },
): Promise<void> {
  const { rows } = await client.query<TargetRow & { changed_code_hash: Buffer | null }>(
    sql`select operation_id, address, code_hash, implementation, implementation_hash, changed_code_hash
     from pending_target where operation_id = $1 and address = $2`,
    [id, toBytes(target)],
  )
  const row = rows[0]
  const before = row === undefined ? undefined : codeOf(row)
  if (row === undefined || before === undefined || isSameCode(before, now)) return
  const changed = now.implementationHash ?? now.hash
  if (toHexOrUndefined(row.changed_code_hash) === changed) return
  const args = {
    operation,
    target,
    previous: before.implementationHash ?? before.hash,
    current: changed,
    ...(now.implementation !== undefined && { implementation: now.implementation }),
  }
  const txHash = derivedHash('pending', { chainId, address }, { field: `${operation}:${target}:${changed}`, block: id })
  const events = await insertDerived(client, {
    chainId,
    address,
    block,
    events: [{ ...TARGET_CHANGED, txHash, logIndex: 0, args }],
  })
  await client.query(
    sql`update pending_target set changed_code_hash = $3, changed_event_id = $4 where operation_id = $1 and address = $2`,
    [id, toBytes(target), toBytes(changed), events[0] ?? null],
  )
}

const isSameCode = (a: Code, b: Code): boolean =>
  a.hash === b.hash && a.implementation === b.implementation && a.implementationHash === b.implementationHash

/** Warnings that one statement announces. */
const MAX_DUE = 100

/** Announces queued changes that can be executed within an hour. Each is announced once. Returns their number. */
export async function announceDue(database: Database): Promise<number> {
  return await inTransaction(database, async (client) => {
    const { rows } = await client.query<Row & { chain_id: number; severity: number; number: number; time: Date }>(
      sql`select o.id, o.chain_id, o.address, o.operation, o.severity, o.earliest_at, c.number, b.time
       from pending_operation o
       join chain_cursor c on c.chain_id = o.chain_id
       join chain_block b on b.chain_id = c.chain_id and b.number = c.number
       where o.is_listed and o.state in ('proposed', 'queued') and o.due_event_id is null and o.id = listed_operation(o.id, o.part_of)
         and o.earliest_at > now() and o.earliest_at <= now() + interval '1 hour'
         and o.queued_at < o.earliest_at - interval '1 hour'
       order by o.earliest_at limit $1 for update of o skip locked`,
      [MAX_DUE],
    )
    for (const row of rows) {
      const contract = { chainId: row.chain_id, address: toHex(row.address) }
      const earliest = row.earliest_at?.getTime() ?? 0
      const { rows: targets } = await client.query<{ address: Buffer }>(
        sql`select address from pending_target where operation_id = $1 and is_affected order by address limit 1`,
        [row.id],
      )
      const target = toHexOrUndefined(targets[0]?.address ?? null)
      const args = { operation: row.operation, earliestAt: earliest / 1_000, ...(target !== undefined && { target }) }
      const severity = SEVERITIES[row.severity] ?? 'info'
      const txHash = derivedHash('pending', contract, { field: `${row.operation}:${earliest}`, block: row.id })
      const [eventId] = await insertDerived(client, {
        ...contract,
        block: { number: row.number, time: row.time.getTime() },
        events: [{ key: 'pending.due', category: 'timelock', severity, txHash, logIndex: 0, args }],
      })
      await client.query(sql`update pending_operation set due_event_id = $2 where id = $1`, [row.id, eventId ?? 0])
    }
    return rows.length
  })
}

/** Forgets warnings whose events were retracted, so that they are given again. */
export async function forgetWarnings(client: Queryable, eventIds: readonly number[]): Promise<void> {
  await client.query(sql`update pending_operation set due_event_id = null where due_event_id = any($1)`, [eventIds])
  await client.query(sql`update pending_operation set queued_event_id = null where queued_event_id = any($1)`, [
    eventIds,
  ])
  await client.query(sql`update pending_operation set ready_event_id = null where ready_event_id = any($1)`, [eventIds])
  await client.query(
    sql`update pending_target set changed_code_hash = null, changed_event_id = null where changed_event_id = any($1)`,
    [eventIds],
  )
}

/** Closes operations that expired, and lists those whose contract was registered meanwhile. */
export async function updateStates(database: Queryable): Promise<void> {
  await database.query(
    sql`update pending_operation set state = 'expired', closed_at = expires_at
     where state in ('proposed', 'queued') and expires_at <= now()`,
  )
  await database.query(
    sql`update pending_operation o set is_listed = not o.is_listed
     where state in ('proposed', 'queued') and is_listed <> is_listed_operation(chain_id, address)`,
  )
}
