/** Web sessions: request hooks that require a signed-in account or an operator, and reject cross-site changes. */
import { fromNodeHeaders } from 'better-auth/node'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/http/api-error.ts'
import type { Account } from './accounts.ts'
import type { Auth } from './auth.ts'
import { revealOutage } from './auth-outages.ts'

export type SessionAccount = Pick<Account, 'id' | 'email' | 'plan' | 'utxoPlan' | 'operator' | 'twoFactor'>

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in account. Set by `requireSession` and `requireToken`. */
    account: SessionAccount
    /** When the account last signed in or entered its password in this session. Set by `requireSession`. */
    confirmedAt: Date
  }
}

/** How long after a sign-in or a repeated password a session may do what a stolen session must not. */
export const FRESH_SECONDS = 900

const READ_METHODS = ['GET', 'HEAD']

export type SessionDeps = { readonly auth: Auth; readonly origins: readonly string[] }

/** Returns an `onRequest` hook for the routes under `/me`. */
export function requireSession({ auth, origins }: SessionDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store')
    const session = await revealOutage(() => auth.api.getSession({ headers: fromNodeHeaders(request.headers) }))
    if (session === null)
      throw new ApiError({
        status: 401,
        code: 'unauthorized',
        message: 'Sign in first: this route needs a web session.',
      })
    if (!READ_METHODS.includes(request.method) && !isSameOrigin(request.headers, origins)) {
      const message = "Changes are accepted only from this service's own web app. Open it at its public address."
      throw new ApiError({ status: 403, code: 'cross_origin', message })
    }
    const { id, email, operator } = session.user
    const { plan, utxoPlan } = session.user as unknown as Pick<Account, 'plan' | 'utxoPlan'>
    request.account = { id, email, plan, utxoPlan, operator, twoFactor: session.user.twoFactorEnabled === true }
    request.confirmedAt = session.session.confirmedAt ?? session.session.createdAt
  }
}

/**
 * A `preHandler` hook for changes that must not be open to a stolen session: the account has to have signed in, or
 * entered its password, within the last minutes.
 */
export async function requireFreshSession({ confirmedAt }: FastifyRequest): Promise<void> {
  if (Date.now() - confirmedAt.getTime() < FRESH_SECONDS * 1_000) return
  throw new ApiError({
    status: 403,
    code: 'reauthentication_required',
    message: 'Enter your password again, or sign in again with your wallet. This change needs a recent sign-in.',
  })
}

export type OperatorRules = {
  /** Whether an operator needs one-time codes (OPERATOR_TWO_FACTOR). */
  readonly operatorTwoFactor: boolean
}

/** Returns an `onRequest` hook for the routes under `/me/operator`. It runs after `requireSession`. */
export function requireOperator({ operatorTwoFactor }: OperatorRules) {
  return async ({ account }: FastifyRequest): Promise<void> => {
    if (!account.operator)
      throw new ApiError({
        status: 403,
        code: 'operator_required',
        message: 'Only an operator of this service may use this route.',
      })
    if (operatorTwoFactor && !account.twoFactor)
      throw new ApiError({
        status: 403,
        code: 'two_factor_required',
        message: 'Operators of this service need one-time codes. Set them up on the page "Security" of your account.',
      })
  }
}

/**
 * Reports whether a change comes from our own pages. Browsers name the origin of a request in `Origin` or
 * `Sec-Fetch-Site`, and other sites cannot forge these headers. A client that sends neither is not a browser, so it
 * cannot be tricked by another site.
 */
function isSameOrigin(headers: FastifyRequest['headers'], origins: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || origins.includes(headers.origin)
}
