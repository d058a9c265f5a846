/**
 * The logs of a range of blocks through one endpoint, at the width that endpoint takes.
 *
 * Owns the choice of endpoint and the learning of limits. Numbers alone do not name blocks that may still be undone,
 * so the caller checks the hashes of those against its own chain.
 */
import { NoEndpointError, RpcFault } from '../rpc/faults.ts'
import type { Log } from '../rpc/parse.ts'
import { type EndpointId, type NodePool, RangeRefusedError } from '../rpc/pool.ts'
import { askHeader, askLogsInRange, type Question } from '../rpc/questions.ts'
import { blocksToAsk, FIRST_LIMIT, onRangeEvent, type RangeEvent } from './range.ts'
import type { RangeFilter } from './scope.ts'
import { BlockMissingError } from './views.ts'
import type { LearnedLimit, LimitKey, WatchStore } from './watch-store.ts'

/** `source` is the host that answered. */
export type RangeRead = { readonly to: number; readonly logs: readonly Log[]; readonly source: string }

/** Hosts to ask last or not at all; by default the operator's order. */
export type Choice = {
  readonly last?: string | undefined
  readonly never?: string | undefined
  /** Some nodes cut a range at their own head without a word: whoever confirms must have its last block. */
  readonly mustHoldEnd?: boolean
}

export type RangeReader = {
  /** Reads from `from` as far as one question to the endpoint goes, at most to `to`. */
  readonly read: (from: number, to: number, filters: readonly RangeFilter[], choice?: Choice) => Promise<RangeRead>
  /**
   * The same from two endpoints, one answer completing the other: what one of them lost the other has, and what
   * either had not indexed at the time of the first reading it has by now.
   */
  readonly readTwice: (from: number, to: number, filters: readonly RangeFilter[]) => Promise<RangeRead>
}

export type RangeReaderDeps = {
  readonly pool: NodePool
  readonly store: Pick<WatchStore, 'findLimit' | 'saveLimit'>
  /** Blocks in the first question, by whether it names addresses. */
  readonly first?: Readonly<Record<LimitKey['filter'], number>>
}

export function createRangeReader({ pool, store, first }: RangeReaderDeps): RangeReader {
  const limits = new Map<string, LearnedLimit>()
  /** The first question to an endpoint is asked alone: its answer tells the others how much to ask for. */
  const firsts = new Map<string, Promise<unknown>>()

  const limitOf = async (key: LimitKey): Promise<LearnedLimit> => {
    const name = nameOf(key)
    const known = limits.get(name)
    if (known !== undefined) return known
    const fresh: LearnedLimit = { ...FIRST_LIMIT, size: first?.[key.filter] ?? FIRST_LIMIT.size }
    const limit = (await store.findLimit(key)) ?? fresh
    limits.set(name, limit)
    return limit
  }

  const learn = async (key: LimitKey, event: RangeEvent): Promise<void> => {
    const before = await limitOf(key)
    const after = onRangeEvent(before, event)
    limits.set(nameOf(key), after)
    // Growth is cheap to learn again; a refusal cost a question, so it is kept.
    if (blocksToAsk(after) < blocksToAsk(before)) await store.saveLimit(key, after)
  }

  const askAndLearn = async (
    endpoint: EndpointId,
    key: LimitKey,
    question: Question<readonly Log[]>,
    blocks: number,
  ): Promise<readonly Log[]> => {
    try {
      const { value } = await pool.ask(question, { only: endpoint, priority: 'bulk' })
      await learn(key, { type: 'read', blocks, logs: value.length })
      return value
    } catch (error) {
      if (error instanceof RangeRefusedError) await learn(key, { type: 'refused', blocks, hint: error.hint })
      else if (isPerhapsTooWide(error)) await learn(key, { type: 'failed', blocks })
      throw error
    }
  }

  const readFrom = async (
    endpoint: EndpointId,
    from: number,
    to: number,
    filters: readonly RangeFilter[],
  ): Promise<RangeRead> => {
    const host = pool.hostOf(endpoint)
    const keys = filters.map(
      ({ addresses }): LimitKey => ({ host, filter: addresses === undefined ? 'chainwide' : 'addresses' }),
    )
    for (;;) {
      for (const key of keys) await firsts.get(nameOf(key))?.catch(() => {})
      const widths = await Promise.all(keys.map(async (key) => blocksToAsk(await limitOf(key))))
      const end = Math.min(to, from + Math.min(...widths) - 1)
      const blocks = end - from + 1
      try {
        const answers = await Promise.all(
          filters.map((filter, at) => {
            const key = keys[at] as LimitKey
            const asked = askAndLearn(endpoint, key, askLogsInRange(from, end, filter), blocks)
            firsts.set(nameOf(key), firsts.get(nameOf(key)) ?? asked)
            return asked
          }),
        )
        return { to: end, logs: inChainOrder(answers), source: host }
      } catch (error) {
        // One block refused as too wide cannot be asked for in less: another endpoint may take it.
        if (!(error instanceof RangeRefusedError) || blocks === 1) throw error
      }
    }
  }

  const holds = async (only: EndpointId, block: number): Promise<boolean> =>
    (await pool.ask(askHeader(block), { only, priority: 'bulk' })).value !== undefined

  const read: RangeReader['read'] = async (from, to, filters, { last, never, mustHoldEnd } = {}) => {
    const rank = (id: EndpointId): number => Number(pool.hostOf(id) === last)
    const awake = pool.awake().filter((id) => pool.hostOf(id) !== never)
    let failure: unknown = new NoEndpointError(pool.chain, 0, [])
    for (const endpoint of awake.toSorted((a, b) => rank(a) - rank(b) || a - b)) {
      try {
        const found = await readFrom(endpoint, from, to, filters)
        if (mustHoldEnd !== true || (await holds(endpoint, found.to))) return found
        failure = new BlockMissingError(pool.chain, found.to)
      } catch (error) {
        if (!(error instanceof NoEndpointError || error instanceof RpcFault)) throw error
        failure = error
      }
    }
    throw failure
  }

  return {
    read,
    readTwice: async (from, to, filters) => {
      const one = await read(from, to, filters, { mustHoldEnd: true })
      if (pool.all.every((id) => pool.hostOf(id) === one.source)) return one
      const other = await read(from, one.to, filters, { never: one.source, mustHoldEnd: true })
      return { ...other, logs: inChainOrder([one.logs.filter((log) => log.blockNumber <= other.to), other.logs]) }
    },
  }
}

const nameOf = ({ filter, host }: LimitKey): string => `${filter} ${host}`

/** A node that runs out of time, drops the connection or cuts its answer is often drowning in the range. */
function isPerhapsTooWide(error: unknown): boolean {
  return error instanceof NoEndpointError && error.faults.some((fault) => fault.mayBeTooWide)
}

/** A log found by two filters counts once. */
function inChainOrder(answers: readonly (readonly Log[])[]): readonly Log[] {
  if (answers.length === 1) return answers[0] ?? []
  const byPlace = new Map(answers.flat().map((log) => [`${log.blockHash}:${log.logIndex}`, log]))
  return [...byPlace.values()].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
