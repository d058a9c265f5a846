/**
 * Batches of addresses: small ones are answered at once, others wait in the database for a process with an index, and
 * their callbacks for a receiver that answers.
 *
 * Owns the work of a batch and its delivery; each step takes one batch or one callback, whichever process does it, and
 * a process that dies leaves both to the next.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import { stringifyExactly } from '../../lib/json.ts'
import { newWebhookSecret, webhookHeaders } from '../../lib/standard-webhook.ts'
import type { Database } from '../../platform/database.ts'
import { OutboundError, type OutboundOptions, postOutbound } from '../../platform/outbound.ts'
import type { ChainId } from '../networks/network.ts'
import { chainIds } from '../networks/networks.ts'
import { decodeAddress } from '../parse/address.ts'
import { getAnalysis } from '../serve/analysis-view.ts'
import type { FeeService } from '../serve/fee-service.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import {
  claimBatch,
  claimCallback,
  completeBatch,
  countOpenBatches,
  deleteBatchesBefore,
  findBatch,
  holdBatch,
  insertBatch,
  releaseBatch,
  type StoredBatch,
  settleCallback,
} from './batch-store.ts'
import { type BatchResult, batchView } from './batch-view.ts'
import { type AttemptOutcome, afterAttempt } from './callback-schedule.ts'

export type BatchServiceDeps = {
  readonly database: Database
  readonly feeService: FeeService
  readonly clock: Clock
  /** A chain whose index has reached its node. */
  readonly findSynced: (chain: ChainId) => ServedChain | undefined
  readonly outbound: OutboundOptions
  /** Told about what went wrong on our side. */
  readonly onFault: (error: unknown) => void
}

export type BatchRequest = {
  readonly accountId: string
  readonly mostCoins: number | null
  readonly addresses: readonly string[]
  readonly webhookUrl: string | undefined
}

export type BatchService = {
  readonly create: (
    chain: ServedChain,
    request: BatchRequest,
  ) => Promise<ReturnType<typeof batchView> & { webhookSecret?: string }>
  readonly find: (accountId: string, id: string) => Promise<ReturnType<typeof batchView> | undefined>
  /** Does one piece of work; false when there was none. */
  readonly step: () => Promise<boolean>
  /** Works until stopped. */
  readonly start: () => void
  readonly stop: () => Promise<void>
}

type Work = Pick<StoredBatch, 'addresses' | 'mostCoins'> & {
  readonly isPatient?: boolean
  /** Asked now and then. */
  readonly goOn?: () => Promise<boolean>
}

/** Answered at once up to here. */
const SYNC_MOST = 50
/** Batches of one account that may wait at a time. */
const MOST_OPEN = 20
const CLAIM_MS = 120_000
const IDLE_MS = 2_000
const KEPT_MS = 30 * 86_400_000
const HELD_EVERY = 10
/** Until a batch that met a passing fault is tried again; a chain whose node is away for longer is not synced. */
const RETRY_MS = 30_000
/** A batch older than this takes such a fault as the address's result: one that never passes must have an end. */
const PATIENCE_MS = 86_400_000

