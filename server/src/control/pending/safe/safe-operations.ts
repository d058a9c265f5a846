/** SQL of Safe transactions that wait for signatures, and of what is reported about them. */
import { SEVERITIES, type Severity, severityRank } from '../../../../../vocabulary/severities.ts'
import { type Hex, toBytes, toDigits, toHex } from '../../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import type { DecodedCall } from '../../catalog/inner-calls.ts'
import { listedCalls } from '../../catalog/transaction-events.ts'
import { derivedHash, insertDerived } from '../../poll/derived-events.ts'
import { isAtLeast, isRejection } from '../../profile/safe-transaction.ts'
import type { ContractRef } from '../../registry/contracts.ts'
import { isCollectedTo } from '../inspections.ts'
import { insertTargets } from '../operations.ts'
import { storedCalls, targetsOf } from '../steps.ts'
import type { Safe, VerifiedTransaction } from './verify-transactions.ts'

/** The listed Safes of a chain whose transactions were not requested for a minute. */
export async function getSafesToRead(database: Queryable, chainId: number, limit: number): Promise<readonly Hex[]> {
  const { rows } = await database.query<{ address: Buffer }>({
    name: 'get_safes_to_read',
    text: sql`select c.address from contract c left join safe_queue q on q.chain_id = c.chain_id and q.address = c.address
           where c.chain_id = $1 and c.kind = 'safe' and (q.read_at is null or q.read_at < now() - interval '1 minute')
             and is_listed_operation(c.chain_id, c.address)
           order by q.read_at nulls first, c.address limit $2`,
    values: [chainId, limit],
  })
  return rows.map(({ address }) => toHex(address))
}

/** Also after a failure: a Safe that cannot be read does not delay the others. */
export async function markRead(database: Queryable, { chainId, address }: ContractRef): Promise<void> {
  await database.query(
    sql`insert into safe_queue (chain_id, address, read_at) values ($1, $2, now())
     on conflict (chain_id, address) do update set read_at = now()`,
    [chainId, toBytes(address)],
  )
}

