/**
 * Blocks that wait to be executed. The deepest stack comes first, so that paths of a subroutine meet before their caller
 * goes on, then the first in the order of blocks, then the last that was reached.
 */
export class Worklist<T extends Position> {
  /** A binary heap. */
  readonly #items: T[] = []

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = items[above] as T
      if (!isBefore(item, parent)) break
      items[at] = parent
      at = above
    }
    items[at] = item
  }

  next(): T | undefined {
    const items = this.#items
    const [first] = items
    const last = items.pop()
    if (first === undefined || last === undefined || items.length === 0) return first
    let at = 0
    for (;;) {
      let below = at * 2 + 1
      if (below >= items.length) break
      if (below + 1 < items.length && isBefore(items[below + 1] as T, items[below] as T)) below += 1
      const child = items[below] as T
      if (!isBefore(child, last)) break
      items[at] = child
      at = below
    }
    items[at] = last
    return first
  }
}

type Position = { readonly id: number; readonly order: number; readonly depth: number }

function isBefore(a: Position, b: Position): boolean {
  if (a.depth !== b.depth) return a.depth > b.depth
  return a.order === b.order ? a.id > b.id : a.order < b.order
}
