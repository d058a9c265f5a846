/**
 * Entry point of a process that watches a chain of `event-chain.ts` from the first request to the last committed row, and
 * prints how long that took and how much memory the process had.
 *
 *     node bench/backfill-process.ts FINAL_BLOCKS RPC_URL DATABASE_URL
 *
 * Its start counts in `ponder.ts`, so it imports nothing that a service does not.
 */
import { readFileSync } from 'node:fs'
import { watchChains } from '../server/src/control/watch/watch-chains.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { literal, sql } from '../server/src/platform/sql.ts'
import { catalog, chainOf } from '../testing/evm/watching.ts'

export type Outcome = { readonly seconds: number; readonly peakMegabytes: readonly number[] }

async function backfill(finalBlocks: number, rpcUrl: string, databaseUrl: string): Promise<void> {
  const log = createLogger({ level: 'warn' })
  const database = openDatabase({ url: databaseUrl, log })
  const memory: number[] = []
  const sampling = setInterval(() => memory.push(residentMegabytes()), 100)
  const startedAt = performance.now()
  const watching = watchChains({ database, log, catalog }, [
    // The second pass is not measured; its delay is longer than the run.
    { chain: chainOf(1), rpcUrls: [rpcUrl], startBlock: 0, verifyDelayMs: 3_600_000 },
  ])
  while (!(await isRead(database, finalBlocks))) await new Promise((resolve) => setTimeout(resolve, 20))
  const seconds = (performance.now() - startedAt) / 1_000
  clearInterval(sampling)
  await watching.stop()
  await database.end()
  const components = 5
  const size = Math.max(1, Math.ceil(memory.length / components))
  const peaks = Array.from({ length: components }, (_, n) => Math.max(0, ...memory.slice(n * size, (n + 1) * size)))
  const outcome: Outcome = { seconds, peakMegabytes: peaks.filter((peak) => peak > 0) }
  console.log(JSON.stringify(outcome))
}

function residentMegabytes(): number {
  const pages = Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)
  return Math.round(pages / 1_024)
}

async function isRead(database: Database, finalBlocks: number): Promise<boolean> {
  const { rows } = await database.query<{ done: boolean }>(
    sql`select not exists (select from backfill_job where phase = 'read')
       and exists (select from backfill_job)
       and not exists (select from contract where watch_state = 'new')
       and (select c.number >= s.head - 2 from chain_cursor c, (select max(to_block) + ${literal(finalBlocks - 128)}::int as head from backfill_job) s) as done`,
  )
  return rows[0]?.done === true
}

const [finalBlocks, rpcUrl, databaseUrl] = process.argv.slice(2)
if (finalBlocks !== undefined && rpcUrl !== undefined && databaseUrl !== undefined)
  await backfill(Number(finalBlocks), rpcUrl, databaseUrl)
