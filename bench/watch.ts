/**
 * Measures a full backfill relative to fetching the same logs, and the time from a new block to its events in the feed.
 *
 *     npm run bench -- watch [--events 120000] [--rounds 3]
 *
 * The chain is made with anvil, and then read from a server that repeats its responses (`recorded-node.ts`). Fetching and
 * backfill alternate, after one of each that records. Every backfill has a new database, and medians count. The database is
 * the embedded PostgreSQL with its own settings.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { saveContract } from '../server/src/control/registry/contracts.ts'
import { watchChains } from '../server/src/control/watch/watch-chains.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts'
import { identifier, sql } from '../server/src/platform/sql.ts'
import { type Anvil, startAnvil } from '../testing/evm/anvil.ts'
import { compileContracts } from '../testing/evm/compile.ts'
import { evmOf } from '../testing/evm/evm.ts'
import { catalog, chainOf } from '../testing/evm/watching.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { anvilVersion, postgresVersion } from '../testing/report/versions.ts'
import type { Outcome } from './backfill-process.ts'
import {
  BACKFILL,
  CHAIN_OPTIONS,
  describeChain,
  type EventChain,
  makeEventChain,
  type ReadLogs,
  readLogs,
} from './event-chain.ts'
import { medianOf } from './median.ts'
import { startRecordedNode } from './recorded-node.ts'

const log = createLogger({ level: 'warn' })
const [MAX_RATIO, MIN_EVENTS_A_SECOND] = [1.5, 15_000]

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '120000' },
    rounds: { type: 'string', default: '3' },
    latency: { type: 'string', default: '200' },
  },
})

await main(Number(values.events), Number(values.rounds), Number(values.latency))

async function main(events: number, rounds: number, latencySamples: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
  const postgres = await joinEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
  const admin = openDatabase({ url: postgres.urlOf('postgres'), log })
  const node = await startAnvil(1, CHAIN_OPTIONS)
  try {
    reportVersions({ PostgreSQL: await postgresVersion(admin), anvil: await anvilVersion(node) })
    const chain = await makeEventChain(node, events)
    print('chain', describeChain(chain))

    const recorded = await startRecordedNode(node.url)
    const fetched: ReadLogs[] = []
    const backfills: Backfill[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const name = `round_${round}`
      await admin.query(sql`create database ${identifier(name)}`)
      const raw = await fetchRaw(recorded.url, chain)
      const stored = await backfillInto(postgres.urlOf(name), recorded.url, chain.address)
      if (round === 0) continue // the responses are recorded
      fetched.push(raw)
      backfills.push(stored)
    }
    await recorded.stop()
    reportBackfills(fetched, backfills)
    await latency(node, postgres.urlOf(`round_${rounds}`), chain.address, latencySamples)
  } finally {
    await node.stop()
    await admin.end()
    await postgres.leave()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fetchRaw(url: string, chain: EventChain): Promise<ReadLogs> {
  const raw = await readLogs(url, chain)
  print('raw fetch', `${raw.keys.size} logs, ${raw.megabytes.toFixed(1)} MB in ${raw.seconds.toFixed(2)} s`)
  return raw
}

/** Compares the stored events with the chain by block and log index. A duplicate row counts as an error. */
type Backfill = Outcome & { readonly stored: readonly string[] }

async function backfillInto(url: string, nodeUrl: string, address: Hex): Promise<Backfill> {
  const database = openDatabase({ url, log })
  try {
    await migrate(database, log)
    await saveContract(database, { chainId: 1, address })
    const outcome = await inProcess(nodeUrl, url)
    const { rows } = await database.query<{ key: string }>(
      sql`select block_number || '/' || log_index as key from control_event`,
    )
    print(
      'backfill',
      `${rows.length} events in ${outcome.seconds.toFixed(2)} s, ${(rows.length / outcome.seconds).toFixed(0)} a second`,
    )
    print('memory', `${outcome.peakMegabytes.join(' → ')} MB over the run (limit 300)`)
    return { ...outcome, stored: rows.map(({ key }) => key) }
  } finally {
    await database.end()
  }
}

