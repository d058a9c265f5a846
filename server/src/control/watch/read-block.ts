/**
 * The logs of one block, all of them or none.
 *
 * Asks by hash, so that only the block itself can answer, and does not believe an answer the header contradicts:
 * nodes announce a block before its logs are indexed, and then answer with an empty list.
 */
import { GatewatchError } from '../../lib/errors.ts'
import { NoEndpointError } from '../node/faults.ts'
import type { Header, Hex, Log } from '../node/parse.ts'
import type { EndpointId, NodePool } from '../node/pool.ts'
import { askLogsOfBlock } from '../node/questions.ts'
import { explains, isDoubtful } from './log-proof.ts'

/** No endpoint gave logs that account for the block's bloom: they are not indexed yet, or lost. */
export class IncompleteLogsError extends GatewatchError {
  override readonly code = 'incomplete_logs'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: no endpoint gives all logs of block ${block} yet; it is asked for again, not skipped`)
  }
}

export async function readBlockLogs(
  { pool }: { readonly pool: NodePool },
  header: Header,
  { topics, prefer }: { readonly topics: readonly Hex[]; readonly prefer: EndpointId | undefined },
): Promise<readonly Log[]> {
  const { value: logs, from } = await pool.ask(askLogsOfBlock(header, { topics }), { prefer })
  if (!isDoubtful(header.logsBloom, topics, logs)) return logs
  const whole = await readWholeBlock({ pool }, header, from)
  const wanted = new Set<Hex | undefined>(topics)
  return whole.filter((log) => wanted.has(log.topics[0]))
}

/** Every log of the block, proven complete by the bloom: first from the doubted endpoint, then from the others. */
async function readWholeBlock(
  { pool }: { readonly pool: NodePool },
  header: Header,
  doubted: EndpointId,
): Promise<readonly Log[]> {
  for (const endpoint of [doubted, ...pool.awake().filter((id) => id !== doubted)]) {
    try {
      const { value: logs } = await pool.ask(askLogsOfBlock(header, {}), { only: endpoint })
      if (isContiguous(logs) && explains(logs, header.logsBloom)) return logs
    } catch (error) {
      if (!(error instanceof NoEndpointError)) throw error
    }
  }
  throw new IncompleteLogsError(pool.chain, header.number)
}

/** Logs of a block are numbered from zero without a gap. */
function isContiguous(logs: readonly Log[]): boolean {
  return logs.every((log, at) => log.logIndex === at)
}
