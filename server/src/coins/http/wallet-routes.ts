/** The endpoints of `/api/v2` about wallets: descriptors and extended keys that a request sends, or kept wallets. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { AnalysisDeps } from '../serve/analysis-view.ts'
import { createWallets } from '../serve/wallet-scan.ts'
import { getWalletAnalysis, getWalletHealth, getWalletSimulation } from '../serve/wallet-spending.ts'
import { getWallet, getWalletBalanceHistory, getWalletHistory, getWalletUtxos } from '../serve/wallet-view.ts'
import { walletAnalysis } from './analysis-schemas.ts'
import type { WalletReader } from './kept-wallet-routes.ts'
import { walletBalanceBody, walletBody, walletHistoryBody, walletPaymentBody, walletUtxosBody } from './params.ts'
import { simulation, walletBalanceHistory, walletHealth, walletHistory, walletSummary, walletUtxos } from './schemas.ts'
import { described, success } from './v2-conventions.ts'

/** A wallet costs as much as a batch of addresses, so it needs the same plans. */
const config = { usesProFeature: () => true }
const querystring = z.strictObject({})

export type WalletRouteDeps = AnalysisDeps & { readonly reader: WalletReader }

export function walletRoutes(instance: FastifyInstance, { reader, feeService, clock }: WalletRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const wallets = createWallets()
  const deps = { feeService, clock }

  app.post(
    '/wallets',
    {
      schema: { ...described('Balance and totals of a wallet', walletSummary, 404), body: walletBody, querystring },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet } = await reader(body, caller)
      return success(await getWallet(wallets, chain, wallet))
    },
  )
  app.post(
    '/wallets/utxos',
    {
      schema: {
        ...described('Unspent outputs of a wallet with their derivation paths, most valuable first', walletUtxos, 404),
        body: walletUtxosBody,
        querystring,
      },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet, labels } = await reader(body, caller)
      const allowed = UTXO_ALLOWANCES[caller.utxoPlan].utxoLimit ?? Number.POSITIVE_INFINITY
      const most = Math.min(allowed, body.limit ?? Number.POSITIVE_INFINITY)
      const { utxos, ...rest } = await getWalletUtxos(wallets, chain, wallet, most)
      return success({
        ...rest,
        utxos: labels === undefined ? utxos : utxos.map((coin) => ({ ...coin, label: labels.ofCoin(coin) })),
      })
    },
  )
  app.post(
    '/wallets/txs',
    {
      schema: {
        ...described('History of a wallet, one entry per transaction, newest first', walletHistory, 404),
        body: walletHistoryBody,
        querystring,
      },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet, labels } = await reader(body, caller)
      const { page, pageSize } = body
      const { txs, ...rest } = await getWalletHistory(wallets, chain, wallet, { page, pageSize })
      return success({
        ...rest,
        txs: labels === undefined ? txs : txs.map((tx) => ({ ...tx, label: labels.ofTx(tx.txid) })),
      })
    },
  )
  app.post(
    '/wallets/balance-history',
    {
      schema: {
        ...described('Balance of a wallet over time, by block or by day', walletBalanceHistory, 404),
        body: walletBalanceBody,
        querystring,
      },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet } = await reader(body, caller)
      const { by, from, limit } = body
      return success(await getWalletBalanceHistory(wallets, chain, wallet, { by, from, limit }))
    },
  )
  app.post(
    '/wallets/simulate',
    {
      schema: {
        ...described('Simulate a payment from a wallet', simulation, 404),
        body: walletPaymentBody,
        querystring,
      },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet, labels } = await reader(body, caller)
      const frozen = labels?.frozen.filter((outpoint) => !body.mustUse.includes(outpoint)) ?? []
      const request = { ...body, ...wallet, mustNotUse: [...body.mustNotUse, ...frozen] }
      return success(await getWalletSimulation(wallets, feeService, chain, request))
    },
  )
  app.post(
    '/wallets/health',
    {
      schema: {
        ...described('Health of the unspent outputs of a wallet', walletHealth, 404),
        body: walletBody,
        querystring,
      },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet } = await reader(body, caller)
      return success(await getWalletHealth(wallets, deps, chain, wallet))
    },
  )
  app.post(
    '/wallets/analyze',
    {
      schema: {
        ...described('Privacy, dust and consolidation of a wallet', walletAnalysis, 404),
        body: walletBody,
        querystring,
      },
      config,
    },
    async ({ body, caller }) => {
      const { chain, wallet } = await reader(body, caller)
      const { utxoLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
      return success(await getWalletAnalysis(wallets, deps, chain, wallet, utxoLimit ?? undefined))
    },
  )
}
