/**
 * How interface v2 presents keys and tells refusals: `X-API-Key`, upper-case codes, four `X-API-*` headers.
 */

import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { ApiConventions } from '../../accounts/require-api-key.ts'
import { ApiError, tooManyRequests } from '../../lib/api-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether this request uses what only Pro and above have; routes without it are for every plan. */
    usesProFeature?: (request: FastifyRequest) => boolean
  }
}

export const UNLIMITED = 'unlimited'

export const V2: ApiConventions = {
  api: 'v2',
  presentedKey: ({ headers }) => {
    const key = headers['x-api-key']
    if (typeof key === 'string' && key !== '') return key
    throw new ApiError({ status: 401, code: 'API_KEY_REQUIRED', message: 'Send your API key in the X-API-Key header.' })
  },
  invalidKey: () =>
    new ApiError({ status: 401, code: 'INVALID_API_KEY', message: 'This API key is unknown or was revoked.' }),
  limitsOf: ({ utxoPlan }) => UTXO_ALLOWANCES[utxoPlan],
  planRefusal: (request, { utxoPlan }) => {
    const isRefused = utxoPlan === 'basic' && request.routeOptions.config.usesProFeature?.(request) === true
    return isRefused
      ? new ApiError({ status: 403, code: 'PLAN_REQUIRED', message: 'This needs the Pro plan or above.' })
      : undefined
  },
  minuteRefusal: ({ limits, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'RATE_LIMIT_EXCEEDED',
      message: `More than ${limits.perMinute} requests in a minute; wait ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    }),
  monthRefusal: ({ limits, used, monthEndsAt, retryAfterSeconds }) =>
    tooManyRequests({
      code: 'API_LIMIT_EXCEEDED',
      message: `The monthly limit of ${limits.perMonth} requests is reached.`,
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
