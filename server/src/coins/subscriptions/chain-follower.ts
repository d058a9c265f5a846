/**
 * Matches the transactions of one chain with its subscriptions.
 *
 * Each pass compares a state of the chain with what the database knows, and stores in one transaction: events,
 * retractions, the messages about them, and the last matched block. A process that dies leaves the last pass, and the
 * next process continues from there: a lost block is not possible, and neither is a second record of an event.
 */
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { holdsLease, type Lease } from '../../platform/leases.ts'
import type { ChainId } from '../networks/network.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { findWallet, type KeptWallet } from '../wallets/wallet-store.ts'
import {
  type ActivityChange,
  type FollowedState,
  getActivities,
  getMatchedBlocks,
  lockCursor,
  saveBlocks,
  saveChanges,
} from './event-store.ts'
import { type Observed, observe } from './observe.ts'
import { getSubscriptionsOfChain, haveSubscriptionsChanged, takeSubscriptionChanges } from './subscription-store.ts'
import type { Activity } from './transitions.ts'
import { WatchList } from './watch-list.ts'

/** Queues messages to the channels of accounts, in the transaction that stores the events. */
export type CoinAlerts = {
  readonly queue: (client: Queryable, eventIds: readonly number[]) => Promise<void>
  readonly retract: (client: Queryable, eventIds: readonly number[]) => Promise<void>
}

export type FollowerDeps = { readonly database: Database; readonly alerts: CoinAlerts }

export type ChainFollower = {
  /** Matches the current state of the chain. Returns whether anything was stored. */
  readonly pass: (chain: ServedChain, lease?: Lease) => Promise<boolean>
}

type StoreOptions = { readonly isNew: boolean; readonly undoDepth: number; readonly lease: Lease | undefined }

type Known = Omit<FollowedState, 'activities'> & {
  readonly activities: Map<number, Map<string, Activity>>
  readonly watched: WatchList
  /** The genesis block: a node can be replaced by one of another network. */
  readonly network: string
}

export function createChainFollower({ database, alerts }: FollowerDeps, chainId: ChainId): ChainFollower {
  let known: Known | undefined

  async function load({ network }: ServedChain): Promise<Known> {
    await takeSubscriptionChanges(database, chainId)
    const subscriptions = await getSubscriptionsOfChain(database, chainId)
    const wallets = new Map<number, KeptWallet>()
    for (const { id, kind, accountId, target } of subscriptions) {
      const wallet = kind === 'wallet' ? await findWallet(database, accountId, target) : undefined
      if (wallet !== undefined) wallets.set(id, wallet)
    }
    return {
      blocks: await getMatchedBlocks(database, chainId),
      activities: await getActivities(database, chainId),
      watched: new WatchList(network, subscriptions, ({ id }) => wallets.get(id)),
      network: network.genesisHash,
    }
  }

  /** Returns false if another process, or an account, changed something meanwhile. */
  const store = (before: Known, observed: Observed, { isNew, undoDepth, lease }: StoreOptions): Promise<boolean> =>
    inTransaction(database, async (client) => {
      if (lease !== undefined && !(await holdsLease(client, lease))) return false
      const height = await lockCursor(client, chainId)
      if (height !== before.blocks.at(-1)?.height || (await haveSubscriptionsChanged(client, chainId))) return false
      if (observed.changes.length > 0) {
        const { added, retracted } = await saveChanges(client, observed.changes)
        await alerts.retract(client, retracted)
        await alerts.queue(client, added)
      }
      if (isNew) {
        const { fork, blocks, tip } = observed
        await saveBlocks(client, chainId, { fork, blocks, keepFrom: tip.height - undoDepth + 1 })
      }
      return true
    })

  return {
    pass: async (chain, lease) => {
      const isStale =
        known?.network !== chain.network.genesisHash || (await haveSubscriptionsChanged(database, chainId))
      const before = isStale || known === undefined ? await load(chain) : known
      // After an error the database is read again.
      known = undefined
      const observed = await observe(chain, before, before.watched)
      const isNew = observed !== undefined && observed.tip.hash !== before.blocks.at(-1)?.hash
      if (observed === undefined || (!isNew && observed.changes.length === 0)) {
        known = before
        return false
      }
      if (!(await store(before, observed, { isNew, undoDepth: chain.network.undoDepth, lease }))) return false
      known = { ...before, ...apply(before, observed, chain.network.undoDepth) }
      return observed.changes.length > 0
    },
  }
}

/** The state after what was observed is stored. */
function apply(
  { blocks, activities }: Known,
  { fork, blocks: added, changes, tip }: Observed,
  undoDepth: number,
): Pick<Known, 'blocks' | 'activities'> {
  for (const { subscription, before, next } of changes) applyChange(activities, subscription.id, before, next)
  const lowest = added.length === 0 ? 0 : tip.height - undoDepth
  return { blocks: [...blocks.filter(({ height }) => height <= fork && height > lowest), ...added], activities }
}

function applyChange(
  activities: Known['activities'],
  id: number,
  { txid }: Activity,
  next: ActivityChange['next'],
): void {
  const own = activities.get(id) ?? new Map<string, Activity>()
  if (next === undefined) own.delete(txid)
  else own.set(txid, next)
  activities.set(id, own)
}
