/**
 * Measures the overhead of key, plan, limits, quota, request id, metrics and request log on a response without a store
 * (`/api/v2/chains`): requests a second of a bare Fastify route and of the service, alternating in one run so that other
 * load affects both.
 *
 * wrk sends the requests: it shares the machine with the servers, and a client in JavaScript takes as much CPU time as
 * the bare route, so that the ratio would depend on the client.
 *
 *   npm run bench -- http [--seconds 5 --rounds 3]
 */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { Client } from 'pg'
import { findPostmaster } from '../server/src/platform/postgres/postmaster.ts'
import { readOrCreateSecret } from '../server/src/platform/secret-file.ts'
import { sql } from '../server/src/platform/sql.ts'
import { MISSED_LIMIT, report, reportUnmeasured, reportVersions } from '../testing/report/result.ts'
import { packageVersions, postgresVersion } from '../testing/report/versions.ts'
import { freePort } from '../testing/support/port.ts'
import { medianOf } from './median.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
  },
})
const [seconds, rounds, connections] = [Number(values.seconds), Number(values.rounds), Number(values.connections)]
const TARGET = 0.7
const NAME = 'requests a second with key, limits and log'

const wrkVersion = /^wrk (\S+)/.exec(spawnSync('wrk', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]
if (wrkVersion === undefined) {
  reportUnmeasured({ name: NAME, reason: 'wrk is not on the PATH; install the package wrk of Debian' })
  process.exit()
}

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
const gatewatch = join(root, 'server', 'bin', 'gatewatch.mjs')

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })

async function output(args: readonly string[]): Promise<string> {
  const child = run([gatewatch, ...args])
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return text
}

async function until(url: string): Promise<void> {
  while ((await fetch(url).catch(() => undefined))?.ok !== true) await new Promise((resolve) => setTimeout(resolve, 50))
}

let requests = 0

type Load = { readonly perSecond: number; readonly cpuMs: number }

/** CPU time that a process has used, in milliseconds; the kernel counts hundredths of a second. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Requests a second over one period, and CPU time of the server for each. No response may have a status of 400 or above. */
async function load(server: ChildProcess, url: string, headers: readonly string[]): Promise<Load> {
  const before = cpuMsOf(server)
  const { stdout } = await promisify(execFile)('wrk', [
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    '--timeout=10s',
    ...headers.flatMap((header) => ['--header', header]),
    url,
  ])
  const [, count, time] = /(\d+) requests in ([\d.]+)s/.exec(stdout) ?? []
  const fault = /(?:Socket errors|Non-2xx or 3xx responses): .*/.exec(stdout)?.[0]
  if (count === undefined || fault !== undefined) throw new Error(`${url}: ${fault ?? stdout}`)
  if (url === serviceUrl) requests += Number(count)
  return { perSecond: Number(count) / Number(time), cpuMs: (cpuMsOf(server) - before) / Number(count) }
}

