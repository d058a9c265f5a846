/**
 * Reads the logs of a block range through one endpoint, at the width that endpoint accepts.
 *
 * Chooses the endpoint and learns its limits. A block number does not identify a block that a reorg may still replace,
 * so the caller compares the hashes of those blocks with its own chain.
 */
import type { Log } from './parse.ts'
import { type EndpointId, RangeRefusedError, type RpcPool } from './pool.ts'
import { getBlockHeader, getLogs, type LogFilter, type RpcRequest } from './requests.ts'
import { BlockMissingError, NoEndpointError, type RangeHint, RpcError } from './rpc-error.ts'

/** The logs up to block `to`. `source` is the host they came from. */
export type RangeRead = { readonly to: number; readonly logs: readonly Log[]; readonly source: string }

/** Which hosts to try last or never. By default the operator's order applies. */
export type HostChoice = {
  readonly last?: string | undefined
  readonly never?: string | undefined
  /** Requires that the endpoint has the last block: some nodes silently cut a range at their own head. */
  readonly mustHaveEnd?: boolean
}

export type RangeReader = {
  /** Reads from `from` as far as one request to the endpoint goes, at most to `to`. */
  readonly read: (from: number, to: number, filters: readonly LogFilter[], choice?: HostChoice) => Promise<RangeRead>
  /** Reads the same range from two endpoints and merges the logs: each supplies what the other lost. */
  readonly readTwice: (from: number, to: number, filters: readonly LogFilter[]) => Promise<RangeRead>
}

export type RangeReaderDeps = {
  readonly pool: RpcPool
  readonly store: RangeLimitStore
  /** Blocks in the first request, by whether it names addresses. */
  readonly first?: Readonly<Record<RangeLimitKey['filter'], number>>
}

export function createRangeReader({ pool, store, first }: RangeReaderDeps): RangeReader {
  const limits = new Map<string, RangeLimit>()
  /** The first request to an endpoint is sent alone: its response sets the width of the others. */
  const firstRequests = new Map<string, Promise<unknown>>()

  const limitOf = async (key: RangeLimitKey): Promise<RangeLimit> => {
    const name = nameOf(key)
    const known = limits.get(name)
    if (known !== undefined) return known
    const initial: RangeLimit = { ...FIRST_LIMIT, size: first?.[key.filter] ?? FIRST_LIMIT.size }
    const limit = (await store.findLimit(key)) ?? initial
    limits.set(name, limit)
    return limit
  }

  const learn = async (key: RangeLimitKey, event: RangeEvent): Promise<void> => {
    const before = await limitOf(key)
    const after = onRangeEvent(before, event)
    limits.set(nameOf(key), after)
    // Growth is cheap to learn again. A refusal cost a request, so it is stored.
    if (blocksToRequest(after) < blocksToRequest(before)) await store.saveLimit(key, after)
  }

  const requestAndLearn = async (
    endpoint: EndpointId,
    key: RangeLimitKey,
    request: RpcRequest<readonly Log[]>,
    blocks: number,
  ): Promise<readonly Log[]> => {
    try {
      const { value } = await pool.request(request, { only: endpoint, priority: 'bulk' })
      await learn(key, { type: 'read', blocks, logs: value.length })
      return value
    } catch (error) {
      if (error instanceof RangeRefusedError) await learn(key, { type: 'refused', blocks, hint: error.hint })
      else if (mayBeTooWide(error)) await learn(key, { type: 'failed', blocks })
      throw error
    }
  }

  const readFrom = async (
    endpoint: EndpointId,
    from: number,
    to: number,
    filters: readonly LogFilter[],
  ): Promise<RangeRead> => {
    const host = pool.hostOf(endpoint)
    const keys = filters.map(
      ({ addresses }): RangeLimitKey => ({ host, filter: addresses === undefined ? 'chainwide' : 'addresses' }),
    )
    for (;;) {
      for (const key of keys) await firstRequests.get(nameOf(key))?.catch(() => {})
      const widths = await Promise.all(keys.map(async (key) => blocksToRequest(await limitOf(key))))
      const end = Math.min(to, from + Math.min(...widths) - 1)
      const blocks = end - from + 1
      try {
        const responses = await Promise.all(
          filters.map((filter, at) => {
            const key = keys[at] as RangeLimitKey
            const sent = requestAndLearn(endpoint, key, getLogs(from, end, filter), blocks)
            firstRequests.set(nameOf(key), firstRequests.get(nameOf(key)) ?? sent)
            return sent
          }),
        )
        return { to: end, logs: inChainOrder(responses), source: host }
      } catch (error) {
        // A single block that is too wide cannot be divided: another endpoint may accept it.
        if (!(error instanceof RangeRefusedError) || blocks === 1) throw error
      }
    }
  }

  const hasBlock = async (only: EndpointId, block: number): Promise<boolean> =>
    (await pool.request(getBlockHeader(block), { only, priority: 'bulk' })).value !== undefined

  const read: RangeReader['read'] = async (from, to, filters, { last, never, mustHaveEnd } = {}) => {
    const rank = (id: EndpointId): number => Number(pool.hostOf(id) === last)
    const candidates = pool.available().filter((id) => pool.hostOf(id) !== never)
    let failure: unknown = new NoEndpointError(pool.chain, 0, [])
    for (const endpoint of candidates.toSorted((a, b) => rank(a) - rank(b) || a - b)) {
      try {
        const found = await readFrom(endpoint, from, to, filters)
        if (mustHaveEnd !== true || (await hasBlock(endpoint, found.to))) return found
        failure = new BlockMissingError(pool.chain, found.to)
      } catch (error) {
        if (!(error instanceof NoEndpointError || error instanceof RpcError)) throw error
        failure = error
      }
    }
    throw failure
  }

  return {
    read,
    readTwice: async (from, to, filters) => {
      const one = await read(from, to, filters, { mustHaveEnd: true })
      if (pool.all.every((id) => pool.hostOf(id) === one.source)) return one
      const other = await read(from, one.to, filters, { never: one.source, mustHaveEnd: true })
      return { ...other, logs: inChainOrder([one.logs.filter((log) => log.blockNumber <= other.to), other.logs]) }
    },
  }
}

