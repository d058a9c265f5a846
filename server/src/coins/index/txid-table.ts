/** Transaction ids of a stretch with their place in it: open addressing over one array of ids. */
import { RecordColumn } from './columns.ts'

export class TxidTable {
  readonly ids = new RecordColumn(32)
  #slots = new Int32Array(1024).fill(-1)

  get count(): number {
    return this.ids.length
  }

  /** Answers the place of the id, the latest one when it was added twice. */
  add(txids: Buffer, at: number): number {
    if ((this.count + 1) * 2 > this.#slots.length) this.#grow()
    const place = this.count
    // First: growing moves the ids.
    const start = this.ids.grow()
    txids.copy(this.ids.data, start, at, at + 32)
    this.#slots[this.#slotOf(this.ids.data, start)] = place
    return place
  }

  /** -1 when the id is not in this stretch. */
  find(bytes: Buffer, at: number): number {
    return this.#slots[this.#slotOf(bytes, at)] as number
  }

  txid(place: number): Buffer {
    return this.ids.data.subarray(place * 32, (place + 1) * 32)
  }

  /** The slot that holds this id, or the free one where it belongs. */
  #slotOf(bytes: Buffer, at: number): number {
    const mask = this.#slots.length - 1
    const { data } = this.ids
    for (let slot = bytes.readUInt32LE(at + 8) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#slots[slot] as number
      if (place < 0 || isSame(data, place * 32, bytes, at)) return slot
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2).fill(-1)
    for (const place of old) if (place >= 0) this.#slots[this.#slotOf(this.ids.data, place * 32)] = place
  }
}

function isSame(a: Buffer, aAt: number, b: Buffer, bAt: number): boolean {
  for (let i = 0; i < 32; i++) if (a[aAt + i] !== b[bAt + i]) return false
  return true
}
