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
import type { BlockRef } from '../node/block-source.ts'
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

/** A transaction that is subscribed to. */
export type WatchedTx = {
  readonly subscriptions: CoinSubscription[]
  /** The last block for which it was searched in the chain, and whether it was found. */
  searchedAt: string | undefined
  isConfirmed: boolean
  /** The amounts of its outputs, once they were read; undefined for one that cannot be spent. */
  values: readonly (number | undefined)[] | undefined
  /** Whether all outputs are spent in blocks that no reorg can reach. */
  isSpent: boolean
  /** What spends the outputs that are spent in blocks, as of a block. */
  spenders:
    | { readonly outputs: string; readonly block: BlockRef; readonly found: readonly ConfirmedSpender[] }
    | undefined
}

/** A transaction in a block that spends an output of a transaction that is subscribed to. */
export type ConfirmedSpender = {
  readonly txid: string
  readonly value: number
  readonly vout: number
  readonly height: number
}

type WatchedWallet = {
  readonly subscription: CoinSubscription
  readonly derived: DerivedScripts
  /** Of the wallet. */
  readonly text: string
  readonly gapLimit: number
  /** The first index of each branch that is not watched, and the first after the last used one. */
  readonly branches: { end: number; next: number }[]
}

/** Work of a lookup, in units of a turn. */
const SCRIPT_UNITS = 20
/** Derived scripts of wallets that are not watched any more: an account may change or repeat a subscription often. */
const MAX_SPARE = 20

export class WatchList {
  readonly #network: Network
  readonly #subscriptions = new Map<number, CoinSubscription>()
  /** By `mapKey`. */
  readonly scripts = new Map<string, WatchedScript>()
  /** Scripts that were added since the mempool was matched. */
  readonly fresh = new Set<WatchedScript>()
  /** Scripts that were never watched for a subscription: its earlier blocks are to be searched too. By subscription. */
  readonly unsearched = new Map<number, WatchedScript[]>()
  /** By txid. */
  readonly transactions = new Map<string, WatchedTx>()
  /** Subscriptions to a transaction that no reorg can reach any more. */
  readonly settled = new Set<number>()
  readonly #wallets = new Map<number, WatchedWallet>()
  readonly #walletScripts = new Map<string, { wallet: WatchedWallet; branch: number; index: number }[]>()
  /** The scripts of each subscription. */
  readonly #scriptsOf = new Map<number, WatchedScript[]>()
  /** By account and descriptor, the last ones at the end. */
  readonly #spare = new Map<string, DerivedScripts>()

  constructor(network: Network) {
    this.#network = network
  }

  get subscriptions(): ReadonlyMap<number, CoinSubscription> {
    return this.#subscriptions
  }

  /** Watches the target of a subscription, instead of an earlier version of it. `wallet` is that of the target. */
  add(subscription: CoinSubscription, wallet: KeptWallet | undefined): void {
    this.remove(subscription.id)
    this.#subscriptions.set(subscription.id, subscription)
    if (subscription.kind === 'address') this.#watchAddress(subscription)
    else if (subscription.kind === 'wallet') this.#watchWallet(subscription, wallet)
    else this.#watchTransaction(subscription)
  }

  remove(id: number): void {
    const subscription = this.#subscriptions.get(id)
    if (subscription === undefined) return
    this.#subscriptions.delete(id)
    this.#keepDerived(id)
    this.#wallets.delete(id)
    this.settled.delete(id)
    this.unsearched.delete(id)
    for (const script of this.#scriptsOf.get(id) ?? []) this.#unwatch(script, id)
    this.#scriptsOf.delete(id)
    const watched = this.transactions.get(subscription.target)
    if (watched === undefined) return
    const others = watched.subscriptions.filter((each) => each.id !== id)
    if (others.length === 0) this.transactions.delete(subscription.target)
    else this.transactions.set(subscription.target, { ...watched, subscriptions: others })
  }

  #keepDerived(id: number): void {
    const wallet = this.#wallets.get(id)
    if (wallet === undefined) return
    const { subscription, text, derived } = wallet
    this.#spare.set(`${subscription.accountId} ${text}`, derived)
    const [oldest] = this.#spare.keys()
    if (this.#spare.size > MAX_SPARE && oldest !== undefined) this.#spare.delete(oldest)
  }

  #unwatch(script: WatchedScript, id: number): void {
    const others = script.subscriptions.filter((each) => each.id !== id)
    script.subscriptions.splice(0, script.subscriptions.length, ...others)
    const owners = this.#walletScripts.get(script.mapKey)?.filter(({ wallet }) => wallet.subscription.id !== id) ?? []
    if (owners.length === 0) this.#walletScripts.delete(script.mapKey)
    else this.#walletScripts.set(script.mapKey, owners)
    if (others.length > 0) return
    this.scripts.delete(script.mapKey)
    this.fresh.delete(script)
  }

  /** Searches the results of the last pass again, because they were not stored. */
  searchAgain(): void {
    this.settled.clear()
    for (const watched of this.transactions.values()) searchTransaction(watched)
  }

