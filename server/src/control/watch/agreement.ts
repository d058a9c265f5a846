/**
 * Whether the endpoints of a chain tell the same story: each is asked for the block our cursor stands on.
 *
 * For people only. The watcher itself trusts hashes, not majorities.
 */
import type { Hex } from '../../lib/hex.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'

export type Agreement = { readonly endpoints: number; readonly agreeing: number }

/** An endpoint that does not answer, or is not there yet, does not agree. */
export async function askAgreement(
  pool: RpcPool,
  cursor: { readonly number: number; readonly hash: Hex },
): Promise<Agreement> {
  const agrees = await Promise.all(
    pool.all.map(async (only) => {
      try {
        const { value } = await pool.request(getBlockHeader(cursor.number), { only, priority: 'bulk' })
        return value?.hash === cursor.hash
      } catch {
        return false // its fault has been reported and counted where it was met
      }
    }),
  )
  return { endpoints: agrees.length, agreeing: agrees.filter(Boolean).length }
}
