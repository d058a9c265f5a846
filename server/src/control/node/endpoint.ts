/**
 * One endpoint: a queue that keeps its pace, groups small questions into batches, and checks the chain before the first.
 *
 * Owns when something is sent and whether the reply answers it. Which endpoint is asked is the pool's decision.
 */
import { reasonOf } from '../../lib/errors.ts'
import {
  type FaultKind,
  hintOf,
  kindOfHttpStatus,
  kindOfRpcError,
  MissingError,
  RpcFault,
  retryAfterOf,
  ShapeError,
} from './faults.ts'
import { type HealthEvent, type HealthPolicy, newHealth, onHealthEvent, readyAt } from './health.ts'
import { askChainId, type Question } from './questions.ts'
import type { NodeReporter } from './reporter.ts'
import type { Timing } from './timing.ts'
import { AnswerTooLargeError, type Transport } from './transport.ts'

export type Priority = 'live' | 'bulk'

export type EndpointDeps = { readonly timing: Timing; readonly transport: Transport; readonly report: NodeReporter }

export type EndpointOptions = {
  readonly chain: string
  readonly chainId: number
  readonly host: string
  readonly policy: HealthPolicy
  readonly timeoutMs: number
  readonly maxBatch: number
  readonly maxInFlight: number
}

export type Endpoint = {
  readonly host: string
  readonly ask: <T>(question: Question<T>, priority?: Priority) => Promise<T>
  /** The instant from which it may be asked: in the future while it rests. */
  readonly restsUntil: () => number
  /** It has failed for so long that nobody should wait for it. */
  readonly isGivenUp: () => boolean
  readonly close: () => void
}

type Waiting = {
  readonly question: Question<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (fault: RpcFault) => void
}

/** Faults that say nothing about the endpoint's health: the question was the trouble. */
const OF_THE_QUESTION: ReadonlySet<FaultKind> = new Set(['range', 'missing', 'pruned', 'unsupported', 'reverted'])

export function createEndpoint(deps: EndpointDeps, options: EndpointOptions): Endpoint {
  const { timing, transport, report } = deps
  const { chain, host, policy } = options
  const queues: Record<Priority, Waiting[]> = { live: [], bulk: [] }
  let health = newHealth(policy, timing.now())
  let maxBatch = options.maxBatch
  let inFlight = 0
  let nextId = 1
  let pumping = false
  let checked: Promise<void> | undefined

  const note = (event: HealthEvent): void => {
    const [next, effects] = onHealthEvent(policy, health, event)
    health = next
    if (effects.some((effect) => effect.type === 'recovered')) report({ type: 'recovered', chain, host })
  }

  const fail = (fault: RpcFault): RpcFault => {
    if (!OF_THE_QUESTION.has(fault.kind))
      note({ type: 'failed', at: timing.now(), kind: fault.kind, retryAfterMs: fault.retryAfterMs })
    report({ type: 'fault', chain, host, kind: fault.kind, detail: fault.detail })
    // Whoever waits for an endpoint that now rests is better served by another one.
    if (health.restUntil > timing.now())
      for (const queue of Object.values(queues)) for (const waiting of queue.splice(0)) waiting.reject(fault)
    return fault
  }

  /** Bulk work leaves two places free, so that the head of the chain never queues behind history. */
  const takeBatch = (): readonly Waiting[] => {
    const queue =
      queues.live.length > 0 ? queues.live : inFlight < Math.max(1, options.maxInFlight - 2) ? queues.bulk : undefined
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
          void pump()
        })
      }
    } finally {
      pumping = false
    }
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
      const results = await send(payload, ids, batch[0]?.question.maxBytes)
      note({ type: 'answered', at: timing.now(), calls: batch.length })
      batch.forEach((waiting, at) => settle(waiting, results.get(ids[at] as number)))
    } catch (error) {
      const fault = fail(faultOf(host, error))
      // An endpoint that refuses a batch gets smaller ones from then on, and in the end one by one.
      if (batch.length > 1 && (fault.kind === 'server' || fault.kind === 'shape'))
        maxBatch = Math.max(1, Math.floor(batch.length / 5))
      for (const waiting of batch) waiting.reject(fault)
    }
  }

  const send = async (
    payload: string,
    ids: readonly number[],
    maxBytes: number | undefined,
  ): Promise<ReadonlyMap<number, Answer>> => {
    const giveUp = new AbortController()
    const done = new AbortController()
    const late = timing.sleep(options.timeoutMs, done.signal).then((): never => {
      if (done.signal.aborted) return undefined as never
      giveUp.abort()
      throw new RpcFault(host, 'timeout', `no answer within ${options.timeoutMs / 1_000} s`)
    })
    try {
      const sent = transport.send({ payload, ids, maxBytes }, giveUp.signal)
      sent.catch(() => {}) // it loses the race when the deadline comes first
      const reply = await Promise.race([sent, late])
      if (reply.status < 200 || reply.status > 299) {
        const kind = kindOfHttpStatus(reply.status)
        const rpc = errorTextOf(reply.body)
        throw new RpcFault(host, rpc === undefined ? kind : kindOfRpcError(reply.status, rpc), `HTTP ${reply.status}`, {
          ...optional('retryAfterMs', retryAfterOf(reply.retryAfter, timing.now())),
          ...optional('hintBlocks', rpc === undefined ? undefined : hintOf(rpc)),
        })
      }
      return answersOf(reply.body, ids)
    } finally {
      done.abort()
    }
  }

  const settle = (waiting: Waiting, answer: Answer | undefined): void => {
    try {
      if (answer === undefined) throw new ShapeError('a batch came back without one of its answers')
      if ('error' in answer) {
        const { code, message } = answer.error
        const kind = kindOfRpcError(code, message)
        throw new RpcFault(host, kind, `${waiting.question.method}: ${message.slice(0, 200)} (${code})`, {
          ...optional('hintBlocks', kind === 'range' ? hintOf(message) : undefined),
        })
      }
      waiting.resolve(waiting.question.parse(answer.result))
    } catch (error) {
      waiting.reject(fail(faultOf(host, error, waiting.question.method)))
    }
  }

  const enqueue = <T>(question: Question<T>, priority: Priority): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queues[priority].push({ question, resolve: resolve as (value: unknown) => void, reject })
      // After the current turn, so that questions put together travel together.
      queueMicrotask(() => void pump())
    })

  /** Asked once before the first question, and again after it failed: a wrong chain would fill the store with lies. */
  const checkChain = (): Promise<void> => {
    checked ??= enqueue(askChainId, 'live').then((chainId) => {
      if (chainId === options.chainId) return
      throw fail(new RpcFault(host, 'chain', `serves chain ${chainId}, not ${options.chainId} (${chain})`))
    })
    checked.catch(() => (checked = undefined))
    return checked
  }

  return {
    host,
    ask: async (question, priority = 'live') => {
      await checkChain()
      return await enqueue(question, priority)
    },
    restsUntil: () => health.restUntil,
    isGivenUp: () => health.restUntil - timing.now() > policy.rest.longest / 2,
    close: () => transport.close(),
  }
}

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

