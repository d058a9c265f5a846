/**
 * The embedded PostgreSQL: a cluster under DATA_DIR that all processes with the same DATA_DIR share.
 *
 * The first process starts the server, later ones join it (also a server that a killed process left running), and the
 * last one stops it. Each process holds a shared advisory lock; the one that gets it exclusively is the last.
 */
import { createHash } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { reasonOf, systemCodeOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { DiskFullError, EmbeddedDatabaseError } from '../errors.ts'
import { readOrCreateSecret } from '../secret-file.ts'
import { sql } from '../sql.ts'
import { type Identity, spawnProgram, unprivilegedIdentity } from './binaries.ts'
import { findPostmaster, isAlive, type Postmaster, readIfExists, removeStaleLocks } from './postmaster.ts'

export type EmbeddedOptions = {
  /** Contains the cluster (`postgres`), its log and its password. */
  readonly folder: string
  readonly log: Logger
  /** Settings that override PostgreSQL's defaults, such as fsync=off for tests. */
  readonly settings?: Readonly<Record<string, string>>
}

export type EmbeddedPostgres = {
  /** A connection URL for the given database of the cluster. */
  readonly urlOf: (database: string) => string
  /** Leaves the server, and stops it if this is the last process. */
  readonly leave: () => Promise<void>
}

const USER = 'gatewatch'
const PORT = 5432 // names the socket file; nothing listens on TCP
const PRESENCE_LOCK = 7_438_001 // any number, the same in every version
const TIMEOUT_MS = 60_000
const MAX_LOG_BYTES = 10_000_000
const MIN_FREE_BYTES = 1_000_000
const REJOIN_MS = 1_000
const TEMPORARY_SOCKET = 'gatewatch-socket-'
const LONGEST_SOCKET_PATH = 100 // the system's limit is 107 bytes with the file's own name

const clusterIn = (folder: string): string => join(folder, 'postgres')

/** Whether a data folder has a cluster. */
export const hasCluster = (folder: string): boolean => existsSync(clusterIn(folder))

export async function joinEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { folder, log } = options
  const dataFolder = clusterIn(folder)
  mkdirSync(folder, { recursive: true })
  const password = readOrCreateSecret(join(folder, 'postgres-password'))
  if (!existsSync(dataFolder)) await createCluster(options, dataFolder, password)

  const leaving = new AbortController()
  let present = await enter(options, dataFolder, password, leaving.signal)
  let rejoining = Promise.resolve()
  /** After a crash or stop of the server. Without the lock, another process would consider itself the last one. */
  const rejoin = async () => {
    if (leaving.signal.aborted) return
    log.warn('the embedded PostgreSQL stopped; joining it again')
    while (!leaving.signal.aborted) {
      try {
        present = await enter(options, dataFolder, password, leaving.signal)
        watch()
        return
      } catch (error) {
        if (leaving.signal.aborted) return
        log.error({ err: error }, 'the embedded PostgreSQL cannot be joined; trying again')
        await pause(REJOIN_MS)
      }
    }
  }
  const watch = () =>
    present.presence.once('end', () => {
      rejoining = rejoin()
    })
  watch()
  return {
    urlOf: (database) => connectionUrl(present.postmaster, password, database),
    leave: async () => {
      leaving.abort()
      await rejoining // `present` must be the server that was joined last
      await leave(present, dataFolder, log)
    },
  }
}

type Present = { readonly presence: Client; readonly postmaster: Postmaster }

/** Finds the server or starts it, and takes the shared lock. */
async function enter(
  options: EmbeddedOptions,
  dataFolder: string,
  password: string,
  leaving: AbortSignal,
): Promise<Present> {
  const { folder, log } = options
  const deadline = Date.now() + TIMEOUT_MS
  let lastError: unknown
  while (Date.now() < deadline) {
    const postmaster = findPostmaster(dataFolder)
    if (postmaster === undefined) {
      leaving.throwIfAborted() // starts no server; one that runs is joined, so that it can be stopped
      await startServer(options, dataFolder)
      continue
    }
    if (postmaster.status === 'ready') {
      try {
        const presence = await takePresenceLock(connectionUrl(postmaster, password, 'postgres'))
        log.debug({ pid: postmaster.pid }, 'joined the embedded PostgreSQL')
        return { presence, postmaster }
      } catch (error) {
        if (systemCodeOf(error) === '28P01') {
          throw new EmbeddedDatabaseError(
            `The password in ${join(folder, 'postgres-password')} is not that of the embedded database; restore the file.`,
          )
        }
        lastError = error // the server was just stopping: try again
      }
    }
    await pause(20)
  }
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL did not become ready (${reasonOf(lastError ?? 'no response')}); see ${join(folder, 'postgres.log')}.`,
  )
}

function connectionUrl({ socketFolder, port }: Postmaster, password: string, database: string): string {
  return `postgres://${USER}:${password}@/${database}?host=${encodeURIComponent(socketFolder)}&port=${port}`
}

