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
import { fees, health, simulation } from './schemas.ts'
import { described, success } from './v2-conventions.ts'

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
        ...described('Fee rates', fees),
        querystring: z.strictObject({ chain }),
      },
    },
    async ({ query }) => success(await getFees(feeService, served(query.chain))),
  )

  app.post(
    '/simulate',
    {
      schema: {
        ...described('Simulate a payment', simulation),
        body: simulateBody,
        querystring: z.strictObject({}),
      },
    },
    async ({ body: { chain, ...request } }) => success(await getSimulation(feeService, served(chain), request)),
  )

  app.get(
    '/health/:address',
    {
      schema: {
        ...described('Health of the unspent outputs of an address', health),
        params: z.object({ address }),
        querystring: z.strictObject({ chain }),
      },
    },
    async ({ params, query }) => success(await getHealth(deps, served(query.chain), params.address)),
  )

  app.get(
    '/analyze/:address',
    {
      schema: {
        ...described('Privacy, dust and consolidation of an address', analysis),
        params: z.object({ address }),
        querystring: z.strictObject({ chain }),
      },
    },
    async ({ params, query, caller }) => {
      const { utxoLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
      return success(await getAnalysis(deps, served(query.chain), params.address, utxoLimit ?? undefined))
    },
  )
}
