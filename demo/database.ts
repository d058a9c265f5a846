/** What the demo asks of its database beyond what the service does. */

import { GatewatchError } from '../server/src/lib/errors.ts'
import type { Database } from '../server/src/platform/database.ts'
import { identifier, joinSql, sql } from '../server/src/platform/sql.ts'
import type { LiveChain } from './evm/run.ts'

export class DemoRunningError extends GatewatchError {
  override readonly code = 'demo_running'
  override readonly retryable = false
  constructor() {
    super(
      'Another demo runs on this data folder already: open it, or stop it first, or set PORT and DATA_DIR to others.',
    )
  }
}

const OCCUPIED = 7_438_009 // any number, the same in every version
/** A predecessor that was told to stop needs a moment. */
const PATIENCE_MS = 10_000

/** One demo on a folder at a time: the next one forgets the chains of the last. Gives what ends the occupation. */
export async function occupy(database: Database): Promise<() => void> {
  const client = await database.connect()
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ free: boolean }>(sql`select pg_try_advisory_lock($1) as free`, [OCCUPIED])
    if (rows[0]?.free === true) return () => client.release(true)
    if (Date.now() > deadline) {
      client.release()
      throw new DemoRunningError()
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Everything that speaks of a chain, because the chains are new, and the leases of a predecessor that was killed. */
export async function forgetChains(database: Database): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    sql`select distinct c.table_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'chain_id' and t.table_type = 'BASE TABLE'`,
  )
  const tables = [...rows.map(({ name }) => name), 'protocol', 'alert_message', 'lease']
  await database.query(sql`truncate ${joinSql(tables.map(identifier), sql`, `)} cascade`)
}

/** Whether the service has looked at every contract of these once: before that, a silent change would be no change. */
export async function hasLookedAtAll(database: Database, chains: readonly LiveChain[]): Promise<boolean> {
  const { rows } = await database.query<{ left: boolean }>(
    sql`select exists (select from contract left join control_profile p using (chain_id, address)
       where p is null and chain_id = any($1)) as left`,
    [chains.map(({ chain }) => chain.chainId)],
  )
  return rows[0]?.left === false
}
