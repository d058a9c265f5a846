/** Conventions of the v1 API: bearer header, lower-case error codes, `x-service-quota-*` headers. */
import type { z } from 'zod'
import { v1Error } from '../../accounts/http/responses.ts'
import { V1_LIMITS } from '../../accounts/plans.ts'
import type { ApiConventions } from '../../accounts/require-api-key.ts'
import { ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { routeResponses } from '../../lib/http/route-responses.ts'

export const tags = ['Contract control']
export const security = [{ bearerKey: [] }]
export const responses = <Success extends z.ZodType>(success: Success) => routeResponses(success, v1Error)

const BEARER_CHALLENGE = { 'www-authenticate': 'Bearer' }

export const V1: ApiConventions = {
  api: 'v1',
  presentedKey: ({ headers }) => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    if (key !== undefined) return key
    const message = 'Send your API key in the header Authorization: Bearer <API_KEY>.'
    throw new ApiError({ status: 401, code: 'unauthorized', message, headers: BEARER_CHALLENGE })
  },
  invalidKey: () =>
    new ApiError({
      status: 401,
      code: 'invalid_api_key',
      message: 'This API key is unknown or was revoked.',
      headers: BEARER_CHALLENGE,
    }),
  limitsOf: () => V1_LIMITS,
  planError: (_request, { plan }) =>
    plan === 'team'
      ? undefined
      : new ApiError({
          status: 403,
          code: 'plan_required',
          message: 'This API key needs the Team plan.',
        }),
  minuteLimitError: ({ limits, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'rate_limited',
      message: `The limit is ${limits.perMinute} requests a minute. Retry in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    }),
  monthQuotaError: ({ limits, used, monthEndsAt, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'quota_exceeded',
      message: `The quota of ${limits.perMonth} requests a month is used up. It resets at ${monthEndsAt.toISOString()}.`,
      details: { limit: limits.perMonth, used, resetAt: monthEndsAt.toISOString() },
      retryAfterSeconds,
    }),
  reportUsage: (reply, _holder, { limits, used, monthEndsAt }) => {
    reply.header('x-service-quota-remaining', String(Math.max(0, (limits.perMonth ?? 0) - used)))
    reply.header('x-service-quota-reset', monthEndsAt.toISOString())
  },
}
