/** `/public/status`: how complete and current the data of each chain is, and how long it was on past days. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { v1Error } from '../accounts/http/responses.ts'
import { indexStatus, indexStatusOf } from '../coins/serve/index-status.ts'
import type { ServedChains } from '../coins/serve/served-chain.ts'
import type { CoinChain, Config } from '../config/config.ts'
import { getChainStatuses, watchedChainStatus } from '../control/watch/chain-status.ts'
import type { Clock } from '../lib/clock.ts'
import { instant } from '../lib/http/params.ts'
import { routeResponses } from '../lib/http/route-responses.ts'
import type { Database } from '../platform/database.ts'
import { chainDays, getChainDays } from './chain-days.ts'

export type StatusDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly coins: ServedChains
  readonly evmChains: Config['evmChains']
  readonly enabledChains: readonly CoinChain[]
  readonly version: string
}

const status = z.object({
  version: z.string(),
  at: instant.describe('Time of the response'),
  control: z.array(watchedChainStatus).describe('EVM chains with watched contracts'),
  coins: z.array(indexStatus).describe('Indexed coin chains'),
})

const statusHistory = z.object({ data: z.array(chainDays).describe('Watched and indexed chains') })

export function statusRoutes({ database, clock, coins, evmChains, enabledChains, version }: StatusDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    instance.withTypeProvider<ZodTypeProvider>().get(
      '/public/status',
      {
        schema: {
          tags: ['Web app'],
          summary: 'Get the state of all chains',
          querystring: z.strictObject({}),
          response: routeResponses(status, v1Error, [503]),
        },
      },
      async (_request, reply) => {
        const chains = await getChainStatuses({ database }, { evmChains }, clock.now())
        reply.header('cache-control', 'public, max-age=5')
        return {
          version,
          at: new Date(clock.now()).toISOString(),
          // The schema drops `lastError`, which can name an endpoint. Operators read it with `gatewatch status`.
          control: [...chains],
          coins: enabledChains.map((chain) => indexStatusOf(chain, coins.find(chain), coins.faultsOf?.(chain))),
        }
      },
    )
    instance.withTypeProvider<ZodTypeProvider>().get(
      '/public/status/history',
      {
        schema: {
          tags: ['Web app'],
          summary: 'Get how long each chain was up to date on the last 90 days',
          querystring: z.strictObject({}),
          response: routeResponses(statusHistory, v1Error, [503]),
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=60')
        const chains = [...Object.keys(evmChains), ...enabledChains]
        return { data: [...(await getChainDays(database, chains))] }
      },
    )
  }
}
