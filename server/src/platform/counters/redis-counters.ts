/**
 * Counters in Valkey or Redis, for several processes at a high rate.
 *
 * The count of each month is copied to PostgreSQL once a second. A Redis that lost its data or restarted from an old
 * snapshot continues from that copy: at most the last second and the current windows are lost.
 */

import { type ChainableCommander, Redis, ReplyError } from 'ioredis'
import { systemClock } from '../../lib/clock.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { faultOf, LoopMonitor } from '../../lib/supervise.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import type { CounterStore, Demand, Grant, Return, Usage } from './counters.ts'

export class RedisUnreachableError extends GatewatchError {
  override readonly code = 'redis_unreachable'
  override readonly retryable = true
  constructor(where: string, cause: unknown) {
    super(`Redis at ${where} cannot be reached (${reasonOf(cause)}); check that it runs and that REDIS_URL is right.`, {
      cause,
    })
  }
}

/** Redis responds but does not count: it is out of memory, cannot save, is a replica or is still loading. */
export class RedisRefusesError extends GatewatchError {
  override readonly code = 'redis_refuses'
  override readonly retryable = true
  constructor(reason: string, cause?: unknown) {
    super(`Redis does not count requests (${reason}); those that must be counted get status 503 until it does.`, {
      cause,
    })
  }
}

const PREFIX = 'gatewatch:requests:'
const COPY_EVERY_MS = 1_000
const EXPIRE_SECONDS = 40 * 86_400 // longer than any month
/** Two suffice: one finds the unknown subjects, one counts them after seeding. More only if Redis is flushed meanwhile. */
const MAX_ROUNDS = 4

/**
 * Reads the id of this run of the server. A server that was killed restarts from a snapshot whose counts may be an hour
 * old. A server that does not report its run id is trusted.
 */
