/** The endpoints of `/api/v2` for batches: POST /analyze/batch and GET /analyze/batch/{id}. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { CoinChain } from '../../config/config.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { checkTarget, type TargetRules } from '../../platform/outbound.ts'
import type { BatchService } from '../batches/batch-service.ts'
import { refusePrivateKey } from '../serve/derived-scripts.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { batch } from './analysis-schemas.ts'
import { batchBody } from './params.ts'
import { envelope } from './schemas.ts'
import { described, responses, success } from './v2-conventions.ts'

export type BatchRouteDeps = {
  /** Undefined if no database stores batches. */
  readonly batches: BatchService | undefined
  readonly targets: TargetRules
  readonly served: (chain: CoinChain) => ServedChain
}

/** The response to more addresses is streamed. */
const MAX_BUFFERED = 50

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const apiError = (status: number, code: string, message: string): ApiError => new ApiError({ status, code, message })

export function batchRoutes(instance: FastifyInstance, deps: BatchRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const { served, targets } = deps
  const batches = (): BatchService => {
    if (deps.batches === undefined)
      throw apiError(503, 'UNAVAILABLE', 'Batches cannot be stored at the moment. Try again later.')
    return deps.batches
  }

  app.post(
    '/analyze/batch',
    {
      schema: {
        ...described('Analyze many addresses', batch),
        body: batchBody,
        querystring: z.strictObject({}),
        response: { ...responses(batch), 202: envelope(batch) },
      },
      config: { usesProFeature: () => true },
    },
    async ({ body, caller }, reply) => {
      const { batchLimit, utxoLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
      if (body.addresses.length > batchLimit)
        throw apiError(
          400,
          'BATCH_TOO_LARGE',
          `addresses: must have at most ${batchLimit} entries on this plan. Split the batch.`,
        )
      if (body.webhookUrl !== undefined) checkWebhook(body.webhookUrl, targets)
      const chain = served(body.chain)
      const { addresses, webhookUrl } = body
      for (const address of addresses) refusePrivateKey(address)
      const request = { accountId: caller.accountId, utxoLimit, addresses }
      if (webhookUrl === undefined && addresses.length > MAX_BUFFERED)
        return reply
          .type('application/json; charset=utf-8')
          .send(Readable.from(enveloped(batches().stream(chain, request))) as never)
      const created = await batches().create(chain, { ...request, webhookUrl })
      reply.status(created.status === 'completed' ? 200 : 202)
      return success(created)
    },
  )

  app.get(
    '/analyze/batch/:batchId',
    {
      schema: {
        ...described('A batch and its results', batch, 404),
        params: z.object({ batchId: z.string().meta({ example: '9f1c7f6e-3f0b-4a52-8d0e-5b1a4f6c2d10' }) }),
        querystring: z.strictObject({}),
      },
    },
    async ({ params, caller }) => {
      const found = UUID.test(params.batchId) ? await batches().find(caller.accountId, params.batchId) : undefined
      if (found === undefined)
        throw apiError(
          404,
          'BATCH_NOT_FOUND',
          'This account has no batch with this id. Completed batches are deleted after 30 days.',
        )
      return success(found)
    },
  )
}

async function* enveloped(data: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"success":true,"data":'
  yield* data
  yield '}'
}

function checkWebhook(url: string, targets: TargetRules): void {
  try {
    checkTarget(url, targets)
  } catch (error) {
    throw apiError(400, 'INVALID_PARAMETER', `webhookUrl: ${reasonOf(error)}`)
  }
}
