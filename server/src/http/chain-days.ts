/**
 * The history of the status page: for how many minutes of each day a chain was up to date.
 *
 * The role `serve` records it, because it also notices that no process watches a chain. Minutes without a record count
 * neither as up to date nor as an outage.
 */
import { z } from 'zod'
import { indexStatusOf } from '../coins/serve/index-status.ts'
import { getChainStatuses } from '../control/watch/chain-status.ts'
import { systemTiming, type Timing } from '../lib/clock.ts'
import { reasonOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Queryable } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { StatusDeps } from './status.ts'

const KEPT_DAYS = sql`90`
/** Twice a minute, so that no minute is left out when a record takes a while. */
const RECORD_EVERY_MS = 30_000

export const chainDays = z.object({
  chain: z.string(),
  days: z
    .array(
      z.object({
        day: z.iso.date().describe('In UTC'),
        recordedMinutes: z.int(),
        upToDateMinutes: z.int().describe('The recorded minutes in which the data of the chain was up to date'),
      }),
    )
    .describe('Oldest first. Days without a record are left out'),
})
type ChainDays = z.infer<typeof chainDays>

/** Counts the current minute for each chain, unless it is counted already. */
export async function recordMinute(database: Queryable, isUpToDate: ReadonlyMap<string, boolean>): Promise<void> {
  await database.query(
    sql`with gone as (delete from chain_day where day <= (now() at time zone 'utc')::date - ${KEPT_DAYS})
     insert into chain_day as d (chain, day, recorded_minutes, up_to_date_minutes, last_minute)
     select chain, (now() at time zone 'utc')::date, 1, up_to_date::int, date_trunc('minute', now())
     from unnest($1::text[], $2::boolean[]) as s (chain, up_to_date) order by chain
     on conflict (chain, day) do update set recorded_minutes = d.recorded_minutes + 1,
       up_to_date_minutes = d.up_to_date_minutes + excluded.up_to_date_minutes, last_minute = excluded.last_minute
     where d.last_minute < excluded.last_minute`,
    [[...isUpToDate.keys()], [...isUpToDate.values()]],
  )
}

/** The recorded days of these chains, in their order. */
export async function getChainDays(database: Queryable, chains: readonly string[]): Promise<readonly ChainDays[]> {
  const { rows } = await database.query<{ chain: string } & ChainDays['days'][number]>(
    sql`select chain, day::text, recorded_minutes as "recordedMinutes", up_to_date_minutes as "upToDateMinutes"
     from chain_day where chain = any($1) and day > (now() at time zone 'utc')::date - ${KEPT_DAYS}
     order by chain_day.day`,
    [chains],
  )
  const byChain = Map.groupBy(rows, ({ chain }) => chain)
  return chains.map((chain) => ({
    chain,
    days: (byChain.get(chain) ?? []).map(({ day, recordedMinutes, upToDateMinutes }) => ({
      day,
      recordedMinutes,
      upToDateMinutes,
    })),
  }))
}

type RecorderDeps = Pick<StatusDeps, 'database' | 'clock' | 'coins' | 'evmChains' | 'enabledChains'> & {
  readonly log: Logger
  readonly timing?: Timing
}

/** Records the state of all chains until it is stopped. */
export function runChainDays({ timing = systemTiming, log, ...deps }: RecorderDeps): {
  readonly stop: () => Promise<void>
} {
  const stopping = new AbortController()
  const running = (async () => {
    for (;;) {
      // A process that has just started does not know its coin chains yet.
      await timing.sleep(RECORD_EVERY_MS, stopping.signal)
      if (stopping.signal.aborted) return
      await readStates(deps)
        .then((states) => recordMinute(deps.database, states))
        .catch((error: unknown) => log.debug({ reason: reasonOf(error) }, 'the state of the chains was not recorded'))
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function readStates({ database, clock, coins, evmChains, enabledChains }: Omit<RecorderDeps, 'log' | 'timing'>) {
  const watched = await getChainStatuses({ database }, { evmChains }, clock.now())
  const indexed = enabledChains.map((chain) => indexStatusOf(chain, coins.find(chain), coins.faultsOf?.(chain)))
  return new Map(
    [...watched, ...indexed].map(({ chain, state }) => [chain, state === 'in_sync' || state === 'reading_history']),
  )
}
