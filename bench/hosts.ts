/**
 * Runs the service on one, two and three hosts, which are network namespaces of this machine, and measures what that costs.
 *
 *     npm run bench -- hosts [--requests 6000]
 *
 * Needs root, `ip` and Debian's PostgreSQL and Redis. Hosts are joined by a bridge, and reach each other over TCP alone. The
 * hosts share the cores of this machine, so that more of them do not answer more requests: the figures are what a request
 * costs each part, and what distance does to limits, events and failover.
 *
 *   one host     PostgreSQL, replica, Redis, `serve` and the other roles
 *   two hosts    `serve` and the replica apart from PostgreSQL, Redis and the other roles
 *   three hosts  as two, with a second host for `serve` and the other roles
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { saveContract } from '../server/src/control/registry/contracts.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { unprivilegedIdentity } from '../server/src/platform/postgres/binaries.ts'
import { sql } from '../server/src/platform/sql.ts'
import { type Anvil, startAnvil } from '../testing/evm/anvil.ts'
import { compileContracts } from '../testing/evm/compile.ts'
import { evmOf } from '../testing/evm/evm.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { postgresVersion } from '../testing/report/versions.ts'
import { makeTestAccount, makeTestKey, makeTestKeys } from '../testing/support/service.ts'
import { medianOf } from './median.ts'

const SAMPLES = 10
/** Each key may send 60 requests a minute. */
const [KEYS, CONNECTIONS] = [200, 32]
const { values } = parseArgs({ options: { requests: { type: 'string', default: '6000' } } })
const REQUESTS = Number(values.requests)
const PATH = '/v1/events?limit=1'
const [BRIDGE, NETWORK, PORT] = ['gwbench', '10.87.0', 8080]
const SECRET = 'x'.repeat(32)
const gatewatch = join(import.meta.dirname, '..', 'server', 'bin', 'gatewatch.mjs')
const log = createLogger({ level: 'error' })

/** The host of each part. The first of `others` watches the chain. */
type Layout = {
  readonly name: string
  readonly serve: readonly number[]
  readonly replica: number
  readonly others: readonly number[]
}
const DATA_HOST = 1
const LAYOUTS: readonly Layout[] = [
  { name: 'one host', serve: [1], replica: 1, others: [1] },
  { name: 'two hosts', serve: [2], replica: 2, others: [1] },
  { name: 'three hosts', serve: [2, 3], replica: 2, others: [3, 1] },
]

const ip = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}
const addressOf = (host: number): string => `${NETWORK}.${host}`
const spaceOf = (host: number): string => `${BRIDGE}-${host}`

function makeHosts(hosts: readonly number[]): void {
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${NETWORK}.254/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  for (const host of hosts) {
    const [space, outside] = [spaceOf(host), `${BRIDGE}${host}`]
    ip('netns', 'add', space)
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', outside, 'master', BRIDGE, 'up')
    ip('-n', space, 'addr', 'add', `${addressOf(host)}/24`, 'dev', 'eth0')
    ip('-n', space, 'link', 'set', 'eth0', 'up')
    ip('-n', space, 'link', 'set', 'lo', 'up')
  }
}

function removeHosts(hosts: readonly number[]): void {
  for (const host of hosts) spawnSync('ip', ['netns', 'del', spaceOf(host)])
  spawnSync('ip', ['link', 'del', BRIDGE])
}

/** A program on a host. It ends with this process. */
type Part = { readonly name: string; readonly child: ChildProcess }
const running: Part[] = []

function runOn(
  host: number,
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Part {
  const args = ['netns', 'exec', spaceOf(host), 'setpriv', '--pdeathsig', 'KILL', ...command]
  const child = spawn('ip', args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-2_000)))
  child.once('exit', (code) => code !== null && code > 0 && console.error(`${name} ended with ${code}: ${text}`))
  const part = { name, child }
  running.push(part)
  return part
}

