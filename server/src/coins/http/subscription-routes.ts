/** The endpoints of `/api/v2` for subscriptions to addresses, wallets and transactions, and their events. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { PLANS_PAGE, UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import { wholeNumber } from '../../lib/http/params.ts'
import type { Database } from '../../platform/database.ts'
import { indexTip } from '../index/follow.ts'
import { readAddress } from '../serve/address-view.ts'
import { invalid } from '../serve/payment-terms.ts'
import { getCoinEvents, type PositionedEvent } from '../subscriptions/event-store.ts'
import {
  type CoinSubscription,
  deleteCoinSubscription,
  findCoinSubscription,
  getCoinSubscriptions,
  type NewCoinSubscription,
  saveCoinSubscription,
} from '../subscriptions/subscription-store.ts'
import type { ChainGuard } from './chain-guard.ts'
import type { WalletFinder } from './kept-wallet-routes.ts'
import {
  coinSubscription,
  deletedSubscription,
  eventList,
  subscriptionBody,
  subscriptionId,
  subscriptionList,
} from './subscription-schemas.ts'
import { described, success } from './v2-conventions.ts'

export type SubscriptionRouteDeps = Pick<ChainGuard, 'served'> & {
  /** Undefined if no database stores subscriptions. */
  readonly database: Database | undefined
  readonly findWallet: WalletFinder
}

const notFound = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'SUBSCRIPTION_NOT_FOUND',
    message: 'This account has no such subscription. See GET /subscriptions for those it has.',
  })

function view(subscription: CoinSubscription) {
  const { accountId: _, kind, events, channels, createdAt, ...shown } = subscription
  return {
    ...shown,
    targetKind: kind,
    events: [...events],
    channels: [...channels],
    createdAt: createdAt.toISOString(),
  }
}

export const eventView = ({ isRetraction, event }: PositionedEvent) => {
  const { accountId: _, createdAt, retractedAt, ...shown } = event
  return {
    type: isRetraction ? ('retracted' as const) : ('reported' as const),
    ...shown,
    createdAt: createdAt.toISOString(),
    retractedAt: retractedAt?.toISOString() ?? null,
  }
}

export const eventCursor = (position: number): string => encodeCursor(position)

const NUMBER = /^(\d{1,15})$/

/** Reads a cursor; undefined without one. */
export function positionOf(cursor: string | undefined, parameter: string): number | undefined {
  if (cursor === undefined) return undefined
  const [position] = decodeCursor(cursor, NUMBER) ?? []
  if (position === undefined) throw invalidCursor('INVALID_PARAMETER', parameter)
  return Number(position)
}

const cursor = z.string().max(512).optional()
const none = z.strictObject({})
const params = z.object({ id: subscriptionId })

type Body = z.output<typeof subscriptionBody>
type Target = Pick<NewCoinSubscription, 'chain' | 'kind' | 'target'>

export function subscriptionRoutes(instance: FastifyInstance, deps: SubscriptionRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const { served, findWallet } = deps
  const store = (): Database => {
    if (deps.database !== undefined) return deps.database
    throw new ApiError({
      status: 503,
      code: 'UNAVAILABLE',
      message: 'Subscriptions cannot be stored at the moment. Try again later.',
    })
  }

  async function targetOf({ chain, address, walletId, txid }: Body, accountId: string): Promise<Target> {
    if ([address, walletId, txid].filter((each) => each !== undefined).length !== 1)
      throw invalid('address: send exactly one of address, walletId and txid.')
    if (address !== undefined) return { chain, kind: 'address', target: readAddress(served(chain), address).text }
    if (txid !== undefined) return { chain, kind: 'transaction', target: txid }
    const wallet = await findWallet(accountId, walletId ?? '')
    return { chain: wallet.chain, kind: 'wallet', target: wallet.id }
  }

  app.get(
    '/subscriptions',
    {
      schema: {
        ...described('Subscriptions to addresses, wallets and transactions', subscriptionList),
        querystring: z.strictObject({ limit: wholeNumber(1, 1_000).default(100), cursor }),
      },
    },
    async ({ query: { limit, cursor: text }, caller: { accountId, utxoPlan } }) => {
      const before = positionOf(text, 'cursor')
      const found = await getCoinSubscriptions(store(), accountId, { before, limit: limit + 1 })
      const page = found.slice(0, limit)
      return success({
        subscriptions: page.map(view),
        subscriptionLimit: UTXO_ALLOWANCES[utxoPlan].subscriptionLimit,
        nextCursor: found.length > limit ? encodeCursor(page.at(-1)?.id ?? 0) : null,
      })
    },
  )
  app.post(
    '/subscriptions',
    {
      schema: {
        ...described(
          'Subscribe to an address, a kept wallet or a transaction. A subscription to the same is changed',
          coinSubscription,
          403,
          404,
        ),
        body: subscriptionBody,
        querystring: none,
      },
    },
    async ({ body, caller: { accountId, utxoPlan } }) => {
      const target = await targetOf(body, accountId)
      const { subscriptionLimit } = UTXO_ALLOWANCES[utxoPlan]
      const { events, confirmations, channels } = body
      const fromHeight = indexTip(served(target.chain).index)?.height ?? 0
      const saved = await saveCoinSubscription(
        store(),
        {
          accountId,
          ...target,
          events: [...new Set(events)],
          confirmations,
          channels: [...new Set(channels)],
          fromHeight,
        },
        subscriptionLimit,
      )
      if (saved !== undefined) return success(view(saved))
      throw new ApiError({
        status: 403,
        code: 'SUBSCRIPTION_LIMIT_REACHED',
        message: `This account has ${subscriptionLimit} subscriptions, the most of its plan. Delete one, or see ${PLANS_PAGE}.`,
        details: { upgradeUrl: PLANS_PAGE },
      })
    },
  )
  app.get(
    '/subscriptions/:id',
    { schema: { ...described('A subscription', coinSubscription, 404), params, querystring: none } },
    async ({ params: { id }, caller: { accountId } }) => {
      const found = await findCoinSubscription(store(), accountId, id)
      if (found === undefined) throw notFound()
      return success(view(found))
    },
  )
  app.delete(
    '/subscriptions/:id',
    { schema: { ...described('Delete a subscription', deletedSubscription, 404), params, querystring: none } },
    async ({ params: { id }, caller: { accountId } }) => {
      if (!(await deleteCoinSubscription(store(), accountId, id))) throw notFound()
      return success({ id })
    },
  )
  app.get(
    '/events',
    {
      schema: {
        ...described('Events of all subscriptions and their retractions, oldest first', eventList),
        querystring: z.strictObject({ after: cursor, limit: wholeNumber(1, 1_000).default(100) }),
      },
    },
    async ({ query: { after: text, limit }, caller: { accountId } }) => {
      const after = positionOf(text, 'after') ?? 0
      const events = await getCoinEvents(store(), accountId, { after, limit })
      return success({ events: events.map(eventView), nextCursor: eventCursor(events.at(-1)?.position ?? after) })
    },
  )
}
