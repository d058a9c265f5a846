/** `/me/operator/chains` and `/me/operator/contracts` routes. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { searchQuery, searchResponses } from '../../accounts/http/operator-routes.ts'
import { meResponses } from '../../accounts/http/responses.ts'
import { recordOperatorChange } from '../../accounts/operator-changes.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { instant, plainText } from '../../lib/http/params.ts'
import type { Database } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import {
  countRegistered,
  findRegistered,
  type RegisteredContract,
  saveContract,
  searchRegistered,
} from '../registry/contracts.ts'
import { getChainStatuses, watchedChainStatus } from '../watch/chain-status.ts'
import { nothing } from './me-schemas.ts'
import { address, chain } from './params.ts'

const tags = ['Operation']

const operatorChain = watchedChainStatus
  .extend({ lastError: z.string().nullable().describe('The last error; it can contain the host of an endpoint') })
  .meta({ id: 'OperatorChain' })

const registered = z
  .object({
    chainId: z.int(),
    chainSlug: z.string().nullable(),
    address: z.string(),
    name: z.string().nullable(),
    protocol: z.string().nullable(),
    kind: z.string(),
    source: z.enum(['seed', 'manual', 'discovered']),
    lastCheckedAt: instant.nullable(),
  })
  .meta({ id: 'RegisteredContract' })

export type OperatorControlDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly evmChains: Config['evmChains']
}

export function operatorControlRoutes({ database, clock, evmChains }: OperatorControlDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.get(
      '/me/operator/chains',
      {
        schema: {
          tags,
          summary: 'Status of the watched chains, with their last errors',
          querystring: nothing,
          response: meResponses(200, z.object({ chains: z.array(operatorChain) })),
        },
      },
      async () => ({ chains: [...(await getChainStatuses({ database }, { evmChains }, clock.now()))] }),
    )

    app.get(
      '/me/operator/contracts',
      {
        schema: {
          tags,
          summary: 'Known contracts',
          querystring: searchQuery(128, 'Part of a name or protocol, or an address'),
          response: searchResponses(registered),
        },
      },
      async ({ query: { search, limit } }) => ({
        total: await countRegistered(database),
        items: (await searchRegistered(database, search ?? '', limit)).map(registeredView),
      }),
    )

    app.put(
      '/me/operator/contracts/:chain/:address',
      {
        schema: {
          tags,
          summary: 'Watches a contract, or changes its name. Imports do not overwrite these values',
          params: z.object({ chain, address }),
          querystring: nothing,
          body: z
            .strictObject({ name: plainText(128).optional(), protocol: plainText(128).optional() })
            .meta({ example: { name: 'Aave V3 Pool', protocol: 'Aave' } }),
          response: meResponses(200, z.object({ isNew: z.boolean(), contract: registered })),
        },
      },
      async ({ account, params, body: { name, protocol } }) => {
        const ref = { chainId: params.chain.id, address: params.address }
        const edit = { ...(name !== undefined && { name }), ...(protocol !== undefined && { protocol }) }
        const before = await findRegistered(database, ref)
        const isNew = await saveContract(database, ref, edit)
        const contract = await findRegistered(database, ref)
        await recordOperatorChange(database, {
          actor: account.email,
          action: 'contract.save',
          subject: `${params.chain.slug} ${params.address}`,
          before: before && { name: before.name, protocol: before.protocol },
          after: { name: contract?.name ?? null, protocol: contract?.protocol ?? null },
        })
        if (contract === undefined) throw new Error('The saved contract was not found.')
        return { isNew, contract: registeredView(contract) }
      },
    )
  }
}

const registeredView = ({ lastCheckedAt, chainId, ...contract }: RegisteredContract) => ({
  ...contract,
  chainId,
  chainSlug: findChain(String(chainId))?.slug ?? null,
  lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
})
