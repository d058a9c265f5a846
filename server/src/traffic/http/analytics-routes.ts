/** `/api/v1/analytics`: statistics and log of the requests of an account's keys. Requires a signed token. */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import { createExports, type ExportRow, exportFormat, exportResponse } from '../../lib/http/export.ts'
import { wholeNumber } from '../../lib/http/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { getChains, getChart, getEndpoints, getErrors, getOverview, logEntryView, rangeView } from '../analytics.ts'
import { countLogEntries, getLogEntries, type LogFilter, type LogPosition } from '../query-log.ts'
import type { RequestLog } from '../request-log.ts'
import type { RequestScope } from '../rollups.ts'
import {
  DAY_MS,
  HOURS_KEPT_DAYS,
  hasHours,
  MAX_HOURLY_MS,
  type PeriodRange,
  type RequestedRange,
  rangeBy,
  rangeOf,
} from '../time-range.ts'
import {
  chainParam,
  chains,
  chart,
  describeTokenCheck,
  endpointParam,
  endpoints,
  errors,
  logs,
  overview,
  pageParams,
  rangeParams,
  responses,
  scopeParams,
  statusParam,
  summary,
} from './schemas.ts'

export type AnalyticsDeps = {
  readonly database: Queryable
  readonly clock: Clock
  readonly requestLog: Pick<RequestLog, 'flush'>
  /** Requires a valid token and sets `request.account`. */
  readonly requireToken: onRequestAsyncHookHandler
}

type Account = { readonly id: string; readonly operator: boolean }
type ScopeQuery = { readonly scope: 'own' | 'all'; readonly key?: string | undefined }

const DEFAULT_ERRORS = 50
const MAX_DAILY_MS = 1_098 * DAY_MS // three years
/** Entries that `page` can reach. A page by number reads all entries before it; a cursor does not. */
const MAX_PAGED_ENTRIES = 10_000
/** Entries of one query of an export. */
const EXPORT_PAGE = 500

export function analyticsRoutes({ database, clock, requestLog, requireToken }: AnalyticsDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async ({ method }, reply) => {
      reply.header('cache-control', 'no-store')
      if (method === 'GET') return
      const headers = { allow: 'GET' }
      throw new ApiError({ status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Use GET.', headers })
    })
    app.addHook('onRequest', requireToken)
    app.addHook('onRoute', describeTokenCheck)
    app.setNotFoundHandler(() => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'Unknown endpoint. See /docs.' })
    })
    // The response includes all earlier requests to this process.
    app.addHook('preHandler', async () => requestLog.flush())

    const success = <Data>(data: Data) => ({ success: true as const, data })
    const common = z.strictObject({ ...scopeParams, ...rangeParams })
    const logFilters = {
      endpoint: endpointParam.optional(),
      chain: chainParam.optional(),
      status: statusParam.optional(),
    }
    const exports = createExports('TOO_MANY_EXPORTS')
    const route = <Query extends z.ZodType, Data extends z.ZodType>(
      summary: string,
      querystring: Query,
      data: Data,
    ) => ({
      schema: {
        tags: ['Traffic analytics'],
        summary,
        querystring,
        response: responses(data),
      },
    })
    const statisticsRange = (query: RequestedRange) => limited(rangeOf(ordered(query), clock.now()), MAX_DAILY_MS)
    const hourly = (query: RequestedRange) => {
      const range = limited(rangeBy('hour', ordered(query), clock.now()), MAX_HOURLY_MS)
      if (hasHours(range, clock.now())) return range
      throw invalid(`from: hours are kept for ${HOURS_KEPT_DAYS} days; use /charts/daily for older data`)
    }
    /** If the range is too long or too old for hours, the chart has its default length. The response states its range. */
    const hourlyOrDefault = (query: RequestedRange) => {
      const isAvailable = (requested: RequestedRange) => {
        const range = rangeBy('hour', requested, clock.now())
        return range.to - range.from <= MAX_HOURLY_MS && hasHours(range, clock.now())
      }
      return hourly([query, { to: query.to }].find(isAvailable) ?? {})
    }
    const daily = (query: RequestedRange) => limited(rangeBy('day', ordered(query), clock.now()), MAX_DAILY_MS)

    app.get(
      '/overview',
      route('Get request counts, success rate and latency', common, overview),
      async ({ account, query }) =>
        success(await getOverview(database, scopeOf(account, query), statisticsRange(query))),
    )
    app.get(
      '/endpoints',
      route('List usage by endpoint, most requests first', common, endpoints),
      async ({ account, query }) =>
        success(await getEndpoints(database, scopeOf(account, query), statisticsRange(query))),
    )
    app.get('/chains', route('List usage by chain, most requests first', common, chains), async ({ account, query }) =>
      success(await getChains(database, scopeOf(account, query), statisticsRange(query))),
    )
    app.get(
      '/charts/hourly',
      route('Get hourly statistics, at most 31 days', common, chart),
      async ({ account, query }) => success(await getChart(database, scopeOf(account, query), hourly(query))),
    )
    app.get('/charts/daily', route('Get daily statistics by UTC day', common, chart), async ({ account, query }) =>
      success(await getChart(database, scopeOf(account, query), daily(query))),
    )
    app.get(
      '/errors',
      route(
        'Count failed requests by error code and list the latest',
        common.extend({
          limit: wholeNumber(1, 100).default(DEFAULT_ERRORS).describe('Number of latest failed requests'),
        }),
        errors,
      ),
      async ({ account, query }) =>
        success(await getErrors(database, scopeOf(account, query), statisticsRange(query), query.limit)),
    )
    app.get(
      '/logs',
      route('List single requests, newest first', common.extend({ ...logFilters, ...pageParams }), logs),
      async ({ account, query }) => {
        const { endpoint, chain, status: statuses, page, pageSize } = query
        const skip = skipOf(query)
        // Single requests have exact times, so the range is not widened.
        const { from = statisticsRange(query).from, to = clock.now() + 1 } = query
        const range = ordered({ from, to })
        const filter = { ...scopeOf(account, query), ...range, endpoint, chain, statuses }
        const after = readCursor(query.cursor)
        const totalItems = await countLogEntries(database, filter, clock.now())
        // One entry more than the page shows whether there is a next page.
        const window = { after, skip, limit: pageSize + 1 }
        const found = skip < totalItems ? await getLogEntries(database, filter, window) : []
        const last = found.length > pageSize ? found[pageSize - 1] : undefined
        return success({
          ...rangeView(range),
          page,
          pageSize,
          totalPages: Math.ceil(totalItems / pageSize),
          totalItems,
          logs: found.slice(0, pageSize).map(logEntryView),
          nextCursor: last === undefined ? null : writeCursor({ at: last.at.getTime(), requestId: last.requestId }),
        })
      },
    )
    app.get(
      '/logs/export',
      {
        schema: {
          tags: ['Traffic analytics'],
          summary: 'Export single requests, newest first, as CSV or NDJSON',
          querystring: common.extend({ ...logFilters, format: exportFormat }),
          response: { ...responses(logs, 429), 200: exportResponse },
        },
      },
      ({ account, query }, reply) => {
        const { endpoint, chain, status: statuses, format } = query
        const { from = statisticsRange(query).from, to = clock.now() + 1 } = query
        const filter = { ...scopeOf(account, query), ...ordered({ from, to }), endpoint, chain, statuses }
        const pages = logPages(database, filter)
        return exports.send(reply, account.id, { format, name: 'requests', columns: LOG_COLUMNS, pages }) as never
      },
    )
    app.get('/summary', route('Get all statistics in one response', common, summary), async ({ account, query }) => {
      const scope = scopeOf(account, query)
      const range = statisticsRange(query)
      return success({
        overview: await getOverview(database, scope, range),
        endpoints: await getEndpoints(database, scope, range),
        chains: await getChains(database, scope, range),
        hourly: await getChart(database, scope, hourlyOrDefault(query)),
        daily: await getChart(database, scope, daily(query)),
        errors: await getErrors(database, scope, range, DEFAULT_ERRORS),
      })
    })
  }
}

