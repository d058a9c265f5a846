/** `/v1/me`: what the key's owner subscribed to and what was delivered. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { wholeNumber } from '../../lib/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { getDeliveries } from '../alerts/delivery-records.ts'
import { getContractSubscriptions } from '../alerts/subscriptions.ts'
import { cursor } from './inputs.ts'
import { shownDelivery } from './me-resources.ts'
import { ENDLESS, readPaged } from './page-cursor.ts'
import { delivery, envelope, subscription } from './resources.ts'
import { answers, security, tags } from './v1-interface.ts'

/** The events feed serves what lies further back. */
const MOST_DELIVERIES = 500

export function v1MeRoutes({ database }: { readonly database: Queryable }) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const page = (most: number, usual: number) => z.strictObject({ limit: wholeNumber(1, most).default(usual), cursor })
    app.get(
      '/subscriptions',
      {
        schema: {
          tags,
          security,
          summary: "The key owner's subscriptions",
          querystring: page(500, 500),
          response: answers(envelope(z.array(subscription))),
        },
      },
      async ({ query, caller }) => {
        const { rows, nextCursor } = await readPaged(
          (wanted) => getContractSubscriptions(database, caller.accountId, wanted),
          { ...query, most: ENDLESS },
        )
        return { data: rows.map(shown), nextCursor }
      },
    )
    app.get(
      '/notifications',
      {
        schema: {
          tags,
          security,
          summary: "The key owner's alert deliveries, newest first",
          querystring: page(MOST_DELIVERIES, 100),
          response: answers(envelope(z.array(delivery))),
        },
      },
      async ({ query, caller }) => {
        const { rows, nextCursor } = await readPaged((wanted) => getDeliveries(database, caller.accountId, wanted), {
          ...query,
          most: MOST_DELIVERIES,
        })
        return { data: rows.map(shownDelivery), nextCursor }
      },
    )
  }
}

type ContractSubscription = Awaited<ReturnType<typeof getContractSubscriptions>>[number]

const shown = (row: ContractSubscription) => ({
  id: row.id,
  chainId: row.chainId ?? 0,
  chainSlug: row.chainSlug ?? '',
  address: row.address ?? '',
  source: row.source,
  minSeverity: row.minSeverity,
  channels: row.channels,
  createdAt: row.createdAt.toISOString(),
  pausedAt: row.pausedAt?.toISOString() ?? null,
  contract: row.contract ?? { name: null, protocol: null, kind: null },
})
