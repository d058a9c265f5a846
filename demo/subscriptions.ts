/** Creates the subscriptions and the webhook of the demo's account at every start, because the chains are new. */

import { getChannels, saveChannel } from '../server/src/control/alerts/channels.ts'
import { insertSubscription, type Target } from '../server/src/control/alerts/subscriptions.ts'
import { findChain } from '../server/src/control/chains/chains.ts'
import { SUBSCRIPTION_DEFAULTS } from '../server/src/control/http/subscription-routes.ts'
import { findProtocol } from '../server/src/control/registry/contracts.ts'
import type { Database } from '../server/src/platform/database.ts'
import type { KnownContract } from './evm/world.ts'
import { isReceiver, type Receiver } from './receiver.ts'

/** Both change about every minute. */
export const SUBSCRIBED = { protocol: 'Kestrel Perps', contract: 'Drift Bridge' } as const

export type SubscribeDeps = { readonly database: Database; readonly receiver: Receiver }

export async function subscribe(
  { database, receiver }: SubscribeDeps,
  accountId: string,
  known: readonly KnownContract[],
): Promise<void> {
  const webhook = (await getChannels(database, accountId)).find(({ kind }) => kind === 'webhook')
  // A webhook that the user has set stays.
  if (webhook === undefined || isReceiver(webhook.target))
    await saveChannel(database, accountId, 'webhook', { target: receiver.url })
  await subscribeTo(database, accountId, known)
}

export async function subscribeTo(
  database: Database,
  accountId: string,
  known: readonly KnownContract[],
): Promise<void> {
  for (const target of await targets(database, known))
    await insertSubscription(database, accountId, target, SUBSCRIPTION_DEFAULTS)
}

async function targets(database: Database, known: readonly KnownContract[]): Promise<readonly Target[]> {
  const contract = known.find(({ name }) => name === SUBSCRIBED.contract)
  const chain = findChain(contract?.chain ?? '')
  const protocol = await findProtocol(database, SUBSCRIBED.protocol)
  if (contract === undefined || chain === undefined || protocol === undefined)
    throw new Error(`the demo has no ${SUBSCRIBED.contract} or no ${SUBSCRIBED.protocol}`)
  return [{ protocolId: protocol.id }, { chainId: chain.id, address: contract.address }]
}
