/** The endpoints of `/api/v2` about wallets: descriptors and extended keys that are sent with the request and not stored. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { AnalysisDeps } from '../serve/analysis-view.ts'
import { createWallets } from '../serve/wallet-scan.ts'
import { getWalletAnalysis, getWalletHealth, getWalletSimulation } from '../serve/wallet-spending.ts'
import { getWallet, getWalletBalanceHistory, getWalletHistory, getWalletUtxos } from '../serve/wallet-view.ts'
import { walletAnalysis } from './analysis-schemas.ts'
import type { ChainGuard } from './chain-guard.ts'
import { walletBalanceBody, walletBody, walletHistoryBody, walletPaymentBody, walletUtxosBody } from './params.ts'
import { simulation, walletBalanceHistory, walletHealth, walletHistory, walletSummary, walletUtxos } from './schemas.ts'
import { described, success } from './v2-conventions.ts'

/** A wallet costs as much as a batch of addresses, so it needs the same plans. */
const config = { usesProFeature: () => true }
const querystring = z.strictObject({})

export type WalletRouteDeps = AnalysisDeps & Pick<ChainGuard, 'served'>

export function walletRoutes(instance: FastifyInstance, { served, feeService, clock }: WalletRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const wallets = createWallets()
  const deps = { feeService, clock }

  app.post(
    '/wallets',
    {
      schema: { ...described('Balance and totals of a wallet', walletSummary), body: walletBody, querystring },
      config,
    },
    async ({ body: { chain, ...request }, caller: { accountId } }) =>
      success(await getWallet(wallets, served(chain), { ...request, accountId })),
  )
  app.post(
    '/wallets/utxos',
    {
      schema: {
        ...described('Unspent outputs of a wallet with their derivation paths, most valuable first', walletUtxos),
        body: walletUtxosBody,
        querystring,
      },
      config,
    },
    async ({ body: { chain, limit, ...request }, caller: { accountId, utxoPlan } }) => {
      const allowed = UTXO_ALLOWANCES[utxoPlan].utxoLimit ?? Number.POSITIVE_INFINITY
      const most = Math.min(allowed, limit ?? Number.POSITIVE_INFINITY)
      return success(await getWalletUtxos(wallets, served(chain), { ...request, accountId }, most))
    },
  )
  app.post(
    '/wallets/txs',
    {
      schema: {
        ...described('History of a wallet, one entry per transaction, newest first', walletHistory),
        body: walletHistoryBody,
        querystring,
      },
      config,
    },
    async ({ body: { chain, page, pageSize, ...request }, caller: { accountId } }) =>
      success(await getWalletHistory(wallets, served(chain), { ...request, accountId }, { page, pageSize })),
  )
  app.post(
    '/wallets/balance-history',
    {
      schema: {
        ...described('Balance of a wallet over time, by block or by day', walletBalanceHistory),
        body: walletBalanceBody,
        querystring,
      },
      config,
    },
    async ({ body: { chain, by, from, limit, ...request }, caller: { accountId } }) =>
      success(await getWalletBalanceHistory(wallets, served(chain), { ...request, accountId }, { by, from, limit })),
  )
  app.post(
    '/wallets/simulate',
    {
      schema: { ...described('Simulate a payment from a wallet', simulation), body: walletPaymentBody, querystring },
      config,
    },
    async ({ body: { chain, ...request }, caller: { accountId } }) =>
      success(await getWalletSimulation(wallets, feeService, served(chain), { ...request, accountId })),
  )
  app.post(
    '/wallets/health',
    {
      schema: {
        ...described('Health of the unspent outputs of a wallet', walletHealth),
        body: walletBody,
        querystring,
      },
      config,
    },
    async ({ body: { chain, ...request }, caller: { accountId } }) =>
      success(await getWalletHealth(wallets, deps, served(chain), { ...request, accountId })),
  )
  app.post(
    '/wallets/analyze',
    {
      schema: {
        ...described('Privacy, dust and consolidation of a wallet', walletAnalysis),
        body: walletBody,
        querystring,
      },
      config,
    },
    async ({ body: { chain, ...request }, caller: { accountId, utxoPlan } }) => {
      const { utxoLimit } = UTXO_ALLOWANCES[utxoPlan]
      const asked = { ...request, accountId }
      return success(await getWalletAnalysis(wallets, deps, served(chain), asked, utxoLimit ?? undefined))
    },
  )
}
