/**
 * What the subscriptions of a chain watch: scripts of addresses and wallets, and transactions. Kept in memory.
 *
 * A wallet is watched up to its gap limit, and further as soon as one of its last scripts is used.
 */
import { type Descriptor, readDescriptor } from '../descriptors/descriptor.ts'
import { DescriptorError } from '../descriptors/descriptor-error.ts'
import { readTotals } from '../index/history.ts'
import type { KvReader } from '../index/kv.ts'
import { type MempoolView, scriptMapKey } from '../mempool/mempool-view.ts'
import type { Network } from '../networks/network.ts'
import { AddressError, decodeAddress } from '../parse/address.ts'
import { scriptKey } from '../parse/script.ts'
import { DerivedScripts, type WalletScript } from '../serve/derived-scripts.ts'
import { Turns } from '../serve/turns.ts'
import type { KeptWallet } from '../wallets/wallet-store.ts'
import type { CoinSubscription } from './subscription-store.ts'

export type WatchedScript = {
  readonly key: Buffer
  readonly mapKey: string
  readonly subscriptions: CoinSubscription[]
}

export type WatchedOutputs = {
  readonly values: readonly number[]
  /** The last block for which spent outputs were searched. */
  searchedAt: string | undefined
}

type WatchedWallet = {
  readonly subscription: CoinSubscription
  readonly derived: DerivedScripts
  readonly gapLimit: number
  /** The first index of each branch that is not watched, and the first after the last used one. */
  readonly branches: { end: number; next: number }[]
}

/** Work of a lookup, in units of a turn. */
const SCRIPT_UNITS = 20

export class WatchList {
  readonly subscriptions: ReadonlyMap<number, CoinSubscription>
  /** By `mapKey`. */
  readonly scripts = new Map<string, WatchedScript>()
  /** Subscriptions to transactions, by txid. */
  readonly transactions = new Map<string, CoinSubscription[]>()
  /** Subscriptions to a transaction that no reorg can reach any more. */
  readonly settled = new Set<number>()
  /** What is known of the outputs of transactions that are subscribed to, by txid. */
  readonly outputs = new Map<string, WatchedOutputs>()
  readonly #wallets: WatchedWallet[] = []
  readonly #walletScripts = new Map<string, { wallet: WatchedWallet; branch: number; index: number }[]>()

  constructor(
    network: Network,
    subscriptions: readonly CoinSubscription[],
    findWallet: (subscription: CoinSubscription) => KeptWallet | undefined,
  ) {
    this.subscriptions = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
    for (const subscription of subscriptions) {
      if (subscription.kind === 'address') this.#watchAddress(network, subscription)
      else if (subscription.kind === 'wallet') this.#watchWallet(network, subscription, findWallet(subscription))
      else
        this.transactions.set(subscription.target, [
          ...(this.transactions.get(subscription.target) ?? []),
          subscription,
        ])
    }
  }

  #watchAddress(network: Network, subscription: CoinSubscription): void {
    try {
      this.#watchScript(scriptKey(decodeAddress(network, subscription.target).script), subscription)
    } catch (error) {
      // The node is on another network than when the account subscribed.
      if (!(error instanceof AddressError)) throw error
    }
  }

  #watchScript(key: Buffer, subscription: CoinSubscription): WatchedScript {
    const mapKey = scriptMapKey(key)
    const watched = this.scripts.get(mapKey) ?? { key, mapKey, subscriptions: [] }
    if (!watched.subscriptions.includes(subscription)) watched.subscriptions.push(subscription)
    this.scripts.set(mapKey, watched)
    return watched
  }

  /** A wallet whose key is lost, or of another network, is not watched. */
  #watchWallet(network: Network, subscription: CoinSubscription, kept: KeptWallet | undefined): void {
    const descriptor = kept === undefined ? undefined : tryRead(network, kept.descriptor)
    if (kept === undefined || descriptor === undefined) return
    const branches = descriptor.branches.map(() => ({ end: 0, next: 0 }))
    const { gapLimit } = kept
    this.#wallets.push({ subscription, derived: new DerivedScripts(descriptor), gapLimit, branches })
  }

  /** Watches the scripts of all wallets up to their gap limits. Returns those that were not watched before. */
  async extend(reader: KvReader, mempool: MempoolView, turns = new Turns()): Promise<WatchedScript[]> {
    const added: WatchedScript[] = []
    for (const wallet of this.#wallets)
      for (const [branch, { isRanged }] of wallet.derived.descriptor.branches.entries()) {
        const state = wallet.branches[branch] ?? { end: 0, next: 0 }
        // A wallet with the most keys that one can have is watched as far as it was derived.
        for (; state.end < (isRanged ? state.next + wallet.gapLimit : 1) && !wallet.derived.isFull; state.end++)
          for (const script of await wallet.derived.at(branch, state.end, turns)) {
            await turns.take(SCRIPT_UNITS)
            added.push(this.#watchWalletScript(wallet, script))
            if (readTotals(reader, script.key).txCount > 0 || mempool.ofScript(script.mapKey).length > 0)
              state.next = script.index + 1
          }
      }
    return added
  }

  #watchWalletScript(wallet: WatchedWallet, { key, mapKey, branch, index }: WalletScript): WatchedScript {
    const owners = this.#walletScripts.get(mapKey)
    if (owners === undefined) this.#walletScripts.set(mapKey, [{ wallet, branch, index }])
    else owners.push({ wallet, branch, index })
    return this.#watchScript(key, wallet.subscription)
  }

  /** Notes that scripts are in use. Returns whether a wallet has to be extended. */
  use(mapKeys: Iterable<string>): boolean {
    let hasGrown = false
    for (const mapKey of mapKeys)
      for (const { wallet, branch, index } of this.#walletScripts.get(mapKey) ?? []) {
        const state = wallet.branches[branch]
        if (state === undefined || index < state.next) continue
        state.next = index + 1
        hasGrown = true
      }
    return hasGrown
  }
}

function tryRead(network: Network, text: string): Descriptor | undefined {
  try {
    return readDescriptor(network, text)
  } catch (error) {
    if (error instanceof DescriptorError) return undefined
    throw error
  }
}
