/**
 * Interface v2, behind a key. Everything the caller can get wrong is refused here; chains that are switched off, or
 * have no index yet, say so.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { type ApiKeyDeps, findCaller, requireApiKey } from '../../accounts/require-api-key.ts'
import { COIN_CHAINS, type CoinChain } from '../../config/config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { monthOf } from '../../lib/clock.ts'
import { flag, wholeNumber } from '../../lib/params.ts'
import { createPathMethods } from '../../lib/path-methods.ts'
import { routeAnswers } from '../../lib/route-answers.ts'
import type { CounterStore } from '../../platform/counters/counters.ts'
import type { BatchService } from '../batches/batch-service.ts'
import { getAddress, getUtxos } from '../serve/address-view.ts'
import { getBlock } from '../serve/block-view.ts'
import { getStatus } from '../serve/chain-view.ts'
import type { FeeService } from '../serve/fee-service.ts'
import { getHistory } from '../serve/history-view.ts'
import type { ServedChains } from '../serve/served-chain.ts'
import { getTransaction } from '../serve/transaction-view.ts'
import { batchRoutes } from './batch-routes.ts'
import { createChainGuard } from './chain-guard.ts'
import { address, chain, hashOrHeight, txid } from './params.ts'
import {
  addressSummary,
  answer,
  block,
  chains,
  history,
  refusal,
  status,
  transaction,
  usage,
  utxoList,
} from './schemas.ts'
import { spendRoutes } from './spend-routes.ts'
import { V2 } from './v2-conventions.ts'

export type V2Deps = ApiKeyDeps & {
  readonly counters: CounterStore
  readonly enabledChains: readonly CoinChain[]
  /** The chains this process has an index of; none while it runs without. */
  readonly coins?: ServedChains
  readonly feeService: FeeService
  /** Undefined where no database stores batches. */
  readonly batches?: BatchService | undefined
  /** Callbacks may go into this network: for tests and closed installations. */
  readonly allowPrivateTargets?: boolean
}

const NAMES: Readonly<Record<CoinChain, { readonly name: string; readonly symbol: string }>> = {
  btc: { name: 'Bitcoin', symbol: 'BTC' },
  ltc: { name: 'Litecoin', symbol: 'LTC' },
}
/** How an unlimited figure is written where the field is an integer. */
const UNLIMITED = -1

const tags = ['Coin data']
const security = [{ apiKey: [] }]

const answers = <Success extends z.ZodType>(success: Success) => routeAnswers(success, refusal)

