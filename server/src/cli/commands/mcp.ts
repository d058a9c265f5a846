import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { isWellFormed } from '../../accounts/api-keys.ts'
import type { Api } from '../../accounts/plans.ts'
import type { SendRequest } from '../../http/mcp/call-operation.ts'
import { describeTools, type OpenApi } from '../../http/mcp/described-tools.ts'
import { createMcpServer } from '../../http/mcp/mcp-server.ts'
import { reasonOf } from '../../lib/errors.ts'
import { scrub } from '../../lib/log.ts'
import { type Command, UsageError } from '../command.ts'

const RESPONSE_MS = 60_000
const APIS = ['v1', 'v2'] as const

type Service = { readonly url: URL; readonly keys: Readonly<Partial<Record<Api, string>>> }

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the tools of both APIs to an MCP client over standard input and output; calls a running service',
  options: {
    url: { type: 'string', value: 'URL', help: 'address of the service instead of GATEWATCH_URL' },
  },
  run: async (args) => {
    const { GATEWATCH_URL, GATEWATCH_API_KEY } = process.env
    const url = args.text('url')
    const service = {
      url: url === undefined ? serviceUrl('GATEWATCH_URL', GATEWATCH_URL) : serviceUrl('--url', url),
      keys: serviceKeys(GATEWATCH_API_KEY),
    }
    const file = join(import.meta.dirname, '..', '..', '..', 'openapi.json')
    const tools = describeTools(JSON.parse(readFileSync(file, 'utf8')) as OpenApi)
    const apis = APIS.filter((api) => service.keys[api] !== undefined)
    // Standard output belongs to the protocol. The process ends when the client closes standard input.
    serveStdio(() => createMcpServer({ tools, apis, send: sendTo(service) }), {
      maxSubscriptions: 0,
      onerror: (error) => console.error(scrub(reasonOf(error))),
    })
    return undefined
  },
}

function serviceUrl(name: string, text: string | undefined): URL {
  if (text === undefined || text === '') throw new UsageError(`${name} is missing: the address of the service.`)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${name} must be an http or https URL.`)
  return url
}

function serviceKeys(text = ''): Service['keys'] {
  const keys: Partial<Record<Api, string>> = {}
  for (const key of text.split(',').map((part) => part.trim())) {
    const api = APIS.find((name) => isWellFormed(name, key))
    if (api === undefined)
      throw new UsageError(
        'GATEWATCH_API_KEY must be an API key, gw_live_… or utxo_live_…, or one of each, separated by a comma.',
      )
    keys[api] = key
  }
  return keys
}

function sendTo({ url: base, keys }: Service): SendRequest {
  return async ({ api, method, url, body }) => {
    const prefix = base.pathname.replace(/\/$/, '')
    const response = await fetch(new URL(prefix + url, base), {
      method,
      headers: {
        ...(api === 'v1' && { authorization: `Bearer ${keys.v1}` }),
        ...(api === 'v2' && { 'x-api-key': keys.v2 ?? '' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      // A redirect would carry the key to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_MS),
    })
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return { status: response.status, retryAfter, body: await response.text() }
  }
}
