/**
 * Reads all logs of some topics that one address ever emitted, up to a block.
 *
 * Starts at the creation of the contract, which is searched where endpoints keep old state. A history that takes too
 * many requests is not read at all, because a part of it would be misleading.
 */
import type { Hex } from '../../lib/hex.ts'
import { unread, value } from '../profile/state.ts'
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

export type ContractLogsDeps = {
  readonly pool: RpcPool
  readonly cache?: LogCache | undefined
  /** The block from which logs of an address are read. */
  readonly firstBlockOf: (address: Hex) => Promise<number>
}

export function createContractLogs({ pool, cache, firstBlockOf }: ContractLogsDeps, block: Block): ContractLogs {
  const noLimits = { findLimit: async () => undefined, saveLimit: async () => {} }
  const reader = createRangeReader({ pool, store: noLimits, first: FIRST_RANGE })
  const known = new Map<string, ReturnType<ContractLogs>>()
  const read = async (key: string, address: Hex, topics: readonly Hex[]): ReturnType<ContractLogs> => {
    try {
      const cached = cache?.get(key)
      const cachedTo = cached === undefined ? 0 : Math.min(cached.to, block.number) - REREAD_BLOCKS
      const logs = (cached?.logs ?? []).filter((log) => log.blockNumber < cachedTo)
      const first = cached?.first ?? (await firstBlockOf(address))
      let from = Math.max(first, cachedTo)
      for (let requests = 0; from <= block.number; requests += 1) {
        if (requests === MAX_REQUESTS) return unread('its log history is too long')
        const found = await reader.read(from, block.number, [{ topics, addresses: [address] }])
        logs.push(...found.logs)
        from = found.to + 1
      }
      cache?.set(key, { first, to: block.number, logs })
      return value(logs)
    } catch (error) {
      if (error instanceof NoEndpointError) return unread('its logs could not be read')
      throw error
    }
  }
  return (address, topics) => {
    const key = `${pool.chain}:${address}:${topics.join()}`
    const found = known.get(key) ?? read(key, address, topics)
    known.set(key, found)
    return found
  }
}

type FirstBlockDeps = Pick<ContractLogsDeps, 'pool' | 'cache'>

/** Finds the block in which an address first had code, once for each; 0 where endpoints do not keep old state. */
export function createFirstBlocks({ pool, cache }: FirstBlockDeps, block: Block): ContractLogsDeps['firstBlockOf'] {
  const searches = new Map<Hex, Promise<number>>()
  const search = async (address: Hex): Promise<number> => {
    const key = `${pool.chain}:${address}`
    const known = cache?.get(key)
    if (known !== undefined) return known.first
    const first = await searchFirstBlock(pool, address, block)
    // A block that may be reorganized is searched again.
    if (first > 0 && first < block.number - REREAD_BLOCKS) cache?.set(key, { first, to: first, logs: [] })
    return first
  }
  return (address) => {
    const found = searches.get(address) ?? search(address)
    searches.set(address, found)
    return found
  }
}

/** Blocks that are read at once: half as many round trips as with one, for one and a half times the requests. */
const BLOCKS_AT_ONCE = 3

async function searchFirstBlock(pool: RpcPool, address: Hex, block: Block): Promise<number> {
  let [low, high] = [0, block.number]
  try {
    while (low < high) {
      const part = (high - low) / (BLOCKS_AT_ONCE + 1)
      const places = Array.from({ length: BLOCKS_AT_ONCE }, (_, n) => Math.floor(low + part * (n + 1)))
      const numbers = [...new Set(places)]
      const found = await Promise.all(
        numbers.map((number) => pool.request(hasCode(address, { number }), { priority: 'bulk' })),
      )
      const at = found.findIndex(({ value: exists }) => exists)
      const without = at === -1 ? numbers.at(-1) : numbers[at - 1]
      if (without !== undefined) low = without + 1
      high = numbers[at] ?? high
    }
    return low
  } catch (error) {
    if (error instanceof NoEndpointError) return 0
    throw error
  }
}
