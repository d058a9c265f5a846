/** What the endpoints hold, asked for the follower. */

import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId, NodePool } from '../rpc/pool.ts'
import { askBlockNumber, askHeader } from '../rpc/questions.ts'
import type { View } from './chain-view.ts'

/** A block that must exist was not there: the endpoint lags behind its own word. */
export class BlockMissingError extends GatewatchError {
  override readonly code = 'block_missing'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: no endpoint has block ${block} yet`)
  }
}

/** Headers from `from` on, as many as come without a gap. */
export async function fetchHeaders(
  pool: NodePool,
  from: number,
  to: number,
  prefer: EndpointId | undefined,
): Promise<readonly Header[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const answers = await Promise.all(numbers.map((number) => pool.ask(askHeader(number), { prefer })))
  const missing = answers.findIndex(({ value }) => value === undefined)
  return (missing === -1 ? answers : answers.slice(0, missing)).flatMap(({ value }) => value ?? [])
}

export async function headOf(pool: NodePool, endpoint: EndpointId): Promise<number> {
  try {
    return (await pool.ask(askBlockNumber, { only: endpoint })).value
  } catch {
    return -1 // it cannot be asked: it sees nothing
  }
}

export async function fetchViews(pool: NodePool, cursor: number): Promise<readonly View[]> {
  return await Promise.all(
    pool.awake().map(async (endpoint) => {
      const head = await headOf(pool, endpoint)
      const number = Math.min(head, cursor)
      if (number < 0) return { endpoint, head, number, hash: undefined }
      const held = await pool.ask(askHeader(number), { only: endpoint }).catch(() => undefined)
      return { endpoint, head, number, hash: held?.value?.hash }
    }),
  )
}

export async function fetchHashes(
  pool: NodePool,
  numbers: readonly number[],
  endpoint: EndpointId,
): Promise<ReadonlyMap<number, Hex | undefined>> {
  const answers = await Promise.all(
    numbers.map(async (number) => {
      const { value } = await pool.ask(askHeader(number), { only: endpoint })
      return [number, value?.hash] as const
    }),
  )
  return new Map(answers)
}
