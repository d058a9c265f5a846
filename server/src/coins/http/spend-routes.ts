/** The endpoints of `/api/v2` about spending: /fees, /simulate, /health, /analyze. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { CoinChain } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { getAnalysis, getHealth } from '../serve/analysis-view.ts'
import { type FeeService, getFees } from '../serve/fee-service.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { getSimulation } from '../serve/simulation-view.ts'
import { analysis } from './analysis-schemas.ts'
import { address, chain, simulateBody } from './params.ts'
import { fees, health } from './schemas.ts'
import { simulation } from './spend-schemas.ts'
import { responses, security, success, tags } from './v2-conventions.ts'

export type SpendRouteDeps = {
  readonly feeService: FeeService
  readonly clock: Clock
  /** See `ChainGuard`. */
  readonly served: (chain: CoinChain) => ServedChain
}

export function spendRoutes(instance: FastifyInstance, { feeService, clock, served }: SpendRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const deps = { feeService, clock }

  app.get(
    '/fees',
    {
      schema: {
        tags,
        security,
        summary: 'Fee rates',
        querystring: z.strictObject({ chain }),
        response: responses(fees),
      },
    },
    async ({ query }) => success(await getFees(feeService, served(query.chain))),
  )

  app.post(
    '/simulate',
    {
      schema: {
        tags,
        security,
        summary: 'Simulate a payment',
        body: simulateBody,
        querystring: z.strictObject({}),
        response: responses(simulation),
      },
    },
    async ({ body: { chain, ...request } }) => success(await getSimulation(feeService, served(chain), request)),
  )

  app.get(
    '/health/:address',
    {
      schema: {
        tags,
        security,
        summary: 'Health of the unspent outputs of an address',
        params: z.object({ address }),
        querystring: z.strictObject({ chain }),
        response: responses(health),
      },
    },
    async ({ params, query }) => success(await getHealth(deps, served(query.chain), params.address)),
  )

  app.get(
    '/analyze/:address',
    {
      schema: {
        tags,
        security,
        summary: 'Privacy, dust and consolidation of an address',
        params: z.object({ address }),
        querystring: z.strictObject({ chain }),
        response: responses(analysis),
      },
    },
    async ({ params, query, caller }) => {
      const { utxoLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
      return success(await getAnalysis(deps, served(query.chain), params.address, utxoLimit ?? undefined))
    },
  )
}
