/**
 * Matches the transactions of one chain with its subscriptions.
 *
 * Each pass compares a state of the chain with the state in the database, and stores in one transaction: events,
 * retractions, the messages about them, and the last matched block. A process that dies leaves the last pass, and the
 * next process continues from there: a lost block is not possible, and neither is a second record of an event.
 */
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { holdsLease, type Lease } from '../../platform/leases.ts'
import type { ChainId } from '../networks/network.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { Turns } from '../serve/turns.ts'
import { findWallet, type KeptWallet } from '../wallets/wallet-store.ts'
import { getHourCounts, hasEndedHours, limitEvents, reportEndedHours, saveHourCounts } from './event-limit.ts'
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
import {
  type CoinSubscription,
  getSubscriptionsById,
  haveSubscriptionsChanged,
  saveWatchedTo,
  subscriptionsOfChain,
  takeSubscriptionChanges,
} from './subscription-store.ts'
import type { Activity } from './transitions.ts'
import { WatchList } from './watch-list.ts'

/** Queues messages to the channels of accounts, in the transaction that stores the events. */
export type CoinAlerts = {
  readonly queue: (client: Queryable, eventIds: readonly number[]) => Promise<void>
  readonly retract: (client: Queryable, eventIds: readonly number[]) => Promise<void>
}

export type FollowerDeps = { readonly database: Database; readonly alerts: CoinAlerts }

/**
 * `stale`: another process, or an account, changed something meanwhile, and nothing was stored. `behind`: the index has
 * not all blocks that were matched, or is in the middle of a reorg.
 */
export type Pass = 'reported' | 'unchanged' | 'stale' | 'behind'

export type ChainFollower = {
  /** Matches the current state of the chain. */
  readonly pass: (chain: ServedChain, lease?: Lease) => Promise<Pass>
  /** Reports the events beyond the limit of hours that are over. */
  readonly endHours: (lease?: Lease) => Promise<void>
}

/** The changes that were stored. `outdated`: another process follows the chain. `changed`: a subscription changed meanwhile. */
type Stored = { readonly changes: readonly ActivityChange[] } | 'outdated' | 'changed'

type StoreOptions = { readonly isNew: boolean; readonly undoDepth: number; readonly lease: Lease | undefined }

type Known = Omit<FollowedState, 'activities'> & {
  readonly activities: Map<number, Map<string, Activity>>
  readonly watched: WatchList
  /** The genesis block: a node can be replaced by one of another network. */
  readonly network: string
}

/** Work of adding a subscription, in units of a turn. */
const SUBSCRIPTION_UNITS = 20

export function createChainFollower({ database, alerts }: FollowerDeps, chainId: ChainId): ChainFollower {
  let known: Known | undefined

  const walletOf = async ({ kind, accountId, target }: CoinSubscription): Promise<KeptWallet | undefined> =>
    kind === 'wallet' ? await findWallet(database, accountId, target) : undefined

  async function load({ network }: ServedChain): Promise<Known> {
    await takeSubscriptionChanges(database, chainId)
    const watched = new WatchList(network)
    const turns = new Turns()
    for await (const page of subscriptionsOfChain(database, chainId))
      for (const subscription of page) {
        await turns.take(SUBSCRIPTION_UNITS)
        watched.add(subscription, await walletOf(subscription))
      }
    return {
      blocks: await getMatchedBlocks(database, chainId),
      activities: await getActivities(database, chainId),
      watched,
      network: network.genesisHash,
      mempool: undefined,
    }
  }

  /** Reads the subscriptions again that changed. */
  async function update({ watched, activities }: Known): Promise<void> {
    const ids = await takeSubscriptionChanges(database, chainId)
    const found = new Map((await getSubscriptionsById(database, ids)).map((each) => [each.id, each]))
    for (const id of ids) {
      const subscription = found.get(id)
      if (subscription !== undefined) watched.add(subscription, await walletOf(subscription))
      else {
        watched.remove(id)
        activities.delete(id)
      }
    }
  }

  const store = (before: Known, observed: Observed, { isNew, undoDepth, lease }: StoreOptions): Promise<Stored> =>
    inTransaction(database, async (client) => {
      if (lease !== undefined && !(await holdsLease(client, lease))) return 'outdated'
      const height = await lockCursor(client, chainId)
      if (height !== before.blocks.at(-1)?.height) return 'outdated'
      if (await haveSubscriptionsChanged(client, chainId)) return 'changed'
      const changes = observed.changes.length === 0 ? [] : await storeChanges(client, observed.changes)
      if (isNew) {
        const { fork, blocks, tip } = observed
        await saveBlocks(client, chainId, { fork, blocks, keepFrom: tip.height - undoDepth + 1 })
      }
      // After the events, which lock accounts: a request that changes a subscription locks its account first.
      await saveWatchedTo(client, before.watched.watchedTo())
      return { changes }
    })

  async function storeChanges(client: Queryable, all: readonly ActivityChange[]): Promise<readonly ActivityChange[]> {
    await alerts.queue(client, await reportEndedHours(client, chainId))
    const reporting = all.filter(({ added }) => added.length > 0).map(({ subscription }) => subscription.id)
    const { changes, counts } = limitEvents(all, await getHourCounts(client, [...new Set(reporting)]))
    const { added, retracted } = await saveChanges(client, changes)
    await saveHourCounts(client, counts)
    await alerts.retract(client, retracted)
    await alerts.queue(client, added)
    return changes
  }

  return {
    endHours: async (lease) => {
      if (!(await hasEndedHours(database, chainId))) return
      await inTransaction(database, async (client) => {
        if (lease !== undefined && !(await holdsLease(client, lease))) return
        await lockCursor(client, chainId)
        await alerts.queue(client, await reportEndedHours(client, chainId))
      })
    },
    pass: async (chain, lease) => {
      if (known?.network !== chain.network.genesisHash) known = undefined
      const before = known ?? (await load(chain))
      // After an error the database is read again.
      known = undefined
      if (await haveSubscriptionsChanged(database, chainId)) await update(before)
      const observed = await observe(chain, before, before.watched)
      if (observed === undefined) {
        known = { ...before, mempool: undefined }
        return 'behind'
      }
      const { watched } = before
      const isNew = observed.tip.hash !== before.blocks.at(-1)?.hash
      if (!isNew && observed.changes.length === 0 && watched.unsearched.size === 0) {
        watched.fresh.clear()
        known = { ...before, mempool: observed.mempool }
        return 'unchanged'
      }
      const stored = await store(before, observed, { isNew, undoDepth: chain.network.undoDepth, lease })
      if (typeof stored === 'string') {
        watched.searchAgain()
        if (stored === 'changed') known = before
        return 'stale'
      }
      watched.fresh.clear()
      watched.unsearched.clear()
      known = { ...before, ...apply(before, { ...observed, changes: stored.changes }, chain.network.undoDepth) }
      return stored.changes.length > 0 ? 'reported' : 'unchanged'
    },
  }
}

/** The state after what was observed is stored. */
function apply(
  { blocks, activities }: Known,
  { fork, blocks: added, changes, tip, mempool }: Observed,
  undoDepth: number,
): Pick<Known, 'blocks' | 'activities' | 'mempool'> {
  for (const { subscription, before, next } of changes) applyChange(activities, subscription.id, before, next)
  const lowest = added.length === 0 ? -1 : tip.height - undoDepth
  const kept = blocks.filter(({ height }) => height <= fork && height > lowest)
  return { blocks: [...kept, ...added], activities, mempool }
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
