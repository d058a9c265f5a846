/**
 * The web session: who is signed in, and whether a change really comes from our own page.
 */

import { fromNodeHeaders } from 'better-auth/node'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/api-error.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
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

export type SessionDeps = { readonly auth: Auth; readonly database: Database; readonly origins: readonly string[] }

/** An `onRequest` hook for everything under `/me`. */
export function sessionGate({ auth, database, origins }: SessionDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store')
    const session = await auth.api
      .getSession({ headers: fromNodeHeaders(request.headers) })
      .catch(async (error: unknown) => {
        await database.query(sql`select 1`) // an outage speaks for itself
        throw error
      })
    if (session === null) {
      throw new ApiError({ status: 401, code: 'unauthorized', message: 'Sign in first: this needs a web session.' })
    }
    if (!READING.includes(request.method) && !isSameOrigin(request.headers, origins)) {
      const message = 'Changes are accepted from the web app of this service only (PUBLIC_URL names where that is).'
      throw new ApiError({ status: 403, code: 'cross_origin', message })
    }
    const { id, email, plan, utxoPlan, operator } = session.user
    request.account = { id, email, plan: plan as Account['plan'], utxoPlan: utxoPlan as Account['utxoPlan'], operator }
  }
}

/**
 * Browsers name the page a change comes from in `Origin` or `Sec-Fetch-Site`, and a foreign page cannot forge them.
 * A client that sends neither is not a browser, and has no foreign page in it to fear.
 */
function isSameOrigin(headers: FastifyRequest['headers'], origins: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || origins.includes(headers.origin)
}
