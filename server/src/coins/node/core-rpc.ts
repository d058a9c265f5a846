/**
 * HTTP client of one Core node: JSON-RPC calls, batches, and the binary REST interface.
 *
 * Handles connections, time and size limits, and errors; `core-node.ts` knows the methods. Messages name a node by host
 * and port. Credentials are sent in a header and never appear in a message.
 */
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import type { z } from 'zod'
import { printable, reasonOf } from '../../lib/errors.ts'
import { NodeRefusedError, NodeResponseError, NodeRpcError, NodeUnreachableError } from './node-errors.ts'
import { type HttpResponse, ResponseError, type ResponseLimits, readResponse } from './read-response.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

export type CoreRpc = {
  /** Host and port of the node. */
  readonly name: string
  readonly call: <S extends z.ZodType>(
    method: string,
    params: readonly unknown[],
    schema: S,
    options?: CallOptions,
  ) => Promise<z.output<S>>
  /** Sends all calls in one request. Returns a result or the node's error for each. */
  readonly batch: <S extends z.ZodType>(
    calls: readonly RpcCall[],
    schema: S,
    options?: CallOptions,
  ) => Promise<(z.output<S> | NodeRpcError)[]>
  /** Reads the bytes of a REST path; undefined if the node does not have it. */
  readonly rest: (path: string, limits?: ResponseLimits) => Promise<Buffer | undefined>
  /** When the node last responded to a call, as `performance.now()`; at first the time of creation. */
  readonly respondedAt: () => number
  readonly close: () => void
}

export type CallOptions = ResponseLimits & {
  /** The response contains no amounts, so its numbers need no exact decimals. Parsing takes a twentieth of the time. */
  readonly hasNoAmounts?: boolean
}

export type RpcOptions = {
  readonly url: string
  /** The node's cookie file, which replaces user and password of the URL. The node writes another one at every start. */
  readonly cookieFile?: string | undefined
  /** Limits of calls that set none. */
  readonly limits?: ResponseLimits
  /** Upper bound of the time limit of every call. */
  readonly timeoutMs?: number | undefined
}

/** Under hundreds of connections a node runs out of file descriptors, as its REST documentation warns. */
const SOCKETS = 8
/** Enough for a batch of a hundred small results. A node that flushes its cache to a slow disk can block for minutes. */
export const DEFAULT_LIMITS: ResponseLimits = { bytes: 2 * 2 ** 20, timeoutMs: 300_000 }
const MAX_ERROR_MESSAGE = 300

