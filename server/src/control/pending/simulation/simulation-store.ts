/** SQL of the simulations of queued changes. */
import type { PendingFamily } from '../../../../../vocabulary/pending.ts'
import { type Hex, toHex, toHexOrUndefined } from '../../../lib/hex.ts'
import type { Queryable } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import type { EventArgs } from '../../catalog/layout.ts'
import { type Calldata, scheduledCalldata } from '../../catalog/scheduled-calls.ts'
import { SIMULATED_FAMILIES, type SimulatedOperation, type Simulation } from './simulate.ts'

export type OperationToSimulate = SimulatedOperation & { readonly id: number }

/** Contracts that one simulation judges. */
const MAX_CONTRACTS = 3

export type Execution = { readonly to: Hex; readonly value: string; readonly data: Hex; readonly operation: 0 | 1 }

/** The open changes of polled contracts that were never simulated, then those that were simulated six hours ago. */
export async function getOperationsToSimulate(
  database: Queryable,
  chainId: number,
  limit: number,
): Promise<readonly OperationToSimulate[]> {
  const { rows } = await database.query<{
    id: number
    family: PendingFamily
    address: Buffer
    execution: Execution | null
    queued_in: Buffer | null
    affected: Buffer[]
  }>({
    name: 'get_operations_to_try',
    text: sql`select o.id, o.family, o.address, o.execution,
             (select part.address from pending_operation part where part.part_of = o.id order by part.id limit 1) as queued_in,
             array(select t.address from pending_target t join control_profile p on p.chain_id = t.chain_id and p.address = t.address
               where t.operation_id = o.id and t.is_affected order by t.address limit $4) as affected
           from pending_operation o
           where o.chain_id = $1 and o.is_listed and o.state in ('proposed', 'queued') and o.family = any($2)
             and (o.tried_at is null or o.tried_at < now() - interval '6 hours')
             and o.id = listed_operation(o.id, o.part_of)
             and exists (select from pending_target t join control_profile p on p.chain_id = t.chain_id and p.address = t.address
               where t.operation_id = o.id and t.is_affected)
           order by o.tried_at nulls first, o.id limit $3`,
    values: [chainId, SIMULATED_FAMILIES, limit, MAX_CONTRACTS],
  })
  return await Promise.all(
    rows.map(async ({ id, family, address, execution, queued_in: queuedIn, affected }) => ({
      id,
      family,
      address: toHex(address),
      calls: execution === null ? await getCalls(database, id, toHex(address)) : [calldataOf(execution)],
      queuedIn: toHexOrUndefined(queuedIn),
      affected: affected.map(toHex),
    })),
  )
}

const calldataOf = ({ to, value, data, operation }: Execution): Calldata => ({
  target: to,
  value: BigInt(value),
  data,
  isDelegated: operation === 1,
})

/** The calls of the events that queued the operation since it was last closed. */
async function getCalls(database: Queryable, id: number, emitter: Hex): Promise<readonly Calldata[]> {
  const { rows } = await database.query<{ key: string; args: EventArgs }>({
    name: 'get_calls_to_try',
    text: sql`select k.key, e.args from pending_step s
           join pending_operation o on o.id = s.operation_id
           join control_event e on e.chain_id = o.chain_id and e.block_time = s.block_time and e.id = s.event_id
           join event_kind k on k.id = e.kind_id
           where s.operation_id = $1 and s.phase in ('proposed', 'queued')
             and (s.phase = 'proposed' or s.block_number >= o.queued_block)
           order by s.block_number, s.log_index`,
    values: [id],
  })
  return rows.flatMap(({ key, args }) => scheduledCalldata({ key, args, decode: 'ok' }, emitter))
}

export async function saveSimulation(database: Queryable, id: number, simulation: Simulation): Promise<void> {
  await database.query(sql`update pending_operation set trial = $2, tried_at = now() where id = $1`, [
    id,
    JSON.stringify(simulation),
  ])
}
