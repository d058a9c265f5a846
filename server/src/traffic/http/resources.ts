/** The answers of the analytics; these schemas serialise them and make the OpenAPI page. */
import { z } from 'zod'
import { routeAnswers } from '../../lib/route-answers.ts'

const instant = z.iso.datetime({ precision: 3 })
const ms = z.number().nullable()

const figures = z.object({
  requests: z.int(),
  successful: z.int().describe('Answered with a status below 400'),
  failed: z.int(),
  successRate: z.number().nullable().describe('Percent, rounded down; null without requests'),
  bytes: z.int().describe('Of the answers'),
  latencyMs: z
    .object({ average: ms, p50: ms, p95: ms, p99: ms })
    .describe('From arrival to answer; percentiles are within 8.7 % of the true ones'),
})

const entry = z
  .object({
    timestamp: instant.describe('When it was answered'),
    requestId: z.string().describe('As in x-request-id'),
    accountId: z.string(),
    keyId: z.uuid(),
    endpoint: z.string(),
    chain: z.string().nullable(),
    status: z.int(),
    code: z.string().nullable(),
    latencyMs: z.number(),
    bytes: z.int(),
    network: z.string().nullable().describe("The client's /24 (IPv4) or /48 (IPv6)"),
  })
  .meta({ id: 'LoggedRequest' })

const range = { from: instant, to: instant }

export const overview = figures
  .extend({ ...range, statuses: z.array(z.object({ status: z.int(), requests: z.int() })) })
  .meta({ id: 'TrafficOverview' })
export const endpoints = z
  .object({ ...range, endpoints: z.array(figures.extend({ endpoint: z.string() })) })
  .meta({ id: 'TrafficByEndpoint' })
const ofChain = figures.extend({ chain: z.string().nullable().describe('null where a request named none') })
export const chains = z.object({ ...range, chains: z.array(ofChain) }).meta({ id: 'TrafficByChain' })
const point = figures.extend({ timestamp: instant.describe('Beginning of the hour or UTC day') })
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
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'TrafficLogs' })
export const summary = z
  .object({ overview, endpoints, chains, hourly: chart, daily: chart, errors })
  .meta({ id: 'TrafficSummary' })

const refusal = z
  .object({ success: z.literal(false), error: z.string(), code: z.string() })
  .meta({ id: 'AnalyticsError' })

export const answers = <Data extends z.ZodType>(data: Data) =>
  routeAnswers(z.object({ success: z.literal(true), data }), refusal)