function answersOf(body: unknown, ids: readonly number[]): ReadonlyMap<number, Answer> {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body]
  if (ids.length > 1 && !Array.isArray(body)) {
    // Some providers answer a whole batch with one error object.
    const message = errorTextOf(body)
    if (message !== undefined) return new Map(ids.map((id) => [id, { error: { code: errorCodeOf(body), message } }]))
    throw new ShapeError('a batch was not answered with a list')
  }
  const answers = new Map<number, Answer>()
  for (const item of items) {
    if (typeof item !== 'object' || item === null) throw new ShapeError('an answer is not an object')
    const id = (item as { id?: unknown }).id
    const message = errorTextOf(item)
    const single = ids.length === 1 ? ids[0] : undefined
    // An error may come without an id when the node could not read the question.
    const key = typeof id === 'number' ? id : message === undefined ? undefined : single
    if (key === undefined || !ids.includes(key)) throw new ShapeError('an answer belongs to no question')
    if (message !== undefined) answers.set(key, { error: { code: errorCodeOf(item), message } })
    else if ('result' in item) answers.set(key, { result: item.result })
    else throw new ShapeError('an answer has neither result nor error')
  }
  return answers
}

function errorTextOf(body: unknown): string | undefined {
  const error = (body as { error?: unknown } | null | undefined)?.error
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return undefined
  const message = (error as { message?: unknown }).message
  return typeof message === 'string' ? message : 'error without a message'
}

function errorCodeOf(body: unknown): number {
  const code = (body as { error?: { code?: unknown } }).error?.code
  return typeof code === 'number' ? code : 0
}

function faultOf(host: string, error: unknown, method?: string): RpcFault {
  if (error instanceof RpcFault) return error
  if (error instanceof AnswerTooLargeError) return new RpcFault(host, 'range', error.message)
  const about = method === undefined ? '' : `${method}: `
  if (error instanceof MissingError) return new RpcFault(host, 'missing', `${about}${error.message}`, { cause: error })
  if (error instanceof ShapeError || error instanceof SyntaxError)
    return new RpcFault(host, 'shape', `${about}${error.message}`, { cause: error })
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new RpcFault(host, 'network', `cannot be reached: ${reasonOf(cause)}`, { cause: error })
}

/** `exactOptionalPropertyTypes` wants an absent field, not an undefined one. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
