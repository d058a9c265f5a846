/**
 * Unconfirmed transactions, indexed by script and by outpoint.
 *
 * `refresh-mempool.ts` adds and removes them. Replacements need no special rule: the node drops the replaced transaction,
 * and so does the view.
 */

import { ShardedMap } from './sharded-map.ts'

/** A coin that an unconfirmed transaction spends. */
export type SpentCoin = {
  readonly txid: string
  readonly vout: number
  /** Script key as returned by `scriptMapKey`. */
  readonly script: string
  readonly value: number
}

export type PaidOutput = { readonly script: string; readonly value: number }

export type MempoolTx = {
  readonly txid: string
  readonly bytes: Buffer
  readonly inputs: readonly SpentCoin[]
  /** Undefined for a provably unspendable output. */
  readonly outputs: readonly (PaidOutput | undefined)[]
  /** Inputs minus outputs. Does not include a fee inside the extension block. */
  readonly fee: number
  readonly vsize: number
  /** Virtual size in a block: a peg-in also adds an input to the HogEx. */
  readonly minedVsize: number
  /** When the transaction entered the node's mempool, in seconds since the epoch. */
  readonly time: number
}

export type UnconfirmedCoin = { readonly txid: string; readonly vout: number; readonly value: number }

/** Converts a script key to a string, for use as a Map key. */
export const scriptMapKey = (key: Buffer): string => key.toString('latin1')

const outpointMapKey = (txid: string, vout: number): string => `${txid}:${vout}`

/** Arrivals that are listed: more than come in some minutes. */
const MAX_ARRIVALS = 20_000

/** A transaction, and the versions of the view between which it is visible. */
type Held = { readonly tx: MempoolTx; from: number; until: number }

/**
 * Changes are staged first, in as many turns as needed, and become visible together in `publish`, which takes constant
 * time. So a request never sees a part of them, and none waits for a change of a hundred thousand transactions.
 */
export class MempoolView {
  #txs = new ShardedMap<Held>()
  /** These two may list transactions that are not visible. Most scripts and outpoints have one transaction. */
  #byScript = new ShardedMap<string | Set<string>>()
  #spenders = new ShardedMap<string | Set<string>>()
  #version = 0
  #size = 0
  #stagedSize = 0
  /** The last transactions that arrived, oldest first, and the first version after those that are not listed. */
  #arrivals: { readonly txid: string; readonly version: number }[] = []
  #arrivalsFrom = 0
  /** Removed transactions that are still held. */
  #removed: string[] = []
  /** Hash of the block for which this view is complete; undefined while it is not. */
  blockHash: string | undefined
  /** How often the view was cleared. */
  clears = 0

  /** Grows with every change that became visible. */
  get version(): number {
    return this.#version
  }

  get size(): number {
    return this.#size
  }

