/**
 * Finds the chain with the most work among block headers that arrive one at a time, in any order.
 *
 * The cost of adding a block is proportional to the blocks that it connects and disconnects. A block takes about 90 bytes
 * in typed arrays: Bitcoin has a million of them.
 */
import { hashFromHex, hashHex } from '../parse/block.ts'
import { HashTable, RecordColumn, Uint32Column } from '../parse/columns.ts'

/** Where the bytes of a block are. */
export type BlockLocation = { readonly file: number; readonly offset: number; readonly length: number }

/** `prev` in wire order. */
export type Link = BlockLocation & { readonly prev: Buffer; readonly work: bigint }

/** Height of a block while an ancestor is missing. */
const NO_HEIGHT = 0xffff_ffff
const WORD = 2n ** 64n

/** Work of chains, in 16 bytes each. Bitcoin's was 2^96 in 2026. */
class WorkColumn {
  readonly #words = new RecordColumn(16)

  push(work: bigint): void {
    this.#words.grow()
    this.set(this.#words.length - 1, work)
  }

  set(index: number, work: bigint): void {
    this.#words.data.writeBigUInt64LE(work / WORD, index * 16)
    this.#words.data.writeBigUInt64LE(work % WORD, index * 16 + 8)
  }

  at(index: number): bigint {
    return this.#words.data.readBigUInt64LE(index * 16) * WORD + this.#words.data.readBigUInt64LE(index * 16 + 8)
  }
}

const keyOf = (hash: Buffer): string => hash.toString('latin1')

export class BestChain {
  readonly #genesis: Buffer
  /** Blocks in the order of their arrival. */
  readonly #blocks = new HashTable()
  readonly #parent = new Uint32Column()
  readonly #file = new Uint32Column()
  readonly #offset = new Uint32Column()
  readonly #length = new Uint32Column()
  readonly #height = new Uint32Column()
  /** The block's own work until it has a height, then that of its chain up to and including it. */
  readonly #work = new WorkColumn()
  /** Blocks whose parent has no height yet, by the hash of the parent. */
  readonly #orphans = new Map<string, number[]>()
  /** The best chain, by height. */
  readonly #best = new Uint32Column()

  /** `genesis` in display order. */
  constructor(genesis: string) {
    this.#genesis = hashFromHex(genesis)
  }

  /** 0 while the genesis block is missing. */
  get length(): number {
    return this.#best.length
  }

  /** Returns a hash of the best chain in display order. */
  hashAt(height: number): string | undefined {
    return height >= 0 && height < this.#best.length ? hashHex(this.#blocks.hash(this.#best.at(height))) : undefined
  }

  /** Finds a block, of the best chain or not, by its hash in display order. */
  find(hash: string): BlockLocation | undefined {
    const block = this.#blocks.find(hashFromHex(hash), 0)
    if (block < 0) return undefined
    return { file: this.#file.at(block), offset: this.#offset.at(block), length: this.#length.at(block) }
  }

  /** `hash` in wire order. */
  add(hash: Buffer, { file, offset, length, prev, work }: Link): void {
    const known = this.#blocks.find(hash, 0)
    if (known >= 0) {
      this.#file.data[known] = file
      this.#offset.data[known] = offset
      this.#length.data[known] = length
      return
    }
    const parent = this.#blocks.find(prev, 0)
    const block = this.#blocks.add(hash, 0)
    this.#parent.push(0)
    this.#file.push(file)
    this.#offset.push(offset)
    this.#length.push(length)
    this.#height.push(NO_HEIGHT)
    this.#work.push(work)
    if (hash.equals(this.#genesis)) this.#attach(block, undefined)
    else if (parent >= 0 && this.#height.at(parent) !== NO_HEIGHT) this.#attach(block, parent)
    else this.#orphans.set(keyOf(prev), [...(this.#orphans.get(keyOf(prev)) ?? []), block])
  }

  /** Sets height and work of a block whose ancestors are all known, and of its orphaned descendants. */
  #attach(first: number, firstParent: number | undefined): void {
    const open: { readonly block: number; readonly parent: number | undefined }[] = [
      { block: first, parent: firstParent },
    ]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { block, parent } = next
      this.#parent.data[block] = parent ?? block
      this.#height.data[block] = parent === undefined ? 0 : this.#height.at(parent) + 1
      if (parent !== undefined) this.#work.set(block, this.#work.at(parent) + this.#work.at(block))
      if (this.#isBetter(block)) this.#setTip(block)
      const key = keyOf(this.#blocks.hash(block))
      for (const child of this.#orphans.get(key) ?? []) open.push({ block: child, parent: block })
      this.#orphans.delete(key)
    }
  }

  /** With equal work the block that arrived first wins, as in Core. */
  #isBetter(block: number): boolean {
    if (this.#best.length === 0) return true
    const tip = this.#best.at(this.#best.length - 1)
    const [work, best] = [this.#work.at(block), this.#work.at(tip)]
    return work > best || (work === best && block < tip)
  }

  #setTip(tip: number): void {
    const height = this.#height.at(tip)
    const connected: number[] = []
    const isOnBest = (block: number): boolean => {
      const at = this.#height.at(block)
      return at < this.#best.length && this.#best.at(at) === block
    }
    for (let block = tip; !isOnBest(block); block = this.#parent.at(block)) {
      connected.push(block)
      if (this.#height.at(block) === 0) break
    }
    this.#best.length = height + 1 - connected.length
    for (const block of connected.toReversed()) this.#best.push(block)
  }
}