/** Creates the cluster in a temporary folder and renames it, so that a killed process leaves no incomplete cluster. */
async function createCluster(
  { folder, log, settings }: EmbeddedOptions,
  dataFolder: string,
  password: string,
): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^postgres\.making-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
  const making = join(folder, `postgres.making-${process.pid}`)
  const identity = unprivilegedIdentity()
  mkdirSync(making, { mode: 0o700 })
  const passwordFile = join(making, 'password')
  const cluster = join(making, 'cluster')
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  for (const path of [making, cluster, passwordFile]) changeOwner(path, identity)
  log.info('creating the embedded database')
  try {
    const args = [
      '-D',
      cluster,
      '-U',
      USER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ]
    if (settings?.fsync === 'off') args.push('--no-sync')
    const { status, output } = await runToEnd('initdb', args, cluster)
    if (status !== 0) throw failure('could not be created', output, folder)
    renameSync(cluster, dataFolder)
  } catch (error) {
    // Another process created the cluster first; that one is used.
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCodeOf(error) ?? '')) throw error
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function changeOwner(path: string, identity: Identity | undefined): void {
  if (identity !== undefined) chownSync(path, identity.uid, identity.gid)
}

async function runToEnd(
  program: 'initdb',
  args: readonly string[],
  dataFolder: string,
): Promise<{ status: number | null; output: string }> {
  const child = spawnProgram(program, args, dataFolder, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}

/** Starts the server. Returns when it is ready or has ended; the caller reads postmaster.pid to find out. */
async function startServer({ folder, settings = {} }: EmbeddedOptions, dataFolder: string): Promise<void> {
  const logFile = join(folder, 'postgres.log')
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.old`)
  const logStart = existsSync(logFile) ? statSync(logFile).size : 0
  const socketFolder = createSocketFolder(folder)
  removeStaleLocks(dataFolder, join(socketFolder, `.s.PGSQL.${PORT}.lock`))
  const all = {
    listen_addresses: '',
    port: String(PORT),
    // A list, in which a path with a comma must be quoted.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '200',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    timezone: 'UTC',
    ...settings,
  }
  const args = ['-D', dataFolder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const logHandle = openSync(logFile, 'a')
  // Detached: Ctrl-C in the terminal must reach only this process, which then stops the server.
  const child = spawnProgram('postgres', args, dataFolder, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', logHandle, logHandle],
    env: { ...process.env, LC_ALL: 'C' },
  })
  closeSync(logHandle)
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.unref()
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  while (!hasEnded() && findPostmaster(dataFolder)?.status !== 'ready') await pause(10)
  if (!hasEnded()) return
  const output = (readIfExists(logFile) ?? '').slice(logStart)
  // Another process has started a server, or is stopping one: the caller checks again.
  if (findPostmaster(dataFolder) !== undefined || /postmaster\.pid|shared memory block/.test(output)) return
  throw failure('could not be started', output, folder)
}

/**
 * The path of a Unix socket is limited. A long DATA_DIR gets one in the temporary folder, the same at every start, so
 * that pools reconnect after a restart.
 */
function createSocketFolder(folder: string): string {
  const preferred = join(folder, 'socket')
  const isShort = Buffer.byteLength(preferred) <= LONGEST_SOCKET_PATH
  const path = isShort
    ? preferred
    : join(tmpdir(), `${TEMPORARY_SOCKET}${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  const identity = unprivilegedIdentity()
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid } = statSync(path)
  if (![process.getuid?.(), identity?.uid].includes(uid)) {
    throw new EmbeddedDatabaseError(`${path} belongs to another account; remove it, or set DATA_DIR to a shorter path.`)
  }
  changeOwner(path, identity)
  return path
}

function failure(what: string, output: string, folder: string): Error {
  // The only source is the output of another program. With a full disk there may be none, so the disk is checked too.
  const { bavail, bsize } = statfsSync(folder)
  if (/No space left on device|Disk quota exceeded/.test(output) || bavail * bsize < MIN_FREE_BYTES)
    return new DiskFullError(folder)
  const lines = output.trim().split('\n')
  const reason = lines.find((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1) ?? ''
  return new EmbeddedDatabaseError(
    `The embedded PostgreSQL under ${folder} ${what}: ${reason.replace(/^.*?(FATAL|PANIC|error):\s*/i, '')}`,
  )
}

async function takePresenceLock(url: string): Promise<Client> {
  const presence = new Client({ connectionString: url, application_name: 'gatewatch presence' })
  presence.on('error', () => {}) // the 'end' event follows
  await presence.connect()
  try {
    await presence.query(sql`select pg_advisory_lock_shared($1)`, [PRESENCE_LOCK])
  } catch (error) {
    await presence.end()
    throw error
  }
  return presence
}

async function leave({ presence, postmaster }: Present, dataFolder: string, log: Logger): Promise<void> {
  const { pid, socketFolder } = postmaster
  try {
    await presence.query(sql`select pg_advisory_unlock_shared($1)`, [PRESENCE_LOCK])
    const { rows } = await presence.query<{ alone: boolean }>(sql`select pg_try_advisory_lock($1) as alone`, [
      PRESENCE_LOCK,
    ])
    if (rows[0]?.alone !== true) return
    process.kill(pid, 'SIGINT') // "fast": ends sessions, writes everything, leaves a clean cluster
    const deadline = Date.now() + TIMEOUT_MS
    while (isAlive(pid) && findPostmaster(dataFolder) !== undefined && Date.now() < deadline) await pause(10)
    if (isAlive(pid) && Date.now() >= deadline) process.kill(pid, 'SIGQUIT')
    if (socketFolder.startsWith(join(tmpdir(), TEMPORARY_SOCKET)))
      rmSync(socketFolder, { recursive: true, force: true })
    log.debug({ pid }, 'embedded PostgreSQL stopped')
  } catch (error) {
    log.debug({ err: error }, 'the embedded PostgreSQL had stopped already')
  } finally {
    await presence.end().catch(() => {})
  }
}
