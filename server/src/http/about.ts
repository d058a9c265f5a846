/** `/public/about`: the features of this installation, so that the web app shows only what is available. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { v1Error } from '../accounts/http/responses.ts'
import { COIN_CHAINS, type CoinChain, type Config } from '../config/config.ts'
import { CHAINS } from '../control/chains/chains.ts'
import { routeResponses } from '../lib/http/route-responses.ts'

export type Installation = {
  readonly contact?: string | undefined
  /** All data comes from local demo chains. */
  readonly demo: boolean
  readonly mail: boolean
  readonly telegram: boolean
  /** The parts that the demo cannot run on this machine. The list may grow during the start. */
  readonly missing: readonly MissingPart[]
}

/** `reason` includes what to install. */
export type MissingPart = { readonly what: 'contracts' | 'litecoin'; readonly reason: string }

export type AboutDeps = {
  readonly version: string
  readonly evmChains: Config['evmChains']
  readonly enabledChains: readonly CoinChain[]
  readonly installation?: Installation | undefined
}

const about = z
  .object({
    version: z.string(),
    demo: z.boolean().describe('True if all data comes from local demo chains'),
    chains: z.array(
      z.object({ id: z.int(), slug: z.string(), name: z.string(), explorer: z.string(), enabled: z.boolean() }),
    ),
    coins: z.array(z.object({ id: z.enum(COIN_CHAINS), enabled: z.boolean() })),
    contact: z.string().nullable().describe('A web or mailto link to the operator; null if there is none'),
    mail: z.boolean().describe('True if this installation sends e-mail'),
    telegram: z.boolean().describe('True if this installation sends Telegram messages'),
    missing: z
      .array(z.object({ what: z.enum(['contracts', 'litecoin']), reason: z.string() }))
      .describe('Parts of the demo that are not available, and how to get them'),
  })
  .meta({ id: 'About' })

const DEFAULTS: Installation = { demo: false, mail: false, telegram: false, missing: [] }

export function aboutRoute({ version, evmChains, enabledChains, installation = DEFAULTS }: AboutDeps) {
  const { contact = null, demo, mail, telegram, missing } = installation
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/public/about',
      {
        schema: {
          tags: ['Web app'],
          summary: 'Get the features of this installation',
          querystring: z.strictObject({}),
          response: routeResponses(about, v1Error),
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'no-store')
        return {
          version,
          demo,
          contact,
          chains: CHAINS.map(({ id, slug, name, explorer }) => ({
            id,
            slug,
            name,
            explorer,
            enabled: slug in evmChains,
          })),
          coins: COIN_CHAINS.map((id) => ({ id, enabled: enabledChains.includes(id) })),
          mail,
          telegram,
          missing: [...missing],
        }
      },
    )
  }
}
