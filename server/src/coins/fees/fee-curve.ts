/**
 * The mempool in the order miners would take it, as pieces of fee and size, cut into the blocks to come.
 *
 * Owns what a projected block is. Where the pieces come from (`project-mempool.ts`, or the node's own diagram) makes no
 * difference here.
 */

/** Transactions that are mined together or not at all; fees in the smallest unit, size in virtual bytes. */
export type Chunk = { readonly fee: number; readonly vsize: number }

export type ProjectedBlock = { readonly vsize: number; readonly fee: number; readonly chunks: readonly Chunk[] }

/** Weight of a block less what Core keeps for its header and first transaction. */
export const BLOCK_VSIZE = (4_000_000 - 4_000) / 4
/** Further ahead nothing is known: most of what will be mined then has not been sent yet. */
const MOST_BLOCKS = 8

export const rateOf = ({ fee, vsize }: Chunk): number => fee / vsize

/** `chunks` come in mining order, so their rates never rise by much. */
export function cutBlocks(chunks: Iterable<Chunk>, blockVsize = BLOCK_VSIZE): ProjectedBlock[] {
  const blocks: ProjectedBlock[] = []
  let current: Chunk[] = []
  let vsize = 0
  let fee = 0
  const close = (): void => {
    if (current.length > 0) blocks.push({ vsize, fee, chunks: current })
    current = []
    vsize = 0
    fee = 0
  }
  for (const chunk of chunks) {
    if (vsize + chunk.vsize > blockVsize) close()
    if (blocks.length === MOST_BLOCKS) return blocks
    current.push(chunk)
    vsize += chunk.vsize
    fee += chunk.fee
  }
  close()
  return blocks
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
