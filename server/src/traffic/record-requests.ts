/**
 * Notes every request that came with a known key, once its answer is made.
 *
 * At `onSend` and not when the answer has left: a client that hung up meanwhile was served and counted all the same.
 * What has no known key (401), or was refused for its method before the key was looked at (405), is not noted.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientAddress } from '../lib/client-address.ts'
import type { Clock } from '../lib/clock.ts'
import type { RequestLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code a refused client reads; set by whoever answers errors. */
    refusalCode: string | undefined
  }
}

/** Of whoever the key acts for, what the log needs. */
type Caller = { readonly keyId: string; readonly accountId: string; readonly api: 'v1' | 'v2' }

export type RecordingDeps = {
  readonly requestLog: Pick<RequestLog, 'push'>
  readonly clock: Clock
  /** The name of a chain from what a client wrote for it; undefined where it is none. */
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

  app.decorateRequest('refusalCode', undefined)
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
        code: request.refusalCode,
        latencyUs: Math.round(reply.elapsedTime * 1000),
        bytes: typeof payload === 'string' ? Buffer.byteLength(payload) : 0,
        address: clientAddress(request),
      })
    }
    done()
  })
}

const UNKNOWN_ROUTES = { v1: '/v1/*', v2: '/api/v2/*' } as const

const chainIn = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'chain' in part ? part.chain : undefined

/** Interface v1 parses a chain to all that is known of it. */
const slugOf = (chain: unknown): string | undefined =>
  typeof chain === 'object' && chain !== null && 'slug' in chain && typeof chain.slug === 'string'
    ? chain.slug
    : undefined
