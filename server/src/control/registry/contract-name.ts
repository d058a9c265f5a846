import { type Sql, sql } from '../../platform/sql.ts'

/**
 * What is known of the contract a row is about, looked up by its key, row by row.
 *
 * In brackets the planner cannot open: where it thinks there are many rows, it would read every contract there is.
 */
export const joinContractName = (row: Sql): Sql => sql`
  left join lateral (
    select c.name, c.kind, p.label as protocol from contract c left join protocol p on p.id = c.protocol_id
    where c.chain_id = ${row}.chain_id and c.address = ${row}.address offset 0) as c on true`
