/** A binary heap of the sources of a merge, by number: the source whose current value comes first is on top. */
export class SourceHeap {
  readonly #sources: number[]
  readonly #isBefore: (a: number, b: number) => boolean

  /** `isBefore` compares the current values of two sources. Values that are equal come in the order of their sources. */
  constructor(sources: readonly number[], isBefore: (a: number, b: number) => boolean) {
    this.#sources = [...sources]
    this.#isBefore = isBefore
    for (let at = (sources.length >> 1) - 1; at >= 0; at--) this.#siftDown(at)
  }

  /** Undefined if there are no sources left. */
  get top(): number | undefined {
    return this.#sources[0]
  }

  /** Restores the order after the source on top has moved to its next value, or removes it if it has none. */
  advanced(hasValue: boolean): void {
    if (!hasValue) {
      const last = this.#sources.pop()
      if (last === undefined || this.#sources.length === 0) return
      this.#sources[0] = last
    }
    this.#siftDown(0)
  }

  #siftDown(from: number): void {
    const sources = this.#sources
    const moved = sources[from] as number
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= sources.length) break
      if (child + 1 < sources.length && this.#comesFirst(sources[child + 1] as number, sources[child] as number))
        child++
      if (!this.#comesFirst(sources[child] as number, moved)) break
      sources[at] = sources[child] as number
      at = child
    }
    sources[at] = moved
  }

  #comesFirst(a: number, b: number): boolean {
    return this.#isBefore(a, b) || (a < b && !this.#isBefore(b, a))
  }
}
