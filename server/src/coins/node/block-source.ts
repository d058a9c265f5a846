/** The interface through which the index reads blocks: from a node, or from the block files of a node. */

/** A block by its height and hash. */
export type BlockRef = { readonly height: number; readonly hash: string }

/** The location of a confirmed transaction's bytes in its block. */
export type TxRef = {
  readonly txid: string
  readonly blockHash: string
  readonly offset: number
  readonly size: number
}

export type BlockSource = {
  /** The tip of the source's best chain. */
  readonly getTip: () => Promise<BlockRef>
  /** Hash of the best chain's block at a height; undefined above the tip. */
  readonly findHash: (height: number) => Promise<string | undefined>
  readonly getBlock: (hash: string) => Promise<Buffer>
  /** Bytes of confirmed transactions, in the order of `refs`. */
  readonly getTxs: (refs: readonly TxRef[]) => Promise<Buffer[]>
}
