/** Texts and choices of coin subscriptions. */
import type { CoinEventKind, CoinSubscription } from '../../api/use-coin-alerts.ts'

/** A wallet that the account keeps. */
export type KeptWallet = {
  readonly walletId: string
  readonly chain: CoinSubscription['chain']
  readonly name: string
}

export const COIN_EVENTS = ['seen', 'confirmed', 'replaced', 'spent'] as const satisfies readonly CoinEventKind[]

export const COIN_EVENT_TEXTS: Readonly<Record<CoinEventKind, string>> = {
  seen: 'Unconfirmed',
  confirmed: 'Confirmed',
  replaced: 'Replaced',
  spent: 'Coins spent',
}
