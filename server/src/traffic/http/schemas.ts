/** Schemas of the analytics API: its parameters and its responses. */
import { z } from 'zod'
import { CHAIN_SLUG } from '../../config/chain-definitions.ts'
import { instant, plainText, refuse, wholeNumber } from '../../lib/http/params.ts'
import { describeGuard, type Refusal, routeResponses } from '../../lib/http/route-responses.ts'

const isInstant = (text: string): boolean =>
  z.union([z.iso.datetime({ offset: true }), z.iso.date()]).safeParse(text).success

/** A time outside these bounds is a mistake, such as seconds given as milliseconds. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)]

const instantParam = z
  .string()
  .transform((text, context): number => {
    const at = isInstant(text) ? Date.parse(text) : Number.NaN
    return at >= EARLIEST && at < LATEST
      ? at
      : refuse(context, 'INVALID_PARAMETER', 'must be an ISO 8601 instant or date, such as 2026-03-01T12:00:00Z')
  })
  .meta({ documentedAs: { type: 'string' } })

export const scopeParams = {
  scope: z
    .enum(['own', 'all'], 'must be own or all')
    .default('own')
    .describe('`own`: requests of your own keys. `all`: requests of all accounts, for operators only.'),
  key: z.uuid('must be the id of a key (a UUID)').optional().describe('Id of a key; only its requests are included'),
}

export const rangeParams = {
  from: instantParam
    .optional()
    .describe(
      'Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart.',
    ),
  to: instantParam.optional().describe('End of the range, exclusive, an ISO 8601 instant or date. Default: now.'),
}

export const statusParam = z
  .string()
  .regex(/^[1-5](\d\d|xx)$/, 'must be a status such as 404 or a class such as 4xx')
  .transform((text): readonly [number, number] => [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))])
  .meta({ documentedAs: { type: 'string', pattern: '^[1-5](\\d\\d|xx)$' } })

/** Chains come from the configuration, so that a slug without requests is not an error. */
export const chainParam = z
  .string()
  .regex(CHAIN_SLUG, 'must be the slug of a chain, such as btc or ethereum')
  .describe('Slug of a chain, such as btc or ethereum')
export const endpointParam = plainText(200).describe('A route as listed by `/endpoints`, such as /api/v2/tx/{txid}')
export const pageParams = {
  page: wholeNumber(1, 1_000_000)
    .default(1)
    .describe('Page number within the first 10,000 entries. Use `cursor` beyond them.'),
  pageSize: wholeNumber(1, 100).default(25),
  cursor: z.string().max(512).optional().describe('`nextCursor` of the previous page. `page` is then ignored.'),
}

const ms = z.number().nullable()

const statistics = z.object({
  requests: z.int(),
  successful: z.int().describe('Requests with a response status below 400'),
  failed: z.int().describe('Requests with a response status of 400 or above'),
  successRate: z.number().nullable().describe('Percent, rounded down. Null without requests.'),
  bytes: z.int().describe('Size of all response bodies'),
  latencyMs: z
    .object({ average: ms, p50: ms, p95: ms, p99: ms })
    .describe(
      'Milliseconds from the arrival of a request to its response. Percentiles are within 8.7 % of the exact values.',
    ),
})

const entry = z
  .object({
    timestamp: instant.describe('Time of the response'),
    requestId: z.string().describe('The `x-request-id` of the response'),
    accountId: z.string(),
    keyId: z.uuid(),
    endpoint: z.string(),
    chain: z.string().nullable(),
    status: z.int(),
    code: z.string().nullable().describe('Error code of a failed request'),
    latencyMs: z.number(),
    bytes: z.int(),
    network: z.string().nullable().describe("The client's /24 (IPv4) or /48 (IPv6)"),
  })
  .meta({ id: 'LogEntry' })

const range = { from: instant, to: instant }

export const overview = statistics
  .extend({ ...range, statuses: z.array(z.object({ status: z.int(), requests: z.int() })) })
  .meta({ id: 'TrafficOverview' })
export const endpoints = z
  .object({ ...range, endpoints: z.array(statistics.extend({ endpoint: z.string() })) })
  .meta({ id: 'TrafficByEndpoint' })
const chainStatistics = statistics.extend({
  chain: z.string().nullable().describe('Null for requests that name no chain'),
})
export const chains = z.object({ ...range, chains: z.array(chainStatistics) }).meta({ id: 'TrafficByChain' })
const point = statistics.extend({ timestamp: instant.describe('Start of the hour or UTC day') })
export const chart = z.object({ ...range, points: z.array(point) }).meta({ id: 'TrafficChart' })
export const errors = z
  .object({
    ...range,
    codes: z.array(z.object({ status: z.int(), code: z.string(), requests: z.int() })),
    errors: z.array(entry).describe('Newest first'),
  })
  .meta({ id: 'TrafficErrors' })
export const logs = z
  .object({
    ...range,
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
    totalItems: z.int(),
    logs: z.array(entry).describe('Newest first'),
    nextCursor: z.string().nullable().describe('Null on the last page'),
  })
  .meta({ id: 'TrafficLogs' })
export const summary = z
  .object({ overview, endpoints, chains, hourly: chart, daily: chart, errors })
  .meta({ id: 'TrafficSummary' })

const error = z
  .object({ success: z.literal(false), error: z.string(), code: z.string() })
  .meta({ id: 'AnalyticsError' })

export const responses = <Data extends z.ZodType>(data: Data, ...refusals: readonly Refusal[]) =>
  routeResponses(z.object({ success: z.literal(true), data }), error, refusals)

/** Describes the check of the token at each route. An account without the operator flag gets 403 for `scope=all`. */
export const describeTokenCheck = describeGuard(error, () => [401, 403, 503], [{ bearerToken: [] }])
