/** Projects a mempool onto the next blocks, from the node's fee rate diagram or from the mempool view. */
import { miningOrder, type PendingTx } from '../fees/mining-order.ts'
import { chunksOfDiagram, type ProjectedBlock, projectBlocks } from '../fees/projected-blocks.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import type { CoreNode } from '../node/core-node.ts'

export type Projector = {
  /** Undefined if the node has no diagram: before Bitcoin Core 31. */
  readonly ofDiagram: () => Promise<readonly ProjectedBlock[] | undefined>
  /** Undefined if the mempool view is not complete for the block. */
  readonly ofView: (tip: string) => Promise<readonly ProjectedBlock[] | undefined>
}

/** Projects in the calling thread, which takes a second for a large mempool. */
export function projectInThisThread(node: Pick<CoreNode, 'findFeeDiagram'> | undefined, view: MempoolView): Projector {
  return {
    ofDiagram: async () => {
      const diagram = await node?.findFeeDiagram()
      return diagram === undefined ? undefined : projectBlocks(chunksOfDiagram(diagram))
    },
    ofView: (tip) => Promise.resolve(view.blockHash === tip ? projectBlocks(miningOrder(pendingTxs(view))) : undefined),
  }
}

/** The unconfirmed transactions, for the projection. */
export function pendingTxs(mempool: MempoolView): PendingTx[] {
  return Array.from(mempool.txids()).flatMap((txid) => {
    const tx = mempool.find(txid)
    if (tx === undefined) return []
    return [{ txid, fee: tx.fee, vsize: tx.minedVsize, parents: tx.inputs.map((input) => input.txid) }]
  })
}
