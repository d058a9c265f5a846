/**
 * What the coin pages read: the answers of interface v2 without a key, as much as its smallest plan gives.
 *
 * Written for the web app and changed with it; the contract with everyone else is `/api/v2`.
 */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { limitVisitors, type ThrottleDeps } from '../../accounts/throttling.ts'
import { flag, wholeNumber } from '../../lib/params.ts'
import { routeAnswers } from '../../lib/route-answers.ts'
import { getAddress, getUtxos } from '../serve/address-view.ts'
import { getAnalysis, getHealth } from '../serve/analysis-view.ts'
import { getBlock } from '../serve/block-view.ts'
import { getStatus } from '../serve/chain-view.ts'
import { type FeeService, getFees } from '../serve/fee-service.ts'
import { getHistory } from '../serve/history-view.ts'
import { getProjectedBlocks } from '../serve/projected-blocks-view.ts'
import { getSimulation } from '../serve/simulation-view.ts'
import { getTransaction } from '../serve/transaction-view.ts'
import { analysis } from './analysis-schemas.ts'
import { type ChainGuardDeps, createChainGuard } from './chain-guard.ts'
import { address, chain, hashOrHeight, simulateBody, txid } from './params.ts'
import {
  addressSummary,
  answer,
  block,
  fees,
  health,
  history,
  refusal,
  status,
  transaction,
  utxoList,
} from './schemas.ts'
import { projectedBlocks, simulation } from './spend-schemas.ts'

export type PublicCoinDeps = ThrottleDeps & ChainGuardDeps & { readonly feeService: FeeService }

const { utxoLimit: MOST_COINS } = UTXO_ALLOWANCES.basic

const described = <Success extends z.ZodType>(summary: string, success: Success) => ({
  tags: ['Web app'],
  summary,
  response: routeAnswers(answer(success), refusal),
})
const success = <Data>(data: Data) => ({ success: true as const, data })
const nothing = z.strictObject({})

export function publicCoinRoutes(deps: PublicCoinDeps) {
  const { find, served } = createChainGuard(deps)
  const { feeService } = deps
  const judging = { feeService, clock: deps.clock }
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.addHook('onRequest', limitVisitors(deps, 'RATE_LIMIT_EXCEEDED'))
    const ofChain = { params: z.object({ chain }), querystring: nothing }
    const ofAddress = { params: z.object({ chain, address }), querystring: nothing }

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
      { schema: { ...described('The blocks to come', projectedBlocks), ...ofChain } },
      async ({ params }) => success(await getProjectedBlocks(feeService, served(params.chain))),
    )
    app.get(
      '/:chain/address/:address',
      { schema: { ...described('Balance and totals of an address', addressSummary), ...ofAddress } },
      async ({ params }) => success(getAddress(served(params.chain), params.address)),
    )
    app.get(
      '/:chain/address/:address/utxos',
      { schema: { ...described('Coins of an address', utxoList), ...ofAddress } },
      async ({ params }) => success(await getUtxos(served(params.chain), params.address, MOST_COINS ?? undefined)),
    )
    app.get(
      '/:chain/address/:address/txs',
      {
        schema: {
          ...described('History of an address, newest first', history),
          ...ofAddress,
          querystring: z.strictObject({
            page: wholeNumber(1, 1_000_000_000).default(1),
            pageSize: wholeNumber(1, 100).default(25),
            cursor: z.string().max(512).optional(),
          }),
        },
      },
      async ({ params, query }) => success(await getHistory(served(params.chain), params.address, query)),
    )
    app.get(
      '/:chain/tx/:txid',
      {
        schema: { ...described('A transaction', transaction), params: z.object({ chain, txid }), querystring: nothing },
      },
      async ({ params }) => success(await getTransaction(served(params.chain), params.txid)),
    )
    app.get(
      '/:chain/block/:hashOrHeight',
      {
        schema: {
          ...described('A block', block),
          params: z.object({ chain, hashOrHeight }),
          querystring: z.strictObject({ txids: flag }),
        },
      },
      async ({ params, query }) => success(getBlock(served(params.chain), params.hashOrHeight, query.txids)),
    )
    app.get(
      '/:chain/health/:address',
      { schema: { ...described('Health of the coins of an address', health), ...ofAddress } },
      async ({ params }) => success(await getHealth(judging, served(params.chain), params.address)),
    )
    app.get(
      '/:chain/analyze/:address',
      { schema: { ...described('Privacy, dust and consolidation of an address', analysis), ...ofAddress } },
      async ({ params }) =>
        success(await getAnalysis(judging, served(params.chain), params.address, MOST_COINS ?? undefined)),
    )
    app.post(
      '/:chain/simulate',
      {
        schema: { ...described('Simulates a spend', simulation), ...ofChain, body: simulateBody.omit({ chain: true }) },
      },
      async ({ params, body }) => success(await getSimulation(feeService, served(params.chain), body)),
    )
  }
}
