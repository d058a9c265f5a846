/**
 * What must be known to take a block back: the coins it took out of the unspent set, and the lines of history that
 * nothing else remembers.
 *
 * Coins the block created need no record: they are found under its transaction ids.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { RowReader, RowWriter } from './bytes.ts'
import { TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'

export type UndoneCoin = {
  /** At least its first eight bytes. */
  readonly txid: Buffer
  readonly vout: number
  readonly txnum: number
  readonly script: Buffer
  readonly value: number
}

export type UndoRow = {
  /** With the place of the spending transaction in the block. */
  readonly spent: readonly { readonly by: number; readonly coin: UndoneCoin }[]
  /** Born and spent in the block. */
  readonly netted: readonly { readonly script: Buffer; readonly by: readonly [number, number] }[]
  /** Replaced by a transaction with the same id. */
  readonly overwritten: readonly UndoneCoin[]
}

const SPENT = 1
const NETTED = 2
const OVERWRITTEN = 3

export class UndoWriter {
  readonly #row = new RowWriter(256)

  #coin(coin: UndoneCoin): void {
    this.#row.slice(coin.txid, 0, TXID_PREFIX_SIZE)
    this.#row.varint(coin.vout)
    this.#row.uint(coin.txnum, TXNUM_SIZE)
    this.#row.slice(coin.script, 0, SCRIPT_KEY_SIZE)
    this.#row.varint(coin.value)
  }

  spent(by: number, coin: UndoneCoin): void {
    this.#row.u8(SPENT)
    this.#row.varint(by)
    this.#coin(coin)
  }

  netted(scripts: Buffer, scriptAt: number, createdBy: number, spentBy: number): void {
    this.#row.u8(NETTED)
    this.#row.varint(createdBy)
    this.#row.varint(spentBy)
    this.#row.slice(scripts, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  }

  overwritten(coin: UndoneCoin): void {
    this.#row.u8(OVERWRITTEN)
    this.#coin(coin)
  }

  take(): Buffer {
    return this.#row.take()
  }
}

function readCoin(row: RowReader): UndoneCoin {
  return {
    txid: row.slice(TXID_PREFIX_SIZE),
    vout: row.varint(),
    txnum: row.uint(TXNUM_SIZE),
    script: row.slice(SCRIPT_KEY_SIZE),
    value: row.varint(),
  }
}

export function readUndoRow(bytes: Buffer): UndoRow {
  const row = new RowReader(bytes)
  const spent: UndoRow['spent'][number][] = []
  const netted: UndoRow['netted'][number][] = []
  const overwritten: UndoneCoin[] = []
  while (row.at < bytes.length) {
    const kind = row.u8()
    if (kind === SPENT) spent.push({ by: row.varint(), coin: readCoin(row) })
    else if (kind === NETTED) netted.push({ by: [row.varint(), row.varint()], script: row.slice(SCRIPT_KEY_SIZE) })
    else overwritten.push(readCoin(row))
  }
  return { spent, netted, overwritten }
}
