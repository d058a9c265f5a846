/**
 * Where the history of a contract begins: at its deployment, where the registry names the block and a node confirms
 * both sides of it.
 *
 * A wrong block in the registry must cost time and never an event, so the word of the registry alone is not enough,
 * nor is a node that has no code at either side: it may have no state of that age and not say so.
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
