/** `/mcp`: the MCP server over streamable HTTP. It keeps no session: every message is one request with its keys. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isWellFormed, UNKNOWN_KEY } from '../../accounts/api-keys.ts'
import { APIS, type Api } from '../../accounts/plans.ts'
import { type ApiKeyDeps, findCaller } from '../../accounts/require-api-key.ts'
import { countRequest } from '../../accounts/throttling.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import type { Logger } from '../../lib/log.ts'
import type { SendRequest } from './call-operation.ts'
import { type DescribedTool, describeTools } from './described-tools.ts'
import { createMcpServer } from './mcp-server.ts'

export type McpDeps = ApiKeyDeps & { readonly log: Logger; readonly origins: readonly string[] }

/** Messages of a key in a minute. A call of a tool also counts toward the limits of its operation. */
export const MESSAGES_PER_MINUTE = 300

type Keys = Readonly<Partial<Record<Api, string>>>

export function mcpRoutes(deps: McpDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    let described: readonly DescribedTool[] | undefined // made once: the description is large
    const onerror = (error: Error) => deps.log.debug({ reason: reasonOf(error) }, 'mcp: message refused')

    app.post(
      '/mcp',
      { schema: { hide: true }, onRequest: [refuseOtherOrigins(deps.origins), checkKeys(deps)] },
      async (request, reply) => {
        if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body))
          throw new ApiError({ status: 400, code: 'invalid_request', message: 'Send one JSON-RPC message.' })
        described ??= describeTools(app.swagger())
        const keys = keysOf(request)
        const server = {
          tools: described,
          apis: APIS.filter((api) => keys[api] !== undefined),
          send: sendWithin(app, keys, clientAddress(request)),
        }
        // The server announces no changes, so there is nothing to subscribe to.
        const { fetch } = createMcpHandler(() => createMcpServer(server), { maxSubscriptions: 0, onerror })
        const message = new Request('http://localhost/mcp', { method: 'POST', headers: protocolHeaders(request) })
        const response = await fetch(message, { parsedBody: request.body })
        const type = response.headers.get('content-type')
        if (type !== null) reply.header('content-type', type)
        // Every response ends with its one result, also one that has the form of an event stream.
        return reply
          .status(response.status)
          .header('cache-control', 'no-store')
          .send(await response.text())
      },
    )
  }
}

/** Calls a route of this app as the caller would, so that its limits, its log and its errors are the same. */
function sendWithin(app: FastifyInstance, keys: Keys, address: string): SendRequest {
  return async ({ api, method, url, body }) => {
    const response = await app.inject({
      method,
      url,
      remoteAddress: address,
      headers: {
        ...(api === 'v1' && { authorization: `Bearer ${keys.v1}` }),
        ...(api === 'v2' && { 'x-api-key': keys.v2 }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: body }),
    })
    const retryAfter = response.headers['retry-after']
    return { status: response.statusCode, retryAfter: retryAfter?.toString(), body: response.payload }
  }
}

/** Both headers may have a key of either API: many clients can set only one of them. */
function keysOf({ headers }: FastifyRequest): Keys {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  const keys: Partial<Record<Api, string>> = {}
  for (const key of [bearer, headers['x-api-key']]) {
    const api = APIS.find((name) => typeof key === 'string' && isWellFormed(name, key))
    if (api !== undefined && typeof key === 'string') keys[api] = key
  }
  return keys
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

function checkKeys(deps: McpDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization === undefined && request.headers['x-api-key'] === undefined)
      throw new ApiError({
        status: 401,
        code: 'unauthorized',
        message: 'Send an API key in the header Authorization: Bearer <API_KEY>, a second one in X-API-Key.',
        headers: CHALLENGE,
      })
    const keys = Object.entries(keysOf(request)) as [Api, string][]
    const callers = await Promise.all(keys.map(([api, key]) => findCaller(deps.directory, api, key)))
    const [first] = callers
    if (first === undefined || callers.includes(undefined))
      throw new ApiError({
        status: 401,
        code: 'invalid_api_key',
        message: UNKNOWN_KEY,
        headers: CHALLENGE,
      })
    await countRequest(
      deps,
      { subject: `mcp ${first.keyId}`, perWindow: MESSAGES_PER_MINUTE, windowMs: 60_000, perMonth: null },
      (seconds) => `The limit is ${MESSAGES_PER_MINUTE} messages a minute. Retry in ${seconds} seconds.`,
    )
  }
}

/** Required by the MCP specification: a page of another site must not reach a server of this machine. */
const refuseOtherOrigins = (origins: readonly string[]) => async (request: FastifyRequest) => {
  const { origin } = request.headers
  if (origin !== undefined && !origins.includes(origin))
    throw new ApiError({ status: 403, code: 'cross_origin', message: 'Pages of other origins cannot use /mcp.' })
}

/** The headers that the protocol defines. */
function protocolHeaders({ headers }: FastifyRequest): Headers {
  const names = Object.keys(headers).filter((name) => /^(accept|content-type|mcp-.*)$/.test(name))
  return new Headers(names.map((name): [string, string] => [name, String(headers[name])]))
}
