/**
 * Reads the logs of one block completely, or fails.
 *
 * Requests them by block hash, so that no other branch can serve them, and checks them against the header's bloom filter:
 * nodes announce a block before its logs are indexed, and return an empty list until then.
 */

import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Header, Log } from '../rpc/parse.ts'
import type { EndpointId, RpcPool, RpcResult } from '../rpc/pool.ts'
import { getBlockLogs, getBlockReceipts, type RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { coversBloom, isSuspicious } from './bloom-check.ts'

/** No endpoint returned logs that match the block's bloom filter: they are not indexed yet, or lost. */
export class IncompleteLogsError extends GatewatchError {
  override readonly code = 'incomplete_logs'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: no endpoint returns all logs of block ${block} yet. The block is read again, not skipped.`)
  }
}

export async function readBlockLogs(
  { pool }: { readonly pool: RpcPool },
  header: Header,
  { topics, prefer }: { readonly topics: readonly Hex[]; readonly prefer: EndpointId | undefined },
): Promise<readonly Log[]> {
  const matching = await requestTopics(pool, header, topics, prefer)
  if (matching !== undefined && !mayBeIncomplete(header, topics, matching.value)) return matching.value
  const whole = await readWholeBlock(pool, header, matching?.from)
  const topicSet = new Set<Hex | undefined>(topics)
  return whole.filter((log) => topicSet.has(log.topics[0]))
}

/** Without a bloom filter nothing is suspicious. The second pass finds what the endpoint omitted. */
const mayBeIncomplete = ({ logsBloom }: Header, topics: readonly Hex[], logs: readonly Log[]): boolean =>
  logsBloom !== undefined && isSuspicious(logsBloom, topics, logs)

const hasAllLogs = ({ logsBloom }: Header, logs: readonly Log[]): boolean =>
  logsBloom === undefined || coversBloom(logs, logsBloom)

/** Undefined if an endpoint does not support the filter (some require addresses) or the result is too large. */
async function requestTopics(
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
 * Reads every log of the block and checks it against the bloom filter: from the suspicious endpoint, then from the others,
 * then from the receipts, which nodes store apart from the log index. If index and receipts agree, they outweigh the
 * bloom filter.
 */
async function readWholeBlock(
  pool: RpcPool,
  header: Header,
  suspicious: EndpointId | undefined,
): Promise<readonly Log[]> {
  const endpoints = pool.available().toSorted((a, b) => Number(b === suspicious) - Number(a === suspicious))
  const unmatched: string[] = []
  for (const endpoint of endpoints) {
    const logs = await resultOf(pool, getBlockLogs(header, {}), endpoint)
    if (logs === undefined || !isContiguous(logs)) continue
    if (hasAllLogs(header, logs)) return logs
    unmatched.push(digestOf(logs))
  }
  for (const endpoint of endpoints) {
    const receipts = await resultOf(pool, getBlockReceipts(header.hash), endpoint)
    if (receipts === undefined || receipts.length < (header.transactions ?? Number.POSITIVE_INFINITY)) continue
    const logs = receipts.flatMap((receipt) => receipt.logs).sort((a, b) => a.logIndex - b.logIndex)
    if (!isContiguous(logs)) continue
    if (hasAllLogs(header, logs) || unmatched.includes(digestOf(logs))) return logs
  }
  throw new IncompleteLogsError(pool.chain, header.number)
}

async function resultOf<T>(pool: RpcPool, request: RpcRequest<T>, endpoint: EndpointId): Promise<T | undefined> {
  try {
    return (await pool.request(request, { only: endpoint })).value
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
