/**
 * The web session: who is signed in, and whether a change really comes from our own page.
 */
import { fromNodeHeaders } from 'better-auth/node'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../lib/api-error.ts'
import type { Auth } from './auth.ts'
import type { Account } from './store/accounts.ts'

export type SessionAccount = Pick<Account, 'id' | 'email' | 'plan' | 'utxoPlan' | 'operator'>

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; set by the session gate, so every handler behind it has it. */
    account: SessionAccount
  }
}

const READING = ['GET', 'HEAD']

/** An `onRequest` hook for everything under `/me`. */
export function sessionGate(auth: Auth, publicUrl: string) {
  const ourOrigin = new URL(publicUrl).origin
  return async (request: FastifyRequest): Promise<void> => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
    if (session === null)
      throw new ApiError({ status: 401, code: 'unauthorized', message: 'Sign in first: this needs a web session.' })
    if (!READING.includes(request.method) && !isSameOrigin(request, ourOrigin)) {
      throw new ApiError({
        status: 403,
        code: 'cross_origin',
        message: 'Changes are accepted from the web app of this service only.',
      })
    }
    const { id, email, plan, utxoPlan, operator } = session.user
    request.account = { id, email, plan: plan as Account['plan'], utxoPlan: utxoPlan as Account['utxoPlan'], operator }
  }
}

/**
 * Browsers name the page a change comes from in `Origin` or `Sec-Fetch-Site`, and a foreign page cannot forge them.
 * A client that sends neither is not a browser, and has no foreign page in it to fear.
 */
export function isSameOrigin(request: Pick<FastifyRequest, 'headers'>, ourOrigin: string): boolean {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  return origin === ourOrigin || URL.parse(origin)?.host === host
}
