/**
 * `/public` routes of contract control: the views of `/v1` without a key, and views that only the web app needs.
 *
 * They change with the web app. `/v1` is the stable API.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { v1Error } from '../../accounts/http/responses.ts'
import { countRequest, limitVisitors, type ThrottleDeps, VISITS } from '../../accounts/throttling.ts'
import type { Config } from '../../config/config.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { clientAddress, customerNetwork } from '../../lib/http/client-address.ts'
import { plainText } from '../../lib/http/params.ts'
import { describeGuard, type Refusal, routeResponses } from '../../lib/http/route-responses.ts'
import type { Database, ReadDatabase } from '../../platform/database.ts'
import { getEventsOfTransaction, getFeedPage, getProtocolEventsPage } from '../feed/feed.ts'
import type { FeedStream } from '../feed/feed-stream.ts'
import { findCheck, requestCheck } from '../poll/checks.ts'
import { findProtocol } from '../registry/contracts.ts'
import { eventView } from '../registry/control-event.ts'
import type { NameResolver } from '../rpc/ens.ts'
import { findAddressView } from '../views/address-view.ts'
import { findContractView } from '../views/contract-view.ts'
import { check, control, pastControl } from '../views/control-schemas.ts'
import { checkView, findControlView } from '../views/control-view.ts'
import { getOverview, getProtocolList } from '../views/overview.ts'
import { findPastView } from '../views/past-view.ts'
import { findPendingPage } from '../views/pending-view.ts'
import type { ProtocolViews } from '../views/prepared-protocols.ts'
import {
  addressView,
  contractView,
  envelope,
  event,
  listedProtocol,
  overview,
  pendingChange,
  protocolView,
} from '../views/schemas.ts'
import { getNames, search } from '../views/search.ts'
import { knownName, searchResults } from '../views/search-schemas.ts'
import {
  address,
  chain,
  eventsQuery,
  feedPageRequest,
  moment,
  pendingQuery,
  protocolSlug,
  transactionHash,
} from './params.ts'
import { requireProtocol, sendProtocol } from './prepared-answer.ts'
import { publicStreamRoute } from './public-stream.ts'

export type PublicControlDeps = ThrottleDeps & {
  readonly database: ReadDatabase
  readonly protocols: ProtocolViews
  /** For checks, which are read right after they are requested. */
  readonly primary: Database
  /** The chains that this installation reads. */
  readonly evmChains: Config['evmChains']
  /** Without it the search resolves no names. */
  readonly names?: NameResolver | undefined
  /** Without it the stream is unavailable. */
  readonly feed?: FeedStream | undefined
}

const schemaOf = <Success extends z.ZodType>(summary: string, success: Success, ...refusals: readonly Refusal[]) => ({
  tags: ['Web app'],
  summary,
  response: routeResponses(envelope(success), v1Error, refusals),
})
const nothing = z.strictObject({})

/** Each check reads a chain and may analyze code. */
export const CHECKS_PER_WINDOW = 10
const CHECK_WINDOW_MS = 10 * 60_000

/** Limits the checks of one network. */
function limitChecks(deps: ThrottleDeps) {
  return (request: FastifyRequest): Promise<void> =>
    countRequest(
      deps,
      {
        subject: `${VISITS} checks from ${customerNetwork(clientAddress(request))}`,
        perWindow: CHECKS_PER_WINDOW,
        windowMs: CHECK_WINDOW_MS,
        perMonth: null,
      },
      (seconds) => `More than ${CHECKS_PER_WINDOW} checks in ten minutes. Wait ${seconds} seconds.`,
    )
}

/** Wraps one object in the envelope; throws 404 if there is none. */
function single<Data>(data: Data | undefined, code: string, message: string): { data: Data; nextCursor: null } {
  if (data === undefined) throw new ApiError({ status: 404, code, message })
  return { data, nextCursor: null }
}
const NO_TRANSACTION = [
  'transaction_not_found',
  'No control event of this transaction is known on this chain.',
] as const
const NOT_RECORDED = ['not_recorded', 'Nothing was recorded about this contract at that time.'] as const
const NO_CONTRACT = ['contract_not_found', 'No contract with this address is known on this chain.'] as const

