/** Health and metrics of a process that serves nobody else: its watcher, poller, index or deliveries. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { securityHeaders } from './security-headers.ts'

export type MonitorDeps = { readonly log: Logger; readonly metrics: Metrics; readonly isReady: Readiness }

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
