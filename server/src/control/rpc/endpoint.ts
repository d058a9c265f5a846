/**
 * One RPC endpoint: queues requests, paces them, groups small ones into batches, and verifies the chain id first.
 *
 * Decides when a request is sent and whether the response matches it. The pool decides which endpoint gets a request.
 */

import type { Timing } from '../../lib/clock.ts'
import { parseRetryAfter } from '../../lib/http/retry-after.ts'
import { type HealthEvent, type HealthPolicy, newHealth, onHealthEvent, readyAt } from './endpoint-health.ts'
import type { EndpointReporter } from './endpoint-log.ts'
import type { JsonLimits } from './json-reader.ts'
import { getChainId, limitsOf, type RpcRequest } from './requests.ts'
import {
  endpointErrors,
  mayFitSmallerBatch,
  mentionsBatch,
  type Outcome,
  parseResponses,
  RefusedError,
  type RpcResponse,
} from './responses.ts'
import { REFUSALS, RpcError } from './rpc-error.ts'
import type { Transport } from './transport.ts'

/** Requests for the head of the chain go before `bulk` requests for history. */
export type Priority = 'live' | 'bulk'

export type EndpointDeps = { readonly timing: Timing; readonly transport: Transport; readonly report: EndpointReporter }

export type EndpointOptions = {
  readonly chain: string
  readonly chainId: number
  readonly host: string
  /** Texts that are removed from every error message. */
  readonly secrets: readonly string[]
  readonly policy: HealthPolicy
  readonly timeoutMs: number
  readonly maxBatch: number
  /** Holds requests back until pending responses arrive, so that batches are fewer and fuller. */
  readonly fillsBatches: boolean
  readonly maxInFlight: number
}

export type Endpoint = {
  readonly host: string
  readonly request: <T>(request: RpcRequest<T>, priority?: Priority) => Promise<T>
  /** The time from which it may be called: in the future while it is suspended. */
  readonly suspendedUntil: () => number
  /** Whether it has failed for so long that no caller should wait for it. */
  readonly isDown: () => boolean
  readonly close: () => void
}

type Pending = {
  readonly request: RpcRequest<unknown>
  /** Method and parameters as JSON, without braces. */
  readonly text: string
  readonly priority: Priority
  readonly resolve: (value: unknown) => void
  readonly reject: (error: RpcError) => void
}

/** A load balancer may switch to a node of another chain, and history is requested by block number alone. */
const CHECK_CHAIN_EVERY_MS = 300_000
/** Requests of logs in one batch, and the bytes that all their results may have: a node serves them one after the other. */
const MAX_HEAVY = 8
const MAX_HEAVY_BYTES = 64 * 1_048_576
/** The largest body of a batch: nginx refuses more by default, other servers more than twice as much. */
const MAX_PAYLOAD_BYTES = 1_000_000
/** Version and id of a request. */
const ENVELOPE_BYTES = 40
/** Responses without an error before larger batches are tried again. */
const GROW_BATCH_AFTER = 1_000

