/**
 * One endpoint: a queue that keeps its pace, groups small questions into batches, and checks the chain before the first.
 *
 * Owns when something is sent and whether the reply answers it. Which endpoint is asked is the pool's decision.
 */
import { parseRetryAfter } from '../../lib/retry-after.ts'
import type { Timing } from '../../lib/timing.ts'
import { type HealthEvent, type HealthPolicy, newHealth, onHealthEvent, readyAt } from './endpoint-health.ts'
import type { EndpointReporter } from './endpoint-log.ts'
import { getChainId, type RpcRequest } from './requests.ts'
import {
  type Answer,
  answersOf,
  faultsOf,
  isOfTheBatch,
  type Outcome,
  RefusedError,
  speaksOfBatches,
} from './responses.ts'
import { RpcError, type RpcErrorKind } from './rpc-error.ts'
import type { Transport } from './transport.ts'

export type Priority = 'live' | 'bulk'

export type EndpointDeps = { readonly timing: Timing; readonly transport: Transport; readonly report: EndpointReporter }

export type EndpointOptions = {
  readonly chain: string
  readonly chainId: number
  readonly host: string
  /** What no message may carry, though the endpoint's own words do. */
  readonly secrets: readonly string[]
  readonly policy: HealthPolicy
  readonly timeoutMs: number
  readonly maxBatch: number
  /** Questions wait for the answers under way, and travel with those that they lead to: fewer, fuller batches. */
  readonly fillsBatches: boolean
  readonly maxInFlight: number
}

export type Endpoint = {
  readonly host: string
  readonly request: <T>(question: RpcRequest<T>, priority?: Priority) => Promise<T>
  /** The instant from which it may be asked: in the future while it rests. */
  readonly restsUntil: () => number
  /** It has failed for so long that nobody should wait for it. */
  readonly isGivenUp: () => boolean
  readonly close: () => void
}

type Waiting = {
  readonly question: RpcRequest<unknown>
  readonly priority: Priority
  readonly resolve: (value: unknown) => void
  readonly reject: (fault: RpcError) => void
}

/** An endpoint behind a balancer may become another one; history is known by numbers alone, so it would pass for ours. */
const CHECK_AGAIN_MS = 300_000
/** Replies without a fault before larger batches are tried again. */
const TRUSTED_AFTER = 1_000

/** Faults that say nothing about the endpoint's health: the question was the trouble. */
const OF_THE_QUESTION: ReadonlySet<RpcErrorKind> = new Set(['range', 'missing', 'pruned', 'unsupported', 'reverted'])

