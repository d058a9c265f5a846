/** The HTTP app: size and time limits, request ids, metrics, error responses, and all routes. */
import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { Histogram } from 'prom-client'
import { z } from 'zod'
import type { Auth } from '../accounts/auth.ts'
import { type AuthRouteDeps, authRoutes } from '../accounts/http/auth-routes.ts'
import { type KeyRouteDeps, keyRoutes, V1_KEYS, V2_KEYS } from '../accounts/http/key-routes.ts'
import { operatorAccountRoutes } from '../accounts/http/operator-routes.ts'
import { planRoutes } from '../accounts/http/plan-routes.ts'
import { describeOperatorCheck, describeSessionCheck, describeVisitorLimit } from '../accounts/http/responses.ts'
import { holdResponses, returnFailedRequests } from '../accounts/require-api-key.ts'
import { type OperatorRules, requireOperator, requireSession } from '../accounts/sessions.ts'
import { limitVisitors, type MailLimit } from '../accounts/throttling.ts'
import { requireToken } from '../accounts/tokens.ts'
import type { CoinDeliveries } from '../coins/http/coin-deliveries.ts'
import { meCoinRoutes } from '../coins/http/me-coin-routes.ts'
import { publicCoinRoutes } from '../coins/http/public-routes.ts'
import { type V2Deps, v2Routes } from '../coins/http/v2-routes.ts'
import { COIN_CHAINS } from '../config/config.ts'
import { acknowledgeCoinDelivery, replayCoinDelivery } from '../control/alerts/coin-alerts.ts'
import { getAttempts, getCoinDeliveries } from '../control/alerts/delivery-records.ts'
import type { Telegram } from '../control/alerts/telegram.ts'
import { findChain } from '../control/chains/chains.ts'
import type { FeedStream } from '../control/feed/feed-stream.ts'
import type { PublicationTail } from '../control/feed/publication-tail.ts'
import { badgeRoutes } from '../control/http/badge-routes.ts'
import { channelRoutes } from '../control/http/channel-routes.ts'
import { mailLinkRoutes } from '../control/http/mail-link-routes.ts'
import { notificationRoutes } from '../control/http/notification-routes.ts'
import { operatorControlRoutes } from '../control/http/operator-routes.ts'
import { publicControlRoutes } from '../control/http/public-routes.ts'
import { slackRoutes } from '../control/http/slack-routes.ts'
import { subscriptionRoutes } from '../control/http/subscription-routes.ts'
import { syndicationRoutes } from '../control/http/syndication-routes.ts'
import { v1Routes } from '../control/http/v1-routes.ts'
import type { NameResolver } from '../control/rpc/ens.ts'
import { createProtocolViews } from '../control/views/prepared-protocols.ts'
import { createBadgeProfiles } from '../control/views/profile-view.ts'
import { faultText } from '../lib/fault-texts.ts'
import { createPathMethods } from '../lib/http/path-methods.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { ReadDatabase } from '../platform/database.ts'
import type { Mailer } from '../platform/mail.ts'
import { PUBLIC_TARGETS } from '../platform/outbound.ts'
import { analyticsRoutes } from '../traffic/http/analytics-routes.ts'
import { recordRequests } from '../traffic/record-requests.ts'
import type { RequestLog } from '../traffic/request-log.ts'
import { aboutRoute, type Installation } from './about.ts'
import { compressResponses } from './compress.ts'
import {
  answerMalformedRequest,
  createErrorHandler,
  hasTwoHosts,
  hostMissing,
  hostRepeated,
  isNormalPath,
  notFound,
  pathNotDecodable,
  pathNotNormal,
  routableUrl,
  turnIntoError,
  uriTooLong,
  wrongMethod,
} from './error-responses.ts'
import { healthRoutes } from './health.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { registerOpenApi } from './openapi.ts'
import { cardRoutes } from './page-cards.ts'
import { createPageHeads, sitemapRoutes } from './page-heads.ts'
import type { Readiness } from './readiness.ts'
import { securityHeaders } from './security-headers.ts'
import { serializerCompiler } from './serialize.ts'
import { type StatusDeps, statusRoutes } from './status.ts'
import { createWebPage, wantsPage, webRoutes } from './web.ts'

