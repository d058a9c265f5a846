/** `/api/v2`, for callers with an API key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES, type UtxoPlan } from '../../accounts/plans.ts'
import { type ApiKeyDeps, findCaller, requireApiKey } from '../../accounts/require-api-key.ts'
import { monthOf } from '../../lib/clock.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { createPathMethods, methodNotAllowed } from '../../lib/http/path-methods.ts'
import type { CounterStore } from '../../platform/counters/counters.ts'
import type { Database } from '../../platform/database.ts'
import { PUBLIC_TARGETS, type TargetRules } from '../../platform/outbound.ts'
import type { BatchService } from '../batches/batch-service.ts'
import type { FeeService } from '../serve/fee-service.ts'
import type { KeptWallets } from '../wallets/kept-wallets.ts'
import { batchRoutes } from './batch-routes.ts'
import { type ChainGuardDeps, createChainGuard } from './chain-guard.ts'
import type { CoinDeliveries } from './coin-deliveries.ts'
import { dataRoutes } from './data-routes.ts'
import { keptWalletRoutes, walletFinder, walletReader } from './kept-wallet-routes.ts'
import { usage } from './schemas.ts'
import { spendRoutes } from './spend-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { type SubscriptionStreamDeps, subscriptionStreamRoute } from './subscription-stream.ts'
import { txRoutes } from './tx-routes.ts'
import { described, describeKeyCheck, success, V2 } from './v2-conventions.ts'
import { walletRoutes } from './wallet-routes.ts'

export type V2Deps = ApiKeyDeps &
  ChainGuardDeps &
  SubscriptionStreamDeps & {
    readonly counters: CounterStore
    readonly feeService: FeeService
    /** Undefined if no database stores batches. */
    readonly batches?: BatchService | undefined
    /** Undefined if no database stores wallets. */
    readonly keptWallets?: KeptWallets | undefined
    /** Undefined if no database stores subscriptions. */
    readonly database?: Database | undefined
    /** Undefined if no database stores deliveries. */
    readonly coinDeliveries?: CoinDeliveries | undefined
    /** The targets of callbacks that are allowed; by default public ones. */
    readonly targets?: TargetRules
  }

/** How the integers of /usage express that there is no limit. */
const UNLIMITED = -1

export function v2Routes(deps: V2Deps) {
  const { directory, counters, clock, enabledChains, feeService, batches, keptWallets, database } = deps
  const { targets = PUBLIC_TARGETS } = deps
  const guard = createChainGuard(deps)
  const paths = createPathMethods()
  const requireKey = requireApiKey(deps, V2)

  const monthUsage = async (keyId: string) => {
    const month = monthOf(clock.now())
    return { month, used: (await counters.usageOf([keyId], month)).get(keyId)?.monthUsed ?? 0 }
  }

  /** Every response to a valid key has the four headers, but wrong methods and free routes are not counted. */
  async function reportUncountedUsage(key: unknown, reply: FastifyReply): Promise<void> {
    const caller = typeof key === 'string' ? await findCaller(directory, 'v2', key) : undefined
    if (caller === undefined) return
    const { month, used } = await monthUsage(caller.keyId)
    V2.reportUsage(reply, caller, { limits: V2.limitsOf(caller), used, month })
  }

  async function rejectWrongMethod(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const allowed = paths.of(request.url.split('?')[0] ?? '')
    if (allowed.length === 0 || allowed.includes(request.method)) return
    await reportUncountedUsage(request.headers['x-api-key'], reply)
    throw methodNotAllowed('METHOD_NOT_ALLOWED', request.method, allowed)
  }

  async function prepareUncounted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.is404) await rejectWrongMethod(request, reply)
    if (request.routeOptions.config.isFree === true) await reportUncountedUsage(request.headers['x-api-key'], reply)
  }

  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRoute', ({ url, method }) => paths.add(url, [method].flat()))
    app.addHook('onRoute', describeKeyCheck)
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-store')
      const isUncounted = request.is404 || request.routeOptions.config.isFree === true
      const proceed = (): void => done()
      if (isUncounted) void prepareUncounted(request, reply).then(proceed, done)
      else done()
    })
    app.addHook('onRequest', requireKey)
    app.setNotFoundHandler(() => {
      throw new ApiError({
        status: 404,
        code: 'NOT_FOUND',
        message: 'There is no endpoint at this path of /api/v2. See /docs for the endpoints.',
      })
    })

    dataRoutes(instance, { guard, enabledChains })
    txRoutes(instance, { feeService, served: guard.served })
    spendRoutes(instance, { feeService, clock, served: guard.served })
    const reader = walletReader({ keptWallets, served: guard.served })
    walletRoutes(instance, { feeService, clock, reader })
    keptWalletRoutes(instance, { keptWallets, served: guard.served })
    subscriptionStreamRoute(instance, deps)
    const findWallet = walletFinder({ keptWallets })
    subscriptionRoutes(instance, { database, served: guard.served, findWallet, deliveries: deps.coinDeliveries })
    batchRoutes(instance, { batches, targets, served: guard.served })
    app.get(
      '/usage',
      {
        schema: {
          ...described('Usage of this key. Does not count against the quota', usage),
          querystring: z.strictObject({}),
        },
        config: { isFree: true },
      },
      async ({ caller }) => success(usageView(caller.utxoPlan, await monthUsage(caller.keyId))),
    )
  }
}

type MonthUsage = { readonly month: ReturnType<typeof monthOf>; readonly used: number }

function usageView(plan: UtxoPlan, { month, used }: MonthUsage) {
  const { perMonth, utxoLimit, batchLimit, syncCalculation, walletLimit, subscriptionLimit } = UTXO_ALLOWANCES[plan]
  return {
    plan,
    period: { start: new Date(month.start).toISOString(), end: month.endsAt },
    usage: {
      apiCalls: used,
      limit: perMonth ?? UNLIMITED,
      remaining: perMonth === null ? UNLIMITED : Math.max(0, perMonth - used),
      percentUsed: perMonth === null ? 0 : Math.round((used / perMonth) * 10_000) / 100,
    },
    limits: { utxoLimit: utxoLimit ?? UNLIMITED, batchLimit, syncCalculation, walletLimit, subscriptionLimit },
  }
}
