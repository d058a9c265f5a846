/**
 * The first block of a contract's history: its deployment block, if the registry has it and a node confirms it.
 *
 * A wrong block in the registry must never lose an event. A node confirms the block if it has no code before it and code
 * after it; no code on both sides may mean that the node lacks the old state.
 */

import type { RpcPool } from '../rpc/pool.ts'
import { hasCode } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { PendingContract } from './watch-store.ts'

export async function historyStartOf(
  { pool }: { readonly pool: RpcPool },
  { address, deployBlock }: Pick<PendingContract, 'address' | 'deployBlock'>,
  startBlock: number,
): Promise<number> {
  if (deployBlock === undefined || deployBlock <= startBlock) return startBlock
  try {
    const [before, after] = await Promise.all(
      [deployBlock - 1, deployBlock].map((number) => pool.request(hasCode(address, { number }), { priority: 'bulk' })),
    )
    return before?.value === false && after?.value === true ? deployBlock : startBlock
  } catch (error) {
    if (error instanceof NoEndpointError) return startBlock
    throw error
  }
}
