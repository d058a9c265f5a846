/**
 * The one HTTP app: limits of size and time, request ids, metrics, error shapes, and the routes of every part.
 */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { Histogram } from 'prom-client'
import type { Auth } from '../accounts/auth.ts'
import { authRoutes } from '../accounts/http/auth-routes.ts'
import { type KeyRouteDeps, keyRoutes, V1_KEYS, V2_KEYS } from '../accounts/http/key-routes.ts'
import { operatorAccountRoutes } from '../accounts/http/operator-routes.ts'
import { requireOperator, requireSession } from '../accounts/sessions.ts'
import type { Throttle } from '../accounts/throttling.ts'
import { requireToken } from '../accounts/tokens.ts'
import { publicCoinRoutes } from '../coins/http/public-routes.ts'
import { type V2Deps, v2Routes } from '../coins/http/v2-routes.ts'
import { COIN_CHAINS } from '../config/config.ts'
import type { Telegram } from '../control/alerts/telegram.ts'
import { findChain } from '../control/chains/chains.ts'
import type { FeedStream } from '../control/feed/feed-stream.ts'
import { badgeRoutes } from '../control/http/badge-routes.ts'
import { channelRoutes } from '../control/http/channel-routes.ts'
import { mailLinkRoutes } from '../control/http/mail-link-routes.ts'
import { notificationRoutes } from '../control/http/notification-routes.ts'
import { operatorControlRoutes } from '../control/http/operator-routes.ts'
import { publicControlRoutes } from '../control/http/public-routes.ts'
import { subscriptionRoutes } from '../control/http/subscription-routes.ts'
import { v1Routes } from '../control/http/v1-routes.ts'
import { createBadgeProfiles } from '../control/views/badge-profiles.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { ReadDatabase } from '../platform/database.ts'
import type { Mailer } from '../platform/mail.ts'
import { analyticsRoutes } from '../traffic/http/analytics-routes.ts'
import { recordRequests } from '../traffic/record-requests.ts'
import type { RequestLog } from '../traffic/request-log.ts'
import { aboutRoute, type Installation } from './about.ts'
import { answerClientError } from './client-error.ts'
import { errorAnswerer, hostMissing, isPlainPath, notFound, pathNotPlain, uriTooLong } from './error-responses.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { registerOpenApi } from './openapi.ts'
import { requestIds } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { serializerCompiler } from './serialize.ts'
import { type StatusDeps, statusRoutes } from './status.ts'
import { createWebPage, wantsPage, webRoutes } from './web.ts'

export type AppDeps = V2Deps &
  KeyRouteDeps &
  StatusDeps & {
    readonly auth: Auth
    readonly throttle: Throttle
    readonly log: Logger
    readonly metrics: Metrics
    readonly requestLog: Pick<RequestLog, 'push' | 'flush'>
    readonly isReady: Readiness
    readonly publicUrl: string
    readonly origins: readonly string[]
    readonly proxies: number
    /** Where answers are read that may be a moment old: a replica where there is one. */
    readonly reads: ReadDatabase
    readonly version: string
    readonly feed?: FeedStream | undefined
    readonly installation?: Installation | undefined
    readonly mailer?: Mailer | undefined
    readonly telegram?: Telegram | undefined
  }

const MOST_BODY_BYTES = 256 * 1024 // a batch of 1,000 addresses takes about 100
const MOST_HEADER_BYTES = 16 * 1024
const MOST_URL_CHARACTERS = 4_096
const SECOND = 1_000