async function stop({ child }: Part): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const binaries = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').sort().at(-1)?.replace('/pg_basebackup', '') ?? ''
const identity = unprivilegedIdentity()
const asDatabaseUser = ['--reuid', String(identity?.uid), '--regid', String(identity?.gid), '--clear-groups']
const folder = mkdtempSync('/tmp/gatewatch-hosts-')
if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)

const primaryUrl = `postgres://gatewatch@${addressOf(DATA_HOST)}:5432/postgres`
const redisUrl = `redis://${addressOf(DATA_HOST)}:6379`

function postgresOn(host: number, name: string, port: number): Part {
  const settings = [
    `listen_addresses=${addressOf(host)}`,
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
  ]
  const options = settings.flatMap((setting) => ['-c', setting])
  return runOn(host, name, [...asDatabaseUser, join(binaries, 'postgres'), '-D', join(folder, name), ...options])
}

function runToEnd(host: number, command: readonly string[]): void {
  const { status, stderr } = spawnSync(
    'ip',
    ['netns', 'exec', spaceOf(host), 'setpriv', ...asDatabaseUser, ...command],
    {
      cwd: '/',
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${command[0]}: ${stderr}`)
}

function makeDataFolder(name: string): string {
  const data = join(folder, name)
  mkdirSync(data, { mode: 0o700 })
  if (identity !== undefined) chownSync(data, identity.uid, identity.gid)
  return data
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 10))
}

const answersTo = (url: string) => async (): Promise<boolean> => (await fetch(url)).ok

async function untilConnected(url: string): Promise<void> {
  await until(async () => {
    const database = openDatabase({ url, log, connections: 1 })
    try {
      return (await database.query(sql`select 1`)).rows.length === 1
    } finally {
      await database.end()
    }
  })
}

function serviceOn(host: number, layout: Layout, roles: string, port: number): Part {
  const replicaUrl = `postgres://gatewatch@${addressOf(layout.replica)}:5433/postgres`
  return runOn(host, roles === 'serve' ? 'serve' : 'other roles', [process.execPath, gatewatch, 'start'], {
    HOST: addressOf(host),
    PORT: String(port),
    DATABASE_URL: primaryUrl,
    DATABASE_READ_URL: replicaUrl,
    REDIS_URL: redisUrl,
    AUTH_SECRET: SECRET,
    PUBLIC_URL: `http://${addressOf(host)}:${PORT}`,
    ETHEREUM_RPC_URL: `http://${NETWORK}.254:${new URL(node.url).port}`,
    ETHEREUM_START_BLOCK: '0',
    ETHEREUM_CONFIRMATIONS: '0',
    DATA_DIR: join(folder, `data-${layout.serve.length}-${host}-${roles.length}`),
    METRICS_HOST: addressOf(host),
    METRICS_PORT: String(port + 1_000),
    ROLES: roles,
    LOG_LEVEL: 'error',
  })
}

/** CPU time of a part and of the processes it started, in milliseconds. */
function cpuMsOf(part: Part): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [before = '', after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
        const fields = after.split(' ')
        return {
          pid: Number.parseInt(before, 10),
          parent: Number(fields[1]),
          ticks: Number(fields[11]) + Number(fields[12]),
        }
      } catch {
        return [] // it has ended
      }
    })
  const family = new Set([part.child.pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid)
  }
  return stats.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + ticks * 10, 0)
}

/** Bytes that a host sent and received over the bridge. */
function bytesOf(host: number): number {
  const read = (name: string) => Number(readFileSync(`/sys/class/net/${BRIDGE}${host}/statistics/${name}`, 'utf8'))
  return read('rx_bytes') + read('tx_bytes')
}

type Headers = { readonly authorization: string }
const headersOf = ({ key }: { readonly key: string }): Headers => ({ authorization: `Bearer ${key}` })