const nameOf = ({ filter, host }: RangeLimitKey): string => `${filter} ${host}`

/** A node that times out, drops the connection or truncates its response is often overloaded by the range. */
function mayBeTooWide(error: unknown): boolean {
  return error instanceof NoEndpointError && error.errors.some((each) => each.mayBeTooWide)
}

/** Merges logs in chain order. A log found by two filters counts once. */
function inChainOrder(responses: readonly (readonly Log[])[]): readonly Log[] {
  if (responses.length === 1) return responses[0] ?? []
  const byPosition = new Map(responses.flat().map((log) => [`${log.blockHash}:${log.logIndex}`, log]))
  return [...byPosition.values()].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** How many blocks an endpoint takes in one `eth_getLogs` request: learned, and stored for the next start. */
export type RangeLimit = { readonly size: number; readonly ceiling: number | undefined }

/** Endpoints limit requests with and without an address filter differently. */
export type RangeLimitKey = { readonly host: string; readonly filter: 'addresses' | 'chainwide' }

export type RangeLimitStore = {
  readonly findLimit: (key: RangeLimitKey) => Promise<RangeLimit | undefined>
  readonly saveLimit: (key: RangeLimitKey, limit: RangeLimit) => Promise<void>
}

export const FIRST_LIMIT: RangeLimit = { size: 500, ceiling: undefined }

const GROWTH = 1.05
/** Target size of a response: about two megabytes, parsed in tens of milliseconds. */
export const TARGET_LOGS = 4_000

type RangeEvent =
  | { readonly type: 'read'; readonly blocks: number; readonly logs: number }
  | { readonly type: 'refused'; readonly blocks: number; readonly hint: RangeHint | undefined }
  /** The request failed for a reason that does not name the range, which may still have been too wide. */
  | { readonly type: 'failed'; readonly blocks: number }

export function blocksToRequest({ size, ceiling }: RangeLimit): number {
  return Math.max(1, Math.floor(Math.min(size, ceiling ?? size)))
}

/**
 * Learns from a response how many blocks to request at once: grows slowly, shrinks at once. A hint counts only if it is
 * narrower than the range that just failed, because some providers suggest the range they refused.
 */
export function onRangeEvent(limit: RangeLimit, event: RangeEvent): RangeLimit {
  if (event.type === 'read') {
    if (event.logs > TARGET_LOGS) {
      const fitting = Math.max(1, Math.floor((event.blocks * TARGET_LOGS) / event.logs))
      return { ...limit, size: Math.min(limit.size, fitting) }
    }
    // A partial range at the end of the chain does not show what the endpoint accepts.
    return event.blocks < blocksToRequest(limit)
      ? limit
      : { ...limit, size: Math.min(limit.size * GROWTH + 0.1, 1_000_000) }
  }
  const half = Math.max(1, Math.floor(event.blocks / 2))
  if (event.type === 'failed') return { ...limit, size: Math.min(limit.size, half) }
  const { hint } = event
  if (hint === undefined || hint.blocks >= event.blocks) return { ...limit, size: Math.min(limit.size, half) }
  // A suggestion for dense blocks does not apply to the rest of the chain.
  if (!hint.isLimit) return { ...limit, size: hint.blocks }
  return { size: hint.blocks, ceiling: Math.min(limit.ceiling ?? hint.blocks, hint.blocks) }
}
