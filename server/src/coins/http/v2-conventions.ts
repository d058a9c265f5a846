/** Conventions of `/api/v2`: the `X-API-Key` header, upper-case codes, four `X-API-*` headers, the success envelope. */
import type { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { ApiConventions } from '../../accounts/require-api-key.ts'
import { ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { routeResponses } from '../../lib/http/route-responses.ts'
import { envelope, v2Error } from './schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request uses a feature of Pro and above. Without it, the route is for every plan. */
    usesProFeature?: (request: FastifyRequest) => boolean
  }
}

export const responses = <Data extends z.ZodType>(data: Data) => routeResponses(envelope(data), v2Error)

/** How OpenAPI describes a route of this API. */
export const described = <Data extends z.ZodType>(summary: string, data: Data) => ({
  tags: ['Coin data'],
  security: [{ apiKey: [] }],
  summary,
  response: responses(data),
})

export const success = <Data>(data: Data) => ({ success: true as const, data })

const UNLIMITED = 'unlimited'

export const V2: ApiConventions = {
  api: 'v2',
  presentedKey: ({ headers }) => {
    const key = headers['x-api-key']
    if (typeof key === 'string' && key !== '') return key
    throw new ApiError({ status: 401, code: 'API_KEY_REQUIRED', message: 'Send your API key in the X-API-Key header.' })
  },
  invalidKey: () =>
    new ApiError({
      status: 401,
      code: 'INVALID_API_KEY',
      message: 'This API key is unknown or was revoked. Create a new one in your account.',
    }),
  limitsOf: ({ utxoPlan }) => UTXO_ALLOWANCES[utxoPlan],
  planError: (request, { utxoPlan }) => {
    const isRefused = utxoPlan === 'basic' && request.routeOptions.config.usesProFeature?.(request) === true
    return isRefused
      ? new ApiError({
          status: 403,
          code: 'PLAN_REQUIRED',
          message: 'This request needs the Pro plan or above, and the plan of this key is Basic. See /account/plan.',
        })
      : undefined
  },
  minuteLimitError: ({ limits, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'RATE_LIMIT_EXCEEDED',
      message: `This key sent more than ${limits.perMinute} requests in a minute. Wait ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    }),
  monthQuotaError: ({ limits, used, monthEndsAt, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'API_LIMIT_EXCEEDED',
      message: `This key reached its monthly limit of ${limits.perMonth} requests. Wait until ${monthEndsAt.toISOString()} or change the plan.`,
      details: { limit: limits.perMonth, used, resetDate: monthEndsAt.toISOString(), upgradeUrl: '/account/plan' },
      retryAfterSeconds,
    }),
  reportUsage: (reply, { utxoPlan }, { limits, used, monthEndsAt }) => {
    reply.header('x-api-limit', limits.perMonth === null ? UNLIMITED : String(limits.perMonth))
    reply.header('x-api-remaining', limits.perMonth === null ? UNLIMITED : String(Math.max(0, limits.perMonth - used)))
    reply.header('x-api-reset', monthEndsAt.toISOString())
    reply.header('x-api-plan', utxoPlan)
  },
}
