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
import { touchedScripts, touchingBlocks } from '../index/touched-scripts.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { flowOf, type MempoolTx, scriptMapKey, scriptsOf } from '../mempool/mempool-view.ts'
import type { BlockRef } from '../node/block-source.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { Turns } from '../serve/turns.ts'
import type { ActivityChange, FollowedState } from './event-store.ts'
import { type Sighting, Sightings } from './sightings.ts'
import { findReplacement, sightTransactions } from './spenders.ts'
import type { CoinSubscription } from './subscription-store.ts'
import { type Activity, type CoinEventKind, type Place, type Step, stepOf } from './transitions.ts'
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
const UNITS = { script: 12, unconfirmed: 1, tx: 20, created: 8, touched: 0.5 }

/**
 * Compares the state of a chain with the stored state. Undefined while the index is empty, lacks matched blocks, or is
 * in the middle of a reorg: events of blocks that it will have soon must not be retracted.
 */
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
    if (isBehind(chain, blocks, fork, tip)) return undefined
    // Before the first pause: later the mempool may belong to a later block.
    const unsettled = readUnsettled(chain, activities, watched, fork, tip)
    const mempool = { view: chain.mempool, version: chain.mempool.version }
    const arrived = matched?.view === chain.mempool ? chain.mempool.arrivedAfter(matched.version) : undefined
    const turns = new Turns()
    await watched.extend(reader, chain.mempool, turns)
    const [confirmed, unconfirmed] = [new Sightings(), new Sightings()]
    const firstTxnum = findBlockRow(reader, fork + 1)?.firstTxnum
    const paid = (await inBlocks(reader, fork, tip, watched, turns)) ?? watched.scripts.values()
    let used = await sightConfirmed(reader, paid, firstTxnum, confirmed, turns)
    const touched = arrived === undefined ? watched.scripts.values() : touchedBy(arrived, watched).union(watched.fresh)
    used.push(...(await sightUnconfirmed(chain, touched, unconfirmed, turns)))
    while (watched.use(used)) {
      const added = await watched.extend(reader, chain.mempool, turns)
      used = await sightConfirmed(reader, added, firstTxnum, confirmed, turns)
      used.push(...(await sightUnconfirmed(chain, added, unconfirmed, turns)))
    }
    const late = await sightLate(reader, watched, firstTxnum, turns)
    for (const { subscription, txid, ...sighting } of await sightTransactions(chain, reader, watched, tip, turns))
      unconfirmed.add(subscription, txid, sighting)

    const changes = new Map<string, ActivityChange>()
    const limits = { tip: tip.height, undoDepth: network.undoDepth }
    const step = (subscription: CoinSubscription, before: Activity, place: Place): Step => {
      const made = stepOf(subscription, before, place, limits)
      const { added, retracted, next } = made
      const known = activities.get(subscription.id)?.get(before.txid)
      const isKnown = known !== undefined && next !== undefined && isUnchanged(known, next)
      const replacedBy = place.at === 'gone' ? place.replacedBy : undefined
      if (!isKnown && (known !== undefined || next !== undefined || added.length > 0))
        changes.set(`${subscription.id} ${before.txid}`, { subscription, before, next, replacedBy, added, retracted })
      return made
    }
    const findPlace = placeFinder(reader)
    const deepest = tip.height - network.undoDepth
    /** Where a transaction is that is in no block and not in the mempool. */
    const placeOfGone = async (
      { prevouts, replacedBy: known }: Activity,
      conflict: string | undefined,
    ): Promise<Place> => {
      const isKnown = known !== undefined && findPlace(known) !== undefined
      const replacedBy = conflict ?? (isKnown ? known : await findReplacement(chain, reader, prevouts))
      const height = replacedBy === undefined ? undefined : findPlace(replacedBy)?.block.height
      return { at: 'gone', replacedBy, isFinal: height !== undefined && height <= deepest }
    }
    for (const { subscription, activity, unseen } of unsettled) {
      // In the mempool, and no block came.
      if (unseen === undefined && activity.block === undefined && fork === tip.height) {
        step(subscription, activity, { at: 'mempool' })
        continue
      }
      await turns.take(UNITS.tx)
      const place =
        findPlace(activity.txid) ??
        (unseen === undefined
          ? { at: 'mempool' as const }
          : unseen.at === 'gone'
            ? await placeOfGone(activity, unseen.replacedBy)
            : unseen)
      step(subscription, activity, place)
    }
    for (const [subscription, txid, sighting] of late.entries()) {
      await turns.take(UNITS.tx)
      const place = findPlace(txid)
      if (place !== undefined)
        step(subscription, withLate(txid, sighting, activities.get(subscription.id)?.get(txid)), place)
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

/**
 * Whether the index has only a part of the blocks: the last matched block is a descendant of its tip, because another
 * process with a newer index matched it; or a reorg replaced matched blocks, and the source has more blocks of the new
 * branch.
 */
function isBehind(chain: ServedChain, blocks: readonly BlockRef[], fork: number, tip: BlockRef): boolean {
  const last = blocks.at(-1)
  if (last === undefined || fork >= last.height) return false
  const isAncestor = blocks.some(({ height, hash }) => height === tip.height && hash === tip.hash)
  return isAncestor || chain.state().tip?.hash !== tip.hash
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
      const { block, open, muted, txid, prevouts } = activity
      const isFixed = block !== undefined && block.height <= fork
      const holds = (kind: CoinEventKind): boolean => open.has(kind) || muted.has(kind)
      const isWaiting = subscription.events.includes('confirmed') && !holds('confirmed') && !activity.isSpender
      const isDeep = isFixed && block.height <= tip.height - index.network.undoDepth
      if (isFixed && !isWaiting && !isDeep) continue
      const isUnconfirmed = mempool.find(txid) !== undefined
      // It was replaced, and no block came.
      if (isKnown && !isUnconfirmed && block === undefined && holds('replaced') && fork === tip.height) continue
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

/**
 * The watched scripts that the blocks above the fork touch. Undefined if it is cheaper to look every script up, or if the
 * blocks are too old.
 */
async function inBlocks(
  reader: KvReader,
  fork: number,
  tip: BlockRef,
  { scripts }: WatchList,
  turns: Turns,
): Promise<Set<WatchedScript> | undefined> {
  const blocks = touchingBlocks(reader, fork + 1, tip.height)
  if (blocks === undefined || blocks.reduce((sum, { txCount }) => sum + txCount, 0) > scripts.size) return undefined
  const found = new Set<WatchedScript>()
  for (const block of blocks)
    for (const keys of touchedScripts(reader, block)) {
      await turns.take(UNITS.created + keys.length * UNITS.touched)
      for (const key of keys) {
        const script = scripts.get(scriptMapKey(key))
        if (script !== undefined) found.add(script)
      }
    }
  return found
}

/**
 * Finds the transactions of blocks that earlier passes matched without these scripts: those of a subscription that was
 * stored after a block above its `fromHeight` was matched, and of wallet scripts that were beyond the gap limit.
 */
async function sightLate(
  reader: KvReader,
  { subscriptions, unsearched }: WatchList,
  endTxnum: number | undefined,
  turns: Turns,
): Promise<Sightings> {
  const late = new Sightings()
  const { runs } = readRuns(reader)
  const findTxid = txidFinder(reader)
  for (const [id, scripts] of unsearched) {
    const subscription = subscriptions.get(id)
    const first = subscription === undefined ? undefined : findBlockRow(reader, subscription.fromHeight + 1)?.firstTxnum
    if (subscription === undefined || first === undefined || first >= (endTxnum ?? Number.POSITIVE_INFINITY)) continue
    for (const { key } of scripts) {
      await turns.take(UNITS.script)
      for (const { txnum, flags, received, sent } of entriesFrom(reader, key, first, runs)) {
        const tx = txnum < (endTxnum ?? Number.POSITIVE_INFINITY) ? findTxid(txnum) : undefined
        if (tx === undefined) continue
        const sighting = { received, sent, spends: (flags & SENT) !== 0, isSpender: false, tx: undefined }
        late.add(subscription, hashHex(tx.txid), sighting)
      }
    }
  }
  return late
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
  return { ...(known ?? NEW), txid, ...sighting, prevouts }
}

const NEW: Pick<Activity, 'block' | 'open' | 'muted' | 'replacedBy'> = {
  block: undefined,
  open: new Set(),
  muted: new Set(),
  replacedBy: undefined,
}

/** A transaction with the amounts of scripts that were not watched when it was found. */
const withLate = (txid: string, late: Sighting, known: Activity | undefined): Activity =>
  known === undefined
    ? activityOf(txid, late, known)
    : {
        ...known,
        received: known.received + late.received,
        sent: known.sent + late.sent,
        spends: known.spends || late.spends,
      }

const isUnchanged = (known: Activity, next: Activity): boolean =>
  known.block?.hash === next.block?.hash &&
  known.received === next.received &&
  known.sent === next.sent &&
  isSame(known.open, next.open) &&
  isSame(known.muted, next.muted)

const isSame = (a: Activity['open'], b: Activity['open']): boolean => a.size === b.size && a.isSubsetOf(b)
