/**
 * Creates a database for each test file, copied from a template that holds every migration.
 *
 * All files share one embedded cluster inside the checkout, without fsync. The first process starts it and the last one
 * stops it, as the program does. With `TEST_DISTRIBUTED=1` each file gets a distributed PostgreSQL instead.
 */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after } from 'node:test'
import { Client } from 'pg'
import { type Database, openDatabase } from '../../server/src/platform/database.ts'
import { migrate, readMigrations } from '../../server/src/platform/migrate.ts'
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '../../server/src/platform/postgres/embedded.ts'
import { isAlive } from '../../server/src/platform/postgres/postmaster.ts'
import { testVault } from './auth-secret.ts'
import { testLog } from './log.ts'

const CLUSTER_FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'test-cluster')
const TEMPLATE_LOCK = 7_438_100

export const joinTestCluster = (): Promise<EmbeddedPostgres> =>
  joinEmbeddedPostgres({
    folder: CLUSTER_FOLDER,
    log: testLog,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
  })

export type TestDatabase = { readonly url: string; readonly database: Database }

/** Call once at the top of a test file. The database is dropped after the tests of the file. */
export async function createTestDatabase({ migrated = true }: { migrated?: boolean } = {}): Promise<TestDatabase> {
  if (migrated && process.env.TEST_DISTRIBUTED === '1')
    return await (await import('./distributed.ts')).createDistributedDatabase()
  const cluster = await joinTestCluster()
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await withAdmin(cluster, async (admin) => {
    await dropAbandoned(admin)
    const template = migrated ? await ensureTemplate(cluster, admin) : 'template0'
    await admin.query(`create database ${name} template ${template} strategy file_copy`)
  })
  const url = cluster.urlOf(name)
  const database = openDatabase({ url, log: testLog, vault: testVault })
  after(async () => {
    await database.end()
    await withAdmin(cluster, (admin) => admin.query(`drop database ${name} with (force)`))
    await cluster.leave()
  })
  return { url, database }
}

async function withAdmin(cluster: EmbeddedPostgres, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: cluster.urlOf('postgres') })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

/** The template's name contains the hash of the migrations, so that a changed migration creates a new one. */
async function ensureTemplate(cluster: EmbeddedPostgres, admin: Client): Promise<string> {
  const migrations = readMigrations()
  const name = `template_${createHash('sha256')
    .update(migrations.map(({ checksum }) => checksum).join())
    .digest('hex')
    .slice(0, 16)}`
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) {
    const making = `making_${name}`
    await admin.query(`drop database if exists ${making} with (force)`)
    await admin.query(`create database ${making} template template0`)
    const database = openDatabase({ url: cluster.urlOf(making), log: testLog, connections: 1 })
    await migrate(database, testLog, migrations)
    await database.end()
    await admin.query(`alter database ${making} rename to ${name}`)
  }
  await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  return name
}

/** Drops databases of test processes that were killed. */
async function dropAbandoned(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    "select datname from pg_database where datname ~ '^test_[0-9]+_'",
  )
  for (const { datname } of rows) {
    if (!isAlive(Number(datname.split('_')[1]))) await admin.query(`drop database if exists ${datname} with (force)`)
  }
}
