/**
 * The logs of one block, all of them or none.
 *
 * Asks by hash, so that only the block itself can answer, and does not believe an answer the header contradicts:
 * nodes announce a block before its logs are indexed, and then answer with an empty list.
 */

import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Header, Log } from '../rpc/parse.ts'
import type { EndpointId, RpcPool, RpcResult } from '../rpc/pool.ts'
import { getBlockLogs, getBlockReceipts, type RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { coversBloom, isDoubtful } from './bloom-check.ts'

/** No endpoint gave logs that account for the block's bloom: they are not indexed yet, or lost. */
export class IncompleteLogsError extends GatewatchError {
  override readonly code = 'incomplete_logs'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: no endpoint gives all logs of block ${block} yet; it is asked for again, not skipped`)
  }
}

export async function readBlockLogs(
  { pool }: { readonly pool: RpcPool },
  header: Header,
  { topics, prefer }: { readonly topics: readonly Hex[]; readonly prefer: EndpointId | undefined },
): Promise<readonly Log[]> {
  const told = await askForTopics(pool, header, topics, prefer)
  if (told !== undefined && !isDoubtful(header.logsBloom, topics, told.value)) return told.value
  const whole = await readWholeBlock(pool, header, told?.from)
  const wanted = new Set<Hex | undefined>(topics)
  return whole.filter((log) => wanted.has(log.topics[0]))
}

/** Undefined where an endpoint does not take such a question (some want addresses in it) or finds the answer too large. */
async function askForTopics(
  pool: RpcPool,
  header: Header,
  topics: readonly Hex[],
  prefer: EndpointId | undefined,
): Promise<RpcResult<readonly Log[]> | undefined> {
  try {
    return await pool.request(getBlockLogs(header, { topics }), { prefer })
  } catch (error) {
    if (error instanceof NoEndpointError && error.errors.some(({ kind }) => kind === 'unsupported' || kind === 'range'))
      return undefined
    throw error
  }
}

/**
 * Every log of the block, proven complete by the bloom: from the doubted endpoint, then from the others; then from the
 * receipts, which are kept apart from the index of logs. Where the bloom itself is the odd one out, index and receipts
 * saying the same outweigh it.
 */
async function readWholeBlock(pool: RpcPool, header: Header, doubted: EndpointId | undefined): Promise<readonly Log[]> {
  const endpoints = pool.available().toSorted((a, b) => Number(b === doubted) - Number(a === doubted))
  const unproven: string[] = []
  for (const endpoint of endpoints) {
    const logs = await answerOf(pool, getBlockLogs(header, {}), endpoint)
    if (logs === undefined || !isContiguous(logs)) continue
    if (coversBloom(logs, header.logsBloom)) return logs
    unproven.push(digestOf(logs))
  }
  for (const endpoint of endpoints) {
    const receipts = await answerOf(pool, getBlockReceipts(header.hash), endpoint)
    if (receipts === undefined || receipts.length < (header.transactions ?? Number.POSITIVE_INFINITY)) continue
    const logs = receipts.flatMap((receipt) => receipt.logs).sort((a, b) => a.logIndex - b.logIndex)
    if (!isContiguous(logs)) continue
    if (coversBloom(logs, header.logsBloom) || unproven.includes(digestOf(logs))) return logs
  }
  throw new IncompleteLogsError(pool.chain, header.number)
}

async function answerOf<T>(pool: RpcPool, question: RpcRequest<T>, endpoint: EndpointId): Promise<T | undefined> {
  try {
    return (await pool.request(question, { only: endpoint })).value
  } catch (error) {
    if (error instanceof NoEndpointError) return undefined
    throw error
  }
}

/** Logs of a block are numbered from zero without a gap. */
function isContiguous(logs: readonly Log[]): boolean {
  return logs.every((log, at) => log.logIndex === at)
}

function digestOf(logs: readonly Log[]): string {
  return logs.map(({ txHash, address, topics, data }) => [txHash, address, ...topics, data].join()).join('\n')
}