/** Sends `amount` requests to all hosts, with each key in turn. */
async function loadAll(urls: readonly string[], amount: number, keys: readonly Headers[]): Promise<number> {
  const startedAt = performance.now()
  const results = await Promise.all(
    urls.map((url) =>
      autocannon({
        url,
        connections: CONNECTIONS / urls.length,
        amount: amount / urls.length,
        requests: keys.map((headers) => ({ path: PATH, headers: { ...headers } })),
      }),
    ),
  )
  const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return (performance.now() - startedAt) / 1_000
}

async function measureLayout(layout: Layout, database: Database): Promise<void> {
  const name = `replica-${layout.name.replace(' ', '-')}`
  const replica = makeDataFolder(name)
  const from = ['-h', addressOf(DATA_HOST), '-p', '5432', '-U', 'gatewatch']
  runToEnd(layout.replica, [
    join(binaries, 'pg_basebackup'),
    ...from,
    '-D',
    replica,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ])
  const parts = [postgresOn(layout.replica, name, 5_433)]
  await untilConnected(`postgres://gatewatch@${addressOf(layout.replica)}:5433/postgres`)
  for (const host of layout.others) {
    parts.push(serviceOn(host, layout, 'watch,poll,deliver', PORT + 1))
    await until(answersTo(`http://${addressOf(host)}:${PORT + 1_001}/readyz`))
  }
  parts.push(...layout.serve.map((host) => serviceOn(host, layout, 'serve', PORT)))
  const urls = layout.serve.map((host) => `http://${addressOf(host)}:${PORT}`)
  for (const url of urls) await until(answersTo(`${url}/readyz`))

  await measureRequests(layout, parts, urls, database)
  await measureLimits(layout, urls, database)
  await measureEvents(layout, urls)
  if (layout.others.length > 1) await measureTakeover(layout, urls)
  for (const part of parts.toReversed()) await stop(part)
}

/** What one request for the newest event costs each part, and the network. */
async function measureRequests(layout: Layout, parts: readonly Part[], urls: readonly string[], database: Database) {
  const keys = (await makeTestKeys(database, 'v1', 2 * KEYS)).map(headersOf)
  await loadAll(urls, REQUESTS, keys.slice(KEYS)) // until the code is compiled and statements are prepared
  const all = [...running.filter(({ name }) => name === 'primary' || name === 'redis'), ...parts]
  const hosts = [...new Set([DATA_HOST, ...layout.serve, ...layout.others])].sort((a, b) => a - b)
  const cpuBefore = new Map(all.map((part) => [part, cpuMsOf(part)]))
  const bytesBefore = new Map(hosts.map((host) => [host, bytesOf(host)]))
  const seconds = await loadAll(urls, REQUESTS, keys.slice(0, KEYS))
  const cpu = [...Map.groupBy(all, ({ name }) => name.replace(/-.*/, ''))].map(([name, group]) => {
    const ms = group.reduce((sum, part) => sum + cpuMsOf(part) - (cpuBefore.get(part) ?? 0), 0)
    return `${name} ${((ms / REQUESTS) * 1_000).toFixed(0)} µs`
  })
  const bytes = hosts.map(
    (host) => `host ${host} ${((bytesOf(host) - (bytesBefore.get(host) ?? 0)) / REQUESTS).toFixed(0)} B`,
  )
  const { rows } = await database.query<{ n: number }>(
    sql`select count(*)::int as n from pg_stat_activity where application_name like 'gatewatch%'`,
  )
  report({
    name: `${layout.name}: requests for the newest event`,
    value: REQUESTS / seconds,
    unit: 'requests a second',
    peer: `CPU time of a request: ${cpu.join(', ')}; over the network: ${bytes.join(', ')}; ${rows[0]?.n} connections to the primary`,
  })
}

