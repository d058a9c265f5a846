/**
 * A batch of consecutive blocks to be added to the index in one commit: one block at the tip, thousands during the
 * initial sync.
 *
 * Resolves every input to the coin it spends: in memory if the batch created the coin, otherwise in the store. Coins that
 * are created and spent in the same batch never reach the store. `write-batch.ts` writes the result.
 */
import { type Block, HEADER_SIZE, hashHex } from '../parse/block.ts'
import { Float64Column, HashTable, RecordColumn, Uint32Column } from '../parse/columns.ts'
import { isUnspendable, SCRIPT_KEY_SIZE, scriptKeyInto } from '../parse/script.ts'
import { isCoinbaseOutpoint } from '../parse/transaction.ts'
import { at, weightOf } from '../parse/tx-table.ts'
import { MissingCoinError } from './index-errors.ts'
import type { KvReader } from './kv.ts'
import { type BlockRow, type CoinEntry, coinKey, MAX_VOUT, readCoinEntries } from './layout.ts'
import { findTxLocation } from './tx-locations.ts'
import { type UndoCoin, UndoWriter } from './undo-data.ts'

/** State of an output at the end of the batch. `SPENT` includes overwritten and provably unspendable outputs. */
export const SPENT = 0
export const UNSPENT = 1

/** The state of the index before the batch. */
export type BatchStart = {
  readonly height: number
  readonly txnum: number
  readonly coins: number
  readonly amount: number
  /** Lowest height that needs undo data. */
  readonly undoFrom: number
}

/** `hasOwnRow`: no other coin shares its row in the table `coins`. */
export type StoredCoin = CoinEntry & { readonly key: Buffer; readonly vout: number; readonly hasOwnRow: boolean }