export function createEndpoint(deps: EndpointDeps, options: EndpointOptions): Endpoint {
  const { timing, transport, report } = deps
  const { chain, host, policy } = options
  const errors = endpointErrors(host, options.secrets)
  const queues: Record<Priority, Pending[]> = { live: [], bulk: [] }
  let health = newHealth(policy, timing.now())
  let maxBatch = options.maxBatch
  let goodResponses = 0
  let inFlight = 0
  let nextId = 1
  let isSending = false
  let chainCheck: Promise<void> | undefined
  let chainCheckedAt = Number.NEGATIVE_INFINITY

  const updateHealth = (event: HealthEvent): void => {
    const [next, effects] = onHealthEvent(policy, health, event)
    health = next
    if (effects.some((effect) => effect.type === 'recovered')) report({ type: 'recovered', chain, host })
  }

  /** Counts an error against the endpoint. Once it is suspended, queued requests are rejected so that another serves them. */
  const recordFailure = (error: RpcError): void => {
    updateHealth({ type: 'failed', at: timing.now(), kind: error.kind, retryAfterMs: error.retryAfterMs })
    // After an outage another node may listen at the same address.
    if (error.kind === 'network') chainCheckedAt = Number.NEGATIVE_INFINITY
    if (health.suspendedUntil > timing.now())
      for (const queue of Object.values(queues)) for (const pending of queue.splice(0)) pending.reject(error)
  }

  const reportError = ({ kind, detail }: RpcError): void => report({ type: 'error', chain, host, kind, detail })

  const fail = (error: RpcError): RpcError => {
    reportError(error)
    if (!REFUSALS.has(error.kind)) recordFailure(error)
    return error
  }

  /** Bulk requests leave two slots free, so that requests for the head never wait for history. */
  const takeBatch = (): readonly Pending[] => {
    const queue =
      queues.live.length > 0 ? queues.live : inFlight < Math.max(1, options.maxInFlight - 2) ? queues.bulk : undefined
    if (options.fillsBatches && queue === queues.bulk && inFlight > 0 && queue.length < maxBatch) return []
    const first = queue?.shift()
    if (queue === undefined || first === undefined) return []
    const { heavy, isDivisible } = first.request
    const batch = [first]
    if (heavy !== true)
      moveTo(batch, queue, {
        most: maxBatch,
        bytes: MAX_PAYLOAD_BYTES,
        sizeOf: ({ request, text }) => (request.heavy === true ? undefined : text.length + ENVELOPE_BYTES),
      })
    else if (options.fillsBatches && isDivisible === true)
      moveTo(batch, queue, {
        most: Math.min(maxBatch, MAX_HEAVY),
        bytes: MAX_HEAVY_BYTES,
        sizeOf: ({ request }) => (request.isDivisible === true ? (request.maxBytes ?? 0) : undefined),
      })
    return batch
  }

  const sendQueued = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    try {
      while (inFlight < options.maxInFlight && queues.live.length + queues.bulk.length > 0) {
        const wait = readyAt(health, 1) - timing.now()
        if (wait > 0) await timing.sleep(wait)
        const batch = takeBatch()
        if (batch.length === 0) break
        inFlight += 1
        updateHealth({ type: 'sent', at: timing.now(), calls: batch.length })
        void exchange(batch).finally(() => {
          inFlight -= 1
          scheduleSend()
        })
      }
    } finally {
      isSending = false
    }
  }

  /** Sends after the current turn, so that requests made together share a batch. */
  const scheduleSend = (): void => {
    if (options.fillsBatches) setImmediate(() => void sendQueued())
    else queueMicrotask(() => void sendQueued())
  }

  const exchange = async (batch: readonly Pending[]): Promise<void> => {
    const ids = batch.map(() => nextId++)
    const calls = batch.map(({ text }, at) => `{"jsonrpc":"2.0","id":${ids[at]},${text}}`)
    const payload = calls.length === 1 ? (calls[0] as string) : `[${calls.join(',')}]`
    try {
      const { responses, retryAfterMs } = await send(payload, ids, limitsOf(batch.map(({ request }) => request)))
      const hasResponse = (at: number): boolean => batch.length === 1 || responses.has(ids[at] as number)
      const outcomes = batch.map(({ request }, at) =>
        errors.outcomeOf(request, responses.get(ids[at] as number), retryAfterMs),
      )
      if (batch.length > 1 && outcomes.every((outcome) => outcome instanceof RpcError && mentionsBatch(outcome)))
        return requeue(batch, outcomes[0] as RpcError, batch.length / 5)
      // Some endpoints silently omit the responses beyond their batch limit.
      const omitted = batch.filter((_, at) => !hasResponse(at))
      if (omitted.length > 0) requeue(omitted, errors.create('shape', 'a batch response is incomplete'), responses.size)
      settle(
        batch.filter((_, at) => hasResponse(at)),
        outcomes.filter((_, at) => hasResponse(at)),
      )
    } catch (error) {
      const [first] = batch
      const methods = `${first?.request.method ?? ''}${batch.length > 1 ? ` and ${batch.length - 1} more` : ''}`
      const failure = errors.from(error, methods, first?.request.tooLarge)
      if (batch.length > 1 && mayFitSmallerBatch(error, failure)) return requeue(batch, failure, batch.length / 5)
      fail(failure)
      for (const pending of batch) pending.reject(failure)
    }
  }

  /**
   * Sends a refused batch again in smaller batches, down to single requests. The endpoint refused only the batch size,
   * so neither its health nor the callers are affected.
   */
  const requeue = (batch: readonly Pending[], error: RpcError, length: number): void => {
    shrinkBatch(length)
    reportError(errors.create('server', `refuses a batch: ${error.detail}`, { cause: error }))
    if (health.suspendedUntil > timing.now()) for (const pending of batch) pending.reject(error)
    else if (batch[0] !== undefined) queues[batch[0].priority].unshift(...batch)
  }

  const shrinkBatch = (length: number): void => {
    // A batch sent earlier may be refused after smaller ones: the limit only shrinks.
    maxBatch = Math.max(1, Math.min(maxBatch, Math.floor(length)))
    goodResponses = 0
  }

  const growBatch = (): void => {
    goodResponses += 1
    if (goodResponses < GROW_BATCH_AFTER || maxBatch >= options.maxBatch) return
    maxBatch = Math.min(options.maxBatch, maxBatch * 2)
    goodResponses = 0
  }

  /** A response counts as one success or one failure, whatever the number of requests in it. */
  const settle = (batch: readonly Pending[], outcomes: readonly Outcome[]): void => {
    const failed = outcomes.filter((outcome) => outcome instanceof RpcError)
    const ofEndpoint = failed.filter((error) => !REFUSALS.has(error.kind))
    if (ofEndpoint.length < batch.length)
      updateHealth({ type: 'succeeded', at: timing.now(), calls: batch.length - ofEndpoint.length })
    for (const error of failed) reportError(error)
    const worst = ofEndpoint.find((error) => error.kind === 'rate') ?? ofEndpoint[0]
    if (worst === undefined) growBatch()
    else recordFailure(worst)
    batch.forEach((pending, at) => {
      const outcome = outcomes[at]
      if (outcome instanceof RpcError) return pending.reject(outcome)
      const warning = pending.request.warningOf?.(outcome?.value)
      if (warning !== undefined) report({ type: 'warning', chain, host, detail: warning })
      pending.resolve(outcome?.value)
    })
  }

  const send = async (
    payload: string,
    ids: readonly number[],
    limits: JsonLimits,
  ): Promise<{ readonly responses: ReadonlyMap<number, RpcResponse>; readonly retryAfterMs: number | undefined }> => {
    const abort = new AbortController()
    const done = new AbortController()
    const deadline = timing.sleep(options.timeoutMs, done.signal).then((): never => {
      if (done.signal.aborted) return undefined as never
      abort.abort()
      throw new RpcError(host, 'timeout', `no response within ${options.timeoutMs / 1_000} s`)
    })
    try {
      const sent = transport.send({ payload, ids, ...limits }, abort.signal)
      sent.catch(() => {}) // rejects unobserved when the deadline wins the race
      const { status, body, retryAfter } = await Promise.race([sent, deadline])
      const retryAfterMs = parseRetryAfter(retryAfter, timing.now())
      const isOk = status >= 200 && status <= 299
      // Some endpoints respond to every request of a batch and still set an error status.
      if (!isOk && !Array.isArray(body)) throw new RefusedError(status, body, retryAfterMs)
      return { responses: parseResponses(body, ids), retryAfterMs }
    } finally {
      done.abort()
    }
  }

  const enqueue = <T>(request: RpcRequest<T>, priority: Priority): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const text = `"method":${JSON.stringify(request.method)},"params":${JSON.stringify(request.params)}`
      queues[priority].push({ request, text, priority, resolve: resolve as (value: unknown) => void, reject })
      scheduleSend()
    })

  /** Verifies the chain id before the first request, after an outage and periodically: a wrong chain would store wrong events. */
  const checkChain = (): Promise<void> => {
    if (timing.now() - chainCheckedAt >= CHECK_CHAIN_EVERY_MS) chainCheck = undefined
    if (chainCheck === undefined) chainCheckedAt = timing.now()
    chainCheck ??= enqueue(getChainId, 'live').then((chainId) => {
      if (chainId === options.chainId) return
      throw fail(errors.create('chain', `serves chain ${chainId}, not ${options.chainId} (${chain})`))
    })
    const current = chainCheck
    current.catch(() => chainCheck === current && (chainCheck = undefined))
    return current
  }

  return {
    host,
    request: async (request, priority = 'live') => {
      await checkChain()
      return await enqueue(request, priority)
    },
    suspendedUntil: () => health.suspendedUntil,
    isDown: () => health.suspendedUntil - timing.now() > policy.suspension.longestMs / 2,
    close: () => transport.close(),
  }
}

type Room = {
  readonly most: number
  readonly bytes: number
  /** Undefined for a request that does not belong to the batch. */
  readonly sizeOf: (pending: Pending) => number | undefined
}

/** Moves requests from a queue to a batch that has one, in order, as long as they fit. */
function moveTo(batch: Pending[], queue: Pending[], { most, bytes, sizeOf }: Room): void {
  let left = bytes - batch.reduce((sum, pending) => sum + (sizeOf(pending) ?? 0), 0)
  for (let at = 0; at < queue.length && batch.length < most; ) {
    const next = queue[at] as Pending
    const size = sizeOf(next) ?? Number.POSITIVE_INFINITY
    if (size > left) {
      at += 1
      continue
    }
    left -= size
    batch.push(...queue.splice(at, 1))
  }
}
