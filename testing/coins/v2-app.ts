/** The v2 API and the public coin routes without authentication and limits, for tests of responses. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { makeKey } from '../../server/src/accounts/api-keys.ts'
import type { UtxoPlan } from '../../server/src/accounts/plans.ts'
import { createBatchService } from '../../server/src/coins/batches/batch-service.ts'
import { publicCoinRoutes } from '../../server/src/coins/http/public-routes.ts'
import { v2Routes } from '../../server/src/coins/http/v2-routes.ts'
import type { ChainId } from '../../server/src/coins/networks/network.ts'
import { createFeeService } from '../../server/src/coins/serve/fee-service.ts'
import type { ServedChain } from '../../server/src/coins/serve/served-chain.ts'
import { createKeptWallets } from '../../server/src/coins/wallets/kept-wallets.ts'
import { createErrorHandler } from '../../server/src/http/error-responses.ts'
import { serializerCompiler } from '../../server/src/http/serialize.ts'
import { monthOf, systemClock } from '../../server/src/lib/clock.ts'
import type { LoopFault } from '../../server/src/lib/supervise.ts'
import type { RateLimiter } from '../../server/src/platform/counters/rate-limiter.ts'
import type { Database } from '../../server/src/platform/database.ts'

export type V2App = { readonly app: FastifyInstance; readonly key: string }

export type V2AppOptions = {
  /** Called on every request, so that a test can change the plan. */
  readonly plan: () => UtxoPlan
  readonly btc?: () => ServedChain | undefined
  readonly ltc?: () => ServedChain | undefined
  /** The fault of the reader of Bitcoin. */
  readonly btcFault?: () => LoopFault | undefined
  readonly accountId?: string
  readonly database?: Database
}

export async function startV2App({
  plan,
  btc,
  ltc,
  btcFault,
  accountId = '1',
  database,
}: V2AppOptions): Promise<V2App> {
  const app = Fastify({ routerOptions: { maxParamLength: 4096 } })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(createErrorHandler({}))
  const take = () => ({
    isAllowed: true as const,
    month: monthOf(Date.now()),
    monthUsed: 1,
    giveBack: () => Promise.resolve(),
    stored: Promise.resolve(),
  })
  const rateLimiter: RateLimiter = {
    take: async () => take(),
    takeAhead: (_subject, _limits, onKnown) => onKnown(take()),
  }
  const shared = {
    clock: systemClock,
    feeService: createFeeService({ clock: systemClock }),
    rateLimiter,
    enabledChains: ['btc', 'ltc'] as const,
    coins: {
      find: (id: string) => (id === 'btc' ? btc : ltc)?.(),
      faultsOf: (chain: ChainId) => {
        const fault = chain === 'btc' ? btcFault?.() : undefined
        return fault === undefined ? [] : [{ ...fault, chain, loop: 'reader' as const }]
      },
    },
  }
  await app.register(publicCoinRoutes(shared), { prefix: '/public/coins' })
  await app.register(
    v2Routes({
      ...shared,
      counters: {
        take: () => Promise.resolve([]),
        giveBack: () => Promise.resolve(true),
        usageOf: () => Promise.resolve(new Map()),
        close: () => Promise.resolve(),
      },
      ...(database !== undefined && {
        database,
        batches: createBatchService({ ...shared, database, onError: (error) => assert.fail(String(error)) }),
        keptWallets: createKeptWallets({ ...shared, database }),
      }),
      directory: {
        findCached: () => undefined,
        find: () =>
          Promise.resolve({ keyId: '1', accountId, api: 'v2', plan: 'free', utxoPlan: plan(), expiresAt: null }),
        close: () => Promise.resolve(),
      },
    }),
    { prefix: '/api/v2' },
  )
  after(() => app.close())
  return { app, key: makeKey('v2').key }
}

type CallerResponse = { readonly outcome: string; readonly error: string; readonly data: Record<string, unknown> }
export type V2Caller = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<CallerResponse>

/** Starts the app and returns a function that calls it with a key. `outcome`: the status, and the code of a refusal. */
export async function startV2Caller(options: Parameters<typeof startV2App>[0]): Promise<V2Caller> {
  const { app, key } = await startV2App(options)
  return async (method, path, body) => {
    const { statusCode, body: text } = await app.inject({
      url: `/api/v2${path}`,
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { code = '', error = '', data = {} } = JSON.parse(text) as Partial<CallerResponse> & { code?: string }
    return { outcome: `${statusCode} ${code}`.trim(), error, data }
  }
}