export type AppDeps = V2Deps &
  KeyRouteDeps &
  AuthRouteDeps &
  OperatorRules &
  StatusDeps & {
    readonly auth: Auth
    readonly mailLimit: MailLimit
    readonly log: Logger
    readonly metrics: Metrics
    readonly requestLog: Pick<RequestLog, 'push' | 'flush'>
    readonly isReady: Readiness
    /** Whether `/metrics` is served to visitors too. */
    readonly servesMetrics: boolean
    readonly publicUrl: string
    readonly origins: readonly string[]
    readonly proxies: number
    /** For responses that may be slightly stale: the replica if there is one. */
    readonly reads: ReadDatabase
    readonly version: string
    readonly feed?: FeedStream | undefined
    readonly names?: NameResolver | undefined
    readonly publications?: PublicationTail | undefined
    readonly installation?: Installation | undefined
    readonly mailer?: Mailer | undefined
    readonly telegram?: Telegram | undefined
  }

const unknownQuery = (url: string, method: string) => (method === 'QUERY' ? notFound(url) : undefined)

const MAX_BODY_BYTES = 256 * 1024 // a batch of 1,000 addresses has about 100 KiB
const MAX_HEADER_BYTES = 16 * 1024
const MAX_URL_LENGTH = 4_096
const SECOND = 1_000

