/**
 * The chain with the most work among blocks that arrive one at a time, in any order.
 *
 * A block costs what it changes: behind the last one that is itself, at a fork what leaves and what comes instead.
 */

export type Link = { readonly prev: string; readonly work: bigint }

type Block<L extends Link> = {
  link: L
  /** How many came before it. */
  readonly order: number
  /** -1 while a block before it is missing. */
  height: number
  /** Of all blocks up to it. */
  totalWork: bigint
}

export class BestChain<L extends Link> {
  readonly #genesis: string
  readonly #blocks = new Map<string, Block<L>>()
  /** Blocks that have no height yet, by the one before them. */
  readonly #waiting = new Map<string, string[]>()
  readonly #best: string[] = []
  #last: Block<L> | undefined

  constructor(genesis: string) {
    this.#genesis = genesis
  }

  /** 0 while the first block is missing. */
  get length(): number {
    return this.#best.length
  }

  hashAt(height: number): string | undefined {
    return this.#best[height]
  }

  find(hash: string): L | undefined {
    return this.#blocks.get(hash)?.link
  }

  put(hash: string, link: L): void {
    const known = this.#blocks.get(hash)
    if (known !== undefined) {
      known.link = link
      return
    }
    const block: Block<L> = { link, order: this.#blocks.size, height: -1, totalWork: 0n }
    this.#blocks.set(hash, block)
    const parent = this.#blocks.get(link.prev)
    if (hash === this.#genesis || (parent !== undefined && parent.height >= 0)) this.#join(hash, block)
    else this.#waiting.set(link.prev, [...(this.#waiting.get(link.prev) ?? []), hash])
  }

  /** Every block before this one is there: it has its height, and so has what waited for it. */
  #join(hash: string, block: Block<L>): void {
    const open = [{ hash, block }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const parent = next.hash === this.#genesis ? undefined : this.#blocks.get(next.block.link.prev)
      next.block.height = (parent?.height ?? -1) + 1
      next.block.totalWork = (parent?.totalWork ?? 0n) + next.block.link.work
      if (this.#isBetter(next.block)) this.#follow(next.hash, next.block)
      for (const child of this.#waiting.get(next.hash) ?? []) {
        const waited = this.#blocks.get(child)
        if (waited !== undefined) open.push({ hash: child, block: waited })
      }
      this.#waiting.delete(next.hash)
    }
  }

  /** Of equal ones the one that came first. */
  #isBetter({ totalWork, order }: Block<L>): boolean {
    if (this.#last === undefined || totalWork > this.#last.totalWork) return true
    return totalWork === this.#last.totalWork && order < this.#last.order
  }

  #follow(hash: string, last: Block<L>): void {
    const arrived: string[] = []
    let at: { hash: string; block: Block<L> | undefined } = { hash, block: last }
    while (at.block !== undefined && this.#best[at.block.height] !== at.hash) {
      arrived.push(at.hash)
      const { prev } = at.block.link
      at = { hash: prev, block: this.#blocks.get(prev) }
    }
    this.#best.length = last.height + 1 - arrived.length
    for (const block of arrived.toReversed()) this.#best.push(block)
    this.#last = last
  }
}
