/** `/me/subscriptions` routes. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { NEW_CONTRACTS, PLANS_PAGE } from '../../accounts/plans.ts'
import type { Config } from '../../config/config.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { plainText } from '../../lib/http/params.ts'
import type { RateLimiter } from '../../platform/counters/rate-limiter.ts'
import type { Database } from '../../platform/database.ts'
import type { Mailer } from '../../platform/mail.ts'
import { ensureMailChannel } from '../alerts/channels.ts'
import {
  changeSubscription,
  channelFlagsOf,
  countNewContracts,
  deleteSubscription,
  getSubscriptions,
  insertSubscription,
  isWatched,
  MAX_SUBSCRIPTIONS,
  type Target,
} from '../alerts/subscriptions.ts'
import { isWithoutCode } from '../poll/checks.ts'
import { findProtocol } from '../registry/contracts.ts'
import { channelFlags } from '../views/alert-schemas.ts'
import { alertAt, idParam, mySubscription, notFound, nothing, rules, subscriptionView, tags } from './me-schemas.ts'
import { address, chain, severity } from './params.ts'
import { requireProtocol } from './prepared-answer.ts'

/** A new subscription sends every severity to every channel, unless the account chooses otherwise. */
export const SUBSCRIPTION_DEFAULTS = {
  minSeverity: 'info',
  channels: channelFlagsOf(() => true),
  includeControllers: true,
} as const

const someFlags = channelFlags.partial().strict()

const newSubscription = z
  .strictObject({
    chain: chain.optional(),
    address: address.optional(),
    protocol: plainText(128).optional().describe('Label or slug. Covers all its contracts, also those added later'),
    minSeverity: severity.default(SUBSCRIPTION_DEFAULTS.minSeverity),
    channels: someFlags.default({}).describe('Channels that are not named are on'),
    includeControllers: z.boolean().default(SUBSCRIPTION_DEFAULTS.includeControllers),
    powerEffects: rules.powerEffects.default([]),
    categories: rules.categories.default([]),
    eventKeys: rules.eventKeys.default([]),
    queuedChanges: rules.queuedChanges.default(false),
    alertAt: alertAt.default(null),
  })
  .refine(
    (body) => (body.protocol === undefined) === (body.chain !== undefined && body.address !== undefined),
    'must have either chain and address, or protocol',
  )
  .meta({ example: { protocol: 'aave', minSeverity: 'high' } })

const newContracts = z
  .object({ used: z.int(), limit: z.int() })
  .describe('Contracts that your subscriptions added to the watched ones, and how many your plan allows')

const change = z
  .strictObject({
    minSeverity: severity.optional(),
    channels: someFlags.optional(),
    includeControllers: z.boolean().optional(),
    powerEffects: rules.powerEffects.optional(),
    categories: rules.categories.optional(),
    eventKeys: rules.eventKeys.optional(),
    queuedChanges: rules.queuedChanges.optional(),
    alertAt: alertAt.optional(),
    paused: z.boolean().optional().describe('Events during a pause are not delivered later'),
  })
  .meta({ example: { paused: true } })

/** Each new contract is read on its chain. Beyond this, subscriptions are accepted without. */
const CODE_CHECKS = { perWindow: 200, windowMs: 600_000, perMonth: null }

export type SubscriptionRouteDeps = {
  readonly database: Database
  /** The chains that this installation reads. */
  readonly evmChains: Config['evmChains']
  readonly rateLimiter: RateLimiter
  /** Undefined if the service sends no mail. */
  readonly mailer?: Mailer | undefined
}

export function subscriptionRoutes({ database, evmChains, rateLimiter, mailer }: SubscriptionRouteDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.get(
      '/me/subscriptions',
      {
        schema: {
          tags,
          summary: 'Your subscriptions, newest first',
          querystring: nothing,
          response: meResponses(200, z.object({ items: z.array(mySubscription), newContracts })),
        },
      },
      async ({ account }) => ({
        items: (await getSubscriptions(database, account.id)).map(subscriptionView),
        newContracts: { used: await countNewContracts(database, account.id), limit: NEW_CONTRACTS[account.plan] },
      }),
    )

    app.post(
      '/me/subscriptions',
      {
        schema: {
          tags,
          summary: 'Subscribes to a contract or to a protocol',
          querystring: nothing,
          body: newSubscription,
          response: meResponses(201, mySubscription, 404, 409),
        },
      },
      async ({ account, body }, reply) => {
        const channels = { ...SUBSCRIPTION_DEFAULTS.channels, ...definedFlags(body.channels) }
        const maxNewContracts = NEW_CONTRACTS[account.plan]
        const settings = { ...body, channels }
        await refuseWithoutCode(account.id, body)
        const made = await insertSubscription(database, account.id, await targetOf(body), settings, { maxNewContracts })
        if (made === 'full')
          throw conflict(
            'limit_reached',
            `An account can have at most ${MAX_SUBSCRIPTIONS} subscriptions. Delete one first.`,
          )
        if (made === 'new_contracts_full')
          throw new ApiError({
            status: 409,
            code: 'limit_reached',
            message: `Your plan allows ${maxNewContracts} contracts that are not watched yet. Delete a subscription to one of them; it stops counting a week later. See ${PLANS_PAGE}.`,
            details: { limit: maxNewContracts, used: maxNewContracts, upgradeUrl: PLANS_PAGE },
          })
        if (made === undefined) throw conflict('already_subscribed', 'You are already subscribed to this.')
        // An account that unsubscribed from mail gets it again only on explicit request.
        if (body.channels.email === true && mailer !== undefined) await ensureMailChannel(database, account.id)
        reply.status(201)
        return subscriptionView(made)
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
          response: meResponses(200, mySubscription, 404),
        },
      },
      async ({ account, params, body }) => {
        const changed = await changeSubscription(database, account.id, params.id, body)
        if (changed === undefined) throw notFound('subscription')
        return subscriptionView(changed)
      },
    )

    app.delete(
      '/me/subscriptions/:id',
      {
        schema: {
          tags,
          summary: 'Deletes a subscription and cancels its pending deliveries',
          params: idParam,
          querystring: nothing,
          response: meResponses(200, z.object({ deleted: z.literal(true), id: z.int() }), 404),
        },
      },
      async ({ account, params: { id } }) => {
        if (!(await deleteSubscription(database, account.id, id))) throw notFound('subscription')
        return { deleted: true as const, id }
      },
    )
  }

  /** A contract that is not watched yet must exist. */
  async function refuseWithoutCode(accountId: string, { chain, address }: z.infer<typeof newSubscription>) {
    if (chain === undefined || address === undefined || !(chain.slug in evmChains)) return
    const ref = { chainId: chain.id, address }
    if (await isWatched(database, ref)) return
    if (!(await rateLimiter.take(`code checks ${accountId}`, CODE_CHECKS)).isAllowed) return
    if (await isWithoutCode(database, ref))
      throw conflict(
        'no_code',
        `There is no contract at this address on ${chain.name}. Check the chain and the address, or subscribe once it is deployed.`,
      )
  }

  async function targetOf({ chain, address, protocol }: z.infer<typeof newSubscription>): Promise<Target> {
    if (chain !== undefined && address !== undefined) return { chainId: chain.id, address }
    const found = await findProtocol(database, protocol ?? '')
    return { protocolId: requireProtocol(found).id }
  }
}

const definedFlags = (flags: z.infer<typeof someFlags>): Partial<Record<keyof typeof flags, boolean>> =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))

const conflict = (code: 'limit_reached' | 'already_subscribed' | 'no_code', message: string): ApiError =>
  new ApiError({ status: 409, code, message })