  *txids(): Generator<string> {
    for (const [txid, held] of this.#txs.entries()) if (this.#isVisible(held)) yield txid
  }

  /** Transactions that will be visible after the next `publish`. */
  *stagedTxids(): Generator<string> {
    for (const [txid, { until }] of this.#txs.entries()) if (until === Number.POSITIVE_INFINITY) yield txid
  }

  #isVisible({ from, until }: Held): boolean {
    return from <= this.#version && this.#version < until
  }

  find(txid: string): MempoolTx | undefined {
    const held = this.#txs.get(txid)
    return held !== undefined && this.#isVisible(held) ? held.tx : undefined
  }

  findSpender(txid: string, vout: number): string | undefined {
    const spenders = this.#spenders.get(outpointMapKey(txid, vout))
    if (spenders === undefined) return undefined
    if (typeof spenders === 'string') return this.find(spenders) === undefined ? undefined : spenders
    for (const spender of spenders) if (this.find(spender) !== undefined) return spender
    return undefined
  }

  /** Adds a transaction, visible at once. */
  add(tx: MempoolTx): void {
    this.stageAdded(tx)
    this.publish(this.blockHash)
  }

  remove(txid: string): void {
    this.stageRemoved(txid)
    this.publish(this.blockHash)
    this.sweep(Number.POSITIVE_INFINITY)
  }

  /** Adds a transaction that becomes visible with the next `publish`. */
  stageAdded(tx: MempoolTx): void {
    const held = this.#txs.get(tx.txid)
    if (held !== undefined && held.until > this.#version) {
      // Still there, or removed in the same change.
      if (held.until === Number.POSITIVE_INFINITY) return
      held.until = Number.POSITIVE_INFINITY
      this.#stagedSize++
      return
    }
    if (held !== undefined) this.#drop(held.tx)
    this.#txs.set(tx.txid, { tx, from: this.#version + 1, until: Number.POSITIVE_INFINITY })
    this.#note(tx.txid)
    this.#stagedSize++
    for (const { txid, vout } of tx.inputs) link(this.#spenders, outpointMapKey(txid, vout), tx.txid)
    for (const script of scriptsOf(tx)) link(this.#byScript, script, tx.txid)
  }

  #note(txid: string): void {
    this.#arrivals.push({ txid, version: this.#version + 1 })
    if (this.#arrivals.length <= MAX_ARRIVALS) return
    const dropped = this.#arrivals.splice(0, MAX_ARRIVALS / 2)
    this.#arrivalsFrom = dropped.at(-1)?.version ?? this.#arrivalsFrom
  }

  /** The transactions that arrived after a version of the view; undefined if they are not known. */
  arrivedAfter(version: number): MempoolTx[] | undefined {
    if (version < this.#arrivalsFrom) return undefined
    const first = this.#arrivals.findLastIndex((arrival) => arrival.version <= version) + 1
    return this.#arrivals.slice(first).flatMap(({ txid }) => this.find(txid) ?? [])
  }

  /** Removes a transaction with the next `publish`. */
  stageRemoved(txid: string): void {
    const held = this.#txs.get(txid)
    if (held === undefined || held.until !== Number.POSITIVE_INFINITY) return
    held.until = this.#version + 1
    this.#stagedSize--
    this.#removed.push(txid)
  }

  /** Makes all staged changes visible. `blockHash`: the block for which the view is complete then. */
  publish(blockHash: string | undefined): void {
    this.#version++
    this.#size = this.#stagedSize
    this.blockHash = blockHash
  }

  /** Frees up to `count` transactions that are no longer visible. Returns whether more are left. */
  sweep(count: number): boolean {
    const swept = this.#removed.splice(0, Math.min(count, this.#removed.length))
    for (const txid of swept) {
      const held = this.#txs.get(txid)
      if (held === undefined || held.until === Number.POSITIVE_INFINITY) continue
      if (held.until <= this.#version) this.#drop(held.tx)
      else this.#removed.push(txid)
    }
    return this.#removed.length > 0
  }

  #drop(tx: MempoolTx): void {
    this.#txs.delete(tx.txid)
    for (const { txid, vout } of tx.inputs) unlink(this.#spenders, outpointMapKey(txid, vout), tx.txid)
    for (const script of scriptsOf(tx)) unlink(this.#byScript, script, tx.txid)
  }

  /** Removes everything, also what is staged. */
  clear(): void {
    this.#txs = new ShardedMap()
    this.#byScript = new ShardedMap()
    this.#spenders = new ShardedMap()
    this.#removed = []
    this.#arrivals = []
    this.#arrivalsFrom = this.#version + 1
    this.#size = 0
    this.#stagedSize = 0
    this.blockHash = undefined
    this.clears++
  }

  /** Transactions that pay to or spend from a script, newest first. */
  ofScript(script: string): MempoolTx[] {
    const txids = this.#byScript.get(script)
    if (txids === undefined) return []
    const txs = Array.from(typeof txids === 'string' ? [txids] : txids, (txid) => this.find(txid))
    return txs.filter((tx) => tx !== undefined).sort(newestFirst)
  }

  /** The change of the script's balance if all unconfirmed transactions confirm. */
  balanceChange(script: string): bigint {
    let change = 0n
    for (const tx of this.ofScript(script)) {
      const { received, sent } = flowOf(tx, script)
      change += BigInt(received) - BigInt(sent)
    }
    return change
  }

  /** Unconfirmed coins of a script that no unconfirmed transaction spends. */
  coinsOf(script: string): UnconfirmedCoin[] {
    return this.ofScript(script).flatMap((tx) =>
      tx.outputs.flatMap((output, vout) =>
        output?.script === script && this.findSpender(tx.txid, vout) === undefined
          ? [{ txid: tx.txid, vout, value: output.value }]
          : [],
      ),
    )
  }
}

/** Adds a value to a key. One value is stored alone, which takes a tenth of the memory of a set. */
function link(map: ShardedMap<string | Set<string>>, key: string, value: string): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, value)
  else if (typeof values !== 'string') values.add(value)
  else if (values !== value) map.set(key, new Set([values, value]))
}

function unlink(map: ShardedMap<string | Set<string>>, key: string, value: string): void {
  const values = map.get(key)
  if (values === undefined) return
  if (typeof values === 'string') {
    if (values === value) map.delete(key)
    return
  }
  values.delete(value)
  if (values.size === 0) map.delete(key)
}

/** Compares unconfirmed transactions: newest first, then by txid. */
export function newestFirst(a: Pick<MempoolTx, 'time' | 'txid'>, b: Pick<MempoolTx, 'time' | 'txid'>): number {
  return b.time - a.time || (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : 0)
}

/** Returns what a transaction pays to a script and spends from it. */
export function flowOf(tx: MempoolTx, script: string): { readonly received: number; readonly sent: number } {
  let received = 0
  let sent = 0
  for (const output of tx.outputs) if (output?.script === script) received += output.value
  for (const input of tx.inputs) if (input.script === script) sent += input.value
  return { received, sent }
}

/** The keys of the scripts that a transaction touches. */
export function scriptsOf(tx: MempoolTx): Set<string> {
  const scripts = new Set(tx.inputs.map((input) => input.script))
  for (const output of tx.outputs) if (output !== undefined) scripts.add(output.script)
  return scripts
}
