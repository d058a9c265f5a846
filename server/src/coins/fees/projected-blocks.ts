/**
 * Projects the mempool onto the next blocks.
 *
 * Takes chunks in mining order, from `mining-order.ts` or from the node's fee rate diagram, and fills blocks with them.
 */

/** A set of transactions that is mined together. Fee in the smallest unit, size in virtual bytes. */
export type Chunk = { readonly fee: number; readonly vsize: number }
/** A chunk that may list its transactions, parents first, so that rates are computed per transaction. */
export type DetailedChunk = Chunk & { readonly parts?: readonly Chunk[] }

export type ProjectedBlock = { readonly vsize: number; readonly fee: number; readonly chunks: readonly Chunk[] }

/** Block weight without the reserve that Core keeps for header and coinbase, in virtual bytes. */
export const BLOCK_VSIZE = (4_000_000 - 4_000) / 4
/** Later blocks cannot be projected: most of their transactions have not been sent yet. */
export const MAX_BLOCKS = 8
const MAX_DEFERRED = 1_000

const rateOf = ({ fee, vsize }: Chunk): number => fee / vsize

/** Merges a chunk with its predecessor if its rate is higher, so that rates never rise: a child pays for its parents. */
export function mergeRising(chunks: readonly Chunk[]): Chunk[] {
  const merged: Chunk[] = []
  for (let { fee, vsize } of chunks) {
    for (let last = merged.at(-1); last !== undefined; last = merged.at(-1)) {
      if (fee / vsize <= rateOf(last)) break
      fee += last.fee
      vsize += last.vsize
      merged.pop()
    }
    merged.push({ fee, vsize })
  }
  return merged
}

/** A block with less room than this is closed after too many chunks did not fit, as in Core's block assembler. */
const NEARLY_FULL = 1_000

/** Fills blocks with chunks in mining order. A chunk that does not fit is deferred to the next block. */
export function projectBlocks(chunks: Iterable<DetailedChunk>, blockVsize = BLOCK_VSIZE): ProjectedBlock[] {
  const blocks: ProjectedBlock[] = []
  let current: Chunk[] = []
  let deferred: DetailedChunk[] = []
  let vsize = 0
  const add = (chunk: DetailedChunk): void => {
    if (vsize + chunk.vsize > blockVsize && current.length > 0) {
      deferred.push(chunk)
      if (vsize > blockVsize - NEARLY_FULL && deferred.length > MAX_DEFERRED) close()
      return
    }
    current.push(...(chunk.parts ?? [chunk]))
    vsize += chunk.vsize
  }
  const close = (): void => {
    const fee = current.reduce((sum, chunk) => sum + chunk.fee, 0)
    blocks.push({ vsize, fee, chunks: mergeRising(current) })
    const next = deferred
    current = []
    deferred = []
    vsize = 0
    for (const chunk of next) add(chunk)
  }
  for (const chunk of chunks) {
    add(chunk)
    if (blocks.length >= MAX_BLOCKS) break
  }
  while (current.length > 0 && blocks.length < MAX_BLOCKS) close()
  return blocks.slice(0, MAX_BLOCKS)
}

/** Returns fee rate percentiles by size: each share of the bytes pays at most its rate. */
export function ratePercentiles(chunks: readonly Chunk[], shares: readonly number[]): number[] {
  const sorted = chunks.toSorted((a, b) => rateOf(a) - rateOf(b))
  const total = sorted.reduce((sum, { vsize }) => sum + vsize, 0)
  return shares.map((share) => {
    let vsize = 0
    for (const chunk of sorted) {
      vsize += chunk.vsize
      if (vsize >= total * share) return rateOf(chunk)
    }
    return 0
  })
}

export const ratePercentile = (chunks: readonly Chunk[], share: number): number =>
  ratePercentiles(chunks, [share])[0] ?? 0

/** Converts the points of Core's `getmempoolfeeratediagram` (cumulative weight and fee) to chunks. */
export function chunksOfDiagram(points: readonly { readonly weight: number; readonly fee: number }[]): Chunk[] {
  return points.slice(1).flatMap(({ weight, fee }, i) => {
    const before = points[i]
    const vsize = (weight - (before?.weight ?? 0)) / 4
    return vsize > 0 ? [{ fee: fee - (before?.fee ?? 0), vsize }] : []
  })
}
