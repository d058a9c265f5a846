/**
 * All endpoints of one chain as one node.
 *
 * Owns who is asked and who is asked next. Endpoints come in the operator's order, first preferred; one that rests
 * after faults is passed over until its time.
 */

import type { Timing } from '../../lib/timing.ts'
import { createEndpoint, type Endpoint, type Priority } from './endpoint.ts'
import { NoEndpointError, RpcFault } from './faults.ts'
import { DEFAULT_POLICY, type HealthPolicy } from './health.ts'
import type { Question } from './questions.ts'
import type { NodeReporter } from './reporter.ts'
import { hostOf, secretsOf, type Transport, transportFor } from './transport.ts'

/** Endpoints are named by their place in the operator's list. */
export type EndpointId = number

export type AskOptions = {
  readonly priority?: Priority
  /** Asked first, whatever the order. */
  readonly prefer?: EndpointId | undefined
  /** Asked only when nobody else answers: the second pass must not ask the endpoint it is checking. */
  readonly avoid?: EndpointId | undefined
  /** Asked alone. */
  readonly only?: EndpointId | undefined
}

export type Answered<T> = { readonly value: T; readonly from: EndpointId }

export type NodePool = {
  readonly chain: string
  /** In order of preference. */
  readonly all: readonly EndpointId[]
  readonly ask: <T>(question: Question<T>, options?: AskOptions) => Promise<Answered<T>>
  /** Endpoints that do not rest now, in order of preference. */
  readonly awake: () => readonly EndpointId[]
  readonly hostOf: (endpoint: EndpointId) => string
  readonly close: () => void
}

export type PoolDeps = { readonly timing: Timing; readonly report: NodeReporter }

export type PoolOptions = {
  readonly chain: string
  readonly chainId: number
  readonly urls: readonly string[]
  readonly policy?: HealthPolicy
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  readonly maxBatch?: number
  readonly fillsBatches?: boolean
  readonly maxInFlight?: number
  /** The simulator's way in. */
  readonly transport?: (url: string, limitBytes: number) => Transport
}

export function createPool({ timing, report }: PoolDeps, options: PoolOptions): NodePool {
  const { chain, chainId, transport = transportFor, maxAnswerBytes = 48 * 1_048_576 } = options
  const endpoints = options.urls.map((url) =>
    createEndpoint(
      { timing, report, transport: transport(url, maxAnswerBytes) },
      {
        chain,
        chainId,
        host: hostOf(url),
        secrets: secretsOf(url),
        policy: options.policy ?? DEFAULT_POLICY,
        timeoutMs: options.timeoutMs ?? 20_000,
        maxBatch: options.maxBatch ?? 20,
        fillsBatches: options.fillsBatches ?? false,
        maxInFlight: options.maxInFlight ?? 8,
      },
    ),
  )
  const isAwake = (endpoint: Endpoint): boolean => endpoint.restsUntil() <= timing.now()
  const ids = endpoints.map((_, id) => id)

  return {
    chain,
    all: ids,
    awake: () => ids.filter((id) => isAwake(endpoints[id] as Endpoint)),
    hostOf: (id) => endpoints[id]?.host ?? 'endpoint',
    close: () => endpoints.forEach((endpoint) => endpoint.close()),
    ask: async (question, { priority = 'live', ...choice } = {}) => {
      const faults: RpcFault[] = []
      let unasked = 0
      for (const id of orderOf(ids, choice)) {
        const endpoint = endpoints[id]
        if (endpoint === undefined) continue
        if (!isAwake(endpoint)) {
          unasked += endpoint.isGivenUp() ? 0 : 1
          continue
        }
        try {
          return { value: await askInAnyWords(endpoint, question, priority), from: id }
        } catch (error) {
          if (!(error instanceof RpcFault)) throw error
          if (error.kind === 'range' && question.isDivisible === true) throw new RangeRefusedError(error, id)
          faults.push(error)
        }
      }
      const retryAt = Math.min(...endpoints.map((endpoint) => endpoint.restsUntil()))
      throw new NoEndpointError(chain, retryAt, faults, unasked)
    },
  }
}

async function askInAnyWords<T>(endpoint: Endpoint, question: Question<T>, priority: Priority): Promise<T> {
  try {
    return await endpoint.ask(question, priority)
  } catch (error) {
    const { otherwise } = question
    if (otherwise === undefined || !(error instanceof RpcFault) || error.kind !== 'unsupported') throw error
    return await endpoint.ask(otherwise, priority)
  }
}

/** The question was too wide for this endpoint; the next one has limits of its own, so the asker decides. */
export class RangeRefusedError extends RpcFault {
  readonly endpoint: EndpointId
  constructor(fault: RpcFault, endpoint: EndpointId) {
    super(fault.host, 'range', fault.detail, {
      cause: fault,
      ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    })
    this.endpoint = endpoint
  }
}

function orderOf(ids: readonly EndpointId[], { prefer, avoid, only }: AskOptions): readonly EndpointId[] {
  if (only !== undefined) return [only]
  const rank = (id: EndpointId): number => (id === prefer ? -1 : id === avoid ? 1 : 0)
  return ids.toSorted((a, b) => rank(a) - rank(b) || a - b)
}
