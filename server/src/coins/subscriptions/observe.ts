/**
 * Finds the transactions of the subscriptions in one state of the chain: the blocks above the last matched one, and the
 * mempool that belongs to the last block.
 *
 * The index knows which transactions touch a script, so blocks are not read: a process that was down for any number of
 * blocks needs one lookup for each script.
 */
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { entriesFrom } from '../index/history.ts'
import { SENT } from '../index/history-entry.ts'
import type { KvReader } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import { readRuns } from '../index/run-list.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { flowOf, type MempoolTx, scriptsOf } from '../mempool/mempool-view.ts'
import type { BlockRef } from '../node/block-source.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { Turns } from '../serve/turns.ts'
import type { ActivityChange, FollowedState } from './event-store.ts'
import { type Sighting, Sightings } from './sightings.ts'
import { findReplacement, sightTransactions } from './spenders.ts'
import type { CoinSubscription } from './subscription-store.ts'
import { type Activity, type Place, type Step, stepOf } from './transitions.ts'
import type { WatchedScript, WatchList } from './watch-list.ts'

export type Observed = {
  /** The highest matched block that is still on the chain. */
  readonly fork: number
  /** The blocks above it that a reorg can replace. */
  readonly blocks: readonly BlockRef[]
  readonly tip: BlockRef
  readonly mempool: FollowedState['mempool']
  readonly changes: readonly ActivityChange[]
}

/** Work of a lookup, in units of a turn. */
const UNITS = { script: 12, unconfirmed: 1, tx: 20 }

/** Compares the state of a chain with what is known. Undefined while the index is empty. */
export async function observe(
  chain: ServedChain,
  { blocks, activities, mempool: matched }: FollowedState,
  watched: WatchList,
): Promise<Observed | undefined> {
  const { kv, network } = chain.index
  const reader = kv.snapshot()
  try {
    const found = findTip(reader)
    if (found === undefined) return undefined
    const tip: BlockRef = { height: found.height, hash: hashHex(found.hash) }
    const fork = forkOf(reader, blocks, tip, watched)
    // Before the first pause: later the mempool may belong to a later block.
    const unsettled = readUnsettled(chain, activities, watched, fork, tip)
    const mempool = { view: chain.mempool, version: chain.mempool.version }
    const arrived = matched?.view === chain.mempool ? chain.mempool.arrivedAfter(matched.version) : undefined
    const turns = new Turns()
    await watched.extend(reader, chain.mempool, turns)
    const [confirmed, unconfirmed] = [new Sightings(), new Sightings()]
    const firstTxnum = findBlockRow(reader, fork + 1)?.firstTxnum
    let used = await sightConfirmed(reader, watched.scripts.values(), firstTxnum, confirmed, turns)
    const touched = arrived === undefined ? watched.scripts.values() : touchedBy(arrived, watched).union(watched.fresh)
    used.push(...(await sightUnconfirmed(chain, touched, unconfirmed, turns)))
    while (watched.use(used)) {
      const added = await watched.extend(reader, chain.mempool, turns)
      used = await sightConfirmed(reader, added, firstTxnum, confirmed, turns)
      used.push(...(await sightUnconfirmed(chain, added, unconfirmed, turns)))
    }
    for (const { subscription, txid, ...sighting } of await sightTransactions(chain, reader, watched, tip, turns))
      unconfirmed.add(subscription, txid, sighting)

    const changes = new Map<string, ActivityChange>()
    const limits = { tip: tip.height, undoDepth: network.undoDepth }
    const step = (subscription: CoinSubscription, before: Activity, place: Place): Step => {
      const made = stepOf(subscription, before, place, limits)
      const { added, retracted, next } = made
      const known = activities.get(subscription.id)?.get(before.txid)
      const isSame = known !== undefined && next !== undefined && isUnchanged(known, next)
      const replacedBy = place.at === 'gone' ? place.replacedBy : undefined
      if (!isSame && (known !== undefined || next !== undefined || added.length > 0))
        changes.set(`${subscription.id} ${before.txid}`, { subscription, before, next, replacedBy, added, retracted })
      return made
    }
    const findPlace = placeFinder(reader)
    for (const { subscription, activity, unseen } of unsettled) {
      await turns.take(UNITS.tx)
      const place =
        findPlace(activity.txid) ??
        (unseen === undefined
          ? { at: 'mempool' as const }
          : unseen.at === 'gone' && unseen.replacedBy === undefined
            ? { at: 'gone' as const, replacedBy: await findReplacement(chain, reader, activity.prevouts) }
            : unseen)
      step(subscription, activity, place)
    }
    for (const [subscription, txid, sighting] of confirmed.entries()) {
      await turns.take(UNITS.tx)
      const place = findPlace(txid)
      const known = activities.get(subscription.id)?.get(txid)
      if (place === undefined || (known === undefined && place.block.height <= subscription.fromHeight)) continue
      step(subscription, activityOf(txid, sighting, known), place)
    }
    for (const [subscription, txid, sighting] of unconfirmed.entries()) {
      const known = activities.get(subscription.id)?.get(txid)
      if (known !== undefined) continue
      await turns.take(UNITS.tx)
      // The mempool can be ahead of the index, and a transaction that is subscribed to can be in a block already.
      const place = findPlace(txid)
      const isItself = subscription.kind === 'transaction' && !sighting.isSpender
      if (place !== undefined && !isItself && place.block.height <= subscription.fromHeight) continue
      const { next } = step(subscription, activityOf(txid, sighting, known), place ?? { at: 'mempool' })
      if (isItself && next === undefined) watched.settled.add(subscription.id)
    }
    const lowest = Math.max(blocks.length === 0 ? 0 : fork + 1, tip.height - network.undoDepth + 1)
    return {
      fork,
      tip,
      mempool,
      blocks: blocksFrom(reader, lowest, tip),
      changes: [...changes.values()],
    }
  } finally {
    reader.close()
  }
}

