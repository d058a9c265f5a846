/** Response schemas of the analytics API. They serialize the responses and describe them in OpenAPI. */
import { z } from 'zod'
import { routeResponses } from '../../lib/http/route-responses.ts'

const instant = z.iso.datetime({ precision: 3 })
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
  .meta({ id: 'LoggedRequest' })

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

export const responses = <Data extends z.ZodType>(data: Data) =>
  routeResponses(z.object({ success: z.literal(true), data }), error)