/** Finds the unspent coins of an outpoint. */
export type CoinFinder = {
  readonly find: (reader: KvReader, txid: Buffer, txidAt: number, vout: number) => CoinEntry[]
}

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
  readonly #log: CoinFinder | undefined
  readonly start: BatchStart
  readonly blocks: BatchBlock[] = []
  readonly txids = new HashTable()
  /** First output of each transaction; one more entry than transactions. */
  readonly firstOutput = new Uint32Column()
  readonly outputValue = new Float64Column()
  readonly outputScript = new Uint32Column()
  readonly outputState = new Uint32Column()
  readonly scripts = new RecordColumn(SCRIPT_KEY_SIZE)
  /** One event per output and input: script, transaction, and the amount received, or -1 minus the amount sent. */
  readonly eventScript = new Uint32Column()
  readonly eventTx = new Uint32Column()
  readonly eventAmount = new Float64Column()
  /** Stored coins that the batch spends or overwrites. */
  readonly removed: StoredCoin[] = []
  #coins: number
  #amount: number
  bytes = 0

  /** `log`: finds the coins from before the batch; by default they are in the table `coins`. */
  constructor(reader: KvReader, start: BatchStart, log?: CoinFinder) {
    this.#reader = reader
    this.#log = log
    this.start = start
    this.#coins = start.coins
    this.#amount = start.amount
    this.firstOutput.push(0)
  }

  get nextHeight(): number {
    return this.start.height + this.blocks.length
  }

  get nextTxnum(): number {
    return this.start.txnum + this.txids.count
  }

  /** Adds a block. The caller has checked that it follows the previous one. */
  add(block: Block): void {
    const height = this.nextHeight
    const { txs, txids } = block
    const firstTx = this.txids.count
    const firstTxnum = this.nextTxnum
    const undo = height >= this.start.undoFrom ? new UndoWriter(firstTxnum) : undefined
    const rates = new FeeRates()
    let fees = 0
    for (let i = 0; i < txs.count; i++) {
      const spent = i === 0 ? 0 : this.#spendInputs(block, i, firstTx, undo)
      // The genesis coinbase is not spendable, so nodes do not store its outputs.
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
        coinbaseAmount: outputAmount(block, 0),
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
    this.txids.add(txids, index * 32)
    this.firstOutput.push(this.outputValue.length)
    return 0
  }

  #spendInputs(block: Block, index: number, firstTx: number, undo: UndoWriter | undefined): number {
    const { txs } = block
    const { bytes } = txs
    const tx = this.txids.count
    let sum = 0
    for (let i = at(txs.firstInput, index); i < at(txs.firstInput, index + 1); i++) {
      const outpoint = at(txs.outpoint, i)
      const vout = bytes.readUInt32LE(outpoint + 32)
      const creator = this.txids.find(bytes, outpoint)
      sum +=
        creator < 0
          ? this.#spendStored(bytes, outpoint, vout, tx, index, undo)
          : this.#spendCreated(creator, vout, tx, index, firstTx, undo)
    }
    return sum
  }

  /** Spends a coin that this batch created. */
  #spendCreated(
    creator: number,
    vout: number,
    tx: number,
    index: number,
    firstTx: number,
    undo: UndoWriter | undefined,
  ): number {
    const output = this.firstOutput.at(creator) + vout
    if (output >= this.firstOutput.at(creator + 1) || this.outputState.at(output) !== UNSPENT) {
      throw new MissingCoinError(this.nextHeight, `${hashHex(this.txids.hash(creator))}:${vout}`)
    }
    this.outputState.data[output] = SPENT
    const value = this.outputValue.at(output)
    const script = this.outputScript.at(output)
    this.#addEvent(script, tx, -1 - value)
    this.#coins--
    this.#amount -= value
    if (undo !== undefined) {
      if (creator >= firstTx) undo.netted(this.scripts.data, script * SCRIPT_KEY_SIZE, creator - firstTx, index)
      else undo.spent(index, this.#undoCoinOf(creator, vout, output))
    }
    return value
  }

  #undoCoinOf(creator: number, vout: number, output: number): UndoCoin {
    const script = this.outputScript.at(output) * SCRIPT_KEY_SIZE
    return {
      vout,
      txnum: this.start.txnum + creator,
      script: this.scripts.data.subarray(script, script + SCRIPT_KEY_SIZE),
      value: this.outputValue.at(output),
    }
  }

  /** Spends a coin from before this batch. */
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
      if (isCoinbaseOutpoint(bytes, outpoint)) throw new MissingCoinError(this.nextHeight, 'the null outpoint')
      throw new MissingCoinError(this.nextHeight, `${hashHex(bytes.subarray(outpoint, outpoint + 32))}:${vout}`)
    }
    this.removed.push(coin)
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
    const entries = this.#log?.find(this.#reader, txid, txidAt, vout) ?? this.#rowEntries(key)
    // An attacker can make two txids with the same eight-byte prefix, so the whole txid is compared. For a spent coin in
    // a row of its own that is not needed: the coin exists, so it must be this one.
    const wanted = txid.subarray(txidAt, txidAt + 32)
    const entry =
      isSpent && entries.length === 1
        ? entries[0]
        : entries.find(({ txnum }) => findTxLocation(this.#reader, txnum)?.txid.equals(wanted))
    return entry === undefined ? undefined : { ...entry, key, vout, hasOwnRow: entries.length === 1 }
  }

  #rowEntries(key: Buffer): CoinEntry[] {
    const row = this.#reader.get('coins', key)
    return row === undefined ? [] : readCoinEntries(row)
  }

  #createOutputs(block: Block, index: number, undo: UndoWriter | undefined): number {
    const { txs, txids, scriptKeys } = block
    if (index === 0) this.#overwrite(txids, undo, at(txs.firstOutput, 1))
    const tx = this.txids.add(txids, index * 32)
    let sum = 0
    for (let i = at(txs.firstOutput, index); i < at(txs.firstOutput, index + 1); i++) {
      const value = at(txs.value, i)
      const start = at(txs.script, i)
      const end = at(txs.scriptEnd, i)
      sum += value
      this.outputValue.push(value)
      if (isUnspendable(txs.bytes, start, end)) {
        this.outputScript.push(0)
        this.outputState.push(SPENT)
        continue
      }
      const scriptAt = this.scripts.grow()
      if (scriptKeys === undefined) scriptKeyInto(txs.bytes, start, end, this.scripts.data, scriptAt)
      else scriptKeys.copy(this.scripts.data, scriptAt, i * SCRIPT_KEY_SIZE, (i + 1) * SCRIPT_KEY_SIZE)
      this.outputScript.push(this.scripts.length - 1)
      this.outputState.push(UNSPENT)
      this.#addEvent(this.scripts.length - 1, tx, value)
      this.#coins++
      this.#amount += value
    }
    this.firstOutput.push(this.outputValue.length)
    return sum
  }

  /**
   * Two early coinbases repeat an earlier one byte for byte (BIP 30), and nodes store the outputs of the later one. Only a
   * coinbase can repeat: any other transaction would have to spend the same coin twice.
   */
  #overwrite(txids: Buffer, undo: UndoWriter | undefined, outputs: number): void {
    const creator = this.txids.find(txids, 0)
    for (let vout = 0; vout < outputs; vout++) {
      if (creator >= 0) {
        const output = this.firstOutput.at(creator) + vout
        if (this.outputState.at(output) !== UNSPENT) continue
        this.outputState.data[output] = SPENT
        this.#removeOverwritten(this.#undoCoinOf(creator, vout, output), undo)
        continue
      }
      const coin = this.#findStored(txids, 0, vout, false)
      if (coin === undefined) continue
      if (this.removed.some(({ key, txnum }) => txnum === coin.txnum && key.equals(coin.key))) continue
      this.removed.push(coin)
      this.#removeOverwritten(coin, undo)
    }
  }

  #removeOverwritten(coin: UndoCoin, undo: UndoWriter | undefined): void {
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

function outputAmount({ txs }: Block, index: number): number {
  let amount = 0
  for (let i = at(txs.firstOutput, index); i < at(txs.firstOutput, index + 1); i++) amount += at(txs.value, i)
  return amount
}

/** Shares of the weight of a block at which its fee rates are stored, as in Core's `getblockstats`. */
const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9]
/** Greater than any block's weight, and small enough to leave 31 bits for the rate. */
const WEIGHT_RANGE = 2 ** 22
/** Rates are rounded to thousandths. */
const PRECISION = 1000

/**
 * Collects the fee rates of a block, by weight. Rate and weight are packed into one number, so that a typed array sorts
 * them.
 */
export class FeeRates {
  readonly #keys = new Float64Column()
  #total = 0

  add(fee: number, weight: number): void {
    const rate = Math.min(2 ** 31 - 1, Math.max(0, Math.round((fee * 4 * PRECISION) / weight)))
    this.#keys.push(rate * WEIGHT_RANGE + Math.min(weight, WEIGHT_RANGE - 1))
    this.#total += weight
  }

  percentiles(): number[] {
    const sorted = this.#keys.data.subarray(0, this.#keys.length).sort()
    const rates: number[] = []
    let weight = 0
    for (const key of sorted) {
      weight += key % WEIGHT_RANGE
      while (rates.length < SHARES.length && weight >= this.#total * (SHARES[rates.length] as number)) {
        rates.push(Math.floor(key / WEIGHT_RANGE) / PRECISION)
      }
    }
    return SHARES.map((_, i) => rates[i] ?? rates.at(-1) ?? 0)
  }
}
