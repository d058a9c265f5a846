/**
 * Measures one machine that watches fifty thousand contracts: memory, the load of polling, and the time from a block to
 * the feed.
 *
 *     npm run bench -- registry [--contracts 50000] [--seconds 60] [--latency 100]
 *
 * All contracts are watched: their history is read. One in fifty emits. The contracts are clones of one logic contract, on
 * a local node. Polling runs for a given time, because the node takes most of it; the requests and the processor time of
 * a contract do not depend on the number of contracts. Watching and polling each run in a process of their own.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { createCodeAnalyzer } from '../server/src/control/poll/code-analyzer.ts'
import { createPoller } from '../server/src/control/poll/poller.ts'
import { POLL_BATCHES } from '../server/src/control/poll/run-poll.ts'
import { createRpcPool } from '../server/src/control/rpc/pool.ts'
import { watchChains } from '../server/src/control/watch/watch-chains.ts'
import { systemTiming } from '../server/src/lib/clock.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts'
import { sql } from '../server/src/platform/sql.ts'
import { type Anvil, startAnvil } from '../testing/evm/anvil.ts'
import { compileContracts } from '../testing/evm/compile.ts'
import { controlContracts, FREE } from '../testing/evm/control.ts'
import { evmOf } from '../testing/evm/evm.ts'
import { catalog, chainOf } from '../testing/evm/watching.ts'
import { MISSED_LIMIT, report, reportVersions } from '../testing/report/result.ts'
import { anvilVersion, postgresVersion } from '../testing/report/versions.ts'
import { sendBatch } from './node-batch.ts'

const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '60' },
    latency: { type: 'string', default: '100' },
    role: { type: 'string' },
    rpc: { type: 'string' },
    database: { type: 'string' },
  },
})
const log = createLogger({ level: 'warn' })
const HOUR_S = 3_600
const EMITTERS = 50

if (values.role !== undefined) await runRole(values.role, values.rpc ?? '', values.database ?? '')
else await main(Number(values.contracts))

async function main(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
  const postgres = await joinEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
  const url = postgres.urlOf('postgres')
  const database = openDatabase({ url, log })
  const node = await startAnvil(1, FREE)
  const verdicts: boolean[] = []
  try {
    await migrate(database, log)
    reportVersions({ PostgreSQL: await postgresVersion(database), anvil: await anvilVersion(node) })
    const addresses = await makeContracts(node, count)
    await register(database, addresses)
    const watching = startRole('watch', node.url, url)
    const began = performance.now()
    while ((await unread(database)) > 0) await pause(200)
    console.log(`history of ${count} contracts read in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    const waits = await feedLatency(node, database, addresses, Number(values.latency))
    const watched = await watching.stop()
    verdicts.push(
      report({
        name: `memory of a process that watches ${count} contracts`,
        value: watched.megabytes,
        unit: 'MB',
        atMost: 500,
      }),
      report({
        name: 'block to feed beyond confirmations, p99',
        value: waits.at(Math.floor(waits.length * 0.99)) ?? 0,
        unit: 'ms',
        atMost: 1_000,
        peer: `p50 ${Math.round(waits.at(Math.floor(waits.length / 2)) ?? 0)} ms, ${waits.length} blocks`,
      }),
    )
    const polling = startRole('poll', node.url, url)
    const polled = await polling.ended
    const cpuHours = (polled.cpuSeconds / polled.polls) * count
    verdicts.push(
      report({
        name: `memory of a process that polls ${count} contracts`,
        value: polled.megabytes,
        unit: 'MB',
        atMost: 1_000,
      }),
      report({
        name: `requests to the node to poll ${count} contracts once`,
        value: (polled.requests / polled.polls) * count,
        unit: 'requests an hour',
        peer: `${polled.polls} polls, ${polled.requests} requests, in ${polled.seconds.toFixed(0)} s`,
      }),
      report({
        name: `processor time to poll ${count} contracts once`,
        value: cpuHours,
        unit: 's of one core, in an hour',
        atMost: HOUR_S / 2,
      }),
    )
  } finally {
    await node.stop()
    await database.end()
    await postgres.leave()
    rmSync(folder, { recursive: true, force: true })
  }
  process.exitCode = verdicts.every((held) => held) ? 0 : MISSED_LIMIT
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Sets the code directly: clones of one logic contract, and contracts that emit. */
async function makeContracts(node: Anvil, count: number): Promise<readonly Hex[]> {
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  await made.deployMulticall()
  const logic = await made.plain()
  const minimal: Hex = `0x363d3d373d3d3d363d73${logic.slice(2)}5af43d82803e903d91602b57fd5bf3`
  const { Spammer } = compileContracts()
  if (Spammer === undefined) throw new Error('no contract Spammer')
  const emitter = await node.rpc<Hex>('eth_getCode', (await evm.deploy(Spammer)).address, 'latest')
  const addresses = Array.from(
    { length: count },
    (_, n): Hex => `0x${(0xbe0000000000 + n).toString(16).padStart(40, '0')}`,
  )
  await sendBatch(
    node.url,
    addresses.map((address, n) => ['anvil_setCode', address, n % EMITTERS === 0 ? emitter : minimal]),
  )
  await evm.mine()
  return addresses
}

