/**
 * Measures events a second from a cold start, relative to Ponder: same contract, same responses of a node, same PostgreSQL.
 *
 *     npm run bench -- ponder [--events 100000]
 *
 * Each is a separate process, timed from its start until every event is in its table of a new database. Both run once to
 * record the responses and warm up the disk, then twice in the order ours, Ponder, Ponder, ours; the mean counts. Ponder is installed with its
 * own lock file into a temporary folder. Its configuration names the node sixteen times, so that its request limit does
 * not slow it down. Both find their modules compiled, as the service does after its first start.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { saveContract } from '../server/src/control/registry/contracts.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts'
import { identifier, sql } from '../server/src/platform/sql.ts'
import { startAnvil } from '../testing/evm/anvil.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { anvilVersion, packageVersions, postgresVersion } from '../testing/report/versions.ts'
import { freePort } from '../testing/support/port.ts'
import { BACKFILL, CHAIN_OPTIONS, describeChain, makeEventChain, readLogs } from './event-chain.ts'
import { medianOf } from './median.ts'
import { startRecordedNode } from './recorded-node.ts'

const TARGET = 8
const SCHEMA = 'ponder_bench'
const { values } = parseArgs({ options: { events: { type: 'string', default: '100000' } } })
const log = createLogger({ level: 'warn' })
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
const project = join(folder, 'ponder')
const NODE_COMPILE_CACHE = join(folder, 'compiled')

async function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = spawn(command, args, {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** Seconds from the start of the process until the table of events in this schema contains all of them. */
async function timeTo(database: Database, schema: string, events: number, start: () => ChildProcess): Promise<number> {
  const startedAt = performance.now()
  const child = start()
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)))
  const count = async (): Promise<number> => {
    const { rows: tables } = await database.query<{ found: boolean }>(
      sql`select to_regclass($1) is not null as found`,
      [`${schema}.control_event`],
    )
    if (tables[0]?.found !== true) return 0
    const { rows } = await database.query<{ n: number }>(
      sql`select count(*)::int as n from ${identifier(schema)}.control_event`,
    )
    return rows[0]?.n ?? 0
  }
  try {
    while ((await count()) < events) {
      if (child.exitCode !== null && (await count()) < events)
        throw new Error(`it exited before all events were stored: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return (performance.now() - startedAt) / 1_000
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

const postgres = await joinEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
const admin = openDatabase({ url: postgres.urlOf('postgres'), log })
const node = await startAnvil(1, CHAIN_OPTIONS)
const recorded = await startRecordedNode(node.url)

/** One of the two programs, run on a database of its own. */
type Work = { readonly database: Database; readonly url: string; readonly address: Hex; readonly events: number }
type Subject = { readonly name: string; readonly run: (work: Work) => Promise<number>; readonly seconds: number[] }

async function runOwn({ database, url, address, events }: Work): Promise<number> {
  await migrate(database, log)
  await saveContract(database, { chainId: 1, address })
  return await timeTo(database, 'public', events, () =>
    spawn(process.execPath, [...BACKFILL, recorded.url, url], {
      env: { ...process.env, NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
}

async function runPonder({ database, url, address, events }: Work): Promise<number> {
  const cli = join(project, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js')
  const settings = ['--schema', SCHEMA, '--port', String(await freePort()), '--log-level', 'warn']
  const env = {
    PONDER_RPC_URL: recorded.url,
    BENCH_CONTRACT: address,
    DATABASE_URL: url,
    PONDER_TELEMETRY_DISABLED: 'true',
    NODE_COMPILE_CACHE,
  }
  return await timeTo(database, SCHEMA, events, () =>
    spawn(process.execPath, [cli, 'start', ...settings], {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
}

try {
  cpSync(join(import.meta.dirname, 'ponder'), project, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  const versions = packageVersions(['ponder', 'viem'], join(project, 'ponder.config.ts'))
  reportVersions({ PostgreSQL: await postgresVersion(admin), anvil: await anvilVersion(node), ...versions })
  const chain = await makeEventChain(node, Number(values.events))
  console.log(`chain        ${describeChain(chain)}`)
  const { keys } = await readLogs(recorded.url, chain)
  const [address, events] = [chain.address, keys.size]
  const own: Subject = { name: 'Gatewatch', run: runOwn, seconds: [] }
  const theirs: Subject = { name: 'Ponder', run: runPonder, seconds: [] }
  const warmUp = [own, theirs]
  for (const [n, { name, run: timed, seconds }] of [...warmUp, own, theirs, theirs, own].entries()) {
    await admin.query(sql`create database ${identifier(`run_${n}`)}`)
    const url = postgres.urlOf(`run_${n}`)
    const database = openDatabase({ url, log })
    try {
      const took = await timed({ database, url, address, events })
      const isCounted = n >= warmUp.length
      console.log(
        `${name.padEnd(12)} ${took.toFixed(2)} s, ${(events / took).toFixed(0)} events/s${isCounted ? '' : ', to warm up'}`,
      )
      if (isCounted) seconds.push(took)
    } finally {
      await database.end()
    }
  }
  const [ours, ponder] = [medianOf(own.seconds), medianOf(theirs.seconds)]
  report({
    name: `events a second from a cold start, ${events} events`,
    value: ponder / ours,
    unit: 'times Ponder',
    atLeast: TARGET,
    peer: `Ponder, ${(events / ponder).toFixed(0)} events/s; here ${(events / ours).toFixed(0)}; means of two runs each`,
  })
} finally {
  await recorded.stop()
  await node.stop()
  await admin.end()
  await postgres.leave()
  rmSync(folder, { recursive: true, force: true })
}
