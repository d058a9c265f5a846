/** `/public/about`: what this installation is, so that pages show what it has and mark what is not real. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { refusal } from '../accounts/http/responses.ts'
import { COIN_CHAINS, type CoinChain, type Config } from '../config/config.ts'
import { CHAINS } from '../control/chains/chains.ts'
import { routeAnswers } from '../lib/route-answers.ts'

export type Installation = {
  /** Everything shown comes from chains made up on this machine. */
  readonly demo: boolean
  readonly mail: boolean
  readonly telegram: boolean
  /** What the demo cannot show where it runs; may grow while it starts. */
  readonly missing: readonly Missing[]
}

/** `reason` also says how to get it. */
export type Missing = { readonly what: 'contracts' | 'litecoin'; readonly reason: string }

export type AboutDeps = {
  readonly version: string
  readonly evmChains: Config['evmChains']
  readonly enabledChains: readonly CoinChain[]
  readonly installation?: Installation | undefined
}

const about = z
  .object({
    version: z.string(),
    demo: z.boolean().describe('The data shown is made up'),
    chains: z.array(
      z.object({ id: z.int(), slug: z.string(), name: z.string(), explorer: z.string(), enabled: z.boolean() }),
    ),
    coins: z.array(z.object({ id: z.enum(COIN_CHAINS), enabled: z.boolean() })),
    mail: z.boolean().describe('Mail is sent'),
    telegram: z.boolean().describe('Telegram messages are sent'),
    missing: z
      .array(z.object({ what: z.enum(['contracts', 'litecoin']), reason: z.string() }))
      .describe('What the demo cannot show where it runs, and how to get it'),
  })
  .meta({ id: 'About' })

const BARE: Installation = { demo: false, mail: false, telegram: false, missing: [] }

export function aboutRoute({ version, evmChains, enabledChains, installation = BARE }: AboutDeps) {
  const { demo, mail, telegram, missing } = installation
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/public/about',
      {
        schema: {
          tags: ['Web app'],
          summary: 'What this installation is',
          querystring: z.strictObject({}),
          response: routeAnswers(about, refusal),
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'no-store')
        return {
          version,
          demo,
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
