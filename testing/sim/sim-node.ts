/**
 * A JSON-RPC endpoint over the simulated chain, with the faults of real ones.
 *
 * Silent faults follow one rule, without which no reader could be complete: an omitted log appears later (`indexing`), or
 * another endpoint returns it (`deaf`, never all endpoints). Reported faults follow no rule.
 */

import type { Transport, TransportResponse } from '../../server/src/control/rpc/transport.ts'
import type { Timing } from '../../server/src/lib/clock.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import type { Random } from '../support/random.ts'
import type { SimBlock, SimChain, SimLog } from './sim-chain.ts'

export type FaultRates = {
  readonly error: number
  readonly refuse: number
  readonly hang: number
  readonly garble: number
  readonly shuffle: number
  readonly slow: number
  readonly stale: number
  readonly lag: number
  /** The endpoint keeps its branch for some seconds after a reorg. */
  readonly late: number
  /** Logs of a range come from another node than headers: from one on the new branch, or on the replaced one. */
  readonly split: number
  /** Blocks that the endpoint is always behind. */
  readonly behind: number
  readonly unindexed: number
  readonly deaf: number
  readonly rangeLimit: number | undefined
  readonly hints: boolean
  readonly noTimes: boolean
  readonly pruned: boolean
  readonly noReceipts: boolean
  readonly noBatches: boolean
  /** Logs are returned by block number only. */
  readonly noHashes: boolean
}

export const CALM: FaultRates = {
  error: 0,
  refuse: 0,
  hang: 0,
  garble: 0,
  shuffle: 0,
  slow: 0,
  stale: 0,
  lag: 0,
  late: 0,
  split: 0,
  behind: 0,
  unindexed: 0,
  deaf: 0,
  rangeLimit: undefined,
  hints: true,
  noTimes: false,
  pruned: false,
  noReceipts: false,
  noBatches: false,
  noHashes: false,
}

