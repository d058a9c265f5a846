/**
 * A stretch of consecutive blocks on its way into the index: one at the tip, thousands at first.
 *
 * Resolves every input to the coin it spends, in memory where the coin was born in the same stretch, in the store
 * otherwise. Coins that are born and spent within the stretch never reach the store. Owns what happened;
 * `write-batch.ts` writes it.
 */
import { type Block, HEADER_SIZE, hashHex } from '../parse/block.ts'
import { isUnspendable, SCRIPT_KEY_SIZE, scriptKeyInto } from '../parse/script.ts'
import { isCoinbaseOutpoint } from '../parse/transaction.ts'
import { at, weightOf } from '../parse/tx-table.ts'
import { Float64Column, RecordColumn, Uint32Column } from './columns.ts'
import { FeeRates } from './fee-rates.ts'
import { MissingCoinError } from './index-errors.ts'
import type { KvReader } from './kv.ts'
import { type BlockRow, type CoinEntry, coinKey, MAX_VOUT, readCoinEntries } from './layout.ts'
import { findTxLocation } from './tx-locations.ts'
import { TxidTable } from './txid-table.ts'
import { type UndoCoin, UndoWriter } from './undo-data.ts'

/** What an output is at the end of the stretch. */
export const DEAD = 0
export const LIVE = 1

/** Where the stretch begins. */
export type BatchStart = {
  readonly height: number
  readonly txnum: number
  readonly coins: number
  readonly amount: number
  /** Lowest height that must be undoable. */
  readonly undoFrom: number
}

export type StoredCoin = CoinEntry & { readonly key: Buffer; readonly vout: number; readonly isAlone: boolean }

export type BatchBlock = {
  readonly height: number
  readonly row: BlockRow
  readonly txids: Buffer
  readonly starts: ArrayLike<number>
  readonly ends: ArrayLike<number>
  readonly undo: Buffer | undefined
}

export class BlockBatch {
  readonly #reader: KvReader
  readonly start: BatchStart
  readonly blocks: BatchBlock[] = []
  readonly table = new TxidTable()
  /** First output of each transaction; one more entry than transactions. */
  readonly firstOutput = new Uint32Column()
  readonly outputValue = new Float64Column()
  readonly outputScript = new Uint32Column()
  readonly outputState = new Uint32Column()
  readonly scripts = new RecordColumn(SCRIPT_KEY_SIZE)
  /** Lines of history: script, transaction, and the amount received, or -1 less the amount sent. */
  readonly eventScript = new Uint32Column()
  readonly eventTx = new Uint32Column()
  readonly eventAmount = new Float64Column()
  /** Coins of the store that this stretch takes out of it. */
  readonly taken: StoredCoin[] = []
  #coins: number
  #amount: number
  bytes = 0

  constructor(reader: KvReader, start: BatchStart) {
    this.#reader = reader
    this.start = start
    this.#coins = start.coins
    this.#amount = start.amount
    this.firstOutput.push(0)
  }

  get nextHeight(): number {
    return this.start.height + this.blocks.length
  }

  get nextTxnum(): number {
    return this.start.txnum + this.table.count
  }

  /** The caller has checked that the block follows the last one. */
  add(block: Block): void {
    const height = this.nextHeight
    const { txs, txids } = block
    const firstTx = this.table.count
    const firstTxnum = this.nextTxnum
    const undo = height >= this.start.undoFrom ? new UndoWriter(firstTxnum) : undefined
    const rates = new FeeRates()
    let fees = 0
    for (let i = 0; i < txs.count; i++) {
      const spent = i === 0 ? 0 : this.#spendInputs(block, i, firstTx, undo)
      // The first block's coins were never spendable: no node has them.
      const created = height === 0 ? this.#addTx(txids, i) : this.#createOutputs(block, i, undo)
      if (i === 0) continue
      const fee = spent - created
      fees += fee
      if (i !== block.hogEx) rates.add(fee, weightOf(txs, i))
    }
    this.blocks.push({
      height,
      row: {
        header: Buffer.from(block.bytes.subarray(0, HEADER_SIZE)),
        hash: block.hash,
        firstTxnum,
        txCount: txs.count,
        size: block.bytes.length,
        weight: block.weight,
        strippedSize: block.strippedSize,
        fees,
        feeRates: rates.percentiles(),
        hogEx: block.hogEx >= 0,
        mwebAmount: block.hogEx < 0 ? 0 : at(txs.value, at(txs.firstOutput, block.hogEx)),
        coins: this.#coins,
        amount: this.#amount,
      },
      txids,
      starts: txs.start,
      ends: txs.end,
      undo: undo?.take(),
    })
    this.bytes += block.bytes.length
  }