function reportBackfills(fetched: readonly ReadLogs[], backfills: readonly Backfill[]): void {
  const onChain = fetched[0]?.keys ?? new Set<string>()
  report({
    name: 'events missing, duplicated or foreign after a backfill',
    value: Math.max(...backfills.map(({ stored }) => differences(stored, onChain))),
    unit: 'events',
    atMost: 0,
    peer: `${onChain.size} logs of the chain`,
  })
  const [fetching, storing] = [fetched, backfills].map((all) => medianOf(all.map(({ seconds }) => seconds))) as [
    number,
    number,
  ]
  print('ratio', `${(storing / fetching).toFixed(2)} (limit ${MAX_RATIO})`)
  report({
    name: 'backfill relative to fetching the same logs',
    value: storing / fetching,
    unit: 'times',
    atMost: MAX_RATIO,
    peer: `eth_getLogs and JSON.parse alone; medians of ${fetched.length} fetches and ${backfills.length} backfills in turns`,
  })
  report({
    name: 'events stored by a backfill',
    value: onChain.size / storing,
    unit: 'events a second',
    atLeast: MIN_EVENTS_A_SECOND,
    peer: `fetching alone, ${(onChain.size / fetching).toFixed(0)} logs a second`,
  })
  report({
    name: 'memory while backfilling',
    value: Math.max(...backfills.flatMap(({ peakMegabytes }) => peakMegabytes)),
    unit: 'MB',
    atMost: 300,
  })
}

function differences(stored: readonly string[], onChain: ReadonlySet<string>): number {
  const kept = new Set(stored)
  return stored.length - kept.size + kept.symmetricDifference(onChain).size
}

function print(what: string, text: string): void {
  console.log(`${what.padEnd(12)} ${text}`)
}

/** Runs in a separate process, so that its memory can be measured. */
async function inProcess(rpcUrl: string, databaseUrl: string): Promise<Outcome> {
  const child = spawn(process.execPath, [...BACKFILL, rpcUrl, databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await new Promise((resolve) => child.once('exit', resolve))
  const outcome = text.split('\n').find((line) => line.startsWith('{"seconds"'))
  if (outcome === undefined) throw new Error(`the backfill exited without a result: ${text}`)
  return JSON.parse(outcome) as Outcome
}

/** Measures the time from the block that gives an event its confirmations to the event's row. */
async function latency(node: Anvil, databaseUrl: string, address: Hex, samples: number): Promise<void> {
  const database = openDatabase({ url: databaseUrl, log })
  const evm = await evmOf(node)
  const { Spammer } = compileContracts()
  if (Spammer === undefined) throw new Error('no contract Spammer')
  const watching = watchChains({ database, log, catalog }, [{ chain: chainOf(1), rpcUrls: [node.url], startBlock: 0 }])
  const { confirmations } = chainOf(1)
  const count = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      sql`select coalesce(max(block_number), 0) as count from control_event`,
    )
    return rows[0]?.count ?? 0
  }
  const waits: number[] = []
  for (let n = 0; n < samples; n += 1) {
    await evm.send({ address, abi: Spammer.abi }, 'spam', [1n, BigInt(1e9 + n)])
    const block = await evm.blockNumber()
    await evm.mine(confirmations)
    const minedAt = performance.now()
    while ((await count()) < block) await new Promise((resolve) => setTimeout(resolve, 2))
    if (n > 0) waits.push(performance.now() - minedAt) // the first one includes the watcher's start
  }
  await watching.stop()
  await database.end()
  waits.sort((a, b) => a - b)
  const at = (share: number): string =>
    `${Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0)} ms`
  report({
    name: 'block to feed beyond confirmations, p99',
    value: waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.99))] ?? 0,
    unit: 'ms',
    atMost: 1_000,
  })
  print(
    'latency',
    `block to feed beyond ${confirmations} confirmations: p50 ${at(0.5)}, p99 ${at(0.99)} (limit 1000 ms)`,
  )
}
