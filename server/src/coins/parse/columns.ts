/** Growable typed arrays for millions of values, a hash table of txids or block hashes, and a sort of rows. */

// Two classes instead of one generic class: each sees only one array type, so V8 compiles `push` and `at` for it.
export class Uint32Column {
  data: Uint32Array
  length = 0

  constructor(capacity = 256) {
    this.data = new Uint32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = new Uint32Array(this.data.length * 2)
      grown.set(this.data)
      this.data = grown
    }
    this.data[this.length++] = value
  }

  at(index: number): number {
    return this.data[index] as number
  }
}

export class Float64Column {
  data: Float64Array
  length = 0

  constructor(capacity = 256) {
    this.data = new Float64Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = new Float64Array(this.data.length * 2)
      grown.set(this.data)
      this.data = grown
    }
    this.data[this.length++] = value
  }

  at(index: number): number {
    return this.data[index] as number
  }
}

/** Fixed-size records in one buffer. */
export class RecordColumn {
  data: Buffer
  length = 0
  readonly size: number

  constructor(size: number, capacity = 256) {
    this.size = size
    this.data = Buffer.allocUnsafe(size * capacity)
  }

  /** Reserves one more record and returns its offset. */
  grow(): number {
    const start = this.length * this.size
    if (start + this.size > this.data.length) {
      const grown = Buffer.allocUnsafe(this.data.length * 2)
      this.data.copy(grown, 0, 0, start)
      this.data = grown
    }
    this.length++
    return start
  }

  copyOf(index: number): Buffer {
    return Buffer.from(this.data.subarray(index * this.size, (index + 1) * this.size))
  }

  prefix(index: number): number {
    return this.data.readUInt32BE(index * this.size)
  }

  /** Compares two records by their bytes. */
  compare(a: number, b: number): number {
    const { data, size } = this
    for (let i = 0, x = a * size, y = b * size; i < size; i++, x++, y++) {
      const difference = (data[x] as number) - (data[y] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}

const SMALL = 2_048

/**
 * Sorts `count` rows by a 32-bit prefix and then by `compare`. The sort is stable.
 *
 * A radix sort of two 16-bit passes, then a comparison sort of each group that shares a prefix. The keys are hashes: of
 * a million, about a hundred share a prefix by chance.
 */
export function sortRows(
  count: number,
  prefixOf: (row: number) => number,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const prefixes = new Uint32Array(count)
  for (let i = 0; i < count; i++) prefixes[i] = prefixOf(i)
  return sortByPrefixes(prefixes, compare)
}

/** Like `sortRows`, for a caller that has the prefixes. */
export function sortByPrefixes(prefixes: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  const count = prefixes.length
  const order = count <= SMALL ? sortFew(prefixes) : sortMany(prefixes)
  for (let start = 0; start < count; ) {
    const prefix = prefixes[order[start] as number]
    let end = start + 1
    let sorted = true
    while (end < count && prefixes[order[end] as number] === prefix) {
      if (sorted && compare(order[end - 1] as number, order[end] as number) > 0) sorted = false
      end++
    }
    if (!sorted) order.subarray(start, end).sort((a, b) => compare(a, b) || a - b)
    start = end
  }
  return order
}

function sortFew(prefixes: Uint32Array): Uint32Array {
  const order = Uint32Array.from(prefixes.keys())
  return order.sort((a, b) => (prefixes[a] as number) - (prefixes[b] as number) || a - b)
}

function sortMany(prefixes: Uint32Array): Uint32Array {
  const { length } = prefixes
  let order = Uint32Array.from(prefixes.keys())
  let other = new Uint32Array(length)
  const starts = new Uint32Array(0x1_0001)
  for (const shift of [0, 16]) {
    starts.fill(0)
    for (let i = 0; i < length; i++) {
      const bucket = (((prefixes[i] as number) >>> shift) & 0xffff) + 1
      starts[bucket] = (starts[bucket] as number) + 1
    }
    for (let i = 1; i <= 0xffff; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number)
    for (let i = 0; i < length; i++) {
      const row = order[i] as number
      const bucket = ((prefixes[row] as number) >>> shift) & 0xffff
      other[starts[bucket] as number] = row
      starts[bucket] = (starts[bucket] as number) + 1
    }
    ;[order, other] = [other, order]
  }
  return order
}

/** A hash table from 32-byte hashes to their index: open addressing over one array of hashes. */
export class HashTable {
  readonly ids = new RecordColumn(32)
  #slots = new Int32Array(1024).fill(-1)

  get count(): number {
    return this.ids.length
  }

  /** Adds a hash and returns its index. A repeated hash is found at its latest index. */
  add(bytes: Buffer, at: number): number {
    if ((this.count + 1) * 2 > this.#slots.length) this.#grow()
    const index = this.count
    // Reserved first: this can replace `data`.
    const start = this.ids.grow()
    bytes.copy(this.ids.data, start, at, at + 32)
    this.#slots[this.#slotOf(this.ids.data, start)] = index
    return index
  }

  /** Returns the index of a hash, -1 if the table does not contain it. */
  find(bytes: Buffer, at: number): number {
    return this.#slots[this.#slotOf(bytes, at)] as number
  }

  hash(index: number): Buffer {
    return this.ids.data.subarray(index * 32, (index + 1) * 32)
  }

  /** Returns the slot of a hash, or the free slot where it belongs. */
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
