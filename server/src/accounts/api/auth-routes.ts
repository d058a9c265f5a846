/** `/api/auth/*`: hands requests to better-auth and its answers back, behind the throttle. */
import type { FastifyInstance } from 'fastify'
import type { Auth } from '../auth.ts'
import type { Throttle } from './throttle.ts'

const PREFIX = '/api/auth'

export function authRoutes({
  auth,
  throttle,
  publicUrl,
}: {
  readonly auth: Auth
  readonly throttle: Throttle
  readonly publicUrl: string
}) {
  return async (app: FastifyInstance): Promise<void> => {
    // better-auth reads its bodies itself.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.route({
      method: ['GET', 'POST'],
      url: `${PREFIX}/*`,
      schema: { hide: true },
      handler: async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : undefined
        const path = request.url.slice(PREFIX.length).split('?')[0] ?? ''
        if (request.method === 'POST') await throttle(path, request.ip, emailIn(body))

        const headers = new Headers()
        for (const [name, value] of Object.entries(request.headers)) {
          if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
        }
        // The one header better-auth believes for the client's address, and only we can set it.
        headers.set('x-gatewatch-client', request.ip)
        const answer = await auth.handler(
          new Request(new URL(request.url, publicUrl), {
            method: request.method,
            headers,
            ...(body !== undefined && { body }),
          }),
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

function emailIn(body: string | undefined): unknown {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return typeof parsed === 'object' && parsed !== null && 'email' in parsed ? parsed.email : undefined
  } catch {
    return undefined // better-auth says what is wrong with it
  }
}
