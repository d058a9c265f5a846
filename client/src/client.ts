/**
 * The typed client of the Gatewatch API: `client.GET('/v1/events', { params: { query: { chain: 'base' } } })`.
 *
 * The types of paths, parameters and responses are generated from the OpenAPI document.
 */
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type GatewatchClient = Client<paths>
export type GatewatchOptions = Pick<ClientOptions, 'baseUrl' | 'fetch' | 'headers'> & {
  /** The API key for `/v1`, `gw_live_…`. */
  readonly controlKey?: string
  /** The API key for `/api/v2`, `utxo_live_…`. */
  readonly coinsKey?: string
}
/** The types of response objects: `Schemas['Event']`, `Schemas['ContractView']`. */
export type Schemas = components['schemas']

/** Creates a client that sends each API its key. */
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

export { type FollowedEvents, type FollowOptions, followEvents } from './follow-events.ts'
export { pages } from './pages.ts'
export { ResponseError } from './response-error.ts'
export { type RetryOptions, retryingFetch } from './retry.ts'
export { verifyWebhook, WebhookError, type WebhookOptions } from './verify-webhook.ts'
