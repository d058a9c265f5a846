/** `/api/v1/analytics`: what one's keys did, for whoever shows a signed token of an account. */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { wholeNumber } from '../../lib/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { covered, getChains, getChart, getEndpoints, getErrors, getOverview, shownEntry } from '../analytics.ts'
import {
  type Asked,
  HOURS_KEPT_DAYS,
  hasHours,
  LONGEST_BY_HOUR_MS,
  type PeriodRange,
  rangeBy,
  rangeOf,
} from '../range.ts'
import type { RequestLog } from '../request-log.ts'
import { DAY_MS } from '../rollup.ts'
import { countLog, getLog } from '../store/log.ts'
import type { Whose } from '../store/sums.ts'
import { chain, endpoint, page, range, status, whose } from './inputs.ts'
import { readCursor, writeCursor } from './log-cursor.ts'
import { answers, chains, chart, endpoints, errors, logs, overview, summary } from './resources.ts'

export type AnalyticsDeps = {
  readonly database: Queryable
  readonly clock: Clock
  readonly requestLog: Pick<RequestLog, 'flush'>
  /** Lets only bearers of a valid token pass, and sets `request.account`. */
  readonly tokenGate: onRequestAsyncHookHandler
}

type Account = { readonly id: string; readonly operator: boolean }
type Asking = Asked & { readonly scope: 'own' | 'all'; readonly key?: string | undefined }

const USUAL_ERRORS = 50
const LONGEST_DAILY_MS = 1_098 * DAY_MS // three years
/** Entries that pages have by number. A page is found by passing over all before it; a cursor knows where it is. */
const REACHED_BY_NUMBER = 10_000

