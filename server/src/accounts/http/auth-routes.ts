/**
 * `/api/auth/*`: passes requests to better-auth after the throttle. Only the described operations are served: better-auth
 * has more, which nothing here uses.
 */

import { APIError } from 'better-auth/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/http/api-error.ts'
import { clientAddress, customerNetwork } from '../../lib/http/client-address.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../accounts.ts'
import type { Auth } from '../auth.ts'
import { revealOutage } from '../auth-outages.ts'
import { isCommonPassword } from '../common-passwords.ts'
import type { KnownDevices } from '../known-devices.ts'
import type { PasswordHashing } from '../password-hashing.ts'
import { attemptKindOf, type Throttle } from '../throttling.ts'
import { AUTH_OPERATIONS } from './auth-operations.ts'

const PREFIX = '/api/auth'

export type AuthRouteDeps = {
  readonly auth: Auth
  readonly throttle: Throttle
  readonly devices: Pick<KnownDevices, 'idOf'>
  readonly hashing: Pick<PasswordHashing, 'runFor'>
  readonly publicUrl: string
}

export function authRoutes({ auth, throttle, devices, hashing, publicUrl }: AuthRouteDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    // better-auth parses the bodies. Only JSON is accepted, so that the throttle sees the same e-mail address.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    // The schemas only describe: better-auth checks the input.
    app.setValidatorCompiler(() => () => true)
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const url = new URL(request.url, publicUrl)
      const path = url.pathname.slice(PREFIX.length)
      const body = typeof request.body === 'string' ? request.body : undefined
      const fields = fieldsIn(body)
      const client = clientAddress(request)
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers)) {
        if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
      }
      // The only header from which better-auth reads the client's address. This replaces a value that the client sent.
      headers.set('x-gatewatch-client', client)
      let hadSession = false
      if (request.method === 'POST') {
        const { email } = fields
        const device = typeof email === 'string' ? devices.idOf(request.headers.cookie, email) : undefined
        const session =
          attemptKindOf(path) === 'account' ? await revealOutage(() => auth.api.getSession({ headers })) : null
        await throttle({ path, client, email, device, accountId: session?.user.id })
        hadSession = session !== null
      }
      const forwarded = new Request(url, { method: request.method, headers, ...(body !== undefined && { body }) })
      const handle = () =>
        revealOutage(() => handleByAuth(auth, forwarded)).catch(async (error: unknown) => {
          // better-auth fails if the account is deleted while it changes it.
          if (error instanceof ApiError || !hadSession) throw error
          if ((await revealOutage(() => auth.api.getSession({ headers }))) !== null) throw error
          throw refused(401, 'unauthorized', 'The account of this session was deleted.')
        })
      const password = isHashedFirst(path, fields) ? fields.password : undefined
      const response = await hashing.runFor({ client: customerNetwork(client), password }, handle)

      reply.status(response.status)
      for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
      for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
      reply.header('cache-control', 'no-store')
      return reply.send(response.body === null ? null : await response.text())
    }
    for (const { method, path, schema } of AUTH_OPERATIONS) app.route({ method, url: PREFIX + path, schema, handler })
    // The link of a mail. It redirects to the page that asks for the new password.
    app.route({ method: 'GET', url: `${PREFIX}/reset-password/:token`, schema: { hide: true }, handler })
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

type Fields = Readonly<Record<string, unknown>>

function fieldsIn(body: string | undefined): Fields {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : {}
  } catch {
    return {} // better-auth reports the error
  }
}

/** Reports whether better-auth will hash the password of a sign-up: it refuses others before. */
const isHashedFirst = (path: string, fields: Fields): fields is Fields & { readonly password: string } =>
  path === '/sign-up/email' &&
  typeof fields.email === 'string' &&
  typeof fields.password === 'string' &&
  fields.password.length >= MIN_PASSWORD_LENGTH &&
  fields.password.length <= MAX_PASSWORD_LENGTH &&
  !isCommonPassword(fields.password)
