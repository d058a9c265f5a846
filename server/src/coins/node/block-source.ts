/** Where blocks come from, seen from the index: a node, or files a node wrote. */

/** A block named twice: its height orders it, its hash identifies it. */
export type BlockRef = { readonly height: number; readonly hash: string }

export type BlockSource = {
  /** The last block of the source's best chain. */
  readonly getTip: () => Promise<BlockRef>
  /** Hash of the best chain's block at a height, undefined beyond its end. */
  readonly findHash: (height: number) => Promise<string | undefined>
  readonly getBlock: (hash: string) => Promise<Buffer>
  /** Bytes of a block from `offset` on; fewer when the block ends before. */
  readonly getBlockPart: (hash: string, offset: number, size: number) => Promise<Buffer>
}
