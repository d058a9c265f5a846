/**
 * Events a second from a cold start, beside Ponder: the same contract on the same node into the same PostgreSQL.
 *
 *     node bench/ponder.ts [--events 20000]
 *
 * Each is a process of its own, timed from its start until every event stands in its table. Ponder is installed by its
 * own lockfile into a temporary folder; its node is named sixteen times, so that its limit on requests does not decide.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { saveContract } from '../server/src/control/store/contracts.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts'
import { startAnvil } from '../server/test/chain/anvil.ts'
import { freePort } from '../server/test/support/port.ts'
import { EVENTS_A_TX, makeEventChain } from './event-chain.ts'
import { report } from './result.ts'

const TARGET = 8
const SCHEMA = 'ponder_bench'
const { values } = parseArgs({ options: { events: { type: 'string', default: '20000' } } })
const blocks = Math.ceil(Number(values.events) / EVENTS_A_TX)
const log = createLogger({ level: 'warn' })
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
const project = join(folder, 'ponder')

async function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = spawn(command, args, {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** Seconds from the start of the process until the table holds all events. */
async function timeTo(database: Database, table: string, events: number, start: () => ChildProcess): Promise<number> {
  const startedAt = performance.now()
  const child = start()
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)))
  const count = async (): Promise<number> => {
    const { rows: tables } = await database.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
      table,
    ])
    if (tables[0]?.found !== true) return 0
    return (await database.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0
  }
  try {
    while ((await count()) < events) {
      if (child.exitCode !== null && (await count()) < events)
        throw new Error(`it ended before its work was done: ${output}`)
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
const url = postgres.urlOf('postgres')
const database = openDatabase({ url, log })
const node = await startAnvil(1, ['--gas-limit', '300000000', '--slots-in-an-epoch', '1'])
try {
  cpSync(join(import.meta.dirname, 'ponder'), project, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  await migrate(database, log)
  const { address, seconds } = await makeEventChain(node, blocks)
  const events = blocks * EVENTS_A_TX
  console.log(`chain        ${events} events, made in ${seconds.toFixed(1)} s`)
  await saveContract(database, { chainId: 1, address })

  const own = await timeTo(database, 'control_event', events, () =>
    spawn(process.execPath, [join(import.meta.dirname, 'watch.ts'), '--backfill', node.url, '--database', url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const port = await freePort()
  const env = {
    PONDER_RPC_URL: node.url,
    BENCH_CONTRACT: address,
    DATABASE_URL: url,
    PONDER_TELEMETRY_DISABLED: 'true',
  }
  const theirs = await timeTo(database, `${SCHEMA}.control_event`, events, () =>
    spawn(
      process.execPath,
      [
        join(project, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js'),
        'start',
        '--schema',
        SCHEMA,
        '--port',
        String(port),
        '--log-level',
        'warn',
      ],
      {
        cwd: project,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    ),
  )
  console.log(`Gatewatch    ${own.toFixed(2)} s, ${(events / own).toFixed(0)} events/s`)
  console.log(`Ponder       ${theirs.toFixed(2)} s, ${(events / theirs).toFixed(0)} events/s`)
  report({
    name: `events a second from a cold start, ${events} events`,
    value: theirs / own,
    unit: 'times Ponder',
    atLeast: TARGET,
    peer: `Ponder 0.17.7, ${(events / theirs).toFixed(0)} events/s; here ${(events / own).toFixed(0)}`,
  })
} finally {
  await node.stop()
  await database.end()
  await postgres.leave()
  rmSync(folder, { recursive: true, force: true })
}