export function createEndpoint(deps: EndpointDeps, options: EndpointOptions): Endpoint {
  const { timing, transport, report } = deps
  const { chain, host, policy } = options
  const faults = faultsOf(host, options.secrets)
  const queues: Record<Priority, Waiting[]> = { live: [], bulk: [] }
  let health = newHealth(policy, timing.now())
  let maxBatch = options.maxBatch
  let goodReplies = 0
  let inFlight = 0
  let nextId = 1
  let pumping = false
  let checked: Promise<void> | undefined
  let checkedAt = Number.NEGATIVE_INFINITY

  const note = (event: HealthEvent): void => {
    const [next, effects] = onHealthEvent(policy, health, event)
    health = next
    if (effects.some((effect) => effect.type === 'recovered')) report({ type: 'recovered', chain, host })
  }

  /** Whoever waits for an endpoint that now rests is better served by another one. */
  const blame = (fault: RpcError): void => {
    note({ type: 'failed', at: timing.now(), kind: fault.kind, retryAfterMs: fault.retryAfterMs })
    // What could not be reached may come back as something else.
    if (fault.kind === 'network') checkedAt = Number.NEGATIVE_INFINITY
    if (health.restUntil > timing.now())
      for (const queue of Object.values(queues)) for (const waiting of queue.splice(0)) waiting.reject(fault)
  }

  const tell = ({ kind, detail }: RpcError): void => report({ type: 'fault', chain, host, kind, detail })

  const fail = (fault: RpcError): RpcError => {
    tell(fault)
    if (!OF_THE_QUESTION.has(fault.kind)) blame(fault)
    return fault
  }

  /** Bulk work leaves two places free, so that the head of the chain never queues behind history. */
  const takeBatch = (): readonly Waiting[] => {
    const queue =
      queues.live.length > 0 ? queues.live : inFlight < Math.max(1, options.maxInFlight - 2) ? queues.bulk : undefined
    if (options.fillsBatches && queue === queues.bulk && inFlight > 0 && queue.length < maxBatch) return []
    const first = queue?.shift()
    if (queue === undefined || first === undefined) return []
    const batch = [first]
    while (first.question.heavy !== true && batch.length < maxBatch && queue[0] !== undefined) {
      if (queue[0].question.heavy === true) break
      batch.push(queue.shift() as Waiting)
    }
    return batch
  }

  const pump = async (): Promise<void> => {
    if (pumping) return
    pumping = true
    try {
      while (inFlight < options.maxInFlight && queues.live.length + queues.bulk.length > 0) {
        const wait = readyAt(health, 1) - timing.now()
        if (wait > 0) await timing.sleep(wait)
        const batch = takeBatch()
        if (batch.length === 0) break
        inFlight += 1
        note({ type: 'sent', at: timing.now(), calls: batch.length })
        void exchange(batch).finally(() => {
          inFlight -= 1
          pumpSoon()
        })
      }
    } finally {
      pumping = false
    }
  }

  /** After the current turn, so that questions put together travel together; after all it leads to, where batches are filled. */
  const pumpSoon = (): void => {
    if (options.fillsBatches) setImmediate(() => void pump())
    else queueMicrotask(() => void pump())
  }

  const exchange = async (batch: readonly Waiting[]): Promise<void> => {
    const ids = batch.map(() => nextId++)
    const calls = batch.map(({ question }, at) => ({
      jsonrpc: '2.0',
      id: ids[at],
      method: question.method,
      params: question.params,
    }))
    const payload = JSON.stringify(calls.length === 1 ? calls[0] : calls)
    try {
      const { answers, retryAfterMs } = await send(payload, ids, batch[0]?.question.maxBytes)
      const isAnswered = (at: number): boolean => batch.length === 1 || answers.has(ids[at] as number)
      const outcomes = batch.map(({ question }, at) =>
        faults.outcomeOf(question, answers.get(ids[at] as number), retryAfterMs),
      )
      if (batch.length > 1 && outcomes.every((outcome) => outcome instanceof RpcError && speaksOfBatches(outcome)))
        return again(batch, outcomes[0] as RpcError, batch.length / 5)
      // Some leave out without a word what is beyond their limit.
      const left = batch.filter((_, at) => !isAnswered(at))
      if (left.length > 0) again(left, faults.as('shape', 'a batch came back without all of its answers'), answers.size)
      settle(
        batch.filter((_, at) => isAnswered(at)),
        outcomes.filter((_, at) => isAnswered(at)),
      )
    } catch (error) {
      const fault = faults.of(error)
      if (batch.length > 1 && isOfTheBatch(error, fault)) return again(batch, fault, batch.length / 5)
      const told = fail(fault)
      for (const waiting of batch) waiting.reject(told)
    }
  }

  /**
   * Nothing about these questions was said, only that there were too many: they are put again in smaller batches, in the
   * end one by one. That says nothing of the endpoint's health, and nobody hears of it who asked.
   */
  const again = (batch: readonly Waiting[], fault: RpcError, length: number): void => {
    shrinkTo(length)
    tell(faults.as('server', `refuses a batch: ${fault.detail}`, { cause: fault }))
    if (health.restUntil > timing.now()) for (const waiting of batch) waiting.reject(fault)
    else if (batch[0] !== undefined) queues[batch[0].priority].unshift(...batch)
  }

  /** An endpoint that refuses a batch gets smaller ones from then on, in the end one by one, and after long good service larger ones. */
  const shrinkTo = (length: number): void => {
    // One that was sent before may be refused after smaller ones were.
    maxBatch = Math.max(1, Math.min(maxBatch, Math.floor(length)))
    goodReplies = 0
  }

  const growBatch = (): void => {
    goodReplies += 1
    if (goodReplies < TRUSTED_AFTER || maxBatch >= options.maxBatch) return
    maxBatch = Math.min(options.maxBatch, maxBatch * 2)
    goodReplies = 0
  }

  /** A reply is one good turn of the endpoint or one bad one, however many questions it held. */
  const settle = (batch: readonly Waiting[], outcomes: readonly Outcome[]): void => {
    const failed = outcomes.filter((outcome) => outcome instanceof RpcError)
    const bad = failed.filter((fault) => !OF_THE_QUESTION.has(fault.kind))
    if (bad.length < batch.length) note({ type: 'answered', at: timing.now(), calls: batch.length - bad.length })
    for (const fault of failed) tell(fault)
    const worst = bad.find((fault) => fault.kind === 'rate') ?? bad[0]
    if (worst === undefined) growBatch()
    else blame(worst)
    batch.forEach((waiting, at) => {
      const outcome = outcomes[at]
      if (outcome instanceof RpcError) waiting.reject(outcome)
      else waiting.resolve(outcome?.value)
    })
  }

  const send = async (
    payload: string,
    ids: readonly number[],
    maxBytes: number | undefined,
  ): Promise<{ readonly answers: ReadonlyMap<number, Answer>; readonly retryAfterMs: number | undefined }> => {
    const giveUp = new AbortController()
    const done = new AbortController()
    const late = timing.sleep(options.timeoutMs, done.signal).then((): never => {
      if (done.signal.aborted) return undefined as never
      giveUp.abort()
      throw new RpcError(host, 'timeout', `no answer within ${options.timeoutMs / 1_000} s`)
    })
    try {
      const sent = transport.send({ payload, ids, maxBytes }, giveUp.signal)
      sent.catch(() => {}) // it loses the race when the deadline comes first
      const reply = await Promise.race([sent, late])
      const retryAfterMs = parseRetryAfter(reply.retryAfter, timing.now())
      const isOk = reply.status >= 200 && reply.status <= 299
      // Some answer every question of a batch and give the whole an error's status.
      if (!isOk && !Array.isArray(reply.body)) throw new RefusedError(reply.status, reply.body, retryAfterMs)
      return { answers: answersOf(reply.body, ids), retryAfterMs }
    } finally {
      done.abort()
    }
  }

  const enqueue = <T>(question: RpcRequest<T>, priority: Priority): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queues[priority].push({ question, priority, resolve: resolve as (value: unknown) => void, reject })
      pumpSoon()
    })

  /**
   * Asked before the first question, and again after an outage or a while: a wrong chain would fill the store with lies.
   */
  const checkChain = (): Promise<void> => {
    if (timing.now() - checkedAt >= CHECK_AGAIN_MS) checked = undefined
    if (checked === undefined) checkedAt = timing.now()
    checked ??= enqueue(getChainId, 'live').then((chainId) => {
      if (chainId === options.chainId) return
      throw fail(faults.as('chain', `serves chain ${chainId}, not ${options.chainId} (${chain})`))
    })
    const asked = checked
    asked.catch(() => checked === asked && (checked = undefined))
    return asked
  }

  return {
    host,
    request: async (question, priority = 'live') => {
      await checkChain()
      return await enqueue(question, priority)
    },
    restsUntil: () => health.restUntil,
    isGivenUp: () => health.restUntil - timing.now() > policy.rest.longest / 2,
    close: () => transport.close(),
  }
}
