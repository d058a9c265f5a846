/** SQL of creation facts. */

import type { Hex } from '../../lib/hex.ts'
import { toDigits, toHex, toHexOrUndefined } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { CreationFact } from './watch-store.ts'

type Row = { address: Buffer; absent_until: number | null; present_from: number | null; tx_hash: Buffer | null }

export async function getFacts(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<readonly CreationFact[]> {
  if (addresses.length === 0) return []
  const { rows } = await database.query<Row>({
    name: 'get_creation_facts',
    text: sql`select c.address, c.absent_until, c.present_from, c.tx_hash
           from unnest($2::text[]) as wanted (digits)
           join contract_creation c on c.chain_id = $1 and c.address = decode(wanted.digits, 'hex')`,
    values: [chainId, addresses.map(toDigits)],
  })
  return rows.map((row) => ({
    address: toHex(row.address),
    absentUntil: row.absent_until ?? undefined,
    presentFrom: row.present_from ?? undefined,
    txHash: toHexOrUndefined(row.tx_hash),
  }))
}

/** Merges facts with the stored ones. The bounds only narrow, so the order of writes does not matter. */
export async function mergeFacts(client: Queryable, chainId: number, facts: readonly CreationFact[]): Promise<void> {
  if (facts.length === 0) return
  await client.query({
    name: 'merge_creation_facts',
    text: sql`
      insert into contract_creation as known (chain_id, address, absent_until, present_from, tx_hash)
      select $1, decode(f.address, 'hex'), f.absent_until, f.present_from, decode(f.tx_hash, 'hex')
      from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) as f (address, absent_until, present_from, tx_hash)
      order by 2
      on conflict (chain_id, address) do update set
        absent_until = greatest(known.absent_until, excluded.absent_until),
        present_from = least(known.present_from, excluded.present_from),
        tx_hash = coalesce(excluded.tx_hash, known.tx_hash)`,
    values: [
      chainId,
      facts.map((fact) => toDigits(fact.address)),
      facts.map((fact) => fact.absentUntil ?? null),
      facts.map((fact) => fact.presentFrom ?? null),
      facts.map((fact) => (fact.txHash === undefined ? null : toDigits(fact.txHash))),
    ],
  })
}

/** Keeps what holds after every block above `to` was rolled back. */
export async function rollBackFacts(client: Queryable, chainId: number, to: number): Promise<void> {
  await client.query({
    name: 'roll_back_creation_facts',
    text: sql`
      update contract_creation set
        absent_until = case when absent_until is not null then least(absent_until, $2) end, -- least() skips nulls
        present_from = case when present_from <= $2 then present_from end,
        tx_hash = case when present_from <= $2 then tx_hash end
      where chain_id = $1 and (absent_until > $2 or present_from > $2)`,
    values: [chainId, to],
  })
}
