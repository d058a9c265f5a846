/** `/healthz`: the process is up. `/readyz`: it can serve. `/metrics`: how it is doing. */
import type { FastifyInstance } from 'fastify'
import { reasonOf } from '../lib/errors.ts'
import type { Metrics } from '../lib/metrics.ts'

export type Readiness = () => Promise<void>

export function healthRoutes({ isReady, metrics }: { readonly isReady: Readiness; readonly metrics: Metrics }) {
  return async (app: FastifyInstance): Promise<void> => {
    const ofProbes = { schema: { hide: true }, exposeHeadRoute: true }
    app.get('/healthz', ofProbes, async () => ({ status: 'ok' }))
    app.get('/readyz', ofProbes, async (request, reply) => {
      try {
        await isReady()
        return { status: 'ready' }
      } catch (error) {
        request.log.warn({ reason: reasonOf(error) }, 'not ready')
        return reply.status(503).send({ status: 'not ready' })
      }
    })
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.metrics()),
    )
  }
}