export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { log, publicUrl } = deps
  const logger: FastifyBaseLogger = log
  const headers = securityHeaders(publicUrl)
  const answerError = errorAnswerer(headers)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    // Our own line (`measure`) names the route, never the URL: a URL can hold a secret.
    logController: new LogController({ disableRequestLogging: true }),
    // Making a logger for each request costs as much as checking its key: the few lines of a request name it themselves.
    childLoggerFactory: (shared) => shared,
    genReqId: requestIds(),
    // Counted from our end: what a client writes into X-Forwarded-For itself is further away than its last proxy.
    trustProxy: (_address, hop) => hop < deps.proxies,
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: 30 * SECOND,
    // Nothing moves either way: an answer that nobody reads would be kept for ever.
    connectionTimeout: 120 * SECOND,
    keepAliveTimeout: 65 * SECOND,
    // A request without one is refused below, in words.
    http: {
      requireHostHeader: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: 15 * SECOND,
      connectionsCheckingInterval: 5 * SECOND,
    },
    routerOptions: { maxParamLength: MOST_URL_CHARACTERS },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // a request that still arrives while we close is answered, and its connection then closed
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: answerClientError,
  })
  // An expectation nobody has heard of is no reason to refuse (RFC 9110, 10.1.1), and Node would do it without a word.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  const page = createWebPage({ demo: deps.installation?.demo === true })
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return page(reply.status(404))
    throw notFound(request.url)
  })

  // The hooks of every request call back at once: none has anything to wait for, and a promise each would cost.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  acceptEmptyBodies(app)

  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  // After key and limits: a refusal of the address must not let a request go uncounted.
  app.addHook('preParsing', ({ url, headers }, _reply, _payload, done) => {
    if (headers.host === undefined) done(hostMissing(url))
    else if (url.length > MOST_URL_CHARACTERS) done(uriTooLong(url, MOST_URL_CHARACTERS))
    else if (!isPlainPath(url)) done(pathNotPlain(url))
    else done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  measure(app, deps)
  const chainNamed = (text: string) => findChain(text)?.slug ?? COIN_CHAINS.find((chain) => chain === text)
  recordRequests(app, { ...deps, chainNamed })

  await registerOpenApi(app, deps.version)
  await app.register(healthRoutes(deps))
  await app.register(statusRoutes(deps))
  await app.register(authRoutes(deps))
  await app.register(async (me) => {
    me.addHook('onRequest', requireSession(deps))
    await me.register(keyRoutes(deps, V1_KEYS))
    await me.register(keyRoutes(deps, V2_KEYS))
    await me.register(subscriptionRoutes(deps))
    await me.register(notificationRoutes(deps))
    const outbound = { allowPrivate: deps.allowPrivateTargets ?? false }
    await me.register(channelRoutes({ ...deps, mailer: deps.mailer, telegram: deps.telegram, outbound }))
    await me.register(async (operator) => {
      operator.addHook('onRequest', requireOperator)
      await operator.register(operatorAccountRoutes(deps))
      await operator.register(operatorControlRoutes(deps))
    })
  })
  await app.register(mailLinkRoutes(deps))
  await app.register(v1Routes({ ...deps, database: deps.reads }), { prefix: '/v1' })
  await app.register(v2Routes(deps), { prefix: '/api/v2' })
  await app.register(analyticsRoutes({ ...deps, database: deps.reads, requireToken: requireToken(deps) }), {
    prefix: '/api/v1/analytics',
  })
  await app.register(badgeRoutes({ profiles: createBadgeProfiles({ database: deps.reads }) }))
  await app.register(publicControlRoutes({ ...deps, database: deps.reads }), { prefix: '/public/control' })
  await app.register(publicCoinRoutes(deps), { prefix: '/public/coins' })
  await app.register(aboutRoute(deps))
  await app.register(webRoutes(page))
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.ready()
  return app
}

/** Many clients name JSON as the type of a body they do not send, with DELETE for one. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body, done)
  })
}

function measure(app: FastifyInstance, { metrics, log }: Pick<AppDeps, 'metrics' | 'log'>): void {
  const durations = new Histogram({
    name: 'gatewatch_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [metrics],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / SECOND)
    if (log.isLevelEnabled('debug')) {
      const ms = Math.round(reply.elapsedTime)
      log.debug({ reqId: request.id, method: request.method, route, status: reply.statusCode, ms }, 'request')
    }
    done()
  })
}
