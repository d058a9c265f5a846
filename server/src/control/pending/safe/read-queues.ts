/**
 * Requests the transactions of Safes from a Safe Transaction Service, checks them, and stores what is left.
 *
 * Nothing else waits for it: it has its own loop, and a Safe has a fixed time. After a failure of the service the loop
 * pauses, after one that concerns a single Safe it goes on with the next.
 */
import { Counter } from 'prom-client'
import type { Severity } from '../../../../../vocabulary/severities.ts'
import type { Hex } from '../../../lib/hex.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import type { Database } from '../../../platform/database.ts'
import { callsIn, type DecodedCall, decodeCall, isCut } from '../../catalog/inner-calls.ts'
import { safeLibraryOf } from '../../catalog/safe-libraries.ts'
import { settledBlock } from '../../poll/session.ts'
import type { RpcPool } from '../../rpc/pool.ts'
import { getCode, type StateBlock } from '../../rpc/requests.ts'
import { createReads, type Reads } from '../inspect.ts'
import { readSafe, signatureChecks } from './read-safe.ts'
import { getSafesToRead, getWatched, markRead, type SafeOperation, saveSafeQueue } from './safe-operations.ts'
import { type SafeService, SafeServiceError } from './safe-service.ts'
import { DROP_REASONS, type Dropped, rememberingSigners, verifyTransactions } from './verify-transactions.ts'

export type SafeQueueDeps = {
  readonly database: Database
  readonly pool: RpcPool
  readonly service: SafeService
  readonly confirmations: number
  readonly log: Logger
  readonly count: (dropped: Dropped) => void
  readonly signal?: AbortSignal
  /** Called before each Safe; the round ends if it returns false. */
  readonly mayContinue?: () => Promise<boolean>
}

/** Safes that one round reads. */
const ROUND = 20

/** Counts what was dropped, by chain and reason. */
export function droppedCounter(metrics: Metrics | undefined, chain: string): SafeQueueDeps['count'] {
  if (metrics === undefined) return () => undefined
  const name = 'gatewatch_safe_service_dropped_total'
  const counter =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Entries and signatures of a Safe Transaction Service that were dropped, by reason',
      labelNames: ['chain', 'reason'],
      registers: [metrics],
    })
  for (const reason of DROP_REASONS) counter.inc({ chain, reason }, 0)
  return (dropped) => {
    for (const [reason, count] of Object.entries(dropped)) counter.inc({ chain, reason }, count)
  }
}

/** Returns a function that reads the Safes that are due, and returns their number. */
export function createSafeQueueReader(deps: SafeQueueDeps): (chainId: number) => Promise<number> {
  const { database, pool, confirmations, service, log, signal, mayContinue } = deps
  const readSignature = rememberingSigners()
  const readOne = async (chainId: number, address: Hex): Promise<void> => {
    const block = await settledBlock(pool, confirmations)
    const read = createReads(pool)
    const safe = block === undefined ? undefined : await readSafe(read, { chainId, address }, block)
    if (block === undefined || safe === undefined) return await markRead(database, { chainId, address })
    const list = await service.list(address, safe.nonce, signal)
    const checks = { ...signatureChecks(read, safe, block), readSignature }
    const { transactions, dropped } = await verifyTransactions(checks, safe, list)
    deps.count(dropped)
    const operations: SafeOperation[] = []
    for (const transaction of transactions) {
      const { to, value, data, operation } = transaction
      const kind = operation === 1 ? 'delegatecall' : 'call'
      const call = decodeCall({ from: address, to, value, data, operation: kind })
      operations.push({
        transaction,
        call,
        severity: await severityOf({ database, read }, { chainId, address }, call, block),
      })
    }
    await saveSafeQueue(database, { safe, block, operations, isComplete: list.isComplete })
  }
  return async (chainId) => {
    const safes = await getSafesToRead(database, chainId, ROUND)
    let done = 0
    for (const address of safes) {
      if (signal?.aborted === true || (await mayContinue?.()) === false) break
      try {
        await readOne(chainId, address)
      } catch (error) {
        if (!(error instanceof SafeServiceError)) throw error
        await markRead(database, { chainId, address })
        deps.count({ unread: 1 })
        if (error.isTemporary) throw error
        log.warn({ chainId, safe: address, reason: error.message }, 'transactions of a Safe could not be read')
      }
      done += 1
    }
    return done
  }
}

/** As an execution would be reported: changes of control of watched contracts, unknown code that runs as the Safe, hidden calls. */
async function severityOf(
  { database, read }: { readonly database: Database; readonly read: Reads },
  { chainId, address }: { readonly chainId: number; readonly address: Hex },
  outer: DecodedCall,
  block: StateBlock,
): Promise<Severity> {
  if (isCut(outer)) return 'critical'
  const calls = [...callsIn(outer)]
  for (const { operation, from, target } of calls) {
    if (operation !== 'delegatecall' || from !== address) continue
    const code = await read(getCode(target, block))
    if (code === undefined || safeLibraryOf(target, code) === undefined) return 'critical'
  }
  const control = calls.filter(({ isControl }) => isControl)
  if (control.length === 0) return 'info'
  const affected = [...new Set(control.flatMap(({ affects }) => affects))]
  return (await getWatched(database, chainId, affected)).size > 0 ? 'critical' : 'high'
}
