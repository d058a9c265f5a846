/** `/me/subscriptions`: which contracts and protocols an account hears of, and how. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Hex } from '../../lib/hex.ts'
import { plainText } from '../../lib/params.ts'
import type { Database } from '../../platform/database.ts'
import { ensureMailChannel } from '../alerts/channels.ts'
import {
  changeSubscription,
  deleteSubscription,
  findProtocolId,
  getSubscriptions,
  insertSubscription,
  MOST_SUBSCRIPTIONS,
  type Target,
} from '../alerts/subscriptions.ts'
import { address, chain, severity } from './inputs.ts'
import { channelFlags, idParam, mySubscription, nothing, notThere, shownSubscription, tags } from './me-resources.ts'

/** Everything, everywhere the account is reached: what is left out must not be missed. */
export const USUAL_WISHES = {
  minSeverity: 'info',
  channels: { telegram: true, email: true, webhook: true },
  includeControllers: true,
} as const

const someFlags = channelFlags.partial().strict()

const newSubscription = z
  .strictObject({
    chain: chain.optional(),
    address: address.optional(),
    protocol: plainText(128).optional().describe('Label or slug: every contract of it, now and later'),
    minSeverity: severity.default(USUAL_WISHES.minSeverity),
    channels: someFlags.default({}).describe('Those left out are on'),
    includeControllers: z.boolean().default(USUAL_WISHES.includeControllers),
  })
  .refine(
    (body) => (body.protocol === undefined) === (body.chain !== undefined && body.address !== undefined),
    'must name chain and address of a contract, or a protocol',
  )

const change = z.strictObject({
  minSeverity: severity.optional(),
  channels: someFlags.optional(),
  includeControllers: z.boolean().optional(),
  paused: z.boolean().optional().describe('What happens during a pause is never delivered later'),
})

export function subscriptionRoutes({ database }: { readonly database: Database }) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.get(
      '/me/subscriptions',
      {
        schema: {
          tags,
          summary: 'Your subscriptions, newest first',
          querystring: nothing,
          response: meResponses(200, z.object({ items: z.array(mySubscription) })),
        },
      },
      async ({ account }) => ({ items: (await getSubscriptions(database, account.id)).map(shownSubscription) }),
    )

    app.post(
      '/me/subscriptions',
      {
        schema: {
          tags,
          summary: 'Subscribes to a contract or to a whole protocol',
          querystring: nothing,
          body: newSubscription,
          response: meResponses(201, mySubscription),
        },
      },
      async ({ account, body }, reply) => {
        const channels = { ...USUAL_WISHES.channels, ...given(body.channels) }
        const made = await insertSubscription(database, account.id, await targetOf(body), { ...body, channels })
        if (made === 'full')
          throw conflict('limit_reached', `An account has at most ${MOST_SUBSCRIPTIONS} subscriptions.`)
        if (made === undefined) throw conflict('already_subscribed', 'You are subscribed to this already.')
        // Whoever left by the link in a mail comes back only by asking for mails.
        if (body.channels.email === true) await ensureMailChannel(database, account.id)
        reply.status(201)
        return shownSubscription(made)
      },
    )

    app.patch(
      '/me/subscriptions/:id',
      {
        schema: {
          tags,
          summary: 'Changes, pauses or resumes a subscription',
          params: idParam,
          querystring: nothing,
          body: change,
          response: meResponses(200, mySubscription),
        },
      },
      async ({ account, params, body }) => {
        const changed = await changeSubscription(database, account.id, params.id, body)
        if (changed === undefined) throw notThere('subscription')
        return shownSubscription(changed)
      },
    )

    app.delete(
      '/me/subscriptions/:id',
      {
        schema: {
          tags,
          summary: 'Ends a subscription; what it had not delivered yet is cancelled',
          params: idParam,
          querystring: nothing,
          response: meResponses(200, z.object({ deleted: z.literal(true), id: z.int() })),
        },
      },
      async ({ account, params: { id } }) => {
        if (!(await deleteSubscription(database, account.id, id))) throw notThere('subscription')
        return { deleted: true as const, id }
      },
    )
  }

  async function targetOf({ chain, address, protocol }: z.infer<typeof newSubscription>): Promise<Target> {
    if (chain !== undefined && address !== undefined) return { chainId: chain.id, address: address as Hex }
    const protocolId = await findProtocolId(database, protocol ?? '')
    if (protocolId === undefined)
      throw new ApiError({ status: 404, code: 'protocol_not_found', message: 'No protocol has this label or slug.' })
    return { protocolId }
  }
}

const given = (flags: z.infer<typeof someFlags>): Partial<Record<keyof typeof flags, boolean>> =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))

const conflict = (code: 'limit_reached' | 'already_subscribed', message: string): ApiError =>
  new ApiError({ status: 409, code, message })
