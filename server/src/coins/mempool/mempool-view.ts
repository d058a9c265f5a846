/**
 * The unconfirmed transactions, seen by script and by coin.
 *
 * Pure bookkeeping: transactions come and go, `refresh-mempool.ts` decides which. Replacement needs no rule of its own:
 * the node drops the replaced transaction, and so does the view.
 */

/** A coin that an unconfirmed transaction spends. */
export type SpentCoin = {
  readonly txid: string
  readonly vout: number
  /** Script key, in the form of `scriptMapKey`. */
  readonly script: string
  readonly value: number
}

export type PaidOutput = { readonly script: string; readonly value: number }

export type MempoolTx = {
  readonly txid: string
  readonly bytes: Buffer
  readonly inputs: readonly SpentCoin[]
  /** Undefined at the place of an output that can never be spent. */
  readonly outputs: readonly (PaidOutput | undefined)[]
  /** What its inputs bring less what its outputs take; a fee inside an extension block is none of it. */
  readonly fee: number
  readonly vsize: number
  /** What it takes of a block: paying into an extension block also takes an input of the block's last transaction. */
  readonly minedVsize: number
  /** When the node first saw it, seconds since the epoch. */
  readonly time: number
}

export type UnconfirmedCoin = { readonly txid: string; readonly vout: number; readonly value: number }

/** A script key as a map key. */
export const scriptMapKey = (key: Buffer): string => key.toString('latin1')

const coinName = (txid: string, vout: number): string => `${txid}:${vout}`

export class MempoolView {
  readonly #txs = new Map<string, MempoolTx>()
  readonly #byScript = new Map<string, Set<string>>()
  readonly #spenders = new Map<string, string>()
  /** Hash of the block for which this view is complete; undefined while it is not. */
  blockHash: string | undefined

  get size(): number {
    return this.#txs.size
  }

  txids(): Iterable<string> {
    return this.#txs.keys()
  }

  find(txid: string): MempoolTx | undefined {
    return this.#txs.get(txid)
  }

  findSpender(txid: string, vout: number): string | undefined {
    return this.#spenders.get(coinName(txid, vout))
  }

  add(tx: MempoolTx): void {
    this.#txs.set(tx.txid, tx)
    for (const input of tx.inputs) this.#spenders.set(coinName(input.txid, input.vout), tx.txid)
    for (const script of scriptsOf(tx)) {
      const txids = this.#byScript.get(script)
      if (txids === undefined) this.#byScript.set(script, new Set([tx.txid]))
      else txids.add(tx.txid)
    }
  }

  remove(txid: string): void {
    const tx = this.#txs.get(txid)
    if (tx === undefined) return
    this.#txs.delete(txid)
    for (const input of tx.inputs) {
      const name = coinName(input.txid, input.vout)
      // A replacement may have taken the coin over already.
      if (this.#spenders.get(name) === txid) this.#spenders.delete(name)
    }
    for (const script of scriptsOf(tx)) {
      const txids = this.#byScript.get(script)
      txids?.delete(txid)
      if (txids?.size === 0) this.#byScript.delete(script)
    }
  }

  clear(): void {
    this.#txs.clear()
    this.#byScript.clear()
    this.#spenders.clear()
    this.blockHash = undefined
  }

  /** Transactions that touch a script, newest first. */
  ofScript(script: string): MempoolTx[] {
    const txs = Array.from(this.#byScript.get(script) ?? [], (txid) => this.#txs.get(txid)).filter(
      (tx) => tx !== undefined,
    )
    return txs.sort(newestFirst)
  }

  /** What the script's balance changes by when everything unconfirmed confirms. */
  balanceChange(script: string): bigint {
    let change = 0n
    for (const tx of this.ofScript(script)) {
      const { received, sent } = flowOf(tx, script)
      change += BigInt(received) - BigInt(sent)
    }
    return change
  }

  /** Unconfirmed coins of a script that nothing unconfirmed spends. */
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

/** The order of waiting transactions: by when the node saw them, then by id. */
export function newestFirst(a: Pick<MempoolTx, 'time' | 'txid'>, b: Pick<MempoolTx, 'time' | 'txid'>): number {
  return b.time - a.time || (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : 0)
}

/** What a transaction pays to a script and takes from it. */
export function flowOf(tx: MempoolTx, script: string): { readonly received: number; readonly sent: number } {
  let received = 0
  let sent = 0
  for (const output of tx.outputs) if (output?.script === script) received += output.value
  for (const input of tx.inputs) if (input.script === script) sent += input.value
  return { received, sent }
}

function scriptsOf(tx: MempoolTx): Set<string> {
  const scripts = new Set(tx.inputs.map((input) => input.script))
  for (const output of tx.outputs) if (output !== undefined) scripts.add(output.script)
  return scripts
}