export async function getWatched(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<ReadonlySet<Hex>> {
  const { rows } = await database.query<{ address: Buffer }>(
    sql`select address from contract where chain_id = $1 and address = any($2)`,
    [chainId, addresses.map(toBytes)],
  )
  return new Set(rows.map(({ address }) => toHex(address)))
}

export type SafeOperation = {
  readonly transaction: VerifiedTransaction
  readonly call: DecodedCall
  readonly severity: Severity
}

export type SafeQueue = {
  readonly safe: Safe
  /** Where the Safe was read. Time in milliseconds since the epoch. */
  readonly block: { readonly number: number; readonly time: number }
  readonly operations: readonly SafeOperation[]
  /** Whether the service returned all of its transactions. */
  readonly isComplete: boolean
}

/** Stores the verified transactions of a Safe, closes those that ended, and reports what is new. */
export async function saveSafeQueue(database: Database, queue: SafeQueue): Promise<void> {
  await inTransaction(database, async (client) => {
    const { safe, block } = queue
    for (const operation of queue.operations) await saveOperation(client, queue, operation)
    if (await isCollectedTo(client, safe.chainId, block.number)) await closeUsedNonces(client, queue)
    if (queue.isComplete) await closeWithdrawn(client, queue)
    await reportOperations(client, queue)
    await markRead(client, safe)
  })
}

async function saveOperation(
  client: Queryable,
  { safe, block }: SafeQueue,
  { transaction, call, severity }: SafeOperation,
): Promise<void> {
  const { chainId, address, owners, threshold } = safe
  const { hash, confirmedBy, proposer, submittedAt, nonce } = transaction
  const calls = storedCalls([call])
  const now = Date.now()
  const { rows } = await client.query<{ id: number; is_new: boolean }>({
    name: 'save_safe_operation',
    // One that was withdrawn can be proposed again.
    text: sql`insert into pending_operation as o (chain_id, address, operation, family, state, severity, queued_at, queued_block,
             queued_by, earliest_at, calls, call_count, confirmed_by, missing_by, threshold, nonce, is_rejection, execution, is_listed)
           values ($1, $2, $3, 'safe', 'queued', $4, $5, $6, $7, case when $8 then now() end, $9, $10, $11, $12, $13, $14, $15, $16,
             is_listed_operation($1, $2))
           on conflict (chain_id, address, operation) do update set state = 'queued', closed_at = null,
             queued_by = coalesce(o.queued_by, excluded.queued_by), confirmed_by = excluded.confirmed_by,
             missing_by = excluded.missing_by, threshold = excluded.threshold,
             earliest_at = case when $8 then coalesce(o.earliest_at, now()) end
           where o.state = 'queued' or (o.state = 'canceled' and o.closed_tx is null)
           returning id, xmax = 0 as is_new`,
    values: [
      chainId,
      toBytes(address),
      hash,
      severityRank(severity),
      new Date(submittedAt === undefined || submittedAt > now ? now : submittedAt),
      block.number,
      proposer === undefined ? null : toBytes(proposer),
      confirmedBy.length >= threshold,
      JSON.stringify(calls),
      1,
      confirmedBy.map(toBytes),
      owners.filter((owner) => !confirmedBy.includes(owner)).map(toBytes),
      threshold,
      nonce.toString(),
      isRejection(address, transaction),
      JSON.stringify({
        to: transaction.to,
        value: transaction.value.toString(),
        data: transaction.data,
        operation: transaction.operation,
      }),
    ],
  })
  const row = rows[0]
  if (row?.is_new !== true) return
  const targets = targetsOf([call])
  await insertTargets(
    client,
    targets.map((target) => ({ id: row.id, chainId, ...target })),
  )
  // Block 0: no reorg removes what is not on the chain.
  await client.query({
    name: 'insert_safe_queued_calls',
    text: sql`insert into queued_call (chain_id, address, operation, about, severity, block_number, log_index)
           select $1, $2, $3, decode(about, 'hex'), $4, 0, 0 from unnest($5::text[]) as about on conflict do nothing`,
    values: [
      chainId,
      toBytes(address),
      hash,
      severityRank(severity),
      targets.filter(({ isAffected }) => isAffected).map((target) => toDigits(target.address)),
    ],
  })
}

type ExecutionRow = { operation: string; key: string; tx_hash: Buffer; block_time: Date }
type OpenRow = {
  id: number
  operation: string
  nonce: number
  is_open: boolean
  is_rejection: boolean
  is_ready: boolean
}

/** The nonce of the Safe has passed: one transaction of each nonce was executed, the others never will be. */
async function closeUsedNonces(client: Queryable, { safe, block }: SafeQueue): Promise<void> {
  const of = [safe.chainId, toBytes(safe.address)]
  const { rows: all } = await client.query<OpenRow>(
    sql`select id, operation, nonce, state = 'queued' as is_open, is_rejection, cardinality(confirmed_by) >= threshold as is_ready
     from pending_operation o where chain_id = $1 and address = $2 and family = 'safe' and nonce < $3
       and exists (select from pending_operation other where other.chain_id = $1 and other.address = $2
         and other.family = 'safe' and other.nonce = o.nonce and other.state = 'queued') for update`,
    [...of, safe.nonce.toString()],
  )
  if (all.length === 0) return
  const { rows: executions } = await client.query<ExecutionRow>(
    sql`select e.args ->> 'txHash' as operation, k.key, e.tx_hash, e.block_time
     from control_event e join event_kind k on k.id = e.kind_id
     where e.chain_id = $1 and e.address = $2 and k.key in ('safe.exec_ok', 'safe.exec_fail')
       and e.args ->> 'txHash' = any($3)`,
    [...of, all.map(({ operation }) => operation)],
  )
  for (const rivals of Map.groupBy(all, ({ nonce }) => nonce).values()) {
    const execution = executions.find(({ operation }) => rivals.some((rival) => rival.operation === operation))
    const winner = rivals.find((rival) => rival.operation === execution?.operation) ?? silentWinner(safe, rivals)
    const ended = execution?.key === 'safe.exec_fail' ? 'failed' : 'executed'
    for (const rival of rivals.filter(({ is_open: isOpen }) => isOpen))
      await client.query(sql`update pending_operation set state = $2, closed_at = $3, closed_tx = $4 where id = $1`, [
        rival.id,
        rival === winner ? ended : winner?.is_rejection === true ? 'canceled' : 'replaced',
        execution?.block_time ?? new Date(block.time),
        execution?.tx_hash ?? null,
      ])
  }
}

/** Safes before release 1.1 log nothing for a transaction that succeeds: the only one with enough signatures was executed. */
function silentWinner({ version }: Safe, rivals: readonly OpenRow[]): OpenRow | undefined {
  const ready = rivals.filter(({ is_ready: isReady }) => isReady)
  return !isAtLeast(version, 1, 1) && ready.length === 1 ? ready[0] : undefined
}

/**
 * The service no longer has the transaction. Its signatures are public: with enough of them it can still be executed, and
 * stays open.
 */
async function closeWithdrawn(client: Queryable, { safe, block, operations }: SafeQueue): Promise<void> {
  await client.query({
    name: 'close_withdrawn_safe_operations',
    text: sql`update pending_operation set state = 'canceled', closed_at = $4
           where chain_id = $1 and address = $2 and family = 'safe' and state = 'queued' and nonce >= $5
             and cardinality(confirmed_by) < threshold and operation <> all($3)`,
    values: [
      safe.chainId,
      toBytes(safe.address),
      operations.map(({ transaction }) => transaction.hash),
      new Date(block.time),
      safe.nonce.toString(),
    ],
  })
}

/** Longer lists of calls are reported without arguments. */
const MAX_REPORTED = 4_000

/** Reports transactions that are new, and those that can be executed now. Each is reported once, at the last stored block. */
async function reportOperations(client: Queryable, { safe, operations }: SafeQueue): Promise<void> {
  const { chainId, address } = safe
  const { rows: blocks } = await client.query<{ number: number; time: Date }>(
    sql`select c.number, b.time from chain_cursor c join chain_block b on b.chain_id = c.chain_id and b.number = c.number
     where c.chain_id = $1`,
    [chainId],
  )
  const block = blocks[0]
  if (block === undefined) return
  const { rows } = await client.query<{
    id: number
    operation: string
    severity: number
    is_ready: boolean
    was_queued: boolean
    signed: number
    threshold: number
  }>(
    sql`select id, operation, severity, earliest_at is not null as is_ready, queued_event_id is not null as was_queued,
       cardinality(confirmed_by) as signed, threshold
     from pending_operation where chain_id = $1 and address = $2 and family = 'safe' and state = 'queued' and is_listed
       and operation = any($3) and ready_event_id is null and (queued_event_id is null or earliest_at is not null)
     order by nonce, id`,
    [chainId, toBytes(address), operations.map(({ transaction }) => transaction.hash)],
  )
  for (const row of rows) {
    const found = operations.find(({ transaction }) => transaction.hash === row.operation)
    if (found === undefined) continue
    const key = row.is_ready ? 'pending.ready' : 'pending.queued'
    const { nonce } = found.transaction
    const args = {
      operation: row.operation,
      nonce: nonce.toString(),
      signatures: `${row.signed} of ${row.threshold}`,
      ...reportedCalls(found.call),
    }
    const severity = SEVERITIES[row.severity] ?? 'info'
    const txHash = derivedHash('pending', safe, { field: `${key}:${row.operation}`, block: row.id })
    const [eventId] = await insertDerived(client, {
      chainId,
      address,
      block: { number: block.number, time: block.time.getTime() },
      events: [{ key, category: 'multisig', severity, txHash, logIndex: 0, args }],
    })
    await client.query(
      row.is_ready
        ? sql`update pending_operation set ready_event_id = $2 where id = $1`
        : sql`update pending_operation set queued_event_id = $2 where id = $1`,
      [row.id, eventId ?? 0],
    )
  }
}

function reportedCalls(call: DecodedCall): object {
  const listed = listedCalls(call)
  if (JSON.stringify(listed).length <= MAX_REPORTED || !Array.isArray(listed.calls)) return listed
  return { ...listed, calls: listed.calls.map(({ arguments: _long, ...rest }: Record<string, unknown>) => rest) }
}

export type Execution = ContractRef & {
  readonly hash: Hex
  readonly state: 'executed' | 'failed'
  readonly txHash: Hex
  readonly time: Date
  readonly isRetracted: boolean
}

/** Closes the transactions that a Safe reported as executed, and those with the same nonce; a reorg opens them again. */
export async function closeExecuted(client: Queryable, executions: readonly Execution[]): Promise<void> {
  for (const { chainId, address, hash, state, txHash, time, isRetracted } of executions)
    if (isRetracted)
      await client.query(
        sql`update pending_operation set state = 'queued', closed_at = null, closed_tx = null
         where chain_id = $1 and address = $2 and family = 'safe' and closed_tx = $3`,
        [chainId, toBytes(address), toBytes(txHash)],
      )
    else
      await client.query(
        sql`with winner as (
           update pending_operation set state = $4, closed_at = $5, closed_tx = $6
           where chain_id = $1 and address = $2 and operation = $3 and family = 'safe' returning id, nonce, is_rejection)
         update pending_operation o set state = case when w.is_rejection then 'canceled' else 'replaced' end, closed_at = $5,
           closed_tx = $6
         from winner w where o.chain_id = $1 and o.address = $2 and o.family = 'safe' and o.nonce = w.nonce and o.id <> w.id
           and o.state = 'queued'`,
        [chainId, toBytes(address), hash, state, time, toBytes(txHash)],
      )
}