export function createBatchService(deps: BatchServiceDeps): BatchService {
  const { database, clock, findSynced } = deps
  const at = (ms = 0): Date => new Date(clock.now() + ms)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let wake = (): void => undefined

  async function create(chain: ServedChain, request: BatchRequest) {
    const addresses = foldDuplicates(chain, request.addresses)
    const isQueued = request.webhookUrl !== undefined || addresses.length > SYNC_MOST
    if (isQueued && (await countOpenBatches(database, request.accountId)) >= MOST_OPEN) throw tooMany()
    const secret = request.webhookUrl === undefined ? null : newWebhookSecret()
    const createdAt = at()
    const results = isQueued ? null : await analyzeAll(chain, { addresses, mostCoins: request.mostCoins })
    const stored: StoredBatch = {
      id: randomUUID(),
      accountId: request.accountId,
      chain: chain.network.chain,
      addresses,
      mostCoins: request.mostCoins,
      status: isQueued ? 'queued' : 'completed',
      results: results === null ? null : stringifyExactly(results),
      createdAt,
      completedAt: isQueued ? null : at(),
      webhookUrl: request.webhookUrl ?? null,
      webhookSecret: secret,
      webhookStatus: secret === null ? null : 'waiting',
      webhookAttempts: 0,
      webhookError: null,
    }
    await insertBatch(database, stored)
    wake()
    return { ...batchView(stored), ...(secret === null ? {} : { webhookSecret: secret }) }
  }

  /** Null when it was told not to go on. Patient work throws a passing fault instead of writing it down for good. */
  async function analyzeAll(
    chain: ServedChain,
    { addresses, mostCoins, isPatient = true, goOn = () => Promise.resolve(true) }: Work,
  ): Promise<BatchResult[] | null> {
    const results: BatchResult[] = []
    for (const [i, address] of addresses.entries()) {
      if (i > 0 && i % HELD_EVERY === 0 && !(await goOn())) return null
      try {
        results.push({ address, ok: true, data: await getAnalysis(deps, chain, address, mostCoins ?? undefined) })
      } catch (error) {
        if (isPatient && isPassing(error)) throw error
        results.push({ address, ok: false, error: toldOf(error) })
      }
    }
    return results
  }

  /** One bad address is its own trouble. */
  function toldOf(error: unknown): NonNullable<BatchResult['error']> {
    if (error instanceof ApiError) return { code: error.code, message: error.message }
    deps.onFault(error)
    return { code: 'INTERNAL_ERROR', message: 'This address could not be analysed.' }
  }

  async function workOnBatch(): Promise<boolean> {
    const synced = chainIds.filter((id) => findSynced(id) !== undefined)
    let held = at(CLAIM_MS)
    const batch = synced.length === 0 ? undefined : await claimBatch(database, synced, at(), held)
    const chain = batch === undefined ? undefined : findSynced(batch.chain)
    if (batch === undefined) return false
    const goOn = async (): Promise<boolean> => {
      const until = at(CLAIM_MS)
      const isOurs = await holdBatch(database, batch.id, held, until)
      held = until
      return isOurs && !stopping.signal.aborted
    }
    const isPatient = clock.now() - batch.createdAt.getTime() < PATIENCE_MS
    try {
      const results = chain === undefined ? null : await analyzeAll(chain, { ...batch, isPatient, goOn })
      if (results === null) await releaseBatch(database, batch.id, { held, notBefore: at() })
      else await completeBatch(database, batch.id, { held, results: stringifyExactly(results), now: at() })
      return results !== null
    } catch (error) {
      if (!isPassing(error)) throw error
      deps.onFault(error)
      await releaseBatch(database, batch.id, { held, notBefore: at(RETRY_MS) })
      return false
    }
  }

  async function workOnCallback(): Promise<boolean> {
    const batch = await claimCallback(database, at(), at(CLAIM_MS))
    if (batch === undefined) return false
    const outcome = await deliver(batch)
    await settleCallback(database, batch.id, afterAttempt(batch.webhookAttempts, outcome, clock.now()))
    return true
  }

  async function deliver(batch: StoredBatch): Promise<AttemptOutcome> {
    const body = stringifyExactly({ event: 'batch.completed', ...batchView(batch), webhook: undefined })
    const signed = webhookHeaders({
      id: `batch_${batch.id}`,
      secret: batch.webhookSecret ?? '',
      body,
      at: clock.now(),
    })
    const headers = { 'content-type': 'application/json', 'user-agent': 'gatewatch', ...signed }
    try {
      const { status } = await postOutbound(batch.webhookUrl ?? '', { body, headers }, deps.outbound)
      if (status >= 200 && status < 300) return { ok: true }
      // 410 is how a receiver asks never to be called again.
      return { ok: false, reason: `the receiver answered ${status}`, isFinal: status === 410 }
    } catch (error) {
      return { ok: false, reason: reasonOf(error), isFinal: error instanceof OutboundError && !error.retryable }
    }
  }

  async function step(): Promise<boolean> {
    // Callbacks first: they are short.
    return (await workOnCallback()) || (await workOnBatch())
  }

  async function run(): Promise<void> {
    let cleanedAt = Number.NEGATIVE_INFINITY
    while (!stopping.signal.aborted) {
      let hasWorked = false
      try {
        hasWorked = await step()
        if (clock.now() - cleanedAt > KEPT_MS / 30) {
          cleanedAt = clock.now()
          await deleteBatchesBefore(database, at(-KEPT_MS))
        }
      } catch (error) {
        deps.onFault(error)
      }
      if (!hasWorked && !stopping.signal.aborted) await idle()
    }
  }

  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    create,
    find: async (accountId, id) => {
      const stored = await findBatch(database, accountId, id)
      return stored === undefined ? undefined : batchView(stored)
    },
    step,
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopping.abort()
      wake()
      await running
    },
  }
}

const tooMany = (): ApiError =>
  new ApiError({
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: `${MOST_OPEN} batches are waiting already; ask again when one is done.`,
    headers: { 'retry-after': '60' },
  })

/** A node that went away in the middle of an answer comes back. */
const isPassing = (error: unknown): boolean => error instanceof GatewatchError && error.retryable

/** What PostgreSQL can hold of a text: neither NUL nor half a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Two ways to write one address are one address; what is none stays as it was written, as far as it can be kept. */
function foldDuplicates({ network }: ServedChain, addresses: readonly string[]): string[] {
  const canonical = addresses.map((text) => {
    try {
      return decodeAddress(network, text).text
    } catch {
      return storable(text)
    }
  })
  return [...new Set(canonical)]
}