const RUN = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''`

/**
 * The rule of the SQL function take_requests; atomic, as every script is. The log of a window is a flat list of times
 * and counts. Returns false for a subject that this run of Redis does not know yet: its month must first be read from
 * PostgreSQL. Months are names that sort by time.
 */
const TAKE = `${RUN}
local at, month = tonumber(ARGV[1]), ARGV[2]
local replies = {}
for i, key in ipairs(KEYS) do
  local a = 3 + (i - 1) * 4
  local count, limit, window, quota = tonumber(ARGV[a]), tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local c = redis.call('HMGET', key, 'log', 'month', 'total', 'run', 'returned', 'returned_month')
  if c[4] ~= run then
    replies[i] = false
  else
    local stored, total = cmsgpack.unpack(c[1]), tonumber(c[3])
    local now = math.max(at, stored[#stored - 1] or 0)
    local log, used = {}, 0
    for e = 1, #stored, 2 do
      if stored[e] > now - window then
        log[#log + 1] = stored[e]
        log[#log + 1] = stored[e + 1]
        used = used + stored[e + 1]
      end
    end
    if month > c[2] then total = 0; c[2] = month end
    local returned = c[6] == c[2] and tonumber(c[5]) or 0
    local in_window = math.min(count, math.max(limit - used, 0))
    local granted = in_window
    if quota >= 0 then granted = math.min(in_window, math.max(quota - total + returned, 0)) end
    if granted > 0 then
      local step, size = 1, #log
      if limit > 120 then step = math.ceil(window / 120) end
      if size > 0 and math.floor(log[size - 1] / step) == math.floor(now / step) then
        log[size - 1] = now
        log[size] = log[size] + granted
      else
        log[size + 1] = now
        log[size + 2] = granted
      end
      used = used + granted
      total = total + granted
      redis.call('HSET', key, 'log', cmsgpack.pack(log), 'month', c[2], 'total', total, 'last', at)
      redis.call('EXPIRE', key, ${EXPIRE_SECONDS})
    end
    local refused_by, opens = '', now
    if granted < in_window then
      refused_by = 'month'
    elseif granted < count then
      refused_by, opens = 'window', now + window
      local left = used
      for e = 1, #log, 2 do
        left = left - log[e + 1]
        opens = log[e] + window
        if left < limit then break end
      end
    end
    replies[i] = { granted, refused_by, opens, total, returned }
  end
end
return replies`

/**
 * The rule of the SQL function return_requests. Returns what was counted and returned this month, and false for a
 * subject that this run of Redis does not know: its window is lost, and its month is seeded first.
 */
const RETURN = `${RUN}
local replies = {}
for i, key in ipairs(KEYS) do
  local a = 1 + (i - 1) * 4
  local count, granted_at, step, month = tonumber(ARGV[a]), tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), ARGV[a + 3]
  local c = redis.call('HMGET', key, 'log', 'month', 'total', 'run', 'returned', 'returned_month')
  if c[4] ~= run then
    replies[i] = false
  else
    local log, total = cmsgpack.unpack(c[1]), tonumber(c[3])
    for e = 1, #log, 2 do
      if log[e] >= granted_at then
        if log[e] < granted_at + step then log[e + 1] = math.max(0, log[e + 1] - count) end
        break
      end
    end
    local returned = c[6] == c[2] and tonumber(c[5]) or 0
    if c[2] == month then returned = math.min(total, returned + count) end
    redis.call('HSET', key, 'log', cmsgpack.pack(log), 'returned', returned, 'returned_month', c[2])
    replies[i] = { total, returned, c[2] }
  end
end
return replies`

/** Stores the month and count of each subject from PostgreSQL. If Redis has a later month or a higher count, that stays. */
const SEED = `${RUN}
for i, key in ipairs(KEYS) do
  local month, total, returned = ARGV[i * 3 - 2], tonumber(ARGV[i * 3 - 1]), tonumber(ARGV[i * 3])
  local c = redis.call('HMGET', key, 'log', 'month', 'total', 'run', 'returned', 'returned_month')
  if c[4] ~= run then
    if c[2] and c[2] > month then month = c[2]; total = tonumber(c[3]); returned = 0 end
    if c[2] == month then total = math.max(total, tonumber(c[3])) end
    if c[6] == month then returned = math.max(returned, tonumber(c[5])) end
    redis.call('HSET', key, 'log', c[1] or cmsgpack.pack({}), 'month', month, 'total', total, 'run', run,
      'returned', returned, 'returned_month', month)
    redis.call('EXPIRE', key, ${EXPIRE_SECONDS})
  end
end`

type RedisWithScripts = Redis & {
  readonly takeRequests: (
    keyCount: number,
    ...args: (string | number)[]
  ) => Promise<(readonly [number, '' | 'window' | 'month', number, number, number] | null)[]>
  readonly returnRequests: (
    keyCount: number,
    ...args: (string | number)[]
  ) => Promise<(readonly [total: number, returned: number, month: string] | null)[]>
  readonly seedRequests: (keyCount: number, ...args: (string | number)[]) => Promise<null>
}

export type RedisCounterOptions = { readonly url: string; readonly database: Database; readonly log: Logger }

const addressOf = (url: string): string => url.replace(/^valkey/, 'redis')
const hostOf = (url: string): string => URL.parse(addressOf(url))?.host ?? 'REDIS_URL'

/** Connects to Redis, or throws `RedisUnreachableError`. */
export async function openRedis(url: string, log: Logger): Promise<RedisWithScripts> {
  const redis = new Redis(addressOf(url), {
    lazyConnect: true,
    commandTimeout: 2_000,
    connectTimeout: 5_000,
    // A script whose reply was lost may have run, and would count twice if it were sent again.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  }) as RedisWithScripts
  redis.defineCommand('takeRequests', { lua: TAKE })
  redis.defineCommand('returnRequests', { lua: RETURN })
  redis.defineCommand('seedRequests', { lua: SEED })
  let lastFault = ''
  redis.on('error', (error: unknown) => {
    if (lastFault !== reasonOf(error))
      log.warn({ err: error }, 'Redis cannot be reached; requests with an API key get status 503 until it can')
    lastFault = reasonOf(error)
  })
  redis.on('ready', () => (lastFault = ''))
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw new RedisUnreachableError(hostOf(url), error)
  }
  return redis
}

export async function redisCounters({ url, database, log }: RedisCounterOptions): Promise<CounterStore> {
  const redis = await openRedis(url, log)
  const copy = createMonthCopy(database, log)
  const monitor = new LoopMonitor(systemClock)
  const rethrow = rethrowFor(url)

  const takeFrom = async (demands: readonly Demand[], at: number, month: string) =>
    redis
      .takeRequests(
        demands.length,
        ...demands.map(({ subject }) => PREFIX + subject),
        at,
        month,
        ...demands.flatMap(({ count, perWindow, windowMs, perMonth }) => [count, perWindow, windowMs, perMonth ?? -1]),
      )
      .catch(rethrow)

  const seed = async (unknown: readonly { readonly subject: string }[], month: string) => {
    const subjects = unknown.map(({ subject }) => subject)
    const { rows } = await database.query<{ subject: string; month: string; used: number; returned: number }>(
      sql`select subject, to_char(month, 'YYYY-MM') as month, month_used as used, month_returned as returned
       from request_counter where subject = any($1)`,
      [subjects],
    )
    const stored = new Map(rows.map((row) => [row.subject, row]))
    await redis
      .seedRequests(
        subjects.length,
        ...subjects.map((subject) => PREFIX + subject),
        ...subjects.flatMap((subject) => {
          const { month: known = month, used = 0, returned = 0 } = stored.get(subject) ?? {}
          return [known, used, returned]
        }),
      )
      .catch(rethrow)
  }

  return {
    take: async (demands, at, month) => {
      const grants = new Map<string, Grant>()
      let open = demands
      for (let round = 1; open.length > 0; round++) {
        if (round > MAX_ROUNDS) throw new RedisRefusesError('it loses counters that were just stored')
        const replies = await takeFrom(open, at, month.name)
        const unknown: Demand[] = []
        for (const [index, demand] of open.entries()) {
          const reply = replies[index]
          if (reply === null || reply === undefined) {
            unknown.push(demand)
            continue
          }
          const [granted, refusedBy, windowOpensAt, used, returned] = reply
          const monthUsed = used - returned
          grants.set(demand.subject, { granted, refusedBy: refusedBy || null, windowOpensAt, monthUsed })
          if (granted > 0) copy.add(demand.subject, { month: `${month.name}-01`, used, returned, at })
        }
        if (unknown.length > 0) await seed(unknown, month.name)
        open = unknown
      }
      return demands.map(({ subject }) => grants.get(subject) as Grant)
    },
    giveBack: async (returns) => {
      if (redis.status !== 'ready') return false
      const send = (some: readonly Return[]) =>
        redis
          .returnRequests(
            some.length,
            ...some.map(({ subject }) => PREFIX + subject),
            ...some.flatMap(({ count, grantedAt, stepMs, month }) => [count, grantedAt, stepMs, month.name]),
          )
          .catch(rethrow)
      const copyReplies = (some: readonly Return[], replies: Awaited<ReturnType<typeof send>>) =>
        some.filter((returned, index) => {
          const reply = replies[index]
          if (reply === null || reply === undefined) return true
          const [used, back, month] = reply
          copy.add(returned.subject, { month: `${month}-01`, used, returned: back, at: returned.grantedAt })
          return false
        })
      const unknown = copyReplies(returns, await send(returns))
      if (unknown.length === 0) return true
      await seed(unknown, unknown[0]?.month.name ?? '')
      copyReplies(unknown, await send(unknown))
      return true
    },
    usageOf: async (subjects, month) => {
      const { rows } = await database.query<{ subject: string; used: number; returned: number; last_at: Date }>(
        sql`select subject, case when month = $2 then month_used else 0 end as used,
           case when month = $2 then month_returned else 0 end as returned, last_at
         from request_counter where subject = any($1)`,
        [subjects, `${month.name}-01`],
      )
      const stored = new Map(rows.map((row) => [row.subject, row]))
      const pipeline = redis.pipeline()
      for (const subject of subjects)
        pipeline.hmget(PREFIX + subject, 'month', 'total', 'last', 'returned', 'returned_month')
      const replies = await resultsOf(pipeline).catch(rethrow)
      const usage = new Map<string, Usage>()
      for (const [index, subject] of subjects.entries()) {
        const [known, total, last, returned, returnedMonth] = (replies[index] ?? []) as (string | null | undefined)[]
        const copied = stored.get(subject)
        if (copied === undefined && (known === null || known === undefined)) continue
        // Both counts only grow within a month. After a restart from an old snapshot, Redis has lower ones.
        const used = Math.max(known === month.name ? Number(total) : 0, copied?.used ?? 0)
        const back = Math.max(returnedMonth === month.name ? Number(returned) : 0, copied?.returned ?? 0)
        const lastAt = last === null || last === undefined ? copied?.last_at.getTime() : Number(last)
        usage.set(subject, { monthUsed: used - back, lastAt })
      }
      return usage
    },
    findFaults: async () => {
      try {
        await redis.ping().catch(rethrow)
        monitor.works()
      } catch (error) {
        monitor.failed(error)
      }
      return faultOf('redis', monitor)
    },
    close: async () => {
      await copy.stop()
      redis.disconnect()
    },
  }
}

/** The results of a pipeline's commands. Throws the first error, which `exec` leaves among the results. */
async function resultsOf(pipeline: ChainableCommander): Promise<readonly unknown[]> {
  const results = (await pipeline.exec()) ?? []
  return results.map(([error, result]) => {
    if (error !== null) throw error
    return result
  })
}

/**
 * Rethrows a fault of Redis with one of our codes. An error reply starts with its error code, which an older Redis
 * prefixes with the name of the script. Any other error is a connection that broke or timed out.
 */
const rethrowFor =
  (url: string) =>
  (error: unknown): never => {
    if (!(error instanceof ReplyError)) throw new RedisUnreachableError(hostOf(url), error)
    const [refusal] = /\b(MISCONF|OOM|READONLY|LOADING|MASTERDOWN|NOREPLICAS)\b.*/.exec(reasonOf(error)) ?? []
    throw refusal === undefined ? error : new RedisRefusesError(refusal, error)
  }

/** What a subject used in a month, and how many of these requests were returned. */
type MonthCount = { readonly month: string; readonly used: number; readonly returned: number; readonly at: number }

/** The copy in PostgreSQL. Both counts never decrease within a month, so late and repeated writes do no harm. */
function createMonthCopy(database: Database, log: Logger) {
  const unwritten = new Map<string, MonthCount>()
  const write = async () => {
    const entries = [...unwritten]
    if (entries.length === 0) return
    unwritten.clear()
    try {
      await database.query(
        sql`insert into request_counter as stored (subject, window_times, window_counts, window_used, month, month_used, last_at, month_returned)
         select subject, '{}', '{}', 0, month, used, at, returned
         from unnest($1::text[], $2::date[], $3::bigint[], $4::timestamptz[], $5::bigint[]) as n (subject, month, used, at, returned)
         order by subject
         on conflict (subject) do update set
           month_used = case when excluded.month > stored.month then excluded.month_used else greatest(stored.month_used, excluded.month_used) end,
           month_returned = case when excluded.month > stored.month then excluded.month_returned else greatest(stored.month_returned, excluded.month_returned) end,
           month = excluded.month, last_at = greatest(stored.last_at, excluded.last_at)
         where excluded.month >= stored.month`,
        [
          entries.map(([subject]) => subject),
          entries.map(([, n]) => n.month),
          entries.map(([, n]) => n.used),
          entries.map(([, n]) => new Date(n.at)),
          entries.map(([, n]) => n.returned),
        ],
      )
    } catch (error) {
      for (const [subject, count] of entries) if (!unwritten.has(subject)) unwritten.set(subject, count)
      log.warn({ err: error }, 'copying the request counts to the database failed; retrying in a second')
    }
  }
  const timer = setInterval(() => void write(), COPY_EVERY_MS)
  timer.unref()
  return {
    add: (subject: string, count: MonthCount) => {
      const before = unwritten.get(subject)
      if (before === undefined || before.month < count.month) unwritten.set(subject, count)
      else if (before.month === count.month)
        unwritten.set(subject, {
          month: count.month,
          used: Math.max(before.used, count.used),
          returned: Math.max(before.returned, count.returned),
          at: Math.max(before.at, count.at),
        })
    },
    stop: async () => {
      clearInterval(timer)
      await write()
    },
  }
}