export function publicControlRoutes(deps: PublicControlDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.addHook('onRequest', limitVisitors(deps, 'rate_limited'))
    app.addHook(
      'onRoute',
      describeGuard(v1Error, () => [429, 503]),
    )

    const ofContract = { params: z.object({ chain, address }), querystring: nothing }
    app.get(
      '/events',
      {
        schema: { ...schemaOf('Change feed over all chains, newest first', z.array(event)), querystring: eventsQuery },
      },
      async ({ query }) => getFeedPage(deps, feedPageRequest(query)),
    )
    app.get(
      '/overview',
      {
        schema: {
          ...schemaOf('Counts of watched contracts, and of events in the last 24 hours', overview),
          querystring: nothing,
        },
      },
      async () => ({ data: await getOverview(deps), nextCursor: null }),
    )
    app.get(
      '/contracts/:chain/:address',
      { schema: { ...schemaOf('One contract', contractView, 404), ...ofContract } },
      async ({ params: { chain, address } }) =>
        single(await findContractView(deps, { chain, address }), ...NO_CONTRACT),
    )
    app.get(
      '/contracts/:chain/:address/control',
      { schema: { ...schemaOf('Control tree of a contract, and its history', control, 404), ...ofContract } },
      async ({ params: { chain, address } }) =>
        single(await findControlView(deps, { chainId: chain.id, address }), ...NO_CONTRACT),
    )
    app.get(
      '/contracts/:chain/:address/past',
      {
        schema: {
          ...schemaOf('Label, state and control tree of a contract as recorded at a block or a time', pastControl, 404),
          ...ofContract,
          querystring: z.strictObject({ at: moment }),
        },
      },
      async ({ params: { chain, address }, query: { at } }) =>
        single(await findPastView(deps, { chainId: chain.id, address }, at), ...NOT_RECORDED),
    )
    app.post(
      '/checks/:chain/:address',
      {
        schema: { ...schemaOf('Check a contract that is not watched, now', check, 409), ...ofContract },
        onRequest: limitChecks(deps),
      },
      async ({ params: { chain, address } }) => {
        if (!(chain.slug in deps.evmChains))
          throw new ApiError({
            status: 409,
            code: 'chain_not_watched',
            message: `This installation does not read ${chain.name}.`,
          })
        const found = await requestCheck(deps.primary, { chainId: chain.id, address })
        if (found === undefined)
          throw new ApiError({
            status: 503,
            code: 'unavailable',
            message: 'Many checks are waiting. Try again in a minute.',
          })
        return { data: await checkView(deps.primary, { chain, address }, found), nextCursor: null }
      },
    )
    app.get(
      '/checks/:chain/:address',
      { schema: { ...schemaOf('The state of a check, and its result', check, 404), ...ofContract } },
      async ({ params: { chain, address } }) => {
        const found = await findCheck(deps.primary, { chainId: chain.id, address })
        return single(
          found && (await checkView(deps.primary, { chain, address }, found)),
          'check_not_found',
          'This address was not checked in the last day.',
        )
      },
    )
    app.get(
      '/addresses/:chain/:address',
      { schema: { ...schemaOf('What an address can do', addressView), ...ofContract } },
      async ({ params: { chain, address } }) => ({
        data: await findAddressView(deps, { chain, address }),
        nextCursor: null,
      }),
    )
    app.get(
      '/transactions/:chain/:hash',
      {
        schema: {
          ...schemaOf('The control events of a transaction, in the order of its logs', z.array(event), 404),
          params: z.object({ chain, hash: transactionHash }),
          querystring: nothing,
        },
      },
      async ({ params: { chain, hash } }) => {
        const found = await getEventsOfTransaction(deps.database, hash)
        if (found === undefined)
          throw new ApiError({
            status: 503,
            code: 'unavailable',
            message: 'The search for this transaction took too long.',
          })
        const events = found.filter(({ chainId }) => chainId === chain.id).map(eventView)
        return single(events.length > 0 ? events : undefined, ...NO_TRANSACTION)
      },
    )
    app.get(
      '/names',
      {
        schema: {
          ...schemaOf('Registered contract names', z.array(knownName)),
          querystring: nothing,
        },
      },
      async () => ({ data: await getNames(deps), nextCursor: null }),
    )
    app.get(
      '/pending',
      {
        schema: {
          ...schemaOf('Queued changes, earliest execution first', z.array(pendingChange), 404),
          querystring: pendingQuery,
        },
      },
      async ({ query }) => requireProtocol(await findPendingPage(deps, query)),
    )
    app.get(
      '/protocols',
      { schema: { ...schemaOf('All protocols', z.array(listedProtocol)), querystring: nothing } },
      async () => ({ data: await getProtocolList(deps), nextCursor: null }),
    )
    app.get(
      '/protocols/:slug',
      {
        schema: {
          ...schemaOf('A protocol across chains', protocolView, 404),
          params: z.object({ slug: protocolSlug }),
          querystring: nothing,
        },
      },
      async ({ params: { slug } }, reply) => sendProtocol(reply, await deps.protocols.find(slug)),
    )
    app.get(
      '/protocols/:slug/events',
      {
        schema: {
          ...schemaOf('Events of a protocol, newest first, setup events included', z.array(event), 404),
          params: z.object({ slug: protocolSlug }),
          querystring: eventsQuery.pick({ limit: true, cursor: true }),
        },
      },
      async ({ params: { slug }, query: { limit, cursor } }) => {
        const protocol = requireProtocol(await findProtocol(deps.database, slug))
        return await getProtocolEventsPage(deps, { protocolId: protocol.id, limit, cursor })
      },
    )
    app.get(
      '/search',
      {
        schema: {
          ...schemaOf('Contracts, protocols, accounts, names, kinds of events and transactions', searchResults),
          querystring: z.strictObject({ q: plainText(256).meta({ example: 'aave' }) }),
        },
      },
      async ({ query }) => ({ data: await search(deps, query.q), nextCursor: null }),
    )
    publicStreamRoute(instance, deps)
  }
}
