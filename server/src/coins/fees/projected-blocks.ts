/**
 * The mempool in the order miners would take it, as pieces of fee and size, cut into the blocks to come.
 *
 * Owns what a projected block is. Where the pieces come from (`project-mempool.ts`, or the node's own diagram) makes no
 * difference here.
 */

/** Transactions that are mined together or not at all; fees in the smallest unit, size in virtual bytes. */
export type Chunk = { readonly fee: number; readonly vsize: number }
/** A chunk may tell its transactions, parents first: rates are then as fine as they are. */
export type PartedChunk = Chunk & { readonly parts?: readonly Chunk[] }

export type ProjectedBlock = { readonly vsize: number; readonly fee: number; readonly chunks: readonly Chunk[] }

/** Weight of a block less what Core keeps for its header and first transaction. */
export const BLOCK_VSIZE = (4_000_000 - 4_000) / 4
/** Further ahead nothing is known: most of what will be mined then has not been sent yet. */
const MOST_BLOCKS = 8
const MOST_WAITING = 1_000

export const rateOf = ({ fee, vsize }: Chunk): number => fee / vsize

/** Pieces in mining order with what rises joined to what lies before it: a dear child is why its parents are there. */
export function level(chunks: readonly Chunk[]): Chunk[] {
  const levelled: Chunk[] = []
  for (let { fee, vsize } of chunks) {
    for (let last = levelled.at(-1); last !== undefined; last = levelled.at(-1)) {
      if (fee / vsize <= rateOf(last)) break
      fee += last.fee
      vsize += last.vsize
      levelled.pop()
    }
    levelled.push({ fee, vsize })
  }
  return levelled
}

/** A block this close to full is closed after so many vain tries: Core's assembler gives up there too. */
const NEARLY_FULL = 1_000

/** `chunks` come in mining order. What no longer fits waits for the next block while smaller pieces fill this one. */
export function projectBlocks(chunks: Iterable<PartedChunk>, blockVsize = BLOCK_VSIZE): ProjectedBlock[] {
  const blocks: ProjectedBlock[] = []
  let current: Chunk[] = []
  let waiting: PartedChunk[] = []
  let vsize = 0
  const put = (chunk: PartedChunk): void => {
    if (vsize + chunk.vsize > blockVsize && current.length > 0) {
      waiting.push(chunk)
      if (vsize > blockVsize - NEARLY_FULL && waiting.length > MOST_WAITING) close()
      return
    }
    current.push(...(chunk.parts ?? [chunk]))
    vsize += chunk.vsize
  }
  const close = (): void => {
    const fee = current.reduce((sum, chunk) => sum + chunk.fee, 0)
    blocks.push({ vsize, fee, chunks: level(current) })
    const left = waiting
    current = []
    waiting = []
    vsize = 0
    for (const chunk of left) put(chunk)
  }
  for (const chunk of chunks) {
    put(chunk)
    if (blocks.length >= MOST_BLOCKS) break
  }
  while (current.length > 0 && blocks.length < MOST_BLOCKS) close()
  return blocks.slice(0, MOST_BLOCKS)
}

/** The rate that `share` of the block's bytes pay at most. */
export function ratePercentile(chunks: readonly Chunk[], share: number): number {
  const sorted = chunks.toSorted((a, b) => rateOf(a) - rateOf(b))
  const total = sorted.reduce((sum, { vsize }) => sum + vsize, 0)
  let vsize = 0
  for (const chunk of sorted) {
    vsize += chunk.vsize
    if (vsize >= total * share) return rateOf(chunk)
  }
  return 0
}

/** The points of Core's `getmempoolfeeratediagram`: sums of weight and fee, from nothing to the whole mempool. */
export function chunksOfDiagram(points: readonly { readonly weight: number; readonly fee: number }[]): Chunk[] {
  return points.slice(1).flatMap(({ weight, fee }, i) => {
    const before = points[i]
    const vsize = (weight - (before?.weight ?? 0)) / 4
    return vsize > 0 ? [{ fee: fee - (before?.fee ?? 0), vsize }] : []
  })
}
