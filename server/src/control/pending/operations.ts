/** SQL of queued operations: their steps, and the rows that are computed from them. Each statement handles many. */
import { SEVERITIES, severityRank } from '../../../../vocabulary/severities.ts'
import { type Hex, toDigits, toHex, toHexOrUndefined } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { type Sql, sql } from '../../platform/sql.ts'
import { isSingleOperation } from '../catalog/queued-operations.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { MAX_SERIOUS_TARGETS, MAX_TARGETS, type OperationStep, operationOf, type Step, type Target } from './steps.ts'

export type NewStep = ContractRef & OperationStep & { readonly eventId: number }

const digitsOf = (hex: Hex | undefined): string | null => (hex === undefined ? null : toDigits(hex))
const dateOf = (time: number | undefined): Date | null => (time === undefined ? null : new Date(time))
const keyOf = ({ chainId, address, operation }: ContractRef & { readonly operation: string }): string =>
  `${chainId}:${address}:${operation}`

/** Stores steps, and their operations where they are new. Returns the ids of the operations. */
export async function insertSteps(client: Queryable, steps: readonly NewStep[]): Promise<readonly number[]> {
  if (steps.length === 0) return []
  const ids = await ensureOperations(client, steps)
  const idOf = (step: NewStep): number => ids.get(keyOf(step)) ?? 0
  const values = steps.map(({ step }) => step)
  await client.query({
    name: 'insert_pending_steps',
    text: sql`insert into pending_step (operation_id, event_id, phase, severity, block_number, block_time, log_index, tx_hash,
             queued_by, ready_at, calls, call_count, call_digests)
           select s.id, s.event_id, s.phase, s.severity, s.block_number, s.block_time, s.log_index, decode(s.tx, 'hex'),
             decode(s.queued_by, 'hex'), s.ready_at, s.calls::json, s.call_count,
             decode(s.digests, 'hex')
           from unnest($1::bigint[], $2::bigint[], $3::text[], $4::smallint[], $5::bigint[], $6::timestamptz[], $7::int[],
             $8::text[], $9::text[], $10::timestamptz[], $11::text[], $12::int[], $13::text[])
             as s (id, event_id, phase, severity, block_number, block_time, log_index, tx, queued_by, ready_at, calls, call_count,
               digests)
           on conflict do nothing`,
    values: [
      steps.map(idOf),
      steps.map(({ eventId }) => eventId),
      values.map(({ phase }) => phase),
      values.map(({ severity }) => severityRank(severity)),
      values.map(({ blockNumber }) => blockNumber),
      values.map(({ blockTime }) => new Date(blockTime)),
      values.map(({ logIndex }) => logIndex),
      values.map(({ txHash }) => toDigits(txHash)),
      values.map(({ queuedBy }) => digitsOf(queuedBy)),
      values.map(({ readyAt }) => dateOf(readyAt)),
      values.map(({ calls }) => JSON.stringify(calls)),
      values.map(({ callCount }) => callCount),
      values.map(({ digests }) => digests.map(toDigits).join('')),
    ],
  })
  await insertTargets(
    client,
    steps.flatMap((step) => step.targets.map((target) => ({ id: idOf(step), chainId: step.chainId, ...target }))),
  )
  return [...ids.values()]
}

/** Stores the addresses whose code is watched, up to the limits for each operation. A batch has its calls in many steps. */
export async function insertTargets(
  client: Queryable,
  targets: readonly (Target & { readonly id: number; readonly chainId: number })[],
): Promise<void> {
  await client.query({
    name: 'insert_pending_targets',
    text: sql`insert into pending_target as known (operation_id, chain_id, address, is_affected)
           select id, chain_id, decode(address, 'hex'), is_affected from (
             select t.id, t.chain_id, t.address, bool_or(t.is_affected) as is_affected, bool_or(t.is_serious) as is_serious,
               row_number() over (partition by t.id order by bool_or(t.is_serious) desc, min(t.n)) as rank
             from unnest($1::bigint[], $2::int[], $3::text[], $4::boolean[], $7::boolean[])
               with ordinality as t (id, chain_id, address, is_affected, is_serious, n)
             group by 1, 2, 3
           ) as t
           where t.rank + (select count(*) from pending_target where operation_id = t.id)
             <= case when t.is_serious then $6::int else $5::int end
           on conflict (operation_id, address) do update set is_affected = true
             where excluded.is_affected and not known.is_affected`,
    values: [
      targets.map(({ id }) => id),
      targets.map(({ chainId }) => chainId),
      targets.map(({ address }) => toDigits(address)),
      targets.map(({ isAffected }) => isAffected),
      MAX_TARGETS,
      MAX_SERIOUS_TARGETS,
      targets.map(({ isSerious }) => isSerious),
    ],
  })
}

