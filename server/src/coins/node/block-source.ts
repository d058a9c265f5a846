/** Where blocks come from, seen from the index: a node, or files a node wrote. */

/** A block named twice: its height orders it, its hash identifies it. */
export type BlockRef = { readonly height: number; readonly hash: string }

/** Where a confirmed transaction's bytes lie. */
export type TxRef = {
  readonly txid: string
  readonly blockHash: string
  readonly offset: number
  readonly size: number
}

export type BlockSource = {
  /** The last block of the source's best chain. */
  readonly getTip: () => Promise<BlockRef>
  /** Hash of the best chain's block at a height, undefined beyond its end. */
  readonly findHash: (height: number) => Promise<string | undefined>
  readonly getBlock: (hash: string) => Promise<Buffer>
  /** Confirmed transactions as bytes, in the order asked for. */
  readonly getTxs: (refs: readonly TxRef[]) => Promise<Buffer[]>
}
