/** `/api/auth/*`: hands requests to better-auth and its answers back, behind the throttle. */

import { APIError } from 'better-auth/api'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'
import { clientAddress } from '../../lib/client-address.ts'
import type { Database } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { Auth } from '../auth.ts'
import type { Throttle } from '../throttling.ts'

const PREFIX = '/api/auth'

export type AuthRouteDeps = {
  readonly auth: Auth
  readonly throttle: Throttle
  readonly database: Database
  readonly publicUrl: string
}

export function authRoutes({ auth, throttle, database, publicUrl }: AuthRouteDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    // better-auth reads its bodies itself. JSON only: the throttle must see every e-mail address better-auth would.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.route({
      method: ['GET', 'POST'],
      url: `${PREFIX}/*`,
      schema: { hide: true },
      handler: async (request, reply) => {
        // better-auth takes a session it cannot read for none; an outage must not look like a sign-out.
        await database.query(sql`select 1`)
        const url = new URL(request.url, publicUrl)
        const body = typeof request.body === 'string' ? request.body : undefined
        const client = clientAddress(request)
        if (request.method === 'POST') await throttle(url.pathname.slice(PREFIX.length), client, emailIn(body))

        const headers = new Headers()
        for (const [name, value] of Object.entries(request.headers)) {
          if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
        }
        // The one header better-auth believes for the client's address, and only we can set it.
        headers.set('x-gatewatch-client', client)
        const answer = await handOver(
          auth,
          new Request(url, { method: request.method, headers, ...(body !== undefined && { body }) }),
        )

        reply.status(answer.status)
        for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value)
        for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
        reply.header('cache-control', 'no-store')
        return reply.send(answer.body === null ? null : await answer.text())
      },
    })
  }
}

async function handOver(auth: Auth, request: Request): Promise<Response> {
  try {
    const answer = await auth.handler(request)
    // Some of its refusals say nothing at all.
    if (answer.status >= 400 && answer.status !== 404 && answer.body === null) throw refused(answer.status)
    if (answer.status !== 404) return answer
  } catch (error) {
    if (!(error instanceof APIError) || error.statusCode >= 500) throw error
    const { code, message } = error.body ?? {}
    throw refused(error.statusCode, code, message)
  }
  throw new ApiError({ status: 404, code: 'not_found', message: 'There is nothing at this address.' })
}

const refused = (status: number, code?: unknown, message = 'This was refused.'): ApiError =>
  new ApiError({ status, code: typeof code === 'string' ? code.toLowerCase() : 'refused', message })

function emailIn(body: string | undefined): unknown {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return typeof parsed === 'object' && parsed !== null && 'email' in parsed ? parsed.email : undefined
  } catch {
    return undefined // better-auth says what is wrong with it
  }
}