/**
 * The highest matched block that is on the chain of the index. Without matched blocks, matching begins with the first
 * subscription.
 */
function forkOf(reader: KvReader, blocks: readonly BlockRef[], tip: BlockRef, { subscriptions }: WatchList): number {
  const [lowest] = blocks
  if (lowest === undefined)
    return subscriptions.values().reduce((first, { fromHeight }) => Math.min(first, fromHeight), tip.height)
  const same = blocks.findLast(({ height, hash }) => hashAt(reader, height) === hash)
  return Math.min(same?.height ?? lowest.height - 1, tip.height)
}

function hashAt(reader: KvReader, height: number): string | undefined {
  const row = findBlockRow(reader, height)
  return row === undefined ? undefined : hashHex(row.hash)
}

function blocksFrom(reader: KvReader, lowest: number, tip: BlockRef): BlockRef[] {
  const blocks: BlockRef[] = []
  for (let height = Math.max(0, lowest); height <= tip.height; height++) {
    const hash = hashAt(reader, height)
    if (hash !== undefined) blocks.push({ height, hash })
  }
  return blocks
}

type Unsettled = {
  readonly subscription: CoinSubscription
  readonly activity: Activity
  /** Where it is if it is in no block; undefined for the mempool. */
  readonly unseen: Extract<Place, { at: 'gone' | 'unknown' }> | undefined
}

/** Activities that may have moved, gained the confirmations, or become final. */
function readUnsettled(
  { mempool, index }: ServedChain,
  activities: FollowedState['activities'],
  { subscriptions }: WatchList,
  fork: number,
  tip: BlockRef,
): Unsettled[] {
  const isKnown = mempool.blockHash === tip.hash
  const unsettled: Unsettled[] = []
  for (const [id, own] of activities) {
    const subscription = subscriptions.get(id)
    if (subscription === undefined) continue
    for (const activity of own.values()) {
      const { block, open, txid, prevouts } = activity
      const isFixed = block !== undefined && block.height <= fork
      const isWaiting = subscription.events.includes('confirmed') && !open.has('confirmed') && !activity.isSpender
      const isDeep = isFixed && block.height <= tip.height - index.network.undoDepth
      if (isFixed && !isWaiting && !isDeep) continue
      const isUnconfirmed = mempool.find(txid) !== undefined
      const unseen = isUnconfirmed
        ? undefined
        : isKnown
          ? { at: 'gone' as const, replacedBy: spenderOf(mempool, prevouts) }
          : { at: 'unknown' as const }
      unsettled.push({ subscription, activity, unseen })
    }
  }
  return unsettled
}