async function ensureOperations(client: Queryable, steps: readonly NewStep[]): Promise<ReadonlyMap<string, number>> {
  const operations = [...new Map(steps.map((step) => [keyOf(step), step])).values()]
  const names = [
    operations.map(({ chainId }) => chainId),
    operations.map(({ address }) => toDigits(address)),
    operations.map(({ operation }) => operation),
  ]
  await client.query({
    name: 'insert_pending_operations',
    text: sql`insert into pending_operation (chain_id, address, operation, family, state, severity, queued_at, calls, call_count)
           select o.chain_id, decode(o.address, 'hex'), o.operation, o.family, o.state, 0, o.queued_at, '[]', 0
           from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
             as o (chain_id, address, operation, family, state, queued_at)
           on conflict do nothing`,
    values: [
      ...names,
      operations.map(({ family }) => family),
      operations.map(({ step }) => step.phase),
      operations.map(({ step }) => new Date(step.blockTime)),
    ],
  })
  const { rows } = await client.query<{ id: number; chain_id: number; address: Buffer; operation: string }>({
    name: 'find_pending_operations',
    text: sql`select p.id, p.chain_id, p.address, p.operation
           from unnest($1::int[], $2::text[], $3::text[]) as o (chain_id, address, operation)
           join pending_operation p on p.chain_id = o.chain_id and p.address = decode(o.address, 'hex')
             and p.operation = o.operation`,
    values: names,
  })
  return new Map(
    rows.map(({ id, chain_id: chainId, address, operation }) => [
      keyOf({ chainId, address: toHex(address), operation }),
      id,
    ]),
  )
}

/** Deletes the steps of retracted events. Returns the operations they belonged to. */
export async function deleteSteps(client: Queryable, eventIds: readonly number[]): Promise<readonly number[]> {
  if (eventIds.length === 0) return []
  const { rows } = await client.query<{ id: number }>({
    name: 'delete_pending_steps',
    text: sql`delete from pending_step where event_id = any($1) returning operation_id as id`,
    values: [eventIds],
  })
  return rows.map(({ id }) => id)
}

type StepRow = {
  id: number
  operation: string
  phase: Step['phase']
  severity: number
  block_number: number
  block_time: Date
  log_index: number
  tx_hash: Buffer
  queued_by: Buffer | null
  ready_at: Date | null
  calls: Step['calls']
  call_count: number
  call_digests: Buffer
}

const stepOfRow = (row: StepRow): Step => ({
  phase: row.phase,
  severity: SEVERITIES[row.severity] ?? 'info',
  blockNumber: row.block_number,
  blockTime: row.block_time.getTime(),
  logIndex: row.log_index,
  txHash: toHex(row.tx_hash),
  queuedBy: toHexOrUndefined(row.queued_by),
  readyAt: row.ready_at?.getTime(),
  calls: row.calls,
  callCount: row.call_count,
  digests:
    toHex(row.call_digests)
      .slice(2)
      .match(/.{64}/g)
      ?.map((digits): Hex => `0x${digits}`) ?? [],
})

