/** The demo's own queries. */

import { GatewatchError } from '../server/src/lib/errors.ts'
import type { Database } from '../server/src/platform/database.ts'
import { identifier, joinSql, sql } from '../server/src/platform/sql.ts'
import type { LiveChain } from './evm/run.ts'

export class DemoRunningError extends GatewatchError {
  override readonly code = 'demo_running'
  override readonly retryable = false
  constructor() {
    super('Another demo is running on this data folder. Open it, stop it, or set another PORT and DATA_DIR.')
  }
}

const LOCK_KEY = 7_438_009 // any number, the same in every version
/** The time that a stopping demo gets to end. */
const LOCK_TIMEOUT_MS = 10_000

/** Locks the data folder for one demo at a time, because each deletes the chain data of the last. Returns the unlock. */
export async function lockDemo(database: Database): Promise<() => void> {
  const client = await database.connect()
  const deadline = Date.now() + LOCK_TIMEOUT_MS
  for (;;) {
    const { rows } = await client.query<{ free: boolean }>(sql`select pg_try_advisory_lock($1) as free`, [LOCK_KEY])
    if (rows[0]?.free === true) return () => client.release(true)
    if (Date.now() > deadline) {
      client.release()
      throw new DemoRunningError()
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Deletes all chain data, because the chains are new at every start, and the leases of a killed demo. */
export async function deleteChainData(database: Database): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    sql`select distinct c.table_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'chain_id' and t.table_type = 'BASE TABLE'`,
  )
  const tables = [...rows.map(({ name }) => name), 'protocol', 'alert_message', 'lease']
  await database.query(sql`truncate ${joinSql(tables.map(identifier), sql`, `)} cascade`)
}

/** Whether the service has polled every contract of these chains once. Only then is a silent change detected. */
export async function areAllPolled(database: Database, chains: readonly LiveChain[]): Promise<boolean> {
  const { rows } = await database.query<{ left: boolean }>(
    sql`select exists (select from contract left join control_profile p using (chain_id, address)
       where p is null and chain_id = any($1)) as left`,
    [chains.map(({ chain }) => chain.chainId)],
  )
  return rows[0]?.left === false
}
