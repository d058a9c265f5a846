/** SQL of what is watched as a whole: protocols and their labels, contracts, events of late. */

import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type ListedProtocol = {
  readonly protocol: string
  readonly slug: string
  readonly contracts: number
  readonly chains: number
  /** Of each contract, null where it was never looked at. */
  readonly labels: readonly (string | null)[]
  readonly lastEventAt: Date | null
}

export async function getProtocols(database: Queryable): Promise<readonly ListedProtocol[]> {
  const { rows } = await database.query<ListedProtocol>(
    sql`select p.label as protocol, p.slug, count(*) as contracts, count(distinct c.chain_id) as chains,
       array_agg(f.label) as labels, max(l.block_time) as "lastEventAt"
     from protocol p join contract c on c.protocol_id = p.id
     left join control_profile f using (chain_id, address)
     left join event_last l using (chain_id, address)
     group by p.id order by lower(p.label)`,
  )
  return rows
}

/** How many contracts carry each label, those never looked at under null. */
export async function countLabels(database: Queryable): Promise<ReadonlyMap<string | null, number>> {
  const { rows } = await database.query<{ label: string | null; count: number }>(
    sql`select f.label, count(*) as count from contract c left join control_profile f using (chain_id, address) group by 1`,
  )
  return new Map(rows.map(({ label, count }) => [label, count]))
}

/** Events that are no setup, by severity rank. */
export async function countEventsSince(database: Queryable, since: Date): Promise<ReadonlyMap<number, number>> {
  const { rows } = await database.query<{ severity: number; count: number }>(
    sql`select severity, count(*) as count from control_event where not is_init and block_time >= $1 group by 1`,
    [since],
  )
  return new Map(rows.map(({ severity, count }) => [severity, count]))
}