  /** For each subscription with unsearched scripts, the first index of each branch that is not watched. */
  watchedTo(): ReadonlyMap<number, readonly number[]> {
    return new Map(
      this.unsearched.keys().map((id) => [id, this.#wallets.get(id)?.branches.map(({ end }) => end) ?? []] as const),
    )
  }

  #watchTransaction(subscription: CoinSubscription): void {
    const known = this.transactions.get(subscription.target)
    if (known !== undefined) {
      known.subscriptions.push(subscription)
      searchTransaction(known)
    } else
      this.transactions.set(subscription.target, {
        subscriptions: [subscription],
        searchedAt: undefined,
        isConfirmed: false,
        values: undefined,
        isSpent: false,
        spenders: undefined,
      })
  }

  #watchAddress(subscription: CoinSubscription): void {
    try {
      const { script } = decodeAddress(this.#network, subscription.target)
      const watched = this.#watchScript(scriptKey(script), subscription)
      if (subscription.watchedTo === null) this.unsearched.set(subscription.id, [watched])
    } catch (error) {
      // The node is on another network than when the account subscribed.
      if (!(error instanceof AddressError)) throw error
    }
  }

  #watchScript(key: Buffer, subscription: CoinSubscription): WatchedScript {
    const mapKey = scriptMapKey(key)
    const watched = this.scripts.get(mapKey) ?? { key, mapKey, subscriptions: [] }
    this.scripts.set(mapKey, watched)
    this.fresh.add(watched)
    if (watched.subscriptions.includes(subscription)) return watched
    watched.subscriptions.push(subscription)
    const own = this.#scriptsOf.get(subscription.id)
    if (own === undefined) this.#scriptsOf.set(subscription.id, [watched])
    else own.push(watched)
    return watched
  }

  /** A wallet whose key is lost, or of another network, is not watched. */
  #watchWallet(subscription: CoinSubscription, kept: KeptWallet | undefined): void {
    const descriptor = kept === undefined ? undefined : tryRead(this.#network, kept.descriptor)
    if (kept === undefined || descriptor === undefined) return
    const branches = descriptor.branches.map(() => ({ end: 0, next: 0 }))
    const { gapLimit, descriptor: text } = kept
    const spare = `${subscription.accountId} ${text}`
    const derived = this.#spare.get(spare) ?? new DerivedScripts(descriptor)
    this.#spare.delete(spare)
    this.#wallets.set(subscription.id, { subscription, derived, text, gapLimit, branches })
  }

  /**
   * Watches the scripts of all wallets up to their gap limits. Returns those that were not watched before, each with the
   * subscription that did not watch it: others may watch the same script already.
   */
  async extend(reader: KvReader, mempool: MempoolView, turns = new Turns()): Promise<WatchedScript[]> {
    const added: WatchedScript[] = []
    for (const wallet of this.#wallets.values())
      for (const [branch, { isRanged }] of wallet.derived.descriptor.branches.entries()) {
        const state = wallet.branches[branch] ?? { end: 0, next: 0 }
        // A wallet with the most keys that one can have is watched as far as it was derived.
        const { derived, gapLimit } = wallet
        for (; state.end < (isRanged ? state.next + gapLimit : 1) && derived.has(branch, state.end); state.end++)
          for (const script of await derived.at(branch, state.end, turns)) {
            await turns.take(SCRIPT_UNITS)
            const watched = this.#watchWalletScript(wallet, script)
            if (watched !== undefined) added.push({ ...watched, subscriptions: [wallet.subscription] })
            if (readTotals(reader, script.key).txCount > 0 || mempool.ofScript(script.mapKey).length > 0)
              state.next = script.index + 1
          }
      }
    return added
  }

  /** Undefined if another branch of the wallet has the same script. */
  #watchWalletScript(wallet: WatchedWallet, { key, mapKey, branch, index }: WalletScript): WatchedScript | undefined {
    const owners = this.#walletScripts.get(mapKey)
    if (owners === undefined) this.#walletScripts.set(mapKey, [{ wallet, branch, index }])
    else owners.push({ wallet, branch, index })
    const { subscription } = wallet
    if (owners?.some((owner) => owner.wallet === wallet && owner.branch !== branch) === true) return undefined
    const watched = this.#watchScript(key, subscription)
    if (index < (subscription.watchedTo?.[branch] ?? 0)) return watched
    const unsearched = this.unsearched.get(subscription.id)
    if (unsearched === undefined) this.unsearched.set(subscription.id, [watched])
    else unsearched.push(watched)
    return watched
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

/** Searches a transaction and its spenders again, in all blocks. */
function searchTransaction(watched: WatchedTx): void {
  watched.searchedAt = undefined
  watched.isSpent = false
  watched.spenders = undefined
}

function tryRead(network: Network, text: string): Descriptor | undefined {
  try {
    return readDescriptor(network, text)
  } catch (error) {
    if (error instanceof DescriptorError) return undefined
    throw error
  }
}