/** A key of 60 requests a minute, used on all hosts at once. */
async function measureLimits(layout: Layout, urls: readonly string[], database: Database): Promise<void> {
  const headers = headersOf(await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1'))
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => (await fetch(urls[n % urls.length] + PATH, { headers })).status),
  )
  report({
    name: `${layout.name}: requests granted beyond or below a limit of 60, of 200 at once`,
    value: Math.abs(statuses.filter((status) => status === 200).length - 60),
    unit: 'requests',
    atMost: 0,
  })
}

/** Sends a transaction, and waits until every host returns its event, which it reads from the replica. */
async function untilReturned(urls: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  spammed += 1
  await evm.send({ address: contract, abi: compiled?.abi ?? [] }, 'spam', [1n, BigInt(spammed)])
  const block = await evm.blockNumber()
  for (const url of urls)
    await until(async () => {
      const response = await fetch(`${url}/public/control/events?limit=1`)
      const { data } = (await response.json()) as { data: readonly { blockNumber: number }[] }
      return (data[0]?.blockNumber ?? 0) >= block
    })
  return performance.now() - startedAt
}
let spammed = 0

async function measureEvents(layout: Layout, urls: readonly string[]): Promise<void> {
  const times: number[] = []
  for (let n = 0; n <= SAMPLES; n += 1) times.push(await untilReturned(urls))
  const counted = times.slice(1) // the first one includes connections
  report({
    name: `${layout.name}: from a transaction to its event on every serving host, median`,
    value: medianOf(counted),
    unit: 'ms',
    peer: `longest of ${SAMPLES}: ${Math.max(...counted).toFixed(0)} ms`,
  })
}

/** The host that watches the chain loses its network. */
async function measureTakeover(layout: Layout, urls: readonly string[]): Promise<void> {
  const [cut = 0] = layout.others
  ip('-n', spaceOf(cut), 'link', 'set', 'eth0', 'down')
  const left = urls.filter((url) => !url.includes(`${addressOf(cut)}:`))
  report({
    name: `${layout.name}: from a transaction to its event after the watching host lost its network`,
    value: (await untilReturned(left)) / 1_000,
    unit: 's',
    peer: 'its lease has to expire first',
  })
  ip('-n', spaceOf(cut), 'link', 'set', 'eth0', 'up')
}

const hosts = [1, 2, 3]
removeHosts(hosts)
makeHosts(hosts)
const node: Anvil = await startAnvil(1, ['--host', '0.0.0.0'])
const evm = await evmOf(node)
const { Spammer: compiled } = compileContracts()
if (compiled === undefined) throw new Error('no contract Spammer')
const { address: contract } = await evm.deploy(compiled)
try {
  runToEnd(DATA_HOST, [
    join(binaries, 'initdb'),
    '-D',
    makeDataFolder('primary'),
    '-U',
    'gatewatch',
    '--auth=trust',
    '--encoding=UTF8',
  ])
  const hba = join(folder, 'primary', 'pg_hba.conf')
  spawnSync('sh', [
    '-c',
    `printf 'host all all ${NETWORK}.0/24 trust\\nhost replication all ${NETWORK}.0/24 trust\\n' >> ${hba}`,
  ])
  postgresOn(DATA_HOST, 'primary', 5_432)
  runOn(DATA_HOST, 'redis', [
    'bash',
    '-c',
    `exec -a redis-server /usr/bin/redis-check-rdb --bind ${addressOf(DATA_HOST)} --protected-mode no --save '' --dir ${folder}`,
  ])
  await untilConnected(primaryUrl)
  const database = openDatabase({ url: primaryUrl, log })
  reportVersions({ PostgreSQL: await postgresVersion(database) })
  await migrate(database, log)
  await saveContract(database, { chainId: 1, address: contract })
  for (const layout of LAYOUTS) await measureLayout(layout, database)
  await database.end()
} finally {
  for (const part of running.toReversed()) await stop(part)
  await node.stop()
  removeHosts(hosts)
  rmSync(folder, { recursive: true, force: true })
}