export function v2Routes(deps: V2Deps) {
  const { directory, counters, clock, enabledChains, coins, feeService, batches, allowPrivateTargets = false } = deps
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const paths = createPathMethods()
    app.addHook('onRoute', ({ url, method }) => paths.add(url, [method].flat()))
    const passGate = requireApiKey(deps, V2)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (request.is404) await refuseMethod(request, reply)
      await passGate(request, reply)
    })

    const refuseMethod = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const allowed = paths.of(request.url.split('?')[0] ?? '')
      if (allowed.length === 0 || allowed.includes(request.method)) return
      await announceUncounted(request.headers['x-api-key'], reply)
      throw new ApiError({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        message: `Use ${allowed.join(' or ')}.`,
        headers: { allow: allowed.join(', ') },
      })
    }
    app.setNotFoundHandler(() => {
      throw new ApiError({
        status: 404,
        code: 'NOT_FOUND',
        message: 'There is no such endpoint under /api/v2; see /docs.',
      })
    })

    /** The four headers are on every answer to a valid key, and a wrong method is answered before any counting. */
    const announceUncounted = async (key: unknown, reply: FastifyReply): Promise<void> => {
      const holder = typeof key === 'string' ? await findCaller(directory, 'v2', key) : undefined
      if (holder === undefined) return
      const month = monthOf(clock.now())
      const used = (await counters.usageOf([holder.keyId], month)).get(holder.keyId)?.monthUsed ?? 0
      V2.reportUsage(reply, holder, { limits: V2.limitsOf(holder), used, monthEndsAt: new Date(month.end) })
    }

    const { find: findServed, served } = createChainGuard({ enabledChains, ...(coins !== undefined && { coins }) })
    const success = <Data>(data: Data) => ({ success: true as const, data })
    const ofChain = z.strictObject({ chain })

    app.get(
      '/status',
      {
        schema: {
          tags,
          security,
          summary: 'State of a chain',
          querystring: ofChain,
          response: answers(answer(status)),
        },
      },
      async ({ query }) => success(getStatus(findServed(query.chain) ?? query.chain)),
    )

    app.get(
      '/chains',
      {
        schema: {
          tags,
          security,
          summary: 'Chains of this service',
          querystring: z.strictObject({}),
          response: answers(answer(chains)),
        },
      },
      async () => ({
        success: true as const,
        data: { chains: COIN_CHAINS.map((id) => ({ id, ...NAMES[id], enabled: enabledChains.includes(id) })) },
      }),
    )

    app.get(
      '/address/:address',
      {
        schema: {
          tags,
          security,
          summary: 'Balance and totals of an address',
          params: z.object({ address }),
          querystring: z.strictObject({ chain, sync: flag }),
          response: answers(answer(addressSummary)),
        },
        config: { usesProFeature: ({ query }) => (query as { sync?: unknown }).sync === 'true' },
      },
      async ({ params, query }) => success(getAddress(served(query.chain), params.address)),
    )
    app.get(
      '/address/:address/utxos',
      {
        schema: {
          tags,
          security,
          summary: 'Coins of an address',
          params: z.object({ address }),
          querystring: z.strictObject({ chain, limit: wholeNumber(1, 1_000_000).optional() }),
          response: answers(answer(utxoList)),
        },
      },
      async ({ params, query, caller }) => {
        const { utxoLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
        const limit = Math.min(utxoLimit ?? Number.MAX_SAFE_INTEGER, query.limit ?? Number.MAX_SAFE_INTEGER)
        const most = limit === Number.MAX_SAFE_INTEGER ? undefined : limit
        return success(await getUtxos(served(query.chain), params.address, most))
      },
    )
    app.get(
      '/address/:address/txs',
      {
        schema: {
          tags,
          security,
          summary: 'History of an address, newest first',
          params: z.object({ address }),
          querystring: z.strictObject({
            chain,
            page: wholeNumber(1, 1_000_000_000).default(1),
            pageSize: wholeNumber(1, 100).default(25),
            cursor: z.string().max(512).optional(),
          }),
          response: answers(answer(history)),
        },
      },
      async ({ params, query }) => success(await getHistory(served(query.chain), params.address, query)),
    )
    app.get(
      '/tx/:txid',
      {
        schema: {
          tags,
          security,
          summary: 'A transaction',
          params: z.object({ txid }),
          querystring: ofChain,
          response: answers(answer(transaction)),
        },
      },
      async ({ params, query }) => success(await getTransaction(served(query.chain), params.txid)),
    )
    app.get(
      '/block/:hashOrHeight',
      {
        schema: {
          tags,
          security,
          summary: 'A block',
          params: z.object({ hashOrHeight }),
          querystring: z.strictObject({ chain, txids: flag }),
          response: answers(answer(block)),
        },
      },
      async ({ params, query }) => success(getBlock(served(query.chain), params.hashOrHeight, query.txids)),
    )
    spendRoutes(instance, { feeService, clock, served })
    batchRoutes(instance, { batches, allowPrivateTargets, served })

    app.get(
      '/usage',
      {
        schema: {
          tags,
          security,
          summary: 'Usage of this key',
          querystring: z.strictObject({}),
          response: answers(answer(usage)),
        },
      },
      async ({ caller }) => {
        const month = monthOf(clock.now())
        const { perMonth, utxoLimit, batchLimit, syncCalculation } = UTXO_ALLOWANCES[caller.utxoPlan]
        const apiCalls = (await counters.usageOf([caller.keyId], month)).get(caller.keyId)?.monthUsed ?? 0
        return {
          success: true as const,
          data: {
            plan: caller.utxoPlan,
            period: { start: new Date(month.start).toISOString(), end: new Date(month.end).toISOString() },
            usage: {
              apiCalls,
              limit: perMonth ?? UNLIMITED,
              remaining: perMonth === null ? UNLIMITED : perMonth - apiCalls,
              percentUsed: perMonth === null ? 0 : Math.round((apiCalls / perMonth) * 10_000) / 100,
            },
            limits: { utxoLimit: utxoLimit ?? UNLIMITED, batchLimit, syncCalculation },
          },
        }
      },
    )
  }
}
