/**
 * All endpoints of one chain as one node.
 *
 * Owns who is asked and who is asked next. Endpoints come in the operator's order, first preferred; one that rests
 * after errors is passed over until its time.
 */

import type { Timing } from '../../lib/timing.ts'
import { createEndpoint, type Endpoint, type Priority } from './endpoint.ts'
import { DEFAULT_POLICY, type HealthPolicy } from './endpoint-health.ts'
import type { EndpointReporter } from './endpoint-log.ts'
import type { RpcRequest } from './requests.ts'
import { NoEndpointError, RpcError } from './rpc-error.ts'
import { hostOf, secretsOf, type Transport, transportFor } from './transport.ts'

/** Endpoints are named by their place in the operator's list. */
export type EndpointId = number

export type RequestOptions = {
  readonly priority?: Priority
  /** Asked first, whatever the order. */
  readonly prefer?: EndpointId | undefined
  /** Asked only when nobody else answers: the second pass must not ask the endpoint it is checking. */
  readonly avoid?: EndpointId | undefined
  /** Asked alone. */
  readonly only?: EndpointId | undefined
}

export type RpcResult<T> = { readonly value: T; readonly from: EndpointId }

export type RpcPool = {
  readonly chain: string
  /** In order of preference. */
  readonly all: readonly EndpointId[]
  readonly request: <T>(question: RpcRequest<T>, options?: RequestOptions) => Promise<RpcResult<T>>
  /** Endpoints that do not rest now, in order of preference. */
  readonly available: () => readonly EndpointId[]
  readonly hostOf: (endpoint: EndpointId) => string
  readonly close: () => void
}

export type PoolDeps = { readonly timing: Timing; readonly report: EndpointReporter }

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

export function createRpcPool({ timing, report }: PoolDeps, options: PoolOptions): RpcPool {
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
  const isAvailable = (endpoint: Endpoint): boolean => endpoint.restsUntil() <= timing.now()
  const ids = endpoints.map((_, id) => id)

  return {
    chain,
    all: ids,
    available: () => ids.filter((id) => isAvailable(endpoints[id] as Endpoint)),
    hostOf: (id) => endpoints[id]?.host ?? 'endpoint',
    close: () => endpoints.forEach((endpoint) => endpoint.close()),
    request: async (question, { priority = 'live', ...choice } = {}) => {
      const errors: RpcError[] = []
      let skipped = 0
      for (const id of orderOf(ids, choice)) {
        const endpoint = endpoints[id]
        if (endpoint === undefined) continue
        if (!isAvailable(endpoint)) {
          skipped += endpoint.isGivenUp() ? 0 : 1
          continue
        }
        try {
          return { value: await requestWithFallback(endpoint, question, priority), from: id }
        } catch (error) {
          if (!(error instanceof RpcError)) throw error
          if (error.kind === 'range' && question.isDivisible === true) throw new RangeRefusedError(error, id)
          errors.push(error)
        }
      }
      const retryAt = Math.min(...endpoints.map((endpoint) => endpoint.restsUntil()))
      throw new NoEndpointError(chain, retryAt, errors, skipped)
    },
  }
}

async function requestWithFallback<T>(endpoint: Endpoint, question: RpcRequest<T>, priority: Priority): Promise<T> {
  try {
    return await endpoint.request(question, priority)
  } catch (error) {
    const { fallback } = question
    if (fallback === undefined || !(error instanceof RpcError) || error.kind !== 'unsupported') throw error
    return await endpoint.request(fallback, priority)
  }
}

/** The question was too wide for this endpoint; the next one has limits of its own, so the asker decides. */
export class RangeRefusedError extends RpcError {
  readonly endpoint: EndpointId
  constructor(fault: RpcError, endpoint: EndpointId) {
    super(fault.host, 'range', fault.detail, {
      cause: fault,
      ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    })
    this.endpoint = endpoint
  }
}

function orderOf(ids: readonly EndpointId[], { prefer, avoid, only }: RequestOptions): readonly EndpointId[] {
  if (only !== undefined) return [only]
  const rank = (id: EndpointId): number => (id === prefer ? -1 : id === avoid ? 1 : 0)
  return ids.toSorted((a, b) => rank(a) - rank(b) || a - b)
}
