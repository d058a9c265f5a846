/** A distributed PostgreSQL (Citus) for tests: a coordinator and two workers, with the tables that the operator's guide distributes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Database, openDatabase } from '../../server/src/platform/database.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { readSqlFile, sql } from '../../server/src/platform/sql.ts'
import { testVault } from './auth-secret.ts'
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts'
import { testLog } from './log.ts'
import { looseSql } from './loose-sql.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SETTINGS = { shared_preload_libraries: 'citus', 'citus.node_conninfo': 'sslmode=disable' }

/** The statements of the operator's guide that distribute the request log. */
function requestLogStatements(): string {
  const guide = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8')
  return [...guide.matchAll(/^select create_distributed_table.*$/gm)].map(([statement]) => statement).join('\n')
}

export type DistributedDatabase = {
  readonly url: string
  readonly database: Database
  readonly workers: readonly ExternalPostgres[]
}

/** Skip the test if `citusMissing`. */
export async function createDistributedDatabase(): Promise<DistributedDatabase> {
  const [coordinator, ...workers] = await Promise.all(
    [1, 2, 3].map(() => startExternalPostgres({ settings: SETTINGS })),
  )
  if (coordinator === undefined) throw new Error('no coordinator')
  for (const { url } of [coordinator, ...workers]) {
    const node = openDatabase({ url, log: testLog, connections: 1 })
    await node.query(sql`create extension citus`)
    await node.end()
  }
  const database = openDatabase({ url: coordinator.url, log: testLog, vault: testVault })
  after(() => database.end())
  await database.query(sql`select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port])
  for (const { port } of workers) await database.query(sql`select citus_add_node('127.0.0.1', $1)`, [port])
  await migrate(database, testLog)
  await database.query(looseSql`${requestLogStatements()}`)
  await database.query(readSqlFile(join(ROOT, 'server', 'distributed', 'events.sql')))
  return { url: coordinator.url, database, workers }
}
