/** SQL of the watch processes and the chains they hold: the input of `chain-assignment.ts`. */

import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type WatchProcess = {
  readonly holder: string
  /** Chains it is configured for. */
  readonly chainIds: readonly number[]
  /** Chains it watches now. */
  readonly held: readonly number[]
}

/** The name of a chain's lease. */
export const watchLease = (chainId: number): string => `watch:${chainId}`

/** Long enough for two missed heartbeats. */
const FRESH_FOR = sql`interval '6 seconds'`

/** Registers this process as alive, and returns all live processes. */
export async function heartbeat(
  database: Queryable,
  holder: string,
  chainIds: readonly number[],
): Promise<readonly WatchProcess[]> {
  await database.query({
    name: 'watch_process_heartbeat',
    text: sql`with gone as (delete from watch_process where seen_at < now() - interval '1 hour')
           insert into watch_process (holder, chain_ids) values ($1, $2)
           on conflict (holder) do update set chain_ids = excluded.chain_ids, seen_at = now()`,
    values: [holder, chainIds],
  })
  return await getWatchProcesses(database)
}

export async function getWatchProcesses(database: Queryable): Promise<readonly WatchProcess[]> {
  const { rows } = await database.query<{ holder: string; chain_ids: number[]; held: number[] }>({
    name: 'get_watch_processes',
    text: sql`select p.holder, p.chain_ids, array(
             select substr(l.name, 7)::int from lease l
             where l.holder = p.holder and l.name like 'watch:%' and l.expires_at > now() order by 1) as held
           from watch_process p where p.seen_at > now() - ${FRESH_FOR} order by p.holder`,
  })
  return rows.map(({ holder, chain_ids: chainIds, held }) => ({ holder, chainIds, held }))
}

export async function deleteWatchProcess(database: Queryable, holder: string): Promise<void> {
  await database.query(sql`delete from watch_process where holder = $1`, [holder])
}
