/**
 * Which transactions spend the outputs of a transaction.
 *
 * The index has no table of spent outputs. The spender of an output is a later transaction in the history of its script
 * that spends from it, so those are loaded, oldest first, until it is found.
 */
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { historyChunks } from '../index/history.ts'
import { SENT } from '../index/history-entry.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import { findCoin, findTx } from '../index/lookup.ts'
import { locationFinder } from '../index/tx-locations.ts'
import { hashFromHex } from '../parse/block.ts'
import { isUnspendable, scriptKey } from '../parse/script.ts'
import type { Transaction, TxOutput } from '../parse/transaction.ts'
import type { ServedChain } from './served-chain.ts'
import { type LocatedTx, locateTx } from './transaction-loader.ts'
import { findConfirmed, findUnconfirmed, txNotFound } from './transaction-view.ts'
import { Turns } from './turns.ts'

/** Entries of history that are read, and transactions that are loaded, for all outputs of a transaction. */
const MAX_ENTRIES = 200_000
const MAX_LOADED = 2_000
/** Transactions loaded at once: the spender is often among the first. */
const LOADED_AT_ONCE = 50

type Spender = { readonly txid: string; readonly vin: number; readonly height: number | undefined }

export async function getOutspends(chain: ServedChain, txid: string) {
  const confirmed = findConfirmed(chain, txid)
  const [tx = findUnconfirmed(chain, txid)] =
    confirmed === undefined ? [] : await chain.loader.load([confirmed.located])
  if (tx === undefined) throw txNotFound(chain, txid)
  return withSnapshotAsync(chain.index.kv, async (reader) => {
    const search = new SpenderSearch(chain, reader, tx)
    const tip = findTip(reader)?.height ?? 0
    const outputs = []
    for (const [vout, output] of tx.outputs.entries()) {
      const state = search.stateOf(vout, output)
      const spender = state === 'spent' ? await search.find(vout, output) : undefined
      outputs.push({
        vout,
        value: output.value,
        state,
        spender:
          spender === undefined
            ? null
            : {
                txid: spender.txid,
                vin: spender.vin,
                blockHeight: spender.height ?? null,
                confirmations: spender.height === undefined ? 0 : tip - spender.height + 1,
              },
      })
    }
    return { txid, chain: chain.network.chain, outputs }
  })
}

class SpenderSearch {
  readonly #chain: ServedChain
  readonly #reader: KvReader
  readonly #tx: Transaction
  readonly #turns = new Turns()
  /** Undefined for an unconfirmed transaction. */
  readonly #txnum: number | undefined
  #entriesLeft = MAX_ENTRIES
  #loadsLeft = MAX_LOADED

  constructor(chain: ServedChain, reader: KvReader, tx: Transaction) {
    this.#chain = chain
    this.#reader = reader
    this.#tx = tx
    const location = findTx(reader, hashFromHex(tx.txid))
    const row = location === undefined ? undefined : findBlockRow(reader, location.height)
    this.#txnum = location === undefined || row === undefined ? undefined : row.firstTxnum + location.index
  }

  stateOf(vout: number, { script }: TxOutput): 'unspent' | 'spent' | 'unspendable' {
    if (this.#chain.mempool.findSpender(this.#tx.txid, vout) !== undefined) return 'spent'
    // The coinbase of the genesis block is not in the UTXO set of any node.
    if (isUnspendable(script, 0, script.length) || this.#txnum === 0) return 'unspendable'
    if (this.#txnum === undefined) return 'unspent'
    return findCoin(this.#reader, hashFromHex(this.#tx.txid), vout) === undefined ? 'spent' : 'unspent'
  }

  async find(vout: number, output: TxOutput): Promise<Spender | undefined> {
    const { mempool, loader } = this.#chain
    const unconfirmed = mempool.findSpender(this.#tx.txid, vout)
    if (unconfirmed !== undefined) {
      const vin = mempool.find(unconfirmed)?.inputs.findIndex((input) => this.#isSpent(input, vout)) ?? 0
      return { txid: unconfirmed, vin, height: undefined }
    }
    const candidates = await this.#candidates(output)
    for (let i = 0; i < candidates.length && this.#loadsLeft > 0; i += LOADED_AT_ONCE) {
      const part = candidates.slice(i, i + Math.min(LOADED_AT_ONCE, this.#loadsLeft))
      this.#loadsLeft -= part.length
      for (const [at, { txid, inputs }] of (await loader.load(part)).entries()) {
        const vin = inputs.findIndex(({ prevout }) => prevout !== undefined && this.#isSpent(prevout, vout))
        if (vin >= 0) return { txid, vin, height: part[at]?.location.height }
      }
    }
    return undefined
  }

  #isSpent({ txid, vout }: { readonly txid: string; readonly vout: number }, wanted: number): boolean {
    return txid === this.#tx.txid && vout === wanted
  }

  /** Later transactions that spend at least the amount from the script, oldest first. */
  async #candidates({ script, value }: TxOutput): Promise<LocatedTx[]> {
    const later: number[] = []
    for (const chunk of historyChunks(this.#reader, scriptKey(script))) {
      await this.#turns.take(chunk.length)
      for (const { txnum, flags, sent } of chunk)
        if ((flags & SENT) !== 0 && sent >= value && txnum > (this.#txnum ?? 0)) later.push(txnum)
      this.#entriesLeft -= chunk.length
      if (this.#entriesLeft <= 0 || (chunk.at(-1)?.txnum ?? 0) < (this.#txnum ?? 0)) break
    }
    const findLocation = locationFinder(this.#reader)
    return later
      .toReversed()
      .slice(0, this.#loadsLeft)
      .flatMap((txnum) => locateTx(this.#reader, findLocation(txnum)) ?? [])
  }
}
