/** `/api/auth/*`: passes requests to better-auth after the throttle. */

import { APIError } from 'better-auth/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/http/api-error.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { createPathMethods, methodNotAllowed } from '../../lib/http/path-methods.ts'
import type { Database } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { Auth } from '../auth.ts'
import type { Throttle } from '../throttling.ts'
import { AUTH_OPERATIONS } from './auth-operations.ts'

const PREFIX = '/api/auth'

export type AuthRouteDeps = {
  readonly auth: Auth
  readonly throttle: Throttle
  readonly database: Database
  readonly publicUrl: string
}

export function authRoutes({ auth, throttle, database, publicUrl }: AuthRouteDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    // better-auth parses the bodies. Only JSON is accepted, so that the throttle sees the same e-mail address.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    // The schemas only describe: better-auth checks the input.
    app.setValidatorCompiler(() => () => true)
    const methods = createPathMethods()
    for (const { method, path } of AUTH_OPERATIONS) methods.add(PREFIX + path, [method])
    app.addHook('onRequest', async ({ method, url }) => {
      const described = methods.of(url.split('?', 1)[0] ?? '')
      const allowed = described.length === 0 ? ['GET', 'POST'] : described
      if (!allowed.includes(method)) throw methodNotAllowed('method_not_allowed', method, allowed)
    })
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      // If better-auth cannot read a session it reports none, but an outage must not look like a sign-out.
      await database.query(sql`select 1`)
      const url = new URL(request.url, publicUrl)
      const body = typeof request.body === 'string' ? request.body : undefined
      const client = clientAddress(request)
      if (request.method === 'POST') await throttle(url.pathname.slice(PREFIX.length), client, emailIn(body))

      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers)) {
        if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
      }
      // The only header from which better-auth reads the client's address. This replaces a value that the client sent.
      headers.set('x-gatewatch-client', client)
      const response = await handleByAuth(
        auth,
        new Request(url, { method: request.method, headers, ...(body !== undefined && { body }) }),
      )

      reply.status(response.status)
      for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
      for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
      reply.header('cache-control', 'no-store')
      return reply.send(response.body === null ? null : await response.text())
    }
    for (const { method, path, schema } of AUTH_OPERATIONS) app.route({ method, url: PREFIX + path, schema, handler })
    app.route({ method: app.supportedMethods, url: `${PREFIX}/*`, schema: { hide: true }, handler })
  }
}

async function handleByAuth(auth: Auth, request: Request): Promise<Response> {
  try {
    const response = await auth.handler(request)
    if (response.status < 400) return response
    if (response.status < 500 && response.status !== 404) throw await refusalOf(response)
    if (response.status !== 404) return response
  } catch (error) {
    if (!(error instanceof APIError) || error.statusCode >= 500) throw error
    const { code, message } = error.body ?? {}
    throw refused(error.statusCode, code, message)
  }
  throw new ApiError({ status: 404, code: 'not_found', message: 'Unknown path.' })
}

/** better-auth returns some errors instead of throwing them, a few without a body. */
async function refusalOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as { code?: unknown; message?: unknown } | undefined
  return refused(response.status, body?.code, typeof body?.message === 'string' ? body.message : undefined)
}

const refused = (status: number, code?: unknown, message = 'The request was rejected.'): ApiError =>
  new ApiError({ status, code: typeof code === 'string' ? code.toLowerCase() : 'refused', message })

function emailIn(body: string | undefined): unknown {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return typeof parsed === 'object' && parsed !== null && 'email' in parsed ? parsed.email : undefined
  } catch {
    return undefined // better-auth reports the error
  }
}
