/**
 * All logs of some topics that one address ever emitted, up to a block.
 *
 * Starts where the contract was made, found by halving where nodes keep old state. A history that would take more
 * questions than is decent is not read at all: half of it would be a lie.
 */
import type { Hex } from '../../lib/hex.ts'
import { type Read, unread, value } from '../profile/read.ts'
import type { Log } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { createRangeReader } from '../rpc/range-reader.ts'
import { hasCode } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { Block } from './chain-reads.ts'
import type { LogHistory } from './role-members.ts'

const MOST_QUESTIONS = 300
/** One address emits little: the first question may ask for much, refusals teach the rest. */
const FIRST_RANGE = { addresses: 1_000_000, chainwide: 500 }

/**
 * What was read before, for whoever looks every hour. The last blocks of it are always read again: deeper than these no
 * chain here is reorganised, and whoever lists members from it asks the contract about each.
 */
export type HistoryCache = Map<string, { readonly first: number; readonly to: number; readonly logs: readonly Log[] }>
const READ_AGAIN = 1_000

export type HistoryDeps = { readonly pool: RpcPool; readonly cache?: HistoryCache | undefined }

/** `since`: where to begin instead of where the contract was made. */
export function createLogHistory({ pool, cache }: HistoryDeps, block: Block, since?: number): LogHistory {
  const nothing = { findLimit: async () => undefined, saveLimit: async () => {} }
  const reader = createRangeReader({ pool, store: nothing, first: FIRST_RANGE })
  return async (address, topics): Promise<Read<readonly Log[]>> => {
    try {
      const key = `${pool.chain}:${address}:${topics.join()}`
      const kept = since === undefined ? cache?.get(key) : undefined
      const keptTo = kept === undefined ? 0 : Math.min(kept.to, block.number) - READ_AGAIN
      const logs = (kept?.logs ?? []).filter((log) => log.blockNumber < keptTo)
      const first = since ?? kept?.first ?? (await firstBlock(pool, address, block))
      let from = Math.max(first, keptTo)
      for (let asked = 0; from <= block.number; asked += 1) {
        if (asked === MOST_QUESTIONS) return unread('its history is too long for the nodes at hand')
        const read = await reader.read(from, block.number, [{ topics, addresses: [address] }])
        logs.push(...read.logs)
        from = read.to + 1
      }
      if (since === undefined) cache?.set(key, { first, to: block.number, logs })
      return value(logs)
    } catch (error) {
      if (error instanceof NoEndpointError) return unread('its events could not be read')
      throw error
    }
  }
}

/** The block in which the address first had code; the first of all where nodes no longer know. */
async function firstBlock(pool: RpcPool, address: Hex, block: Block): Promise<number> {
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