export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { log, publicUrl } = deps
  // A logger per request costs as much as the key check. The few log lines of a request include its id.
  const logger: FastifyBaseLogger = Object.assign(Object.create(log) as Logger, { child: () => logger })
  const headers = securityHeaders(publicUrl)
  const handleError = createErrorHandler(headers)
  const nextId = requestIds()
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    // `measure` logs the route instead of the URL, because a URL can contain a secret.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextId,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    // Counted from our side: entries that the client adds to X-Forwarded-For are beyond the trusted proxies.
    // Without a proxy the address is that of the connection, and the header is not parsed.
    trustProxy: deps.proxies > 0 && ((_address, hop) => hop < deps.proxies),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 30 * SECOND,
    // Closes idle connections, so that a client that never reads its response does not hold memory forever.
    connectionTimeout: 120 * SECOND,
    keepAliveTimeout: 65 * SECOND,
    // A request without a Host header gets an error response below.
    http: {
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 15 * SECOND,
      connectionsCheckingInterval: 5 * SECOND,
    },
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // requests that arrive during shutdown are answered, then the connection closes
    frameworkErrors: (error, request, reply) => handleError(error, request, reply),
    clientErrorHandler: answerMalformedRequest(nextId),
  })
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). By default Node rejects it without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  z.config({ customError: faultText })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  const demo = deps.installation?.demo === true
  const page = createWebPage({ demo })
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return page(reply.status(404))
    throw notFound(request.url)
  })

  // Hooks of every request use callbacks, because a promise per hook is slower.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  acceptEmptyBodies(app)

  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  const paths = createPathMethods()
  app.addHook('onRoute', ({ url, method }) => paths.add(url, [method].flat()))
  // After the key check, so that requests with an invalid URL count against the limits.
  app.addHook('preParsing', ({ url, originalUrl, method, headers, raw, is404 }, _reply, _payload, done) => {
    if (headers.host === undefined) done(hostMissing(url))
    else if (hasTwoHosts(raw.rawHeaders)) done(hostRepeated(url))
    else if (url.length > MAX_URL_LENGTH) done(uriTooLong(url, MAX_URL_LENGTH))
    else if (url !== originalUrl) done(pathNotDecodable(url))
    else if (!isNormalPath(url)) done(pathNotNormal(url))
    // Fastify would refuse a QUERY without a body before the handler of unknown paths.
    else if (is404) done(wrongMethod(url, method, paths.of(url.split('?', 1)[0] ?? '')) ?? unknownQuery(url, method))
    else done()
  })
  holdResponses(app, turnIntoError)
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  compressResponses(app)
  measure(app, deps)
  const chainNamed = (text: string) => findChain(text)?.slug ?? COIN_CHAINS.find((chain) => chain === text)
  recordRequests(app, { ...deps, chainNamed })
  returnFailedRequests(app)

  await registerOpenApi(app, deps.version)
  await app.register(healthRoutes(deps))
  const outbound = deps.targets ?? PUBLIC_TARGETS
  const coinDeliveries: CoinDeliveries = {
    list: (accountId, position) => getCoinDeliveries(deps.database, accountId, position),
    attempts: (accountId, id) => getAttempts(deps.database, accountId, id),
    acknowledge: (accountId, id, by) => acknowledgeCoinDelivery(deps.database, accountId, id, by),
    replay: (accountId, id) => replayCoinDelivery(deps.database, accountId, id),
  }
  await app.register(async (visited) => {
    visited.addHook('onRequest', limitVisitors(deps, 'rate_limited'))
    visited.addHook('onRoute', describeVisitorLimit)
    await visited.register(statusRoutes(deps))
    await visited.register(authRoutes(deps))
    await visited.register(mailLinkRoutes(deps))
    await visited.register(slackRoutes({ ...deps, outbound }))
  })
  await app.register(async (me) => {
    me.addHook('onRequest', limitVisitors(deps, 'rate_limited'))
    me.addHook('onRoute', describeVisitorLimit)
    me.addHook('onRequest', requireSession(deps))
    me.addHook('onRoute', describeSessionCheck)
    await me.register(keyRoutes(deps, V1_KEYS))
    await me.register(keyRoutes(deps, V2_KEYS))
    await me.register(subscriptionRoutes(deps))
    await me.register(notificationRoutes(deps))
    await me.register(meCoinRoutes({ ...deps, coinDeliveries }))
    await me.register(channelRoutes({ ...deps, mailer: deps.mailer, telegram: deps.telegram, outbound }))
    await me.register(async (operator) => {
      operator.addHook('onRequest', requireOperator(deps))
      operator.addHook('onRoute', describeOperatorCheck)
      await operator.register(operatorAccountRoutes(deps))
      await operator.register(operatorControlRoutes(deps))
    })
  })
  const protocols = createProtocolViews({ database: deps.reads, clock: deps.clock })
  const control = { ...deps, database: deps.reads, protocols }
  await app.register(v1Routes(control), { prefix: '/v1' })
  await app.register(v2Routes({ ...deps, coinDeliveries }), { prefix: '/api/v2' })
  await app.register(mcpRoutes(deps))
  await app.register(analyticsRoutes({ ...deps, database: deps.reads, requireToken: requireToken(deps) }), {
    prefix: '/api/v1/analytics',
  })
  const badges = {
    profiles: createBadgeProfiles({ database: deps.reads }),
    limit: limitVisitors(deps, 'rate_limited'),
  }
  const subjects = { ...badges, coins: deps.coins }
  await app.register(badgeRoutes(badges))
  await app.register(syndicationRoutes(control), { prefix: '/feeds' })
  await app.register(publicControlRoutes({ ...control, primary: deps.database }), { prefix: '/public/control' })
  await app.register(publicCoinRoutes(deps), { prefix: '/public/coins' })
  await app.register(aboutRoute(deps))
  await app.register(planRoutes)
  await app.register(webRoutes({ page, headOf: createPageHeads(subjects), publicUrl }))
  await app.register(cardRoutes(subjects))
  await app.register(sitemapRoutes({ ...deps, database: deps.reads, demo }))
  let openApi: string | undefined // made once: it is large
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    openApi ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(openApi)
  })
  await app.ready()
  return app
}

/** Creates a generator of ids that are unique across processes and restarts: a random prefix per process and a counter. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** Accepts an empty body with content type JSON, which many clients send with DELETE. */
function acceptEmptyBodies(app: FastifyInstance): void {
  // No route takes plain text: as application/xml, it gets 415.
  app.removeContentTypeParser('text/plain')
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
    help: 'Time from the request to the end of its response, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [metrics],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    // A stream lasts as long as its reader stays.
    if (reply.getHeader('content-type')?.toString().startsWith('text/event-stream') === true) return done()
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / SECOND)
    if (log.isLevelEnabled('debug')) {
      const ms = Math.round(reply.elapsedTime)
      log.debug({ reqId: request.id, method: request.method, route, status: reply.statusCode, ms }, 'request')
    }
    done()
  })
}