export type SimNode = {
  readonly transport: Transport
  readonly calm: () => void
  /** When the logs of a block with this number were last read. */
  readonly readAt: (number: number) => number
  /** When a log was last requested, whether or not the response contained it. */
  readonly logReadAt: (log: SimLog) => number
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const quantity = (value: number): Hex => `0x${value.toString(16)}`
/** The longest time until a block's logs are indexed; shorter than the delay of the second pass. */
export const INDEXING_MS = 20_000

export function simNode(
  { chain, random, timing }: { chain: SimChain; random: Random; timing: Timing },
  given: { faults: FaultRates; chainId: number; quietUntilFinal: number },
): SimNode {
  let faults = given.faults
  let tip: SimBlock | undefined
  let stuckUntil = 0
  const indexedAt = new Map<Hex, number>()
  const readAt = new Map<number, number>()
  const logReadAt = new Map<SimLog, number>()
  const missing = new Map<Hex, ReadonlySet<number>>()

  /** The endpoint's view: behind, sometimes on an old branch, so that its head moves back. */
  const view = (): SimBlock => {
    const real = chain.tip()
    if (tip !== undefined && timing.now() < stuckUntil) return tip
    if (tip !== undefined && faults.late > 0) {
      const other = chain.at(real, tip.number) ?? real
      // Logs of the new branch are complete later than they could be, as if they were not indexed yet.
      if (other !== tip && random.chance(faults.late)) stuckUntil = other.minedAt + random.between(1_000, 15_000)
      if (timing.now() < stuckUntil) return tip
    }
    if (random.chance(faults.stale)) stuckUntil = timing.now() + random.between(1_000, 15_000)
    const behind = faults.behind + (random.chance(faults.lag) ? random.below(5) : 0)
    tip = chain.at(real, Math.max(0, real.number - behind)) as SimBlock
    return tip
  }

  /** The node that serves the logs of a range. */
  const logView = (): SimBlock => {
    if (faults.split === 0 || !random.chance(faults.split)) return view()
    const replaced = chain.replaced()
    const isRecent = replaced !== undefined && timing.now() - replaced.at < INDEXING_MS
    return isRecent && random.chance(0.5) ? replaced.tip : chain.tip()
  }

  /** Omits logs of a block that are not indexed yet, or (on a deaf endpoint) always. */
  const logsOf = (block: SimBlock): readonly SimLog[] => {
    if (!indexedAt.has(block.hash)) {
      const delay = random.chance(faults.unindexed) ? random.below(INDEXING_MS) : 0
      indexedAt.set(block.hash, block.minedAt + delay)
      const lost = block.logs.filter(() => random.chance(faults.deaf)).map((log) => log.logIndex)
      missing.set(block.hash, new Set(lost))
    }
    const heard = block.logs.filter((log) => missing.get(block.hash)?.has(log.logIndex) !== true)
    if ((indexedAt.get(block.hash) as number) <= timing.now()) return heard
    return heard.slice(0, random.below(heard.length + 1))
  }

  const toJson = (block: SimBlock, log: SimLog): object => ({
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: quantity(block.number),
    blockHash: block.hash,
    transactionHash: log.txHash,
    transactionIndex: quantity(log.txIndex),
    logIndex: quantity(log.logIndex),
    removed: false,
    ...(faults.noTimes ? {} : { blockTimestamp: quantity(block.seconds) }),
  })

  const receiptOf = (block: SimBlock, index: number): object => {
    const tx = block.txs[index] as SimBlock['txs'][number]
    return {
      transactionHash: tx.hash,
      transactionIndex: quantity(index),
      blockHash: block.hash,
      contractAddress: tx.isDirect ? (tx.creates ?? null) : null,
      status: '0x1',
      gasUsed: quantity(tx.creates === undefined ? 30_000 : 60_000),
      logs: block.logs.filter((log) => log.txIndex === index).map((log) => toJson(block, log)),
    }
  }

  /** By hash a node serves stale branches too, but not blocks it has not seen. */
  const blockByHash = (hash: unknown): SimBlock => {
    const block = chain.byHash(hash as Hex)
    if (block === undefined || block.number > view().number) throw new RpcError(-32_000, 'unknown block')
    return block
  }

  const getLogs = (filter: {
    blockHash?: Hex
    fromBlock?: string
    toBlock?: string
    address?: readonly Hex[]
    topics?: readonly (readonly Hex[])[]
  }): unknown => {
    const blocks: SimBlock[] = []
    if (filter.blockHash !== undefined && faults.noHashes) throw new RpcError(-32_602, 'unknown field blockHash')
    if (filter.blockHash !== undefined) blocks.push(blockByHash(filter.blockHash))
    else {
      const [from, end, head] = [Number(filter.fromBlock), Number(filter.toBlock), logView()]
      // Newer nodes refuse a range beyond their head, older ones silently truncate it.
      if (end > head.number && !faults.noTimes)
        throw new RpcError(-32_000, 'block range extends beyond current head block')
      const to = Math.min(end, head.number)
      const { rangeLimit } = faults
      if (rangeLimit !== undefined && to - from + 1 > rangeLimit)
        throw new RpcError(
          -32_005,
          faults.hints
            ? `block range is too wide, limited to ${rangeLimit} blocks`
            : 'query returned more than 10000 results',
        )
      for (let number = from; number <= to; number += 1) blocks.push(chain.at(head, number) as SimBlock)
    }
    const isWanted = ({ address, topics }: SimLog): boolean =>
      filter.address?.includes(address) !== false && filter.topics?.[0]?.includes(topics[0] as Hex) !== false
    for (const { number, logs } of blocks) {
      readAt.set(number, timing.now())
      for (const log of logs) if (isWanted(log)) logReadAt.set(log, timing.now())
    }
    const found = blocks.flatMap((block) =>
      logsOf(block)
        .filter(isWanted)
        .map((log) => toJson(block, log)),
    )
    if (!random.chance(faults.shuffle) || found.length === 0) return found
    return [...found, random.pick(found)].toReversed()
  }

  const answer = ({ method, params }: Call): unknown => {
    const [first, second] = params as [string, unknown]
    switch (method) {
      case 'eth_chainId':
        return quantity(given.chainId)
      case 'eth_blockNumber':
        return quantity(view().number)
      case 'eth_getBlockByNumber': {
        const head = view()
        const wanted = first === 'latest' ? head.number : Number(first)
        // Another node behind a load balancer: a wrong block, or none.
        if (random.chance(faults.garble))
          return random.chance(0.5) ? null : headerOf(chain.at(head, Math.max(0, wanted - 1)))
        return headerOf(chain.at(head, wanted))
      }
      case 'eth_getLogs':
        return getLogs(params[0] as Parameters<typeof getLogs>[0])
      case 'eth_getCode': {
        const at = second as string | { blockHash: Hex }
        const block = typeof at === 'string' ? chain.at(view(), Number(at)) : blockByHash(at.blockHash)
        if (block === undefined) throw new RpcError(-32_000, 'header not found')
        if (faults.pruned && block.number < chain.tip().number - given.quietUntilFinal)
          throw new RpcError(-32_000, 'missing trie node')
        return block.contracts.has(first as Hex) ? '0x6001' : '0x'
      }
      case 'eth_getStorageAt':
        return `0x${'0'.repeat(64)}`
      case 'eth_getTransactionReceipt': {
        for (let block: SimBlock | undefined = view(); block !== undefined; block = block.parent) {
          const tx = block.txs.find(({ hash }) => hash === first)
          if (tx !== undefined) return receiptOf(block, tx.index)
        }
        return null
      }
      case 'eth_getBlockByHash':
        return headerOf(blockByHash(first))
      case 'eth_getBlockReceipts': {
        if (faults.noReceipts) throw new RpcError(-32_601, 'the method eth_getBlockReceipts does not exist')
        const block = blockByHash(first)
        return block.txs.map((tx) => receiptOf(block, tx.index))
      }
      default:
        throw new RpcError(-32_601, `the method ${method} does not exist`)
    }
  }

  const respond = (call: Call): object => {
    try {
      if (random.chance(faults.error / 2)) throw new RpcError(-32_603, 'internal error')
      if (random.chance(faults.refuse / 2)) throw new RpcError(-32_005, 'rate limit exceeded')
      return { jsonrpc: '2.0', id: call.id, result: answer(call) }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return { jsonrpc: '2.0', id: call.id, error: { code: error.code, message: error.message } }
    }
  }

  const send = async (payload: string): Promise<TransportResponse> => {
    const parsed = JSON.parse(payload) as Call | readonly Call[]
    await timing.sleep(random.chance(faults.slow) ? random.between(100, 4_000) : random.between(1, 40))
    if (random.chance(faults.hang)) await new Promise(() => {})
    if (random.chance(faults.error)) throw new Error('connection reset')
    if (random.chance(faults.error)) return { status: 502, body: undefined }
    if (random.chance(faults.refuse)) return { status: 429, retryAfter: String(random.below(6)), body: undefined }
    if (random.chance(faults.garble)) return { status: 200, body: { jsonrpc: '2.0', id: 0, result: 'x' } }
    if (!Array.isArray(parsed)) return { status: 200, body: respond(parsed as Call) }
    if (faults.noBatches)
      return { status: 200, body: { id: null, error: { code: -32_600, message: 'batches are not supported' } } }
    const answers = parsed.map(respond)
    if (random.chance(faults.shuffle)) answers.reverse()
    if (random.chance(faults.shuffle)) answers.push(answers[0] as object)
    if (random.chance(faults.garble)) answers.pop()
    return { status: 200, body: answers }
  }

  return {
    transport: { send: ({ payload }) => send(payload), close: () => {} },
    readAt: (number) => readAt.get(number) ?? Number.NEGATIVE_INFINITY,
    logReadAt: (log) => logReadAt.get(log) ?? Number.NEGATIVE_INFINITY,
    calm: () => (faults = { ...faults, ...CALM, noTimes: faults.noTimes, pruned: faults.pruned, deaf: faults.deaf }),
  }
}

function headerOf(block: SimBlock | undefined): object | null {
  if (block === undefined) return null
  return {
    number: quantity(block.number),
    hash: block.hash,
    parentHash: block.parent?.hash ?? `0x${'0'.repeat(64)}`,
    timestamp: quantity(block.seconds),
    logsBloom: block.bloom,
    transactions: block.txs.map((tx) => tx.hash),
  }
}
