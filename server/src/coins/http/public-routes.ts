/**
 * The routes of the coin pages: the data of `/api/v2` without a key, within the limits of the Basic plan.
 *
 * They change together with the web app. Other clients use `/api/v2`.
 */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { limitVisitors, type ThrottleDeps } from '../../accounts/throttling.ts'
import { flag } from '../../lib/http/params.ts'
import { describeGuard, type Refusal } from '../../lib/http/route-responses.ts'
import { getAddress, getUtxos } from '../serve/address-view.ts'
import { getAnalysis, getHealth } from '../serve/analysis-view.ts'
import { getBlockTxs } from '../serve/block-txs-view.ts'
import { getBlock, getBlocks } from '../serve/block-view.ts'
import { getStatus } from '../serve/chain-view.ts'
import { type FeeService, getFees, getProjectedBlocks } from '../serve/fee-service.ts'
import { getHistory } from '../serve/history-view.ts'
import { getOutspends } from '../serve/outspends.ts'
import { getSimulation } from '../serve/simulation-view.ts'
import { getTransaction } from '../serve/transaction-view.ts'
import { getUtxoGroups } from '../serve/utxo-groups.ts'
import { analysis } from './analysis-schemas.ts'
import { type ChainGuardDeps, createChainGuard } from './chain-guard.ts'
import { address, blockRange, chain, hashOrHeight, historyPage, paymentBody, txid } from './params.ts'
import {
  addressSummary,
  block,
  fees,
  health,
  history,
  projectedBlocks,
  simulation,
  status,
  transaction,
  utxoGroups,
  utxoList,
  v2Error,
} from './schemas.ts'
import { blocks, blockTxs, outspends } from './tx-schemas.ts'
import { responses, success } from './v2-conventions.ts'

export type PublicCoinDeps = ThrottleDeps & ChainGuardDeps & { readonly feeService: FeeService }

const UTXO_LIMIT = UTXO_ALLOWANCES.basic.utxoLimit ?? undefined

const described = <Data extends z.ZodType>(summary: string, data: Data, ...refusals: readonly Refusal[]) => ({
  tags: ['Web app'],
  summary,
  response: responses(data, ...refusals),
})
const noQuery = z.strictObject({})

export function publicCoinRoutes(deps: PublicCoinDeps) {
  const { find, served } = createChainGuard(deps)
  const { feeService } = deps
  const analysisDeps = { feeService, clock: deps.clock }
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.addHook('onRequest', limitVisitors(deps, 'RATE_LIMIT_EXCEEDED'))
    app.addHook(
      'onRoute',
      describeGuard(v2Error, () => [429, 503]),
    )
    const ofChain = { params: z.object({ chain }), querystring: noQuery }
    const ofAddress = { params: z.object({ chain, address }), querystring: noQuery }

    app.get(
      '/:chain/status',
      { schema: { ...described('State of a chain', status), ...ofChain } },
      async ({ params }) => success(getStatus(find(params.chain) ?? params.chain)),
    )
    app.get('/:chain/fees', { schema: { ...described('Fee rates', fees), ...ofChain } }, async ({ params }) =>
      success(await getFees(feeService, served(params.chain))),
    )
    app.get(
      '/:chain/projected-blocks',
      { schema: { ...described('Projected blocks', projectedBlocks), ...ofChain } },
      async ({ params }) => success(await getProjectedBlocks(feeService, served(params.chain))),
    )
    app.get(
      '/:chain/address/:address',
      { schema: { ...described('Balance and totals of an address', addressSummary), ...ofAddress } },
      async ({ params }) => success(getAddress(served(params.chain), params.address)),
    )
    app.get(
      '/:chain/address/:address/utxos',
      { schema: { ...described('Unspent outputs of an address, most valuable first', utxoList), ...ofAddress } },
      async ({ params }) => success(await getUtxos(served(params.chain), params.address, UTXO_LIMIT)),
    )
    app.get(
      '/:chain/address/:address/utxo-groups',
      { schema: { ...described('Unspent outputs of an address by value and age', utxoGroups), ...ofAddress } },
      async ({ params }) => success(await getUtxoGroups(served(params.chain), params.address)),
    )
    app.get(
      '/:chain/address/:address/txs',
      {
        schema: {
          ...described('History of an address, newest first', history),
          ...ofAddress,
          querystring: z.strictObject(historyPage),
        },
      },
      async ({ params, query }) => success(await getHistory(served(params.chain), params.address, query)),
    )
    app.get(
      '/:chain/tx/:txid',
      {
        schema: {
          ...described('A transaction', transaction, 404),
          params: z.object({ chain, txid }),
          querystring: noQuery,
        },
      },
      async ({ params }) => success(await getTransaction(served(params.chain), params.txid)),
    )
    app.get(
      '/:chain/tx/:txid/outspends',
      {
        schema: {
          ...described('Which outputs of a transaction are spent, and by which transaction', outspends, 404),
          params: z.object({ chain, txid }),
          querystring: noQuery,
        },
      },
      async ({ params }) => success(await getOutspends(served(params.chain), params.txid)),
    )
    app.get(
      '/:chain/block/:hashOrHeight',
      {
        schema: {
          ...described('A block', block, 404),
          params: z.object({ chain, hashOrHeight }),
          querystring: z.strictObject({ txids: flag }),
        },
      },
      async ({ params, query }) => success(getBlock(served(params.chain), params.hashOrHeight, query.txids)),
    )
    app.get(
      '/:chain/block/:hashOrHeight/txs',
      {
        schema: {
          ...described('The transactions of a block, 25 at a time', blockTxs, 404),
          params: z.object({ chain, hashOrHeight }),
          querystring: z.strictObject({ page: historyPage.page }),
        },
      },
      async ({ params, query }) => success(await getBlockTxs(served(params.chain), params.hashOrHeight, query.page)),
    )
    app.get(
      '/:chain/blocks',
      {
        schema: {
          ...described('Blocks with their fee rates, newest first', blocks),
          params: z.object({ chain }),
          querystring: z.strictObject(blockRange),
        },
      },
      async ({ params, query }) => success(getBlocks(served(params.chain), query)),
    )
    app.get(
      '/:chain/health/:address',
      { schema: { ...described('Health of the unspent outputs of an address', health), ...ofAddress } },
      async ({ params }) => success(await getHealth(analysisDeps, served(params.chain), params.address)),
    )
    app.get(
      '/:chain/analyze/:address',
      { schema: { ...described('Privacy, dust and consolidation of an address', analysis), ...ofAddress } },
      async ({ params }) => success(await getAnalysis(analysisDeps, served(params.chain), params.address, UTXO_LIMIT)),
    )
    app.post(
      '/:chain/simulate',
      {
        schema: {
          ...described('Simulate a payment', simulation),
          ...ofChain,
          body: paymentBody,
        },
      },
      async ({ params, body }) => success(await getSimulation(feeService, served(params.chain), body)),
    )
  }
}
