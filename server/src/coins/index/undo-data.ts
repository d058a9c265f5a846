/**
 * Undo data of a block: the coins that it removed from the UTXO set, and the history entries that are recorded nowhere
 * else.
 *
 * Coins that the block created need no record: they are found by its txids.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { RowReader, RowWriter } from './row-bytes.ts'

/** A coin to restore. Its txid is looked up by number: the transaction is older than the disconnected block. */
export type UndoCoin = {
  readonly vout: number
  readonly txnum: number
  readonly script: Buffer
  readonly value: number
}

export type UndoData = {
  /** Spent coins, with the index of the spending transaction in the block. */
  readonly spent: readonly { readonly by: number; readonly coin: UndoCoin }[]
  /** Scripts of coins that the block both created and spent, with the indexes of both transactions. */
  readonly netted: readonly { readonly script: Buffer; readonly by: readonly [number, number] }[]
  /** Coins replaced by a transaction with the same txid. */
  readonly overwritten: readonly UndoCoin[]
}

// The record's kind is in the low bits of its first number, which saves a byte.
const SPENT = 0
const NETTED = 1
const OVERWRITTEN = 2
const KINDS = 4

export class UndoWriter {
  readonly #row = new RowWriter(256)
  readonly #firstTxnum: number

  /** `firstTxnum` of the block. Most spent coins are young, so distances from it encode shorter than numbers. */
  constructor(firstTxnum: number) {
    this.#firstTxnum = firstTxnum
  }

  #coin(coin: UndoCoin): void {
    this.#row.varint(this.#firstTxnum - coin.txnum)
    this.#row.varint(coin.vout)
    this.#row.slice(coin.script, 0, SCRIPT_KEY_SIZE)
    this.#row.varint(coin.value)
  }

  spent(by: number, coin: UndoCoin): void {
    this.#row.varint(by * KINDS + SPENT)
    this.#coin(coin)
  }

  netted(scripts: Buffer, scriptAt: number, createdBy: number, spentBy: number): void {
    this.#row.varint(createdBy * KINDS + NETTED)
    this.#row.varint(spentBy - createdBy)
    this.#row.slice(scripts, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  }

  overwritten(coin: UndoCoin): void {
    this.#row.varint(OVERWRITTEN)
    this.#coin(coin)
  }

  take(): Buffer {
    return this.#row.take()
  }
}

function readCoin(row: RowReader, firstTxnum: number): UndoCoin {
  return {
    txnum: firstTxnum - row.varint(),
    vout: row.varint(),
    script: row.slice(SCRIPT_KEY_SIZE),
    value: row.varint(),
  }
}

export function readUndoData(bytes: Buffer, firstTxnum: number): UndoData {
  const row = new RowReader(bytes)
  const spent: UndoData['spent'][number][] = []
  const netted: UndoData['netted'][number][] = []
  const overwritten: UndoCoin[] = []
  while (row.at < bytes.length) {
    const head = row.varint()
    const kind = head % KINDS
    const by = (head - kind) / KINDS
    if (kind === SPENT) spent.push({ by, coin: readCoin(row, firstTxnum) })
    else if (kind === NETTED) netted.push({ by: [by, by + row.varint()], script: row.slice(SCRIPT_KEY_SIZE) })
    else overwritten.push(readCoin(row, firstTxnum))
  }
  return { spent, netted, overwritten }
}