  #addTx(txids: Buffer, index: number): number {
    this.table.add(txids, index * 32)
    this.firstOutput.push(this.outputValue.length)
    return 0
  }

  #spendInputs(block: Block, index: number, firstTx: number, undo: UndoWriter | undefined): number {
    const { txs } = block
    const { bytes } = txs
    const tx = this.table.count
    let sum = 0
    for (let i = at(txs.firstInput, index); i < at(txs.firstInput, index + 1); i++) {
      const outpoint = at(txs.outpoint, i)
      const vout = bytes.readUInt32LE(outpoint + 32)
      const born = this.table.find(bytes, outpoint)
      sum +=
        born < 0
          ? this.#spendStored(bytes, outpoint, vout, tx, index, undo)
          : this.#spendBorn(born, vout, tx, index, firstTx, undo)
    }
    return sum
  }

  /** A coin of this stretch. */
  #spendBorn(
    born: number,
    vout: number,
    tx: number,
    index: number,
    firstTx: number,
    undo: UndoWriter | undefined,
  ): number {
    const output = this.firstOutput.at(born) + vout
    if (output >= this.firstOutput.at(born + 1) || this.outputState.at(output) !== LIVE) {
      throw new MissingCoinError(this.nextHeight, `${hashHex(this.table.txid(born))}:${vout}`)
    }
    this.outputState.data[output] = DEAD
    const value = this.outputValue.at(output)
    const script = this.outputScript.at(output)
    this.#addEvent(script, tx, -1 - value)
    this.#coins--
    this.#amount -= value
    if (undo !== undefined) {
      if (born >= firstTx) undo.netted(this.scripts.data, script * SCRIPT_KEY_SIZE, born - firstTx, index)
      else undo.spent(index, this.#undoneBorn(born, vout, output))
    }
    return value
  }

  #undoneBorn(born: number, vout: number, output: number): UndoCoin {
    const script = this.outputScript.at(output) * SCRIPT_KEY_SIZE
    return {
      vout,
      txnum: this.start.txnum + born,
      script: this.scripts.data.subarray(script, script + SCRIPT_KEY_SIZE),
      value: this.outputValue.at(output),
    }
  }

  /** A coin from before this stretch. */
  #spendStored(
    bytes: Buffer,
    outpoint: number,
    vout: number,
    tx: number,
    index: number,
    undo: UndoWriter | undefined,
  ): number {
    const coin = this.#findStored(bytes, outpoint, vout, true)
    if (coin === undefined) {
      if (isCoinbaseOutpoint(bytes, outpoint)) throw new MissingCoinError(this.nextHeight, 'nothing outside a coinbase')
      throw new MissingCoinError(this.nextHeight, `${hashHex(bytes.subarray(outpoint, outpoint + 32))}:${vout}`)
    }
    this.taken.push(coin)
    const at = this.scripts.grow()
    coin.script.copy(this.scripts.data, at)
    this.#addEvent(this.scripts.length - 1, tx, -1 - coin.value)
    this.#coins--
    this.#amount -= coin.value
    undo?.spent(index, coin)
    return coin.value
  }

  #findStored(txid: Buffer, txidAt: number, vout: number, isSpent: boolean): StoredCoin | undefined {
    if (vout > MAX_VOUT) return undefined
    const key = coinKey(txid, txidAt, vout)
    const row = this.#reader.get('coins', key)
    if (row === undefined) return undefined
    const entries = readCoinEntries(row)
    // Eight bytes of an id can be had twice on purpose: then the whole id decides. A spent coin exists, so one that
    // has its row to itself is the one.
    const wanted = txid.subarray(txidAt, txidAt + 32)
    const entry =
      isSpent && entries.length === 1
        ? entries[0]
        : entries.find(({ txnum }) => findTxLocation(this.#reader, txnum)?.txid.equals(wanted))
    return entry === undefined ? undefined : { ...entry, key, vout, isAlone: entries.length === 1 }
  }

  #createOutputs(block: Block, index: number, undo: UndoWriter | undefined): number {
    const { txs, txids, scriptKeys } = block
    if (index === 0) this.#overwrite(txids, undo, at(txs.firstOutput, 1))
    const tx = this.table.add(txids, index * 32)
    let sum = 0
    for (let i = at(txs.firstOutput, index); i < at(txs.firstOutput, index + 1); i++) {
      const value = at(txs.value, i)
      const start = at(txs.script, i)
      const end = at(txs.scriptEnd, i)
      sum += value
      this.outputValue.push(value)
      if (isUnspendable(txs.bytes, start, end)) {
        this.outputScript.push(0)
        this.outputState.push(DEAD)
        continue
      }
      const scriptAt = this.scripts.grow()
      if (scriptKeys === undefined) scriptKeyInto(txs.bytes, start, end, this.scripts.data, scriptAt)
      else scriptKeys.copy(this.scripts.data, scriptAt, i * SCRIPT_KEY_SIZE, (i + 1) * SCRIPT_KEY_SIZE)
      this.outputScript.push(this.scripts.length - 1)
      this.outputState.push(LIVE)
      this.#addEvent(this.scripts.length - 1, tx, value)
      this.#coins++
      this.#amount += value
    }
    this.firstOutput.push(this.outputValue.length)
    return sum
  }

  /**
   * Two early coinbases repeat an earlier one byte for byte (BIP 30), and the node's coin database kept the later.
   * Only a coinbase can: every other transaction would have to spend the same coin again.
   */
  #overwrite(txids: Buffer, undo: UndoWriter | undefined, outputs: number): void {
    const born = this.table.find(txids, 0)
    for (let vout = 0; vout < outputs; vout++) {
      if (born >= 0) {
        const output = this.firstOutput.at(born) + vout
        if (this.outputState.at(output) !== LIVE) continue
        this.outputState.data[output] = DEAD
        this.#forget(this.#undoneBorn(born, vout, output), undo)
        continue
      }
      const coin = this.#findStored(txids, 0, vout, false)
      if (coin === undefined) continue
      if (this.taken.some(({ key, txnum }) => txnum === coin.txnum && key.equals(coin.key))) continue
      this.taken.push(coin)
      this.#forget(coin, undo)
    }
  }

  #forget(coin: UndoCoin, undo: UndoWriter | undefined): void {
    this.#coins--
    this.#amount -= coin.value
    undo?.overwritten(coin)
  }

  #addEvent(script: number, tx: number, amount: number): void {
    this.eventScript.push(script)
    this.eventTx.push(tx)
    this.eventAmount.push(amount)
  }
}
