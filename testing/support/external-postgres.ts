/**
 * Starts an external PostgreSQL on TCP, from Debian's package if it is installed, optionally with a streaming replica.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { Client } from 'pg'
import { spawnProgram, unprivilegedIdentity } from '../../server/src/platform/postgres/binaries.ts'
import { freePort } from './port.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { SERVER_CERTIFICATE, SERVER_KEY } from './tls.ts'

const DEBIAN = globSync('/usr/lib/postgresql/*/bin/postgres')
  .map((path) => path.slice(0, -'/postgres'.length))
  .sort((a, b) => versionOf(b) - versionOf(a))[0]

function versionOf(folder: string): number {
  return Number(folder.split('/').at(-2))
}

/** The server version, for the output of tests. */
export const postgresKind =
  DEBIAN === undefined ? "the embedded package's programs, run as a server" : `Debian's PostgreSQL ${versionOf(DEBIAN)}`

/** The reason why there is no replica, or false: the embedded package has no `pg_basebackup`. */
export const replicaMissing: string | false =
  DEBIAN !== undefined && existsSync(join(DEBIAN, 'pg_basebackup'))
    ? false
    : 'no pg_basebackup on this machine (on Debian: apt-get install postgresql)'

export type ExternalPostgres = {
  readonly url: string
  readonly port: number
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** Tests need no durability, and many connections. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

const USER = 'gatewatch'

/** The reason why there is no Citus, or false. */
export const citusMissing: string | false =
  DEBIAN !== undefined && existsSync(`/usr/share/postgresql/${versionOf(DEBIAN)}/extension/citus.control`)
    ? false
    : "no Citus for Debian's PostgreSQL on this machine (built from source: docs/operations.md)"

/**
 * `tls` makes it accept encrypted TCP connections only, with the certificate of the tests. `settings` are further ones
 * of the server.
 */
export async function startExternalPostgres({
  tls = false,
  settings = {},
}: {
  readonly tls?: boolean
  readonly settings?: Readonly<Record<string, string>>
} = {}): Promise<ExternalPostgres> {
  const data = dataFolder()
  await toEnd(run('initdb', ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--no-sync'], data))
  if (!tls) return await serverOn(data, settings)
  // PostgreSQL refuses a key that another account owns or others may read.
  const [key, certificate] = [join(data, 'server.key'), join(data, 'server.pem')]
  copyFileSync(SERVER_KEY, key)
  copyFileSync(SERVER_CERTIFICATE, certificate)
  chmodSync(key, 0o600)
  const identity = unprivilegedIdentity()
  if (identity !== undefined) for (const path of [key, certificate]) chownSync(path, identity.uid, identity.gid)
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n')
  return await serverOn(data, { ...settings, ssl: 'on', ssl_key_file: key, ssl_cert_file: certificate })
}

/** Starts a hot standby of `primary`. */
export async function startReplica(primary: ExternalPostgres): Promise<ExternalPostgres> {
  const data = dataFolder()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER]
  await toEnd(run('pg_basebackup', [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], data))
  return await serverOn(data)
}

/** Starts a server in a folder that its account may enter. */
function dataFolder(): string {
  const outer = temporaryFolder()
  const data = join(outer, 'data')
  mkdirSync(data, { mode: 0o700 })
  const identity = unprivilegedIdentity()
  if (identity !== undefined) for (const path of [outer, data]) chownSync(path, identity.uid, identity.gid)
  return data
}

async function serverOn(data: string, more: Readonly<Record<string, string>> = {}): Promise<ExternalPostgres> {
  const port = await freePort()
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`
  const settings = {
    ...SETTINGS,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...more,
  }
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let child: ChildProcess | undefined
  const start = async () => {
    child = run('postgres', args, data)
    await answers(url, child, 'ssl' in more)
  }
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGQUIT') // immediate: no data is kept
    await exit
  }
  await start()
  after(stop)
  return { url, port, stop, start }
}

function run(program: 'initdb' | 'postgres' | 'pg_basebackup', args: readonly string[], data: string): ChildProcess {
  const options: SpawnOptions = {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  }
  if (DEBIAN !== undefined) return spawn(join(DEBIAN, program), args, { ...options, ...unprivilegedIdentity() })
  if (program === 'pg_basebackup') throw new Error(String(replicaMissing))
  return spawnProgram(program, args, data, options)
}

async function toEnd(child: ChildProcess): Promise<void> {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (words += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}: ${words}`)
}

async function answers(url: string, child: ChildProcess, tls: boolean): Promise<void> {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (words += chunk))
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`postgres ended with ${child.exitCode ?? child.signalCode}: ${words}`)
    const client = new Client({ connectionString: url, ...(tls && { ssl: { rejectUnauthorized: false } }) })
    try {
      await client.connect()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