async function register(database: Database, addresses: readonly Hex[]): Promise<void> {
  await database.query(
    sql`insert into contract (chain_id, address, source)
     select 1, decode(digits, 'hex'), 'manual' from unnest($1::text[]) as given (digits)`,
    [addresses.map((address) => address.slice(2))],
  )
}

/** Contracts whose history is not read. */
async function unread(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    sql`select ((select count(*) from contract where watch_state = 'new')
             + (select count(*) from backfill_job where phase = 'read'))::int as count`,
  )
  return rows[0]?.count ?? 0
}

/** The time from the block that gives an event its confirmations to the event's row, in ascending order. */
async function feedLatency(
  node: Anvil,
  database: Database,
  addresses: readonly Hex[],
  samples: number,
): Promise<readonly number[]> {
  const evm = await evmOf(node)
  const { Spammer } = compileContracts()
  if (Spammer === undefined) throw new Error('no contract Spammer')
  const { confirmations } = chainOf(1)
  const waits: number[] = []
  for (let n = 0; n <= samples; n += 1) {
    const address = addresses[(n * EMITTERS) % addresses.length] as Hex
    await evm.send({ address, abi: Spammer.abi }, 'spam', [1n, BigInt(1e9 + n)])
    const block = await evm.blockNumber()
    await evm.mine(confirmations)
    const minedAt = performance.now()
    const isStored = async (): Promise<boolean> => {
      const { rows } = await database.query(sql`select from control_event where block_number = $1 limit 1`, [block])
      return rows.length > 0
    }
    while (!(await isStored())) await pause(2)
    if (n > 0) waits.push(performance.now() - minedAt) // the first one may include the watcher's start
  }
  return waits.sort((a, b) => a - b)
}

type Measured = {
  readonly megabytes: number
  readonly polls: number
  readonly requests: number
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Runs a role in a process of its own, so that its memory and processor time can be measured. */
function startRole(role: string, rpc: string, database: string) {
  const self = fileURLToPath(import.meta.url)
  const args = ['--role', role, '--rpc', rpc, '--database', database, '--seconds', values.seconds]
  const child = spawn(process.execPath, [self, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<Measured>((resolve, reject) =>
    child.once('close', () => {
      const line = text.split('\n').find((each) => each.startsWith('{"megabytes"'))
      if (line === undefined) reject(new Error(`${role} ended without a result: ${text}`))
      else resolve(JSON.parse(line) as Measured)
    }),
  )
  return {
    ended,
    stop: () => {
      child.stdin.end()
      return ended
    },
  }
}

async function runRole(role: string, rpc: string, databaseUrl: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl, log })
  const began = performance.now()
  let megabytes = 0
  const sampling = setInterval(() => (megabytes = Math.max(megabytes, residentMegabytes())), 100)
  const counts = role === 'watch' ? await watchUntilStopped(rpc, database) : await pollForSeconds(rpc, database)
  clearInterval(sampling)
  await database.end()
  const { user, system } = process.cpuUsage()
  const seconds = (performance.now() - began) / 1_000
  const measured: Measured = { megabytes, ...counts, seconds, cpuSeconds: (user + system) / 1e6 }
  console.log(JSON.stringify(measured))
  process.exit()
}

async function watchUntilStopped(rpc: string, database: Database) {
  const watching = watchChains({ database, log, catalog }, [
    // The second pass is not measured; its delay is longer than the run.
    { chain: chainOf(1), rpcUrls: [rpc], startBlock: 0, verifyDelayMs: 3_600_000 },
  ])
  for await (const _ of process.stdin); // until the parent closes it
  await watching.stop()
  return { polls: 0, requests: 0 }
}

async function pollForSeconds(rpc: string, database: Database) {
  const until = Date.now() + Number(values.seconds) * 1_000
  let requests = 0
  const counted = globalThis.fetch
  globalThis.fetch = (...args) => {
    requests += 1
    return counted(...args)
  }
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [rpc], ...POLL_BATCHES },
  )
  const poller = createPoller({
    database,
    catalog,
    codes: createCodeAnalyzer(),
    log,
    poolOf: () => pool,
    confirmationsOf: () => 0,
  })
  const { polled } = await poller.round(1, new Date(), { mayContinue: async () => Date.now() < until })
  pool.close()
  return { polls: polled, requests }
}

function residentMegabytes(): number {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)
  return Math.round(kilobytes / 1_024)
}
