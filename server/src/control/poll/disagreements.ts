/** SQL of lasting disagreements: two endpoints return different values for a field of a contract. */
import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type Disagreements, isLasting } from './unsettled-fields.ts'

export type LastingDisagreement = {
  readonly chainId: number
  readonly address: Hex
  readonly field: string
  readonly since: Date
  /** The host of each endpoint and its value; null where the contract has none. Hosts are for operators only. */
  readonly values: readonly { readonly endpoint: string; readonly value: string | null }[]
}

/** The disagreements at the last poll of each contract, or of one, that have lasted for ten minutes of chain time. */
export async function getLastingDisagreements(
  database: Queryable,
  only?: ContractRef,
): Promise<readonly LastingDisagreement[]> {
  const { rows } = await database.query<{ chain_id: number; address: Buffer; disagreements: Disagreements }>(
    sql`select s.chain_id, s.address, s.disagreements from control_snapshot s
     where s.disagreements is not null and ($1::int is null or s.chain_id = $1 and s.address = $2)
       and not exists (select from control_snapshot newer where newer.chain_id = s.chain_id and newer.address = s.address
         and (newer.block_number, newer.id) > (s.block_number, s.id))
     order by s.chain_id, s.address`,
    [only?.chainId ?? null, only === undefined ? null : toBytes(only.address)],
  )
  return rows.flatMap(({ chain_id, address, disagreements }) =>
    Object.entries(disagreements).flatMap(([field, disagreement]) =>
      isLasting(disagreement)
        ? {
            chainId: chain_id,
            address: toHex(address),
            field,
            since: new Date(disagreement.since),
            values: disagreement.values,
          }
        : [],
    ),
  )
}
