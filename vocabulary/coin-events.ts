/** The texts of coin events, for messages and pages. */

export type CoinEventContent = {
  readonly chain: 'btc' | 'ltc'
  /** `more`: events of an hour that were not reported one by one. */
  readonly kind: 'seen' | 'confirmed' | 'replaced' | 'spent' | 'more'
  readonly targetKind: 'address' | 'wallet' | 'transaction'
  /** The address, the id of the kept wallet, or the txid. */
  readonly target: string
  /** Null of `more`. */
  readonly txid: string | null
  readonly blockHeight: number | null
  readonly blockHash: string | null
  readonly confirmations: number | null
  /** Satoshi that the transaction pays to the target and spends from it. */
  readonly received: number
  readonly sent: number
  readonly replacedBy: string | null
  /** Of `more`: the number of events, and the beginning of the hour as a time. */
  readonly count: number | null
  readonly hour: string | null
  readonly subscriptionId: number
  readonly retractedBecause?: 'reorganized' | 'replaced' | 'dropped' | 'returned' | null
}

const SYMBOLS: Readonly<Record<CoinEventContent['chain'], string>> = { btc: 'BTC', ltc: 'LTC' }

/** `1.25 LTC`, exact and without trailing zeros. */
function amountText(satoshi: number, chain: CoinEventContent['chain']): string {
  const digits = String(Math.abs(satoshi)).padStart(9, '0')
  const fraction = digits.slice(-8).replace(/0+$/, '')
  return `${digits.slice(0, -8)}${fraction === '' ? '' : `.${fraction}`} ${SYMBOLS[chain]}`
}

/** What the event is about, from the view of the target. */
function subjectOf({ targetKind, received, sent, chain }: CoinEventContent): string {
  if (targetKind === 'transaction') return 'Transaction'
  const net = received - sent
  return net < 0 ? `Payment of ${amountText(net, chain)} sent` : `Payment of ${amountText(net, chain)} received`
}

const TITLES: Readonly<Record<CoinEventContent['kind'], (event: CoinEventContent) => string>> = {
  seen: (event) => `${subjectOf(event)}, unconfirmed`,
  confirmed: (event) =>
    event.confirmations === 1
      ? `${subjectOf(event)}, confirmed`
      : `${subjectOf(event)}, ${event.confirmations} confirmations`,
  replaced: (event) => `${subjectOf(event)}: replaced by another transaction`,
  spent: ({ targetKind, sent, chain }) =>
    targetKind === 'transaction'
      ? `Outputs of ${amountText(sent, chain)} of the transaction spent`
      : `Coins of ${amountText(sent, chain)} spent`,
  more: ({ count, hour }) =>
    `${count} more ${count === 1 ? 'event' : 'events'} in the hour from ${hour?.slice(0, 16).replace('T', ' ')} UTC`,
}

/** Returns the sentence of an event, without a full stop at the end. */
export const coinEventTitle = (event: CoinEventContent): string => TITLES[event.kind](event)

const REASONS: Readonly<Record<NonNullable<CoinEventContent['retractedBecause']>, string>> = {
  reorganized: 'A chain reorganization removed the block with this transaction.',
  replaced: 'Another transaction that spends the same coins replaced this transaction.',
  dropped: 'The node dropped this transaction from its mempool. It is in no block.',
  returned: 'The replaced transaction is in the mempool or in a block again.',
}

/** Why an event was retracted. */
export const retractionText = ({ retractedBecause }: Pick<CoinEventContent, 'retractedBecause'>): string =>
  REASONS[retractedBecause ?? 'reorganized']
