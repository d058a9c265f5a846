/** Conventions of `/api/v2`: the `X-API-Key` header, upper-case codes, four `X-API-*` headers, the success envelope. */
import type { z } from 'zod'
import { PLANS_PAGE, UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { ApiConventions } from '../../accounts/require-api-key.ts'
import { ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { describeGuard, type Refusal, routeResponses } from '../../lib/http/route-responses.ts'
import { envelope, v2Error } from './schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request uses a feature of Pro and above. Without it, the route is for every plan. */
    usesProFeature?: (request: FastifyRequest) => boolean
  }
}

/** `refusals` are those of the handler. The hooks of the API describe theirs. */
export const responses = <Data extends z.ZodType>(data: Data, ...refusals: readonly Refusal[]) =>
  routeResponses(envelope(data), v2Error, refusals)

/** How OpenAPI describes a route of this API. */
export const described = <Data extends z.ZodType>(summary: string, data: Data, ...refusals: readonly Refusal[]) => ({
  tags: ['Coin data'],
  summary,
  response: responses(data, ...refusals),
})

/** Describes the check of the API key at each route. */
export const describeKeyCheck = describeGuard(
  v2Error,
  ({ config }) => (config?.usesProFeature === undefined ? [401, 429, 503] : [401, 403, 429, 503]),
  [{ apiKey: [] }],
)

export const success = <Data>(data: Data) => ({ success: true as const, data })

export const planRequired = (): ApiError =>
  new ApiError({
    status: 403,
    code: 'PLAN_REQUIRED',
    message: `This request needs the Pro plan or above, and the plan of this key is Basic. See ${PLANS_PAGE}.`,
    details: { upgradeUrl: PLANS_PAGE },
  })

const UNLIMITED = 'unlimited'

export const V2: ApiConventions = {
  api: 'v2',
  presentedKey: ({ headers }) => {
    const key = headers['x-api-key']
    if (typeof key === 'string' && key !== '') return key
    throw new ApiError({ status: 401, code: 'API_KEY_REQUIRED', message: 'Send your API key in the X-API-Key header.' })
  },
  invalidKey: (message) =>
    new ApiError({
      status: 401,
      code: 'INVALID_API_KEY',
      message,
    }),
  limitsOf: ({ utxoPlan }) => UTXO_ALLOWANCES[utxoPlan],
  planError: (request, { utxoPlan }) => {
    const isRefused = utxoPlan === 'basic' && request.routeOptions.config.usesProFeature?.(request) === true
    return isRefused ? planRequired() : undefined
  },
  minuteLimitError: ({ limits, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'RATE_LIMIT_EXCEEDED',
      message: `This key sent more than ${limits.perMinute} requests in a minute. Wait ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    }),
  monthQuotaError: ({ limits, used, month, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'API_LIMIT_EXCEEDED',
      message: `This key reached its monthly limit of ${limits.perMonth} requests. Wait until ${month.endsAt} or change the plan.`,
      details: { limit: limits.perMonth, used, resetDate: month.endsAt, upgradeUrl: PLANS_PAGE },
      retryAfterSeconds,
    }),
  reportUsage: (reply, { utxoPlan }, { limits, used, month }) => {
    reply.header('x-api-limit', limits.perMonth === null ? UNLIMITED : String(limits.perMonth))
    reply.header('x-api-remaining', limits.perMonth === null ? UNLIMITED : String(Math.max(0, limits.perMonth - used)))
    reply.header('x-api-reset', month.endsAt)
    reply.header('x-api-plan', utxoPlan)
  },
}
