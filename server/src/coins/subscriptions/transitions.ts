/**
 * Which events of a subscription hold for a transaction, and what changes when the transaction moves. Pure.
 *
 * An event holds or does not hold: it depends on where the transaction is now, not on how it came there. So a process that
 * was down, or saw several blocks or a reorg at once, reports the same as one that saw every step.
 */
import type { BlockRef } from '../node/block-source.ts'

export const COIN_EVENT_KINDS = ['seen', 'confirmed', 'replaced', 'spent'] as const
export type CoinEventKind = (typeof COIN_EVENT_KINDS)[number]

/** Why an event does not hold any more. */
export type RetractionReason = 'reorganized' | 'replaced' | 'dropped' | 'returned'

/** Where a transaction is. */
export type Place =
  | { readonly at: 'block'; readonly block: BlockRef }
  | { readonly at: 'mempool' }
  /** Not in a block. The mempool is not known. */
  | { readonly at: 'unknown' }
  /** In no block and not in the mempool. `isFinal`: no reorg can reach the block of the transaction that replaced it. */
  | { readonly at: 'gone'; readonly replacedBy: string | undefined; readonly isFinal?: boolean }

/** A transaction of a subscription, as of the last step. */
export type Activity = {
  readonly txid: string
  /** Undefined while it is unconfirmed. */
  readonly block: BlockRef | undefined
  readonly received: number
  readonly sent: number
  /** It spends coins of the address or wallet, or outputs of the transaction. */
  readonly spends: boolean
  /** It only spends outputs of the transaction that is subscribed to. */
  readonly isSpender: boolean
  /** The outpoints it spends, if it was seen unconfirmed, as txid:vout. */
  readonly prevouts: readonly string[]
  /** The events that hold and were reported. */
  readonly open: ReadonlySet<CoinEventKind>
  /** Events that hold and were not reported, because the subscription had too many. */
  readonly muted: ReadonlySet<CoinEventKind>
  /** The transaction that replaced it, if that is known. */
  readonly replacedBy: string | undefined
}

export type Wanted = {
  readonly kind: 'address' | 'wallet' | 'transaction'
  readonly events: readonly CoinEventKind[]
  readonly confirmations: number
}

export type Step = {
  readonly added: readonly CoinEventKind[]
  readonly retracted: readonly { readonly kind: CoinEventKind; readonly because: RetractionReason }[]
  /** The activity after the step; undefined if nothing can change any more. */
  readonly next: Activity | undefined
}

/** Blocks below the tip that a reorg can replace. */
export type StepLimits = { readonly tip: number; readonly undoDepth: number }

export function stepOf(wanted: Wanted, activity: Activity, place: Place, { tip, undoDepth }: StepLimits): Step {
  const { open, muted } = activity
  const holding = holdingAt(wanted, activity, place, tip)
  const added = COIN_EVENT_KINDS.filter((kind) => holding.has(kind) && !open.has(kind) && !muted.has(kind))
  const retracted = COIN_EVENT_KINDS.filter((kind) => open.has(kind) && !holding.has(kind)).map((kind) => ({
    kind,
    because: reasonOf(kind, activity, place),
  }))
  const block = place.at === 'block' ? place.block : undefined
  const isFinal =
    place.at === 'gone'
      ? holding.size === 0 || place.isFinal === true
      : block !== undefined && block.height <= tip - Math.max(undoDepth, 1)
  const next: Activity = {
    ...activity,
    block,
    open: holding.difference(muted),
    muted: muted.intersection(holding),
    replacedBy: place.at === 'gone' ? (place.replacedBy ?? activity.replacedBy) : undefined,
  }
  return { added, retracted, next: isFinal ? undefined : next }
}

/**
 * The activity if some of its new events are not reported. Undefined if nothing of it was reported and nothing more can
 * be: a busy address has too many of them to keep. One that only spends a subscribed transaction is kept, because it is
 * found again at every block.
 */
export function mute(wanted: Wanted, next: Activity, kinds: readonly CoinEventKind[]): Activity | undefined {
  const muted = next.muted.union(new Set(kinds))
  const open = next.open.difference(muted)
  const isWaiting = wanted.events.includes('confirmed') && !muted.has('confirmed')
  if (open.size === 0 && next.block !== undefined && !isWaiting && wanted.kind !== 'transaction') return undefined
  return { ...next, open, muted, prevouts: open.size === 0 ? [] : next.prevouts }
}

function holdingAt(
  { events, confirmations }: Wanted,
  { open, muted, isSpender, spends }: Activity,
  place: Place,
  tip: number,
): ReadonlySet<CoinEventKind> {
  const isOpen = (kind: CoinEventKind): boolean => open.has(kind) || muted.has(kind)
  const holds: Readonly<Record<CoinEventKind, boolean>> = {
    // It was seen, whether or not it is in a block now.
    seen: place.at === 'mempool' ? !isSpender : place.at !== 'gone' && isOpen('seen'),
    confirmed: place.at === 'block' && !isSpender && tip - place.block.height + 1 >= confirmations,
    replaced:
      place.at === 'gone'
        ? !isSpender && (place.replacedBy !== undefined || isOpen('replaced'))
        : place.at === 'unknown' && isOpen('replaced'),
    spent: spends && (place.at === 'unknown' ? isOpen('spent') : place.at !== 'gone'),
  }
  // An event that the subscription no longer reports stays as long as it holds.
  return new Set(COIN_EVENT_KINDS.filter((kind) => holds[kind] && (events.includes(kind) || isOpen(kind))))
}

function reasonOf(kind: CoinEventKind, { block }: Activity, place: Place): RetractionReason {
  if (kind === 'replaced') return 'returned'
  if (place.at === 'gone' && place.replacedBy !== undefined) return 'replaced'
  return block === undefined && place.at === 'gone' ? 'dropped' : 'reorganized'
}
