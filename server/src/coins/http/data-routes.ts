/** The endpoints of `/api/v2` that read chains, addresses, transactions and blocks. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { COIN_CHAINS, type CoinChain } from '../../config/config.ts'
import { createExports, type ExportRow, exportFormat, exportResponse } from '../../lib/http/export.ts'
import { flag, wholeNumber } from '../../lib/http/params.ts'
import { mainNetworkOf } from '../networks/networks.ts'
import { getAddress, getUtxos } from '../serve/address-view.ts'
import { getBalanceHistory } from '../serve/balance-history.ts'
import { getBlock } from '../serve/block-view.ts'
import { getStatus } from '../serve/chain-view.ts'
import { getHistory } from '../serve/history-view.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { getTransaction } from '../serve/transaction-view.ts'
import type { ChainGuard } from './chain-guard.ts'
import { address, balanceQuery, chain, hashOrHeight, historyPage, txid } from './params.ts'
import { addressSummary, balanceHistory, block, chains, history, status, transaction, utxoList } from './schemas.ts'
import { described, responses, success } from './v2-conventions.ts'

export type DataRouteDeps = {
  readonly guard: ChainGuard
  readonly enabledChains: readonly CoinChain[]
}

const ofChain = z.strictObject({ chain })

const HISTORY_COLUMNS = [
  'txid',
  'blockHash',
  'blockHeight',
  'confirmations',
  'timestamp',
  'fee',
  'vsize',
  'received',
  'sent',
  'net',
  'direction',
]

/** Fails if a reorg or a new block changes what was already exported. */
async function* historyPages(chain: ServedChain, address: string): AsyncGenerator<readonly ExportRow[]> {
  for (let cursor: string | undefined; ; ) {
    const { txs, nextCursor } = await getHistory(chain, address, { page: 1, pageSize: 100, cursor })
    yield txs
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

export function dataRoutes(instance: FastifyInstance, { guard: { find, served }, enabledChains }: DataRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const exports = createExports('TOO_MANY_EXPORTS')

  app.get(
    '/status',
    { schema: { ...described('State of a chain', status), querystring: ofChain } },
    async ({ query }) => success(getStatus(find(query.chain) ?? query.chain)),
  )
  app.get(
    '/chains',
    {
      schema: {
        ...described('Chains of this service', chains),
        querystring: z.strictObject({}),
      },
    },
    async () =>
      success({
        chains: COIN_CHAINS.map((id) => {
          const { chainName: name, symbol } = mainNetworkOf(id)
          return { id, name, symbol, enabled: enabledChains.includes(id) }
        }),
      }),
  )
  app.get(
    '/address/:address',
    {
      schema: {
        ...described('Balance and totals of an address', addressSummary),
        params: z.object({ address }),
        querystring: z.strictObject({ chain, sync: flag }),
      },
      config: { usesProFeature: ({ query }) => (query as { sync?: unknown }).sync === 'true' },
    },
    async ({ params, query }) => success(getAddress(served(query.chain), params.address)),
  )
  app.get(
    '/address/:address/utxos',
    {
      schema: {
        ...described('Unspent outputs of an address, most valuable first', utxoList),
        params: z.object({ address }),
        querystring: z.strictObject({ chain, limit: wholeNumber(1, 1_000_000).optional() }),
      },
    },
    async ({ params, query, caller }) => {
      const allowed = UTXO_ALLOWANCES[caller.utxoPlan].utxoLimit ?? Number.POSITIVE_INFINITY
      const limit = Math.min(allowed, query.limit ?? Number.POSITIVE_INFINITY)
      return success(await getUtxos(served(query.chain), params.address, limit))
    },
  )
  app.get(
    '/address/:address/txs',
    {
      schema: {
        ...described('History of an address, newest first', history),
        params: z.object({ address }),
        querystring: z.strictObject({ chain, ...historyPage }),
      },
    },
    async ({ params, query }) => success(await getHistory(served(query.chain), params.address, query)),
  )
  app.get(
    '/address/:address/txs/export',
    {
      schema: {
        ...described('The whole history of an address, newest first, as CSV or NDJSON', history),
        params: z.object({ address }),
        querystring: z.strictObject({ chain, format: exportFormat }),
        response: { ...responses(history), 200: exportResponse },
      },
    },
    ({ params, query: { chain, format }, caller }, reply) =>
      exports.send(reply, caller.accountId, {
        format,
        name: `history-${chain}-${params.address}`,
        columns: HISTORY_COLUMNS,
        pages: historyPages(served(chain), params.address),
      }) as never,
  )
  app.get(
    '/address/:address/balance-history',
    {
      schema: {
        ...described('Balance of an address over time, by block or by day', balanceHistory),
        params: z.object({ address }),
        querystring: z.strictObject({ chain, ...balanceQuery }),
      },
    },
    async ({ params, query: { chain, ...query } }) =>
      success(await getBalanceHistory(served(chain), params.address, query)),
  )
  app.get(
    '/tx/:txid',
    {
      schema: {
        ...described('A transaction', transaction, 404),
        params: z.object({ txid }),
        querystring: ofChain,
      },
    },
    async ({ params, query }) => success(await getTransaction(served(query.chain), params.txid)),
  )
  app.get(
    '/block/:hashOrHeight',
    {
      schema: {
        ...described('A block', block, 404),
        params: z.object({ hashOrHeight }),
        querystring: z.strictObject({ chain, txids: flag }),
      },
    },
    async ({ params, query }) => success(getBlock(served(query.chain), params.hashOrHeight, query.txids)),
  )
}