/** Waits until the request log contains all requests, each with 200. A log that lags would make requests look cheaper. */
async function untilLogged(database: Client, atLeast: number): Promise<void> {
  const deadline = Date.now() + 2_000
  for (;;) {
    const { rows } = await database.query<{ logged: string; failed: string }>(
      sql`select count(*) as logged, count(*) filter (where status <> 200) as failed from request_log`,
    )
    const { logged = '0', failed = '0' } = rows[0] ?? {}
    if (Number(failed) > 0) throw new Error(`${failed} responses were not 200`)
    if (Number(logged) >= atLeast) return
    if (Date.now() > deadline) throw new Error(`the request log has ${logged} of ${atLeast} requests`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const [barePort, servicePort] = [await freePort(), await freePort()]
const bareUrl = `http://127.0.0.1:${barePort}/api/v2/chains`
const serviceUrl = `http://127.0.0.1:${servicePort}/api/v2/chains`
/** The service's response while no chain is configured. */
const ANSWER = {
  success: true,
  data: {
    chains: [
      { id: 'btc', name: 'Bitcoin', symbol: 'BTC', enabled: false },
      { id: 'ltc', name: 'Litecoin', symbol: 'LTC', enabled: false },
    ],
  },
}
const bare = run([
  '--input-type=module',
  '-e',
  `import Fastify from ${JSON.stringify(import.meta.resolve('fastify'))}
  const app = Fastify(); app.get('/api/v2/chains', async () => (${JSON.stringify(ANSWER)})); await app.listen({ host: '127.0.0.1', port: ${barePort} })`,
])
const service = run([gatewatch, 'start'], { PORT: String(servicePort), LOG_LEVEL: 'info', ROLES: 'serve' })
try {
  await until(bareUrl)
  await until(`http://127.0.0.1:${servicePort}/readyz`)
  const email = 'bench@example.org'
  await output([
    'account',
    'create',
    '--email',
    email,
    '--password',
    randomBytes(12).toString('hex'),
    '--utxo-plan',
    'pro',
  ])
  const { key, id } = JSON.parse(
    await output(['key', 'create', email, '--api', 'v2', '--name', 'bench', '--json']),
  ) as { key: string; id: string }

  // Limits are enforced and counted as usual; only the allowance of this key is raised. Its counts stay as small as those
  // of other keys: to format an integer beyond 31 bits takes longer.
  const data = join(folder, 'data', 'demo') // the data folder while no chain is configured
  const postmaster = findPostmaster(join(data, 'postgres'))
  const database = new Client({
    host: postmaster?.socketFolder ?? '',
    port: postmaster?.port ?? 0,
    user: 'gatewatch',
    database: 'postgres',
    password: readOrCreateSecret(join(data, 'postgres-password')),
  })
  await database.connect()
  reportVersions({ PostgreSQL: await postgresVersion(database), ...packageVersions(['fastify']), wrk: wrkVersion })
  await fetch(serviceUrl, { headers: { 'x-api-key': key } })
  const lift = () =>
    database.query(
      sql`update request_counter set window_used = -1000000000, month_used = -1000000000 where subject = $1`,
      [id],
    )

  // Neither is measured while its code is not compiled yet.
  await load(bare, bareUrl, [])
  await lift()
  await load(service, serviceUrl, [`X-API-Key: ${key}`])
  const bareLoads: Load[] = []
  const serviceLoads: Load[] = []
  for (let round = 0; round < rounds; round++) {
    bareLoads.push(await load(bare, bareUrl, []))
    await lift()
    serviceLoads.push(await load(service, serviceUrl, [`X-API-Key: ${key}`]))
  }
  await untilLogged(database, requests)
  const rateOf = (loads: readonly Load[]) => medianOf(loads.map(({ perSecond }) => perSecond))
  const cpuOf = (loads: readonly Load[]) => medianOf(loads.map(({ cpuMs }) => cpuMs))
  const [bareRate, serviceRate] = [rateOf(bareLoads), rateOf(serviceLoads)]
  const [bareCpu, serviceCpu] = [cpuOf(bareLoads), cpuOf(serviceLoads)]
  const ratio = serviceRate / bareRate
  console.log(
    `bare Fastify route                                            ${bareRate.toFixed(0).padStart(7)} requests/s`,
  )
  console.log(
    `same response with key, plan, limits, quota, id, metrics, log ${serviceRate.toFixed(0).padStart(7)} requests/s`,
  )
  console.log(
    `ratio ${(ratio * 100).toFixed(0)} %, target at least ${TARGET * 100} %: ${ratio >= TARGET ? 'held' : 'MISSED'}   (median of ${rounds} rounds of ${seconds} s, ${connections} connections)`,
  )
  report({
    name: NAME,
    value: ratio,
    unit: 'of a bare Fastify route',
    atLeast: TARGET,
    peer: `Fastify, ${bareRate.toFixed(0)} requests/s`,
  })
  report({
    name: 'CPU time of the process for such a request',
    value: serviceCpu / bareCpu,
    unit: 'times that of a bare Fastify route',
    peer: `Fastify, ${(bareCpu * 1_000).toFixed(0)} µs; here ${(serviceCpu * 1_000).toFixed(0)} µs`,
  })
  await database.end()
  process.exitCode = ratio >= TARGET ? 0 : MISSED_LIMIT
} finally {
  bare.kill()
  service.kill('SIGTERM')
  await new Promise((resolve) => service.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}
