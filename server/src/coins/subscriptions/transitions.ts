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
  /** In no block and not in the mempool. */
  | { readonly at: 'gone'; readonly replacedBy: string | undefined }

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
  /** The events that hold. */
  readonly open: ReadonlySet<CoinEventKind>
}

export type Wanted = { readonly events: readonly CoinEventKind[]; readonly confirmations: number }

export type Step = {
  readonly added: readonly CoinEventKind[]
  readonly retracted: readonly { readonly kind: CoinEventKind; readonly because: RetractionReason }[]
  /** The activity after the step; undefined if nothing can change any more. */
  readonly next: Activity | undefined
}

/** Blocks below the tip that a reorg can replace. */
export type StepLimits = { readonly tip: number; readonly undoDepth: number }

export function stepOf(wanted: Wanted, activity: Activity, place: Place, { tip, undoDepth }: StepLimits): Step {
  const holding = holdingAt(wanted, activity, place, tip)
  const added = COIN_EVENT_KINDS.filter((kind) => holding.has(kind) && !activity.open.has(kind))
  const retracted = COIN_EVENT_KINDS.filter((kind) => activity.open.has(kind) && !holding.has(kind)).map((kind) => ({
    kind,
    because: reasonOf(kind, activity, place),
  }))
  const block = place.at === 'block' ? place.block : undefined
  const isFinal =
    place.at === 'gone' ? holding.size === 0 : block !== undefined && block.height <= tip - Math.max(undoDepth, 1)
  return { added, retracted, next: isFinal ? undefined : { ...activity, block, open: holding } }
}

function holdingAt(
  { events, confirmations }: Wanted,
  { open, isSpender, spends }: Activity,
  place: Place,
  tip: number,
): ReadonlySet<CoinEventKind> {
  const isOpen = (kind: CoinEventKind): boolean => open.has(kind)
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