export function createCoreRpc({
  url,
  cookieFile,
  limits: defaultLimits = DEFAULT_LIMITS,
  timeoutMs = Infinity,
}: RpcOptions): CoreRpc {
  const parsed = new URL(url)
  const { protocol, host: name, port, pathname } = parsed
  const hostname = hostnameOf(parsed)
  const isTls = protocol === 'https:'
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, maxSockets: SOCKETS })
    : new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const login = cookieFile === undefined ? urlLogin(parsed) : cookieLogin(name, cookieFile)
  let respondedAt = performance.now()
  const send = isTls ? httpsRequest : httpRequest

  async function exchange(
    { method, path, body }: { readonly method: string; readonly path: string; readonly body?: string },
    what: string,
    limits: ResponseLimits,
  ): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt++) {
      const headers = {
        authorization: `Basic ${login.read()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const outgoing = send({ hostname, port, path, method, headers, agent })
      try {
        const allowed = { ...limits, timeoutMs: Math.min(limits.timeoutMs, timeoutMs) }
        const response = await readResponse(outgoing, body, allowed)
        if (response.status === 401 && attempt === 1 && login.renew()) continue
        return response
      } catch (error) {
        if (error instanceof NodeUnreachableError) throw error
        // The node may close an idle connection just as we reuse it. The request was not processed then; the other idle
        // connections may be closed too.
        const wasClosed = outgoing.reusedSocket && !(error instanceof ResponseError)
        if (wasClosed && attempt <= SOCKETS) continue
        throw new NodeUnreachableError(name, `${what}: ${reasonOf(error)}`, error)
      }
    }
  }

  async function post(
    message: unknown,
    what: string,
    { hasNoAmounts = false, ...limits }: CallOptions,
  ): Promise<unknown> {
    const body = JSON.stringify(message)
    const { status, body: bytes } = await exchange({ method: 'POST', path: pathname, body }, what, limits)
    if (status === 401 || status === 403) throw new NodeRefusedError(name, status)
    try {
      const message: unknown = JSON.parse(bytes.toString('utf8'), hasNoAmounts ? undefined : keepDecimals)
      respondedAt = performance.now()
      return message
    } catch {
      throw new NodeUnreachableError(name, `${what}: HTTP ${status} without valid JSON`)
    }
  }

  /** Truncates an error message of the node and removes our credentials from it. */
  const sanitize = (message: string): string =>
    login
      .secrets()
      .filter((secret) => secret.length >= 4)
      .reduce((clean, secret) => clean.replaceAll(secret, '***'), printable(message.slice(0, 10 * MAX_ERROR_MESSAGE)))
      .slice(0, MAX_ERROR_MESSAGE)

  function resultOf<S extends z.ZodType>(method: string, raw: unknown, schema: S): z.output<S> | NodeRpcError {
    const { result, error } = fieldsOf(raw)
    if (error !== undefined && error !== null) {
      const { code, message = error } = fieldsOf(error)
      const text = typeof message === 'string' ? sanitize(message) : 'no message'
      return new NodeRpcError(name, method, Number.isSafeInteger(code) ? Number(code) : 0, text)
    }
    const parsed = schema.safeParse(result)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new NodeResponseError(
      name,
      method,
      `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'unexpected response'}`,
    )
  }

  return {
    name,
    call: async (method, params, schema, options = defaultLimits) => {
      const result = resultOf(method, await post({ jsonrpc: '1.0', id: 0, method, params }, method, options), schema)
      if (result instanceof NodeRpcError) throw result
      return result
    },
    batch: async (calls, schema, options = defaultLimits) => {
      if (calls.length === 0) return []
      const what = `${calls.length} × ${calls[0]?.method ?? ''}`
      const raw = await post(
        calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params })),
        what,
        options,
      )
      if (!Array.isArray(raw)) throw new NodeResponseError(name, what, 'the response to a batch is not a list')
      const byId = new Map(raw.map((item: unknown) => [fieldsOf(item)['id'], item]))
      return calls.map(({ method }, id) => resultOf(method, byId.get(id), schema))
    },
    rest: async (path, limits = defaultLimits) => {
      const { status, body } = await exchange({ method: 'GET', path }, path.split('?')[0] ?? path, limits)
      if (status === 200) {
        respondedAt = performance.now()
        return body
      }
      if (status === 503) throw new NodeUnreachableError(name, `${path}: the node is starting up`)
      return undefined
    },
    respondedAt: () => respondedAt,
    close: () => agent.destroy(),
  }
}

type Login = {
  /** User and password for the authorization header. */
  readonly read: () => string
  /** Reads them again after a refusal. Returns whether they have changed. */
  readonly renew: () => boolean
  /** What no message may contain. */
  readonly secrets: () => readonly string[]
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

function urlLogin({ username, password }: URL): Login {
  const parts = [decodeURIComponent(username), decodeURIComponent(password)]
  const encoded = base64(parts.join(':'))
  return { read: () => encoded, renew: () => false, secrets: () => [encoded, ...parts] }
}

function cookieLogin(name: string, file: string): Login {
  let cookie: string | undefined
  const readFile = (): string => {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      // The node deletes the file when it stops.
      throw new NodeUnreachableError(name, `the cookie file cannot be read (${reasonOf(error)}); is the node running?`)
    }
  }
  return {
    read: () => {
      cookie ??= readFile()
      return base64(cookie)
    },
    renew: () => {
      const before = cookie
      cookie = readFile()
      return cookie !== before
    },
    secrets: () => (cookie === undefined ? [] : [base64(cookie), cookie, ...cookie.split(':').slice(1)]),
  }
}

/** The host of a URL without the brackets of an IPv6 address, as sockets expect it. */
export const hostnameOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** Returns the fields of an object; none for any other value. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** JSON reviver that returns decimals as text, because floating-point numbers cannot represent every amount. */
function keepDecimals(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value
}
