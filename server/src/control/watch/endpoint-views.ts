/** Reads headers and heads from endpoints for the follower. */

import type { Hex } from '../../lib/hex.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId, RpcPool } from '../rpc/pool.ts'
import { getBlockHeader, getBlockNumber } from '../rpc/requests.ts'
import type { EndpointView } from './reorg.ts'

/** Reads headers from `from` on, up to the first one that is missing. */
export async function fetchHeaders(
  pool: RpcPool,
  from: number,
  to: number,
  prefer: EndpointId | undefined,
): Promise<readonly Header[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const results = await Promise.all(numbers.map((number) => pool.request(getBlockHeader(number), { prefer })))
  const missing = results.findIndex(({ value }) => value === undefined)
  return (missing === -1 ? results : results.slice(0, missing)).flatMap(({ value }) => value ?? [])
}

/** The head of one endpoint. -1 if the endpoint fails. */
export async function headOf(pool: RpcPool, endpoint: EndpointId): Promise<number> {
  try {
    return (await pool.request(getBlockNumber, { only: endpoint })).value
  } catch {
    return -1
  }
}

/** Reads the head of every available endpoint, and its block at the cursor, or at its head if that is lower. */
export async function fetchViews(pool: RpcPool, cursor: number): Promise<readonly EndpointView[]> {
  return await Promise.all(
    pool.available().map(async (endpoint) => {
      const head = await headOf(pool, endpoint)
      const number = Math.min(head, cursor)
      if (number < 0) return { endpoint, head, number, hash: undefined }
      const block = await pool.request(getBlockHeader(number), { only: endpoint }).catch(() => undefined)
      return { endpoint, head, number, hash: block?.value?.hash }
    }),
  )
}

export async function fetchHashes(
  pool: RpcPool,
  numbers: readonly number[],
  endpoint: EndpointId,
): Promise<ReadonlyMap<number, Hex | undefined>> {
  const results = await Promise.all(
    numbers.map(async (number) => {
      const { value } = await pool.request(getBlockHeader(number), { only: endpoint })
      return [number, value?.hash] as const
    }),
  )
  return new Map(results)
}
