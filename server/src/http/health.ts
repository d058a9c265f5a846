/** Health and metrics: `/healthz` (the process is up), `/readyz` (it can serve requests), `/metrics` (Prometheus). */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { reasonOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { securityHeaders } from './security-headers.ts'

/** Throws if the process cannot serve requests. */
export type Readiness = () => Promise<void>

const READ_READINESS_EVERY_MS = 1_000

/** Reads readiness at most once in a second, so that floods of `/readyz` do not reach the database. */
function readRarely(read: Readiness): Readiness {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at >= READ_READINESS_EVERY_MS)
      last = { at: performance.now(), outcome: read() }
    return last.outcome
  }
}

export function healthRoutes(deps: { readonly isReady: Readiness; readonly metrics: Metrics }) {
  const { metrics } = deps
  const isReady = readRarely(deps.isReady)
  return async (app: FastifyInstance): Promise<void> => {
    const probe = { schema: { hide: true }, exposeHeadRoute: true }
    app.get('/healthz', probe, async () => ({ status: 'ok' }))
    app.get('/readyz', probe, async (request, reply) => {
      try {
        await isReady()
        return { status: 'ready' }
      } catch (error) {
        request.log.info({ reason: reasonOf(error) }, 'not ready')
        return reply.status(503).send({ status: 'not ready' })
      }
    })
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.metrics()),
    )
  }
}

export type MonitorDeps = { readonly log: Logger; readonly metrics: Metrics; readonly isReady: Readiness }

/** Creates the app of a process without the role `serve`: health and metrics only. */
export async function createMonitor({ log, metrics, isReady }: MonitorDeps): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders('http://'))
  })
  await app.register(healthRoutes({ isReady, metrics }))
  return app
}
