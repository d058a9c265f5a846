/** The endpoints of `/api/v2` that a wallet or a light client needs: broadcast, raw transactions, proofs, headers. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { wholeNumber } from '../../lib/http/params.ts'
import { getBlockAtTime, getBlocks, getHeaders } from '../serve/block-view.ts'
import { broadcast } from '../serve/broadcast.ts'
import { getBump } from '../serve/bump-view.ts'
import { getCarriedAssets } from '../serve/carried-coins.ts'
import type { FeeService } from '../serve/fee-service.ts'
import { getAddressMempool } from '../serve/history-view.ts'
import { getMerkleProof } from '../serve/merkle-proof.ts'
import { getOutspends } from '../serve/outspends.ts'
import { getRawTransaction } from '../serve/transaction-view.ts'
import type { ChainGuard } from './chain-guard.ts'
import { address, blockRange, blockTime, broadcastBody, bumpQuery, chain, inspectBody, txid } from './params.ts'
import { addressMempool } from './schemas.ts'
import {
  blockAtTime,
  blocks,
  broadcastResult,
  bump,
  carriedAssets,
  headers,
  merkleProof,
  outspends,
  rawTransaction,
} from './tx-schemas.ts'
import { described, success } from './v2-conventions.ts'

const ofChain = z.strictObject({ chain })
/** Headers of one response: as many as a node sends at once. */
const MAX_HEADERS = 2_000
const MAX_MEMPOOL_TXS = 100
/** Nodes relay packages of up to 404 kB, twice as much in hexadecimal. */
const MAX_BODY = 2_000_000

export type TxRouteDeps = Pick<ChainGuard, 'served'> & { readonly feeService: FeeService }

export function txRoutes(instance: FastifyInstance, { served, feeService }: TxRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()

  app.post(
    '/tx',
    {
      bodyLimit: MAX_BODY,
      schema: {
        ...described('Broadcast a signed transaction, or a package of them', broadcastResult),
        body: broadcastBody,
        querystring: z.strictObject({}),
      },
    },
    async ({ body: { chain, ...request } }) => success(await broadcast(served(chain), request)),
  )
  app.get(
    '/tx/:txid/raw',
    {
      schema: {
        ...described('The bytes of a transaction', rawTransaction, 404),
        params: z.object({ txid }),
        querystring: ofChain,
      },
    },
    async ({ params, query }) => success(await getRawTransaction(served(query.chain), params.txid)),
  )
  app.post(
    '/utxos/inspect',
    {
      schema: {
        ...described('Inscriptions and runes on outputs', carriedAssets),
        body: inspectBody,
        querystring: z.strictObject({}),
      },
    },
    async ({ body: { chain, ...request } }) => success(await getCarriedAssets(served(chain), request)),
  )
  app.get(
    '/tx/:txid/bump',
    {
      schema: {
        ...described('How to raise the fee rate of an unconfirmed transaction, and what it costs', bump, 404),
        params: z.object({ txid }),
        querystring: bumpQuery,
      },
    },
    async ({ params, query: { chain, ...request } }) =>
      success(await getBump(feeService, served(chain), params.txid, request)),
  )
  app.get(
    '/tx/:txid/proof',
    {
      schema: {
        ...described('Proof that a block contains a transaction', merkleProof, 404),
        params: z.object({ txid }),
        querystring: ofChain,
      },
    },
    async ({ params, query }) => success(getMerkleProof(served(query.chain), params.txid)),
  )
  app.get(
    '/tx/:txid/outspends',
    {
      schema: {
        ...described('Which transactions spend the outputs of a transaction', outspends, 404),
        params: z.object({ txid }),
        querystring: ofChain,
      },
    },
    async ({ params, query }) => success(await getOutspends(served(query.chain), params.txid)),
  )
  app.get(
    '/address/:address/mempool',
    {
      schema: {
        ...described('Unconfirmed transactions of an address', addressMempool),
        params: z.object({ address }),
        querystring: ofChain,
      },
    },
    async ({ params, query }) => success(await getAddressMempool(served(query.chain), params.address, MAX_MEMPOOL_TXS)),
  )
  app.get(
    '/headers',
    {
      schema: {
        ...described('Headers of consecutive blocks', headers, 404),
        querystring: z.strictObject({
          chain,
          from: wholeNumber(0, 1_000_000_000).default(0),
          count: wholeNumber(1, MAX_HEADERS).default(100),
        }),
      },
    },
    async ({ query: { chain, from, count } }) => success(getHeaders(served(chain), from, count)),
  )
  app.get(
    '/blocks',
    {
      schema: {
        ...described('Blocks with their fee rates, newest first', blocks),
        querystring: z.strictObject({ chain, ...blockRange }),
      },
    },
    async ({ query: { chain, ...range } }) => success(getBlocks(served(chain), range)),
  )
  app.get(
    '/blocks/at',
    {
      schema: {
        ...described('The last block at or before a time', blockAtTime, 404),
        querystring: z.strictObject({ chain, time: blockTime }),
      },
    },
    async ({ query: { chain, time } }) => success(getBlockAtTime(served(chain), time)),
  )
}
