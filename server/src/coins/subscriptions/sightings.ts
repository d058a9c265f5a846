/** Transactions of subscriptions that were found in blocks or in the mempool. */
import type { MempoolTx } from '../mempool/mempool-view.ts'
import type { CoinSubscription } from './subscription-store.ts'

/** A transaction of a subscription, with the amounts of all scripts that it touches. */
export type Sighting = {
  received: number
  sent: number
  spends: boolean
  isSpender: boolean
  /** Undefined if it is not in the mempool. */
  readonly tx: MempoolTx | undefined
}

/** By subscription and txid. */
export class Sightings {
  readonly #found = new Map<CoinSubscription, Map<string, Sighting>>()

  add(subscription: CoinSubscription, txid: string, { received, sent, spends, isSpender, tx }: Sighting): void {
    let own = this.#found.get(subscription)
    if (own === undefined) this.#found.set(subscription, (own = new Map()))
    const sighting = own.get(txid)
    if (sighting === undefined) own.set(txid, { received, sent, spends, isSpender, tx })
    else {
      sighting.received += received
      sighting.sent += sent
      sighting.spends ||= spends
      sighting.isSpender &&= isSpender
    }
  }

  *entries(): Generator<readonly [CoinSubscription, string, Sighting]> {
    for (const [subscription, own] of this.#found)
      for (const [txid, sighting] of own) yield [subscription, txid, sighting]
  }
}
