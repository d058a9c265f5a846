/**
 * Unconfirmed transactions, indexed by script and by outpoint.
 *
 * `refresh-mempool.ts` adds and removes them. Replacements need no special rule: the node drops the replaced transaction,
 * and so does the view.
 */

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
    return this.#spenders.get(outpointMapKey(txid, vout))
  }

  add(tx: MempoolTx): void {
    this.#txs.set(tx.txid, tx)
    for (const input of tx.inputs) this.#spenders.set(outpointMapKey(input.txid, input.vout), tx.txid)
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
      const outpoint = outpointMapKey(input.txid, input.vout)
      // A replacement may already be registered as the spender.
      if (this.#spenders.get(outpoint) === txid) this.#spenders.delete(outpoint)
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

  /** Transactions that pay to or spend from a script, newest first. */
  ofScript(script: string): MempoolTx[] {
    const txs = Array.from(this.#byScript.get(script) ?? [], (txid) => this.#txs.get(txid)).filter(
      (tx) => tx !== undefined,
    )
    return txs.sort(newestFirst)
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

function scriptsOf(tx: MempoolTx): Set<string> {
  const scripts = new Set(tx.inputs.map((input) => input.script))
  for (const output of tx.outputs) if (output !== undefined) scripts.add(output.script)
  return scripts
}
