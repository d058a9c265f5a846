/** The endpoints that judge and plan: /fees, /simulate, /health, /analyze, /analyze/batch. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { CoinChain } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { routeAnswers } from '../../lib/route-answers.ts'
import { createFeeDesk, getFees } from './fee-desk.ts'
import { chain, simulateBody } from './inputs.ts'
import { answer, fees, refusal } from './resources.ts'
import type { ServedChain } from './served-chain.ts'
import { getSimulation } from './simulate-answer.ts'
import { simulation } from './spend-resources.ts'

export type SpendRouteDeps = {
  readonly clock: Clock
  /** A chain whose index has reached its node; refuses otherwise. */
  readonly served: (chain: CoinChain) => ServedChain
}

const tags = ['Coin data']
const security = [{ apiKey: [] }]
const success = <Data>(data: Data) => ({ success: true as const, data })
const answers = <Success extends z.ZodType>(schema: Success) => routeAnswers(answer(schema), refusal)

export function spendRoutes(instance: FastifyInstance, { clock, served }: SpendRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const desk = createFeeDesk({ clock })

  app.get(
    '/fees',
    {
      schema: {
        tags,
        security,
        summary: 'Fee rates',
        querystring: z.strictObject({ chain }),
        response: answers(fees),
      },
    },
    async ({ query }) => success(await getFees(desk, served(query.chain))),
  )

  app.post(
    '/simulate',
    {
      schema: {
        tags,
        security,
        summary: 'Simulates a spend',
        body: simulateBody,
        querystring: z.strictObject({}),
        response: answers(simulation),
      },
    },
    async ({ body: { chain, ...request } }) => success(await getSimulation(desk, served(chain), request)),
  )
}
