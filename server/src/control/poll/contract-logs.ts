/**
 * Reads all logs of some topics that one address ever emitted, up to a block.
 *
 * Starts at the creation of the contract, found by bisection where endpoints keep old state. A history that takes too
 * many requests is not read at all, because a part of it would be misleading.
 */
import type { Hex } from '../../lib/hex.ts'
import { type Read, unread, value } from '../profile/state.ts'
import type { Log } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { createRangeReader } from '../rpc/range-reader.ts'
import { hasCode } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { Block } from './chain-reads.ts'
import type { ContractLogs } from './role-members.ts'

const MAX_REQUESTS = 300
/** One address emits few logs, so the first range is large. The reader shrinks it where an endpoint refuses. */
const FIRST_RANGE = { addresses: 1_000_000, chainwide: 500 }

/** Logs of earlier polls. The last blocks are always read again, because they may have been reorganized. */
export type LogCache = Map<string, { readonly first: number; readonly to: number; readonly logs: readonly Log[] }>
const REREAD_BLOCKS = 1_000

export type ContractLogsDeps = { readonly pool: RpcPool; readonly cache?: LogCache | undefined }

/** `since`: the first block, if not the creation of the contract. */
export function createContractLogs({ pool, cache }: ContractLogsDeps, block: Block, since?: number): ContractLogs {
  const noLimits = { findLimit: async () => undefined, saveLimit: async () => {} }
  const reader = createRangeReader({ pool, store: noLimits, first: FIRST_RANGE })
  return async (address, topics): Promise<Read<readonly Log[]>> => {
    try {
      const key = `${pool.chain}:${address}:${topics.join()}`
      const cached = since === undefined ? cache?.get(key) : undefined
      const cachedTo = cached === undefined ? 0 : Math.min(cached.to, block.number) - REREAD_BLOCKS
      const logs = (cached?.logs ?? []).filter((log) => log.blockNumber < cachedTo)
      const first = since ?? cached?.first ?? (await firstBlock({ pool, cache }, address, block))
      let from = Math.max(first, cachedTo)
      for (let requests = 0; from <= block.number; requests += 1) {
        if (requests === MAX_REQUESTS) return unread('its log history is too long')
        const read = await reader.read(from, block.number, [{ topics, addresses: [address] }])
        logs.push(...read.logs)
        from = read.to + 1
      }
      if (since === undefined) cache?.set(key, { first, to: block.number, logs })
      return value(logs)
    } catch (error) {
      if (error instanceof NoEndpointError) return unread('its logs could not be read')
      throw error
    }
  }
}

/** The block in which the address first had code; 0 where endpoints do not keep old state. */
export async function firstBlock({ pool, cache }: ContractLogsDeps, address: Hex, block: Block): Promise<number> {
  const key = `${pool.chain}:${address}`
  const known = cache?.get(key)
  if (known !== undefined) return known.first
  const first = await searchFirstBlock(pool, address, block)
  // A block that may be reorganized is searched again.
  if (first > 0 && first < block.number - REREAD_BLOCKS) cache?.set(key, { first, to: first, logs: [] })
  return first
}

async function searchFirstBlock(pool: RpcPool, address: Hex, block: Block): Promise<number> {
  let [low, high] = [0, block.number]
  try {
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const { value: exists } = await pool.request(hasCode(address, { number: middle }), { priority: 'bulk' })
      if (exists) high = middle
      else low = middle + 1
    }
    return low
  } catch (error) {
    if (error instanceof NoEndpointError) return 0
    throw error
  }
}