const LOG_COLUMNS = [
  'timestamp',
  'requestId',
  'accountId',
  'keyId',
  'endpoint',
  'chain',
  'status',
  'code',
  'latencyMs',
  'bytes',
  'network',
]

async function* logPages(database: Queryable, filter: LogFilter): AsyncGenerator<readonly ExportRow[]> {
  for (let after: LogPosition | undefined; ; ) {
    const entries = await getLogEntries(database, filter, { after, skip: 0, limit: EXPORT_PAGE })
    yield entries.map(logEntryView)
    const last = entries.at(-1)
    if (last === undefined || entries.length < EXPORT_PAGE) return
    after = { at: last.at.getTime(), requestId: last.requestId }
  }
}

function scopeOf(account: Account, { scope, key }: ScopeQuery): RequestScope {
  if (scope === 'all' && !account.operator)
    throw new ApiError({
      status: 403,
      code: 'OPERATOR_REQUIRED',
      message: 'Only an operator of this service may read the requests of all accounts.',
    })
  return { accountId: scope === 'all' ? undefined : account.id, keyId: key }
}

function skipOf({ page, pageSize, cursor }: { page: number; pageSize: number; cursor?: string | undefined }): number {
  if (cursor !== undefined) return 0
  const skip = (page - 1) * pageSize
  if (skip >= MAX_PAGED_ENTRIES)
    throw invalid(`page: reaches only the first ${MAX_PAGED_ENTRIES} entries; use cursor, or narrow from and to`)
  return skip
}

const invalid = (message: string) => new ApiError({ status: 400, code: 'INVALID_PARAMETER', message })

const writeCursor = ({ at, requestId }: LogPosition): string => encodeCursor(at, requestId)

function readCursor(cursor: string | undefined): LogPosition | undefined {
  if (cursor === undefined) return undefined
  const [at, requestId] = decodeCursor(cursor, /^(\d{12,14})\.([\w-]+)$/) ?? []
  if (at === undefined || requestId === undefined) throw invalidCursor('INVALID_PARAMETER')
  return { at: Number(at), requestId }
}

function ordered<T extends RequestedRange>(range: T): T {
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to)
    throw invalid('from: must be before to')
  return range
}

function limited(range: PeriodRange, maxMs: number): PeriodRange {
  if (range.to - range.from > maxMs) throw invalid(`from: must be at most ${maxMs / DAY_MS} days before to`)
  return range
}
