/**
 * Records every request with a valid API key when its response is ready.
 *
 * It uses `onSend` and not `onResponse`, so that requests of clients that disconnect early are recorded too. Requests
 * without a valid key (401) and those rejected for their method before the key check (405) are not recorded.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { clientAddress } from '../lib/http/client-address.ts'
import type { RequestLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of the response. Set by the error handler. */
    errorCode: string | undefined
  }
}

/** The fields of a key holder that the log needs. */
type Caller = { readonly keyId: string; readonly accountId: string; readonly api: 'v1' | 'v2' }

export type RecordingDeps = {
  readonly requestLog: Pick<RequestLog, 'push'>
  readonly clock: Clock
  /** Returns the name of the chain that the client's text names; undefined if there is none. */
  readonly chainNamed: (text: string) => string | undefined
}

export function recordRequests(app: FastifyInstance, { requestLog, clock, chainNamed }: RecordingDeps): void {
  const templates = new Map<string, string>()
  const templateOf = (route: string): string => {
    const known = templates.get(route)
    if (known !== undefined) return known
    const template = route.replaceAll(/:(\w+)/g, '{$1}')
    templates.set(route, template)
    return template
  }
  const chainOf = ({ params, query, body }: FastifyRequest): string | undefined => {
    const chain = chainIn(params) ?? chainIn(query) ?? chainIn(body)
    return typeof chain === 'string' ? chainNamed(chain) : slugOf(chain)
  }

  app.decorateRequest('errorCode', undefined)
  app.addHook('onSend', (request, reply, payload, done) => {
    const caller = request.caller as Caller | undefined
    if (caller !== undefined) {
      const route = request.is404 ? undefined : request.routeOptions.url
      requestLog.push({
        at: clock.now(),
        requestId: request.id,
        accountId: caller.accountId,
        keyId: caller.keyId,
        endpoint: route === undefined ? UNKNOWN_ROUTES[caller.api] : templateOf(route),
        chain: chainOf(request),
        status: reply.statusCode,
        code: request.errorCode,
        latencyUs: Math.round(reply.elapsedTime * 1000),
        bytes: bytesOf(payload),
        address: clientAddress(request),
      })
    }
    done()
  })
}

const UNKNOWN_ROUTES = { v1: '/v1/*', v2: '/api/v2/*' } as const

const chainIn = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'chain' in part ? part.chain : undefined

/** The v1 API parses a chain parameter to an object. */
const slugOf = (chain: unknown): string | undefined =>
  typeof chain === 'object' && chain !== null && 'slug' in chain && typeof chain.slug === 'string'
    ? chain.slug
    : undefined

/** The size of a body; 0 for a stream. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0