/** Computes operations again from their steps, and deletes those without any. The chain is read for them again. */
export async function refreshOperations(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await client.query({
    name: 'delete_pending_operations',
    text: sql`delete from pending_operation o where id = any($1)
           and not exists (select from pending_step s where s.operation_id = o.id)`,
    values: [ids],
  })
  const { rows } = await client.query<StepRow>({
    name: 'get_pending_steps',
    text: sql`select s.operation_id as id, o.operation, s.phase, s.severity, s.block_number, s.block_time, s.log_index, s.tx_hash,
             s.queued_by, s.ready_at, s.calls, s.call_count, s.call_digests
           from pending_step s join pending_operation o on o.id = s.operation_id where s.operation_id = any($1)`,
    values: [ids],
  })
  const computed = [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, steps]) => {
    const operation = operationOf(steps.map(stepOfRow), isSingleOperation(steps[0]?.operation ?? ''))
    return operation === undefined ? [] : { id, ...operation }
  })
  // The code of the targets counts from the time of queueing.
  await client.query({
    name: 'forget_pending_codes',
    text: sql`update pending_target t set code_hash = null, implementation = null, implementation_hash = null,
             changed_code_hash = null, changed_event_id = null
           from unnest($1::bigint[], $2::text[]) as o (id, queued_tx) join pending_operation p on p.id = o.id
           where t.operation_id = o.id and t.code_hash is not null and p.queued_tx <> decode(o.queued_tx, 'hex')`,
    values: [computed.map(({ id }) => id), computed.map(({ queuedTx }) => toDigits(queuedTx))],
  })
  await client.query({
    name: 'save_pending_operations',
    text: sql`update pending_operation p set state = o.state, severity = o.severity, queued_at = o.queued_at,
             queued_block = o.queued_block, queued_tx = decode(o.queued_tx, 'hex'),
             queued_by = coalesce(decode(o.queued_by, 'hex'), case when p.queued_tx = decode(o.queued_tx, 'hex') then p.queued_by end),
             earliest_at = o.earliest_at, expires_at = null, closed_at = o.closed_at, closed_tx = decode(o.closed_tx, 'hex'),
             calls = o.calls::json, call_count = o.call_count, read_at = null, part_of = null,
             call_digests = array(select decode(digest, 'hex') from unnest(string_to_array(o.digests, ',')) as digest),
             due_event_id = case when p.queued_tx = decode(o.queued_tx, 'hex') then p.due_event_id end,
             is_listed = is_listed_operation(p.chain_id, p.address)
           from unnest($1::bigint[], $2::text[], $3::smallint[], $4::timestamptz[], $5::bigint[], $6::text[], $7::text[],
             $8::timestamptz[], $9::timestamptz[], $10::text[], $11::text[], $12::int[], $13::text[])
             as o (id, state, severity, queued_at, queued_block, queued_tx, queued_by, earliest_at, closed_at, closed_tx, calls,
               call_count, digests)
           where p.id = o.id`,
    values: [
      computed.map(({ id }) => id),
      computed.map(({ state }) => state),
      computed.map(({ severity }) => severityRank(severity)),
      computed.map(({ queuedAt }) => new Date(queuedAt)),
      computed.map(({ queuedBlock }) => queuedBlock),
      computed.map(({ queuedTx }) => toDigits(queuedTx)),
      computed.map(({ queuedBy }) => digitsOf(queuedBy)),
      computed.map(({ earliestAt }) => dateOf(earliestAt)),
      computed.map(({ closedAt }) => dateOf(closedAt)),
      computed.map(({ closedTx }) => digitsOf(closedTx)),
      computed.map(({ calls }) => JSON.stringify(calls)),
      computed.map(({ callCount }) => callCount),
      computed.map(({ digests }) => [...new Set(digests)].map(toDigits).join(',')),
    ],
  })
  await linkParts(client, ids)
}

/**
 * Links the operations that a proposal queued in timelocks with the proposal: queued in the same transaction, and all of
 * their calls are calls of the proposal. Another call in that transaction is a change of its own.
 */
async function linkParts(client: Queryable, ids: readonly number[]): Promise<void> {
  await client.query({
    name: 'unlink_pending_parts',
    text: sql`update pending_operation set part_of = null where part_of = any($1)`,
    values: [ids],
  })
  // Two statements, so that each starts from the given operations.
  const link = (known: Sql): Sql => sql`
    update pending_operation part set part_of = whole.id from pending_operation whole
    where ${known}.id = any($1) and whole.chain_id = part.chain_id and whole.queued_tx = part.queued_tx
      and whole.family in ('governor', 'aave_governance') and part.family not in ('governor', 'aave_governance', 'safe')
      and part.call_digests <> '{}' and part.call_digests <@ whole.call_digests`
  await client.query({ name: 'link_pending_parts', text: link(sql`part`), values: [ids] })
  await client.query({ name: 'link_pending_proposals', text: link(sql`whole`), values: [ids] })
}
