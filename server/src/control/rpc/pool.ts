/**
 * Sends each request to one of a chain's endpoints and tries the next one when it fails.
 *
 * Endpoints are tried in the operator's order. An endpoint that is suspended after errors is skipped.
 */
import type { Timing } from '../../lib/clock.ts'
import { createEndpoint, type Endpoint, type Priority } from './endpoint.ts'
import { DEFAULT_POLICY, type HealthPolicy } from './endpoint-health.ts'
import type { EndpointReporter } from './endpoint-log.ts'
import type { RpcRequest } from './requests.ts'
import { NoEndpointError, RpcError } from './rpc-error.ts'
import { hostOf, secretsOf, type Transport, transportFor } from './transport.ts'

/** The position of an endpoint in the operator's list. */
export type EndpointId = number

export type RequestOptions = {
  readonly priority?: Priority
  /** Tried first. */
  readonly prefer?: EndpointId | undefined
  /** Tried last: the second pass should not use the endpoint it verifies. */
  readonly avoid?: EndpointId | undefined
  /** The only endpoint tried. */
  readonly only?: EndpointId | undefined
}

export type RpcResult<T> = { readonly value: T; readonly from: EndpointId }

export type RpcPool = {
  readonly chain: string
  /** In order of preference. */
  readonly all: readonly EndpointId[]
  readonly request: <T>(request: RpcRequest<T>, options?: RequestOptions) => Promise<RpcResult<T>>
  /** Endpoints that are not suspended, in order of preference. */
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
  readonly maxBatch?: number
  readonly fillsBatches?: boolean
  readonly maxInFlight?: number
  /** Replaced by the simulator. */
  readonly transport?: (url: string) => Transport
}

export function createRpcPool({ timing, report }: PoolDeps, options: PoolOptions): RpcPool {
  const { chain, chainId, transport = transportFor } = options
  const endpoints = options.urls.map((url) =>
    createEndpoint(
      { timing, report, transport: transport(url) },
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
  const isAvailable = (endpoint: Endpoint): boolean => endpoint.suspendedUntil() <= timing.now()
  const ids = endpoints.map((_, id) => id)

  return {
    chain,
    all: ids,
    available: () => ids.filter((id) => isAvailable(endpoints[id] as Endpoint)),
    hostOf: (id) => endpoints[id]?.host ?? 'endpoint',
    close: () => endpoints.forEach((endpoint) => endpoint.close()),
    request: async (request, { priority = 'live', ...choice } = {}) => {
      const errors: RpcError[] = []
      let skipped = 0
      for (const id of orderOf(ids, choice)) {
        const endpoint = endpoints[id]
        if (endpoint === undefined) continue
        if (!isAvailable(endpoint)) {
          skipped += endpoint.isDown() ? 0 : 1
          continue
        }
        try {
          return { value: await requestWithFallback(endpoint, request, priority), from: id }
        } catch (error) {
          if (!(error instanceof RpcError)) throw error
          if (error.kind === 'range' && request.isDivisible === true) throw new RangeRefusedError(error, id)
          errors.push(error)
        }
      }
      const retryAt = Math.min(...endpoints.map((endpoint) => endpoint.suspendedUntil()))
      throw new NoEndpointError(chain, retryAt, errors, skipped)
    },
  }
}

async function requestWithFallback<T>(endpoint: Endpoint, request: RpcRequest<T>, priority: Priority): Promise<T> {
  try {
    return await endpoint.request(request, priority)
  } catch (error) {
    const { fallback } = request
    if (fallback === undefined || !(error instanceof RpcError) || error.kind !== 'unsupported') throw error
    return await endpoint.request(fallback, priority)
  }
}

/** The block range is too wide for this endpoint. The caller narrows it: the next endpoint has different limits. */
export class RangeRefusedError extends RpcError {
  readonly endpoint: EndpointId
  constructor(error: RpcError, endpoint: EndpointId) {
    super(error.host, 'range', error.detail, {
      cause: error,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    })
    this.endpoint = endpoint
  }
}

function orderOf(ids: readonly EndpointId[], { prefer, avoid, only }: RequestOptions): readonly EndpointId[] {
  if (only !== undefined) return [only]
  const rank = (id: EndpointId): number => (id === prefer ? -1 : id === avoid ? 1 : 0)
  return ids.toSorted((a, b) => rank(a) - rank(b) || a - b)
}