export function analyticsRoutes({ database, clock, requestLog, tokenGate }: AnalyticsDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async ({ method }, reply) => {
      reply.header('cache-control', 'no-store')
      if (method === 'GET') return
      const headers = { allow: 'GET' }
      throw new ApiError({ status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Use GET.', headers })
    })
    app.addHook('onRequest', tokenGate)
    app.setNotFoundHandler(() => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'There is no such endpoint; see /docs.' })
    })
    // Answers hold whatever this process answered before the question.
    app.addHook('preHandler', async () => requestLog.flush())

    const success = <Data>(data: Data) => ({ success: true as const, data })
    const asked = z.strictObject({ ...whose, ...range })
    const route = <Query extends z.ZodType, Data extends z.ZodType>(
      summary: string,
      querystring: Query,
      data: Data,
    ) => ({
      schema: {
        tags: ['Traffic analytics'],
        security: [{ bearerToken: [] }],
        summary,
        querystring,
        response: answers(data),
      },
    })
    const figuresRange = (query: Asked) => limited(rangeOf(forward(query), clock.now()), LONGEST_DAILY_MS)
    const hourly = (query: Asked) => {
      const range = limited(rangeBy('hour', forward(query), clock.now()), LONGEST_BY_HOUR_MS)
      if (hasHours(range, clock.now())) return range
      throw invalid(`from: hours are kept for ${HOURS_KEPT_DAYS} days; what is older has /charts/daily`)
    }
    /** A range too long or too old leaves the chart at its usual length; the answer says what it covers. */
    const someHours = (query: Asked) => {
      const isDrawn = (asked: Asked) => {
        const range = rangeBy('hour', asked, clock.now())
        return range.to - range.from <= LONGEST_BY_HOUR_MS && hasHours(range, clock.now())
      }
      return hourly([query, { to: query.to }].find(isDrawn) ?? {})
    }
    const daily = (query: Asked) => limited(rangeBy('day', forward(query), clock.now()), LONGEST_DAILY_MS)

    app.get('/overview', route('Counts, success rate, latency', asked, overview), async ({ account, query }) =>
      success(await getOverview(database, whoseOf(account, query), figuresRange(query))),
    )
    app.get('/endpoints', route('Usage by endpoint, busiest first', asked, endpoints), async ({ account, query }) =>
      success(await getEndpoints(database, whoseOf(account, query), figuresRange(query))),
    )
    app.get('/chains', route('Usage by chain, busiest first', asked, chains), async ({ account, query }) =>
      success(await getChains(database, whoseOf(account, query), figuresRange(query))),
    )
    app.get('/charts/hourly', route('One point an hour, at most 31 days', asked, chart), async ({ account, query }) =>
      success(await getChart(database, whoseOf(account, query), hourly(query))),
    )
    app.get('/charts/daily', route('One point a UTC day', asked, chart), async ({ account, query }) =>
      success(await getChart(database, whoseOf(account, query), daily(query))),
    )
    app.get(
      '/errors',
      route(
        'Refused requests by code, and the latest of them',
        asked.extend({ limit: wholeNumber(1, 100).default(USUAL_ERRORS) }),
        errors,
      ),
      async ({ account, query }) =>
        success(await getErrors(database, whoseOf(account, query), figuresRange(query), query.limit)),
    )
    app.get(
      '/logs',
      route(
        'Single requests, newest first',
        asked.extend({ endpoint: endpoint.optional(), chain: chain.optional(), status: status.optional(), ...page }),
        logs,
      ),
      async ({ account, query }) => {
        const { endpoint, chain, status: statuses, page, pageSize } = query
        const skip = skipOf(query)
        // Single requests have a moment of their own: the range is taken as it was asked.
        const { from = figuresRange(query).from, to = clock.now() + 1 } = query
        const range = forward({ from, to })
        const filter = { ...whoseOf(account, query), ...range, endpoint, chain, statuses }
        const after = readCursor(query.cursor)
        const totalItems = await countLog(database, filter, clock.now())
        // One more than asked for tells whether there is a next page.
        const found = skip < totalItems ? await getLog(database, filter, { after, skip, limit: pageSize + 1 }) : []
        const last = found.length > pageSize ? found[pageSize - 1] : undefined
        return success({
          ...covered(range),
          page,
          pageSize,
          totalPages: Math.ceil(totalItems / pageSize),
          totalItems,
          logs: found.slice(0, pageSize).map(shownEntry),
          nextCursor: last === undefined ? null : writeCursor({ at: last.at.getTime(), requestId: last.requestId }),
        })
      },
    )
    app.get('/summary', route('All of it in one answer', asked, summary), async ({ account, query }) => {
      const whose = whoseOf(account, query)
      const range = figuresRange(query)
      return success({
        overview: await getOverview(database, whose, range),
        endpoints: await getEndpoints(database, whose, range),
        chains: await getChains(database, whose, range),
        hourly: await getChart(database, whose, someHours(query)),
        daily: await getChart(database, whose, daily(query)),
        errors: await getErrors(database, whose, range, USUAL_ERRORS),
      })
    })
  }
}

function whoseOf(account: Account, { scope, key }: Asking): Whose {
  if (scope === 'all' && !account.operator)
    throw new ApiError({
      status: 403,
      code: 'OPERATOR_REQUIRED',
      message: 'Only an operator of this service may ask for the requests of all accounts.',
    })
  return { accountId: scope === 'all' ? undefined : account.id, keyId: key }
}

function skipOf({ page, pageSize, cursor }: { page: number; pageSize: number; cursor?: string | undefined }): number {
  if (cursor !== undefined) return 0
  const skip = (page - 1) * pageSize
  if (skip >= REACHED_BY_NUMBER)
    throw invalid(
      `page: only the first ${REACHED_BY_NUMBER} entries have a page; go on with cursor, or narrow from and to`,
    )
  return skip
}

const invalid = (message: string) => new ApiError({ status: 400, code: 'INVALID_PARAMETER', message })

function forward<T extends Asked>(range: T): T {
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to)
    throw invalid('from: must be before to')
  return range
}

function limited(range: PeriodRange, longestMs: number): PeriodRange {
  if (range.to - range.from > longestMs) throw invalid(`from: must be at most ${longestMs / DAY_MS} days before to`)
  return range
}
