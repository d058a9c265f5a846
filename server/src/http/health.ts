/** Health and metrics: `/healthz` (the process is up), `/readyz` (it can serve requests), `/metrics` (Prometheus). */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { reasonOf } from '../lib/errors.ts'
import type { Fault } from '../lib/health.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { NotReadyError, type Readiness } from './readiness.ts'
import { securityHeaders } from './security-headers.ts'

const faultsView = (faults: readonly Fault[]) =>
  faults.map(({ part, reason, since }) => ({ part, reason, since: new Date(since).toISOString() }))

/** Reads readiness once for all requests that arrive meanwhile, so that floods of `/readyz` do not reach the database. */
function shareReads(read: Readiness): Readiness {
  let current: ReturnType<Readiness> | undefined
  return () => {
    current ??= read().finally(() => {
      current = undefined
    })
    return current
  }
}

export type HealthRouteDeps = {
  readonly isReady: Readiness
  readonly metrics: Metrics
  /** Whether `/metrics` is one of the routes. */
  readonly servesMetrics: boolean
}

export function healthRoutes({ metrics, servesMetrics, ...deps }: HealthRouteDeps) {
  const isReady = shareReads(deps.isReady)
  return async (app: FastifyInstance): Promise<void> => {
    const probe = { schema: { hide: true }, exposeHeadRoute: true }
    app.get('/healthz', probe, async () => ({ status: 'ok' }))
    app.get('/readyz', probe, async (request, reply) => {
      try {
        const faults = await isReady()
        // One chain without its node must not take the other parts out of a load balancer.
        return faults.length === 0 ? { status: 'ready' } : { status: 'degraded', faults: faultsView(faults) }
      } catch (error) {
        request.log.info({ reason: reasonOf(error) }, 'not ready')
        const faults = error instanceof NotReadyError ? { faults: faultsView(error.faults) } : {}
        return reply.status(503).send({ status: 'not ready', ...faults })
      }
    })
    if (servesMetrics)
      app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
        reply.type(metrics.contentType).send(await metrics.metrics()),
      )
  }
}

export type MonitorDeps = { readonly log: Logger; readonly metrics: Metrics; readonly isReady: Readiness }

/** Creates the app of METRICS_PORT: health and metrics of this process only. */
export async function createMonitor({ log, metrics, isReady }: MonitorDeps): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders('http://'))
  })
  await app.register(healthRoutes({ isReady, metrics, servesMetrics: true }))
  return app
}
