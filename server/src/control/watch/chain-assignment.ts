/**
 * Balances the chains among several watch processes, which register in the database.
 *
 * The process that holds a chain's lease watches it, and a free lease goes to the first process that takes it. The
 * process with the most chains releases one if another has at least two fewer. Each release evens the counts, so the
 * balancing ends.
 */
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type WatchProcess = {
  readonly holder: string
  /** Chains it is configured for. */
  readonly chainIds: readonly number[]
  /** Chains it watches now. */
  readonly held: readonly number[]
}

/** The chain that `self` should release now, if any. */
export function chainToRelease(self: string, processes: readonly WatchProcess[]): number | undefined {
  const me = processes.find((process) => process.holder === self)
  if (me === undefined) return undefined
  // All processes see the same list, so only one releases at a time.
  const busiest = processes.toSorted((a, b) => b.held.length - a.held.length || (a.holder < b.holder ? -1 : 1))[0]
  if (busiest?.holder !== self) return undefined
  const takers = processes
    .filter((process) => process.holder !== self && me.held.length - process.held.length >= 2)
    .toSorted((a, b) => a.held.length - b.held.length)
  for (const taker of takers) {
    const chain = me.held.findLast((held) => taker.chainIds.includes(held))
    if (chain !== undefined) return chain
  }
  return undefined
}

/** Whether a permanent process can watch the chain, so that a temporary one (`gatewatch backfill`) should release it. */
export function hasPermanentWatcher(chainId: number, processes: readonly WatchProcess[]): boolean {
  return processes.some((process) => process.chainIds.includes(chainId))
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
