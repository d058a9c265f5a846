/** Exports of `/v1`: the feed, the deliveries of an account and the label history of a contract, whole, as CSV or NDJSON. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { createExports, type ExportRow, exportFormat, exportResponse } from '../../lib/http/export.ts'
import type { Queryable } from '../../platform/database.ts'
import { getDeliveries } from '../alerts/delivery-records.ts'
import { type FeedFilter, type FeedPosition, getEvents } from '../feed/feed.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { eventView } from '../registry/control-event.ts'
import { getLabelChanges, labelChangeView } from '../views/control-view.ts'
import { deliveryView } from './me-schemas.ts'
import { address, chain, feedFilter, feedFilters, responses, tags } from './params.ts'

/** Rows of one query. The next one runs when the client has taken them. */
const PAGE = 500

const EVENT_COLUMNS = [
  'id',
  'chainId',
  'chainSlug',
  'blockNumber',
  'blockTime',
  'txHash',
  'logIndex',
  'address',
  'eventKey',
  'category',
  'severity',
  'isInit',
  'contract.name',
  'contract.protocol',
  'contract.kind',
  'args',
]
const DELIVERY_COLUMNS = [
  'id',
  'subscriptionId',
  'channel',
  'status',
  'attempts',
  'lastError',
  'createdAt',
  'sentAt',
  'retractedAt',
  ...EVENT_COLUMNS.map((column) => `event.${column}`),
]
const LABEL_COLUMNS = ['at', 'blockNumber', 'from', 'fromTone', 'to', 'toTone', 'cause']

export function v1ExportRoutes(instance: FastifyInstance, { database }: { readonly database: Queryable }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const exports = createExports('too_many_exports')
  const described = (summary: string) => ({
    tags,
    summary,
    response: { ...responses(z.string()), 200: exportResponse },
  })

  app.get(
    '/events/export',
    {
      schema: {
        ...described('All events that match, newest first, as CSV or NDJSON'),
        querystring: feedFilters.extend({ format: exportFormat }),
      },
    },
    ({ query: { format, ...filters }, caller }, reply) =>
      exports.send(reply, caller.accountId, {
        format,
        name: 'events',
        columns: EVENT_COLUMNS,
        pages: eventPages(database, feedFilter(filters)),
      }) as never,
  )
  app.get(
    '/me/notifications/export',
    {
      schema: {
        ...described("All alert deliveries of the key's owner, newest first, as CSV or NDJSON"),
        querystring: z.strictObject({ format: exportFormat }),
      },
    },
    ({ query: { format }, caller }, reply) =>
      exports.send(reply, caller.accountId, {
        format,
        name: 'deliveries',
        columns: DELIVERY_COLUMNS,
        pages: pagesById((before) => getDeliveries(database, caller.accountId, { before, limit: PAGE }), deliveryView),
      }) as never,
  )
  app.get(
    '/contracts/:chain/:address/labels/export',
    {
      schema: {
        ...described('All label changes of a contract, newest first, as CSV or NDJSON'),
        params: z.object({ chain, address }),
        querystring: z.strictObject({ format: exportFormat }),
      },
    },
    ({ params, query: { format }, caller }, reply) => {
      const ref: ContractRef = { chainId: params.chain.id, address: params.address }
      return exports.send(reply, caller.accountId, {
        format,
        name: `labels-${params.chain.slug}-${params.address}`,
        columns: LABEL_COLUMNS,
        pages: pagesById((before) => getLabelChanges(database, ref, { before, limit: PAGE }), labelChangeView),
      }) as never
    },
  )
}

async function* eventPages(database: Queryable, filter: FeedFilter): AsyncGenerator<readonly ExportRow[]> {
  let after: FeedPosition | undefined
  for (;;) {
    const events = await getEvents(database, filter, { after, limit: PAGE })
    yield events.map(eventView)
    const last = events.at(-1)
    if (last === undefined || events.length < PAGE) return
    after = { blockTime: last.blockTime.getTime(), id: last.id }
  }
}

/** Pages of rows with descending ids. */
async function* pagesById<Row extends { readonly id: number }>(
  read: (before: number | undefined) => Promise<readonly Row[]>,
  viewOf: (row: Row) => ExportRow,
): AsyncGenerator<readonly ExportRow[]> {
  let before: number | undefined
  for (;;) {
    const rows = await read(before)
    yield rows.map(viewOf)
    if (rows.length < PAGE) return
    before = rows.at(-1)?.id
  }
}
