/** The endpoints of `/api/v2` for kept wallets, and the wallet that a request names. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { PLANS_PAGE, UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import type { CoinChain } from '../../config/config.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { readWalletDescriptor, refusePrivateKey } from '../serve/derived-scripts.ts'
import { invalid } from '../serve/payment-terms.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import type { WalletRequest } from '../serve/wallet-scan.ts'
import type { KeptWallets } from '../wallets/kept-wallets.ts'
import { formatLabels, type Labels, labelsOf, parseLabels } from '../wallets/labels.ts'
import type { KeptWallet } from '../wallets/wallet-store.ts'
import type { ChainGuard } from './chain-guard.ts'
import { DEFAULT_GAP_LIMIT, keptWalletBody, labelsBody, walletId } from './params.ts'
import { deletedWallet, importedLabels, keptWallet, keptWalletList, walletLabels } from './schemas.ts'
import { described, success } from './v2-conventions.ts'

export type KeptWalletDeps = Pick<ChainGuard, 'served'> & {
  /** Undefined if no database stores wallets. */
  readonly keptWallets: KeptWallets | undefined
}

/** The fields of a request that name a wallet. */
export type NamedWallet = {
  readonly descriptor?: string | undefined
  readonly walletId?: string | undefined
  readonly gapLimit?: number | undefined
  readonly chain: CoinChain
}

/** Returns the wallet that a request names, and its chain. */
export type WalletReader = (
  body: NamedWallet,
  caller: { readonly accountId: string },
) => Promise<{
  readonly chain: ServedChain
  readonly wallet: WalletRequest
  /** Of a kept wallet. */
  readonly labels: Labels | undefined
}>

const notFound = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'WALLET_NOT_FOUND',
    message: 'This account keeps no such wallet. See GET /wallets for those it keeps.',
  })

function storeOf({ keptWallets }: Pick<KeptWalletDeps, 'keptWallets'>): KeptWallets {
  if (keptWallets !== undefined) return keptWallets
  throw new ApiError({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'Wallets cannot be stored at the moment. Try again later.',
  })
}

export function walletReader(deps: KeptWalletDeps): WalletReader {
  const find = walletFinder(deps)
  return async ({ descriptor, walletId, gapLimit, chain }, { accountId }) => {
    if (descriptor !== undefined && walletId !== undefined)
      throw invalid('walletId: cannot be combined with descriptor. Send one of them.')
    if (descriptor !== undefined)
      return {
        chain: deps.served(chain),
        wallet: { descriptor, gapLimit: gapLimit ?? DEFAULT_GAP_LIMIT, accountId },
        labels: undefined,
      }
    if (walletId === undefined) throw invalid('descriptor: is required. Send descriptor or walletId.')
    const kept = await find(accountId, walletId)
    const wallet = { descriptor: kept.descriptor, gapLimit: gapLimit ?? kept.gapLimit, accountId }
    const labels = labelsOf(await storeOf(deps).labels(accountId, walletId))
    return { chain: deps.served(kept.chain), wallet, labels }
  }
}

/** Returns a wallet that the account keeps; throws WALLET_NOT_FOUND. */
export type WalletFinder = (accountId: string, walletId: string) => Promise<KeptWallet>

export const walletFinder =
  (deps: Pick<KeptWalletDeps, 'keptWallets'>): WalletFinder =>
  async (accountId, walletId) => {
    const kept = await storeOf(deps).find(accountId, walletId)
    if (kept === undefined) throw notFound()
    return kept
  }

const view = ({ id, chain, name, descriptor, gapLimit, createdAt }: KeptWallet) => ({
  walletId: id,
  chain,
  name,
  descriptor,
  gapLimit,
  createdAt: createdAt.toISOString(),
})

/** A file with the most labels of a usual length. */
const MAX_LABEL_BYTES = 4_000_000
/** Ignored lines that a response lists. */
const MAX_IGNORED = 20

const config = { usesProFeature: () => true }
const querystring = z.strictObject({})
const params = z.object({ walletId })

export function keptWalletRoutes(instance: FastifyInstance, deps: KeptWalletDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const find = walletFinder(deps)

  app.get(
    '/wallets',
    { schema: { ...described('Wallets that the account keeps', keptWalletList), querystring }, config },
    async ({ caller: { accountId, utxoPlan } }) =>
      success({
        wallets: (await storeOf(deps).list(accountId)).map(view),
        limit: UTXO_ALLOWANCES[utxoPlan].walletLimit,
      }),
  )
  app.post(
    '/wallets/keep',
    {
      schema: {
        ...described('Keep a wallet. One that the account keeps already is updated', keptWallet),
        body: keptWalletBody,
        querystring,
      },
      config,
    },
    async ({ body: { chain, descriptor, name, gapLimit = DEFAULT_GAP_LIMIT }, caller: { accountId, utxoPlan } }) => {
      refusePrivateKey(name)
      const { text } = readWalletDescriptor(deps.served(chain), descriptor)
      const { walletLimit } = UTXO_ALLOWANCES[utxoPlan]
      const kept = await storeOf(deps).keep({ accountId, chain, name, descriptor: text, gapLimit }, walletLimit)
      if (kept !== undefined) return success(view(kept))
      throw new ApiError({
        status: 403,
        code: 'WALLET_LIMIT_REACHED',
        message: `This account keeps ${walletLimit} wallets, the most of its plan. Delete one, or see ${PLANS_PAGE}.`,
        details: { upgradeUrl: PLANS_PAGE },
      })
    },
  )
  app.get(
    '/wallets/:walletId',
    { schema: { ...described('A kept wallet', keptWallet, 404), params, querystring }, config },
    async ({ params, caller: { accountId } }) => success(view(await find(accountId, params.walletId))),
  )
  app.delete(
    '/wallets/:walletId',
    {
      schema: { ...described('Delete a kept wallet and its labels', deletedWallet, 404), params, querystring },
      config,
    },
    async ({ params, caller: { accountId } }) => {
      if (!(await storeOf(deps).remove(accountId, params.walletId))) throw notFound()
      return success({ walletId: params.walletId })
    },
  )
  app.get(
    '/wallets/:walletId/labels',
    {
      schema: { ...described('The labels of a kept wallet (BIP 329)', walletLabels, 404), params, querystring },
      config,
    },
    async ({ params, caller: { accountId } }) => {
      await find(accountId, params.walletId)
      const records = await storeOf(deps).labels(accountId, params.walletId)
      return success({ walletId: params.walletId, count: records.length, bip329: formatLabels(records) })
    },
  )
  app.post(
    '/wallets/:walletId/labels',
    {
      bodyLimit: MAX_LABEL_BYTES,
      schema: {
        ...described('Import labels of a kept wallet (BIP 329)', importedLabels, 404),
        params,
        body: labelsBody,
        querystring,
      },
      config,
    },
    async ({ params, body: { bip329, replace }, caller: { accountId } }) => {
      const { records, ignored } = await parseLabels(bip329)
      const wallet = { accountId, id: params.walletId }
      const kept = await storeOf(deps).addLabels(wallet, records, { replace })
      if (kept === undefined) throw notFound()
      return success({
        walletId: params.walletId,
        imported: records.length,
        count: kept.length,
        ignoredCount: ignored.length,
        ignored: ignored.slice(0, MAX_IGNORED),
      })
    },
  )
}
