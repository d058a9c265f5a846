/**
 * Finds the chain with the most work among block headers that arrive one at a time, in any order.
 *
 * The cost of adding a block is proportional to the blocks that it connects and disconnects.
 */

export type Link = { readonly prev: string; readonly work: bigint }

type Block<L extends Link> = {
  link: L
  /** How many blocks arrived before this one. */
  readonly order: number
  /** -1 while an ancestor is missing. */
  height: number
  /** Work of the chain up to and including this block. */
  totalWork: bigint
}

export class BestChain<L extends Link> {
  readonly #genesis: string
  readonly #blocks = new Map<string, Block<L>>()
  /** Hashes of blocks whose parent has no height yet, by the hash of the parent. */
  readonly #orphans = new Map<string, string[]>()
  readonly #best: string[] = []
  #tip: Block<L> | undefined

  constructor(genesis: string) {
    this.#genesis = genesis
  }

  /** 0 while the genesis block is missing. */
  get length(): number {
    return this.#best.length
  }

  hashAt(height: number): string | undefined {
    return this.#best[height]
  }

  find(hash: string): L | undefined {
    return this.#blocks.get(hash)?.link
  }

  add(hash: string, link: L): void {
    const known = this.#blocks.get(hash)
    if (known !== undefined) {
      known.link = link
      return
    }
    const block: Block<L> = { link, order: this.#blocks.size, height: -1, totalWork: 0n }
    this.#blocks.set(hash, block)
    const parent = this.#blocks.get(link.prev)
    if (hash === this.#genesis || (parent !== undefined && parent.height >= 0)) this.#attach(hash, block)
    else this.#orphans.set(link.prev, [...(this.#orphans.get(link.prev) ?? []), hash])
  }

  /** Sets height and work of a block whose ancestors are all known, and of its orphaned descendants. */
  #attach(hash: string, block: Block<L>): void {
    const open = [{ hash, block }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const parent = next.hash === this.#genesis ? undefined : this.#blocks.get(next.block.link.prev)
      next.block.height = (parent?.height ?? -1) + 1
      next.block.totalWork = (parent?.totalWork ?? 0n) + next.block.link.work
      if (this.#isBetter(next.block)) this.#setTip(next.hash, next.block)
      for (const child of this.#orphans.get(next.hash) ?? []) {
        const orphan = this.#blocks.get(child)
        if (orphan !== undefined) open.push({ hash: child, block: orphan })
      }
      this.#orphans.delete(next.hash)
    }
  }

  /** With equal work the block that arrived first wins, as in Core. */
  #isBetter({ totalWork, order }: Block<L>): boolean {
    if (this.#tip === undefined || totalWork > this.#tip.totalWork) return true
    return totalWork === this.#tip.totalWork && order < this.#tip.order
  }

  #setTip(hash: string, tip: Block<L>): void {
    const connected: string[] = []
    let at: { hash: string; block: Block<L> | undefined } = { hash, block: tip }
    while (at.block !== undefined && this.#best[at.block.height] !== at.hash) {
      connected.push(at.hash)
      const { prev } = at.block.link
      at = { hash: prev, block: this.#blocks.get(prev) }
    }
    this.#best.length = tip.height + 1 - connected.length
    for (const block of connected.toReversed()) this.#best.push(block)
    this.#tip = tip
  }
}
