/**
 * The service as typed functions: `client.GET('/v1/events', { params: { query: { chain: 'base' } } })`.
 *
 * Paths, parameters and answers are those of the service's own OpenAPI description; nothing here is written by hand.
 */
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type GatewatchClient = Client<paths>
export type GatewatchOptions = Pick<ClientOptions, 'baseUrl' | 'fetch' | 'headers'> & {
  /** `gw_live_…`, for `/v1`. */
  readonly controlKey?: string
  /** `utxo_live_…`, for `/api/v2`. */
  readonly coinsKey?: string
}
/** `Schemas['Event']`, `Schemas['ContractView']`, … */
export type Schemas = components['schemas']

export function createClient({ controlKey, coinsKey, ...options }: GatewatchOptions): GatewatchClient {
  const client = createFetchClient<paths>(options)
  client.use({
    onRequest: ({ request, schemaPath }) => {
      if (controlKey !== undefined && schemaPath.startsWith('/v1/'))
        request.headers.set('authorization', `Bearer ${controlKey}`)
      if (coinsKey !== undefined && schemaPath.startsWith('/api/v2/')) request.headers.set('x-api-key', coinsKey)
      return request
    },
  })
  return client
}
