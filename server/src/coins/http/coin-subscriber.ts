/** Makes subscriptions to addresses, wallets and transactions within the plan of an account, for keys and for pages. */
import type { z } from 'zod'
import { PLANS_PAGE, UTXO_ALLOWANCES, type UtxoPlan } from '../../accounts/plans.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import type { Database } from '../../platform/database.ts'
import { indexTip } from '../index/follow.ts'
import { readAddress } from '../serve/address-view.ts'
import { invalid } from '../serve/payment-terms.ts'
import {
  type CoinSubscription,
  type NewCoinSubscription,
  saveCoinSubscription,
} from '../subscriptions/subscription-store.ts'
import type { ChainGuard } from './chain-guard.ts'
import type { WalletFinder } from './kept-wallet-routes.ts'
import type { subscriptionBody } from './subscription-schemas.ts'
import { planRequired } from './v2-conventions.ts'

export type SubscriberDeps = Pick<ChainGuard, 'served'> & {
  /** Undefined if no database stores subscriptions. */
  readonly database: Database | undefined
  readonly findWallet: WalletFinder
}

export type Subscriber = { readonly accountId: string; readonly utxoPlan: UtxoPlan }

type Body = z.output<typeof subscriptionBody>
type Target = Pick<NewCoinSubscription, 'chain' | 'kind' | 'target'>

/** The database with subscriptions; throws UNAVAILABLE. */
export function subscriptionsOf({ database }: Pick<SubscriberDeps, 'database'>): Database {
  if (database !== undefined) return database
  throw new ApiError({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'Subscriptions cannot be stored at the moment. Try again later.',
  })
}

/** Stores a subscription, or changes the one to the same target. */
export async function subscribe(deps: SubscriberDeps, body: Body, caller: Subscriber): Promise<CoinSubscription> {
  const target = await targetOf(deps, body, caller)
  const { subscriptionLimit } = UTXO_ALLOWANCES[caller.utxoPlan]
  const { events, confirmations, channels } = body
  const saved = await saveCoinSubscription(
    subscriptionsOf(deps),
    {
      accountId: caller.accountId,
      ...target,
      events: [...new Set(events)],
      confirmations,
      channels: [...new Set(channels)],
      fromHeight: indexTip(deps.served(target.chain).index)?.height ?? 0,
    },
    subscriptionLimit,
  )
  if (saved !== undefined) return saved
  throw new ApiError({
    status: 403,
    code: 'SUBSCRIPTION_LIMIT_REACHED',
    message: `This account has ${subscriptionLimit} subscriptions, the most of its plan. Delete one, or see ${PLANS_PAGE}.`,
    details: { upgradeUrl: PLANS_PAGE },
  })
}

async function targetOf(
  { served, findWallet }: SubscriberDeps,
  { chain, address, walletId, txid }: Body,
  { accountId, utxoPlan }: Subscriber,
): Promise<Target> {
  if ([address, walletId, txid].filter((each) => each !== undefined).length !== 1)
    throw invalid('address: send exactly one of address, walletId and txid.')
  if (address !== undefined) return { chain, kind: 'address', target: readAddress(served(chain), address).text }
  if (txid !== undefined) return { chain, kind: 'transaction', target: txid }
  // An account that was on Pro may still keep wallets.
  if (!UTXO_ALLOWANCES[utxoPlan].syncCalculation) throw planRequired()
  const wallet = await findWallet(accountId, walletId ?? '')
  return { chain: wallet.chain, kind: 'wallet', target: wallet.id }
}

export function subscriptionView(subscription: CoinSubscription) {
  const { accountId: _, watchedTo: __, kind, events, channels, createdAt, ...shown } = subscription
  return {
    ...shown,
    targetKind: kind,
    events: [...events],
    channels: [...channels],
    createdAt: createdAt.toISOString(),
  }
}