function spenderOf(mempool: ServedChain['mempool'], prevouts: readonly string[]): string | undefined {
  for (const prevout of prevouts) {
    const [txid = '', vout = ''] = prevout.split(':')
    const spender = mempool.findSpender(txid, Number(vout))
    if (spender !== undefined) return spender
  }
  return undefined
}

type InBlock = Extract<Place, { at: 'block' }>

const placeFinder =
  (reader: KvReader) =>
  (txid: string): InBlock | undefined => {
    const location = findTx(reader, hashFromHex(txid))
    const hash = location === undefined ? undefined : hashAt(reader, location.height)
    return location === undefined || hash === undefined
      ? undefined
      : { at: 'block', block: { height: location.height, hash } }
  }

/** Finds the transactions of blocks above the fork. Returns the scripts that they touch. */
async function sightConfirmed(
  reader: KvReader,
  scripts: Iterable<WatchedScript>,
  firstTxnum: number | undefined,
  sightings: Sightings,
  turns: Turns,
): Promise<string[]> {
  const used: string[] = []
  if (firstTxnum === undefined) return used
  const { runs } = readRuns(reader)
  const findTxid = txidFinder(reader)
  for (const { key, mapKey, subscriptions } of scripts) {
    await turns.take(UNITS.script)
    for (const { txnum, flags, received, sent } of entriesFrom(reader, key, firstTxnum, runs)) {
      const tx = findTxid(txnum)
      if (tx === undefined) continue
      used.push(mapKey)
      const sighting = { received, sent, spends: (flags & SENT) !== 0, isSpender: false, tx: undefined }
      for (const subscription of subscriptions) sightings.add(subscription, hashHex(tx.txid), sighting)
    }
  }
  return used
}

/** The watched scripts that unconfirmed transactions touch. */
function touchedBy(txs: readonly MempoolTx[], { scripts }: WatchList): Set<WatchedScript> {
  const touched = new Set<WatchedScript>()
  for (const tx of txs)
    for (const mapKey of scriptsOf(tx)) {
      const script = scripts.get(mapKey)
      if (script !== undefined) touched.add(script)
    }
  return touched
}

async function sightUnconfirmed(
  { mempool }: ServedChain,
  scripts: Iterable<WatchedScript>,
  sightings: Sightings,
  turns: Turns,
): Promise<string[]> {
  const used: string[] = []
  for (const { mapKey, subscriptions } of scripts) {
    await turns.take(UNITS.unconfirmed)
    for (const tx of mempool.ofScript(mapKey)) {
      used.push(mapKey)
      const { received, sent } = flowOf(tx, mapKey)
      const spends = tx.inputs.some(({ script }) => script === mapKey)
      for (const subscription of subscriptions)
        sightings.add(subscription, tx.txid, { received, sent, spends, isSpender: false, tx })
    }
  }
  return used
}

/** What was known stays: a transaction in a block is not in the mempool any more. */
function activityOf(txid: string, { tx, ...sighting }: Sighting, known: Activity | undefined): Activity {
  const prevouts = tx?.inputs.map((input) => `${input.txid}:${input.vout}`) ?? known?.prevouts ?? []
  return { txid, block: known?.block, open: known?.open ?? new Set(), ...sighting, prevouts }
}

const isUnchanged = (known: Activity, next: Activity): boolean =>
  known.block?.hash === next.block?.hash &&
  known.received === next.received &&
  known.sent === next.sent &&
  known.open.size === next.open.size &&
  known.open.isSubsetOf(next.open)
