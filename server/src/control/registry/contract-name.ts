import { type Sql, sql } from '../../platform/sql.ts'

/**
 * Joins name, kind and protocol of the contract of each row, looked up by key.
 *
 * `offset 0` keeps the planner from flattening the subquery: for many rows it would read every contract.
 */
export const joinContractName = (row: Sql): Sql => sql`
  left join lateral (
    select c.name, c.kind, p.label as protocol from contract c left join protocol p on p.id = c.protocol_id
    where c.chain_id = ${row}.chain_id and c.address = ${row}.address offset 0) as c on true`
