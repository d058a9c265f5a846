/** Parameters that several routes take. */

import { z } from 'zod'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { v1Error } from '../../accounts/http/responses.ts'
import { PLANS_PAGE, V1_LIMITS } from '../../accounts/plans.ts'
import type { ApiConventions } from '../../accounts/require-api-key.ts'
import type { Hex } from '../../lib/hex.ts'
import { ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { flag, plainText, refuse, wholeNumber } from '../../lib/http/params.ts'
import { describeGuard, type Refusal, routeResponses } from '../../lib/http/route-responses.ts'
import { CHAINS, type Chain, findChain, parseAddress } from '../chains/chains.ts'
import type { FeedFilter, FeedPageRequest } from '../feed/feed.ts'
import { BEGINNING, NOW, type PublicationPageRequest } from '../feed/publications.ts'
import type { Moment } from '../poll/profile-versions.ts'

export const chain = z
  .string()
  .describe(
    `Chain slug or numeric chain id: ${CHAINS.map(({ slug, id }) => `${slug} (${id})`).join(', ')}, and further chains of the installation, which /public/about lists`,
  )
  .transform(
    (text, context): Chain =>
      findChain(text) ??
      refuse(context, 'unknown_chain', `must be one of ${CHAINS.map(({ slug }) => slug).join(', ')}, or its chain id`),
  )
  .meta({ example: 'ethereum' })

export const address = z
  .string()
  .describe('0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum')
  .transform((text, context): Hex => {
    const parsed = parseAddress(text)
    return 'refusal' in parsed ? refuse(context, 'invalid_address', parsed.refusal) : parsed.address
  })
  .meta({ example: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2' })

export const transactionHash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i, 'must be 0x and 64 hexadecimal characters')
  .transform((text) => text.toLowerCase() as Hex)
  .meta({ example: `0x${'ab'.repeat(32)}` })

const TIME = z.iso.datetime({ offset: true })

/** A block, or a time. */
export const moment = z
  .string()
  .describe('A block number, or a time such as 2026-11-01T00:00:00Z')
  .transform((text, context): Moment => {
    if (/^\d{1,15}$/.test(text)) return { block: Number(text) }
    if (TIME.safeParse(text).success) return { time: new Date(text) }
    context.addIssue({ code: 'custom', message: 'must be a block number, or a time such as 2026-11-01T00:00:00Z' })
    return z.NEVER
  })
  .meta({ example: '2100-01-01T00:00:00Z' })

export const protocolSlug = plainText(128).describe('Label or slug of a protocol').meta({ example: 'aave' })

export const cursor = plainText(512).optional().describe('nextCursor of the previous page')

export const severity = z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`)
/** A key of the catalog, or of a later version of it. */
export const eventKey = z
  .string()
  .regex(/^[a-z0-9]{1,32}\.[a-z0-9_]{1,64}$/, 'must be a key such as proxy.upgraded')
  .meta({ example: 'proxy.upgraded' })
export const category = z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`)

export const eventsQuery = z.strictObject({
  chain: chain.optional(),
  address: address.optional(),
  severity: severity.optional().describe('Minimum severity'),
  key: plainText(128).optional().describe('Exact eventKey'),
  category: category.optional(),
  includeInit: flag,
  limit: wholeNumber(1, 200).default(50),
  cursor,
})

export const pendingQuery = z.strictObject({
  chain: chain.optional(),
  address: address.optional().describe('The contract that queues the change, or one that the change affects'),
  protocol: protocolSlug.optional(),
  state: z
    .enum(['open', 'closed'], 'must be open or closed')
    .default('open')
    .describe('open: earliest execution first. closed: newest first'),
  limit: wholeNumber(1, 100).default(50),
  cursor,
})

/** The query of `/v1/events`, which can also be read forward. */
export const v1EventsQuery = eventsQuery
  .extend({
    after: plainText(512)
      .optional()
      .describe(
        `Reads forward, oldest publication first: ${BEGINNING}, ${NOW}, or nextCursor of the previous response. Not with cursor`,
      ),
  })
  .refine(({ after, cursor }) => after === undefined || cursor === undefined, {
    path: ['after'],
    message: 'must not be combined with cursor',
  })

/** The filters of the feed without pages. */
export const feedFilters = eventsQuery.omit({ limit: true, cursor: true })

/** The query of `/v1/stream`: the filters of the feed, and where to start without a `Last-Event-ID`. */
export const streamQuery = feedFilters.extend({
  after: plainText(512)
    .default(NOW)
    .describe(
      `Where to start: ${BEGINNING}, ${NOW}, or a cursor of the publication order. Last-Event-ID takes precedence`,
    ),
})

export function publicationPageRequest(after: string, query: z.infer<typeof eventsQuery>): PublicationPageRequest {
  const { filter, limit } = feedPageRequest(query)
  return { filter, limit, after }
}

export const feedPageRequest = (query: z.infer<typeof eventsQuery>): FeedPageRequest => ({
  filter: feedFilter(query),
  limit: query.limit,
  cursor: query.cursor,
})

export function feedFilter(query: z.infer<typeof feedFilters>): FeedFilter {
  const { chain, severity: minSeverity, address, key, category, includeInit } = query
  return { chainId: chain?.id, address, minSeverity, key, category, includeInit }
}

export const tags = ['Contract control']

/** `refusals` are those of the handler. The hooks of the API describe theirs. */
export const responses = <Success extends z.ZodType>(success: Success, ...refusals: readonly Refusal[]) =>
  routeResponses(success, v1Error, refusals)

/** Describes the check of the API key at each route. */
export const describeKeyCheck = describeGuard(v1Error, () => [401, 403, 429, 503], [{ bearerKey: [] }])

const BEARER_CHALLENGE = { 'www-authenticate': 'Bearer' }

export const V1: ApiConventions = {
  api: 'v1',
  presentedKey: ({ headers }) => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    if (key !== undefined) return key
    const message = 'Send your API key in the header Authorization: Bearer <API_KEY>.'
    throw new ApiError({ status: 401, code: 'unauthorized', message, headers: BEARER_CHALLENGE })
  },
  invalidKey: (message) =>
    new ApiError({
      status: 401,
      code: 'invalid_api_key',
      message,
      headers: BEARER_CHALLENGE,
    }),
  limitsOf: () => V1_LIMITS,
  planError: (_request, { plan }) =>
    plan === 'team'
      ? undefined
      : new ApiError({
          status: 403,
          code: 'plan_required',
          message: `This API key needs the Team plan. See ${PLANS_PAGE}.`,
          details: { upgradeUrl: PLANS_PAGE },
        }),
  minuteLimitError: ({ limits, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'rate_limited',
      message: `The limit is ${limits.perMinute} requests a minute. Retry in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    }),
  monthQuotaError: ({ limits, used, month, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'quota_exceeded',
      message: `The quota of ${limits.perMonth} requests a month is used up. It resets at ${month.endsAt}.`,
      details: { limit: limits.perMonth, used, resetAt: month.endsAt },
      retryAfterSeconds,
    }),
  reportUsage: (reply, _holder, { limits, used, month }) => {
    reply.header('x-service-quota-remaining', String(Math.max(0, (limits.perMonth ?? 0) - used)))
    reply.header('x-service-quota-reset', month.endsAt)
  },
}
