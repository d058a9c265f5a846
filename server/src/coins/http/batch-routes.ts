/** POST /analyze/batch and GET /analyze/batch/{id}. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { CoinChain } from '../../config/config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { reasonOf } from '../../lib/errors.ts'
import { routeAnswers } from '../../lib/route-answers.ts'
import { checkTarget } from '../../platform/outbound.ts'
import type { BatchService } from '../batches/batch-service.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { batch } from './analysis-schemas.ts'
import { batchBody } from './params.ts'
import { answer, refusal } from './schemas.ts'

export type BatchRouteDeps = {
  /** Undefined where no database stores batches. */
  readonly batches: BatchService | undefined
  readonly allowPrivateTargets: boolean
  readonly served: (chain: CoinChain) => ServedChain
}

const tags = ['Coin data']
const security = [{ apiKey: [] }]
const success = <Data>(data: Data) => ({ success: true as const, data })
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const refuse = (status: number, code: string, message: string): ApiError => new ApiError({ status, code, message })

export function batchRoutes(instance: FastifyInstance, deps: BatchRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const { served, allowPrivateTargets } = deps
  const batches = (): BatchService => {
    if (deps.batches === undefined)
      throw refuse(503, 'UNAVAILABLE', 'Batches cannot be stored at the moment. Try again later.')
    return deps.batches
  }

  app.post(
    '/analyze/batch',
    {
      schema: {
        tags,
        security,
        summary: 'Analyses many addresses',
        body: batchBody,
        querystring: z.strictObject({}),
        response: { ...routeAnswers(answer(batch), refusal), 202: answer(batch) },
      },
      config: { usesProFeature: () => true },
    },
    async ({ body, caller }, reply) => {
      const { batchLimit, utxoLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
      if (body.addresses.length > batchLimit)
        throw refuse(400, 'BATCH_TOO_LARGE', `addresses: at most ${batchLimit} on this plan`)
      if (body.webhookUrl !== undefined) checkWebhook(body.webhookUrl, allowPrivateTargets)
      const made = await batches().create(served(body.chain), {
        accountId: caller.accountId,
        utxoLimit,
        addresses: body.addresses,
        webhookUrl: body.webhookUrl,
      })
      reply.status(made.status === 'completed' ? 200 : 202)
      return success(made)
    },
  )

  app.get(
    '/analyze/batch/:batchId',
    {
      schema: {
        tags,
        security,
        summary: 'A batch and its results',
        params: z.object({ batchId: z.string() }),
        querystring: z.strictObject({}),
        response: routeAnswers(answer(batch), refusal),
      },
    },
    async ({ params, caller }) => {
      const found = UUID.test(params.batchId) ? await batches().find(caller.accountId, params.batchId) : undefined
      if (found === undefined) throw refuse(404, 'BATCH_NOT_FOUND', 'There is no such batch of yours.')
      return success(found)
    },
  )
}

function checkWebhook(url: string, allowPrivate: boolean): void {
  try {
    checkTarget(url, { allowPrivate })
  } catch (error) {
    throw refuse(400, 'INVALID_PARAMETER', `webhookUrl: ${reasonOf(error)}`)
  }
}
