/** A hash table from the txids of a batch to their index in it: open addressing over one array of txids. */
import { RecordColumn } from './columns.ts'

export class TxidTable {
  readonly ids = new RecordColumn(32)
  #slots = new Int32Array(1024).fill(-1)

  get count(): number {
    return this.ids.length
  }

  /** Adds a txid and returns its index. A repeated txid is found at its latest index. */
  add(txids: Buffer, at: number): number {
    if ((this.count + 1) * 2 > this.#slots.length) this.#grow()
    const index = this.count
    // Reserved first: this can replace `data`.
    const start = this.ids.grow()
    txids.copy(this.ids.data, start, at, at + 32)
    this.#slots[this.#slotOf(this.ids.data, start)] = index
    return index
  }

  /** Returns the index of a txid, -1 if the batch does not contain it. */
  find(bytes: Buffer, at: number): number {
    return this.#slots[this.#slotOf(bytes, at)] as number
  }

  txid(index: number): Buffer {
    return this.ids.data.subarray(index * 32, (index + 1) * 32)
  }

  /** Returns the slot of a txid, or the free slot where it belongs. */
  #slotOf(bytes: Buffer, at: number): number {
    const mask = this.#slots.length - 1
    const { data } = this.ids
    for (let slot = bytes.readUInt32LE(at + 8) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot] as number
      if (index < 0 || isSame(data, index * 32, bytes, at)) return slot
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2).fill(-1)
    for (const index of old) if (index >= 0) this.#slots[this.#slotOf(this.ids.data, index * 32)] = index
  }
}

function isSame(a: Buffer, aAt: number, b: Buffer, bAt: number): boolean {
  for (let i = 0; i < 32; i++) if (a[aAt + i] !== b[bAt + i]) return false
  return true
}
