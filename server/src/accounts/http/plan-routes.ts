/** `/public/plans`: the plans of both APIs and their limits, for anyone to compare. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { routeResponses } from '../../lib/http/route-responses.ts'
import { KEYS_PER_ACCOUNT, MONITOR_PLANS, NEW_CONTRACTS, UTXO_ALLOWANCES, UTXO_PLANS, V1_LIMITS } from '../plans.ts'
import { v1Error } from './responses.ts'

const keyLimits = {
  apiKeys: z.int().describe('Active keys of an account; 0 if the plan does not include the API'),
  requestsPerMinute: z.int().describe('Per key'),
  requestsPerMonth: z.int().nullable().describe('Per key; null is unlimited'),
}

const plans = z
  .object({
    v1: z
      .array(
        z.object({
          id: z.enum(MONITOR_PLANS),
          ...keyLimits,
          newContracts: z.int().describe('Contracts that were not watched before and that an account may subscribe to'),
        }),
      )
      .describe('Contract control, smallest first'),
    v2: z
      .array(
        z.object({
          id: z.enum(UTXO_PLANS),
          ...keyLimits,
          utxoLimit: z.int().nullable().describe('Unspent outputs in one response; null is unlimited'),
          batchLimit: z.int().describe('Addresses in one batch; 0 if the plan does not include batches'),
          syncCalculation: z.boolean().describe('Whether the plan includes `sync=true` and wallets'),
          walletLimit: z.int().describe('Wallets that an account keeps'),
          subscriptionLimit: z.int().describe('Subscriptions to addresses, wallets and transactions'),
        }),
      )
      .describe('Coin data, smallest first'),
  })
  .meta({ id: 'Plans' })

const NO_API = { apiKeys: 0, requestsPerMinute: 0, requestsPerMonth: 0 }

const PLANS: z.infer<typeof plans> = {
  v1: MONITOR_PLANS.map((id) => ({
    id,
    ...(id === 'team' ? limitsView(V1_LIMITS) : NO_API),
    newContracts: NEW_CONTRACTS[id],
  })),
  v2: UTXO_PLANS.map((id) => {
    const { utxoLimit, batchLimit, syncCalculation, walletLimit, subscriptionLimit, ...limits } = UTXO_ALLOWANCES[id]
    return {
      id,
      ...limitsView(limits),
      utxoLimit,
      batchLimit: syncCalculation ? batchLimit : 0,
      syncCalculation,
      walletLimit,
      subscriptionLimit,
    }
  }),
}

function limitsView({ perMinute, perMonth }: typeof V1_LIMITS) {
  return { apiKeys: KEYS_PER_ACCOUNT, requestsPerMinute: perMinute, requestsPerMonth: perMonth }
}

export async function planRoutes(instance: FastifyInstance): Promise<void> {
  instance.withTypeProvider<ZodTypeProvider>().get(
    '/public/plans',
    {
      schema: {
        tags: ['Web app'],
        summary: 'Compare the plans',
        querystring: z.strictObject({}),
        response: routeResponses(plans, v1Error),
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300')
      return PLANS
    },
  )
}
