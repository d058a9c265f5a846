/**
 * One Core node over HTTP: JSON-RPC, in batches where asked, and the bytes of its REST interface.
 *
 * Owns connections, limits of time and size, and the shape of failures. Knows no method; `core-node.ts` does. Credentials
 * travel in a header and appear in no message: a node is named by host and port.
 */
import { Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import type { z } from 'zod'
import { reasonOf } from '../../lib/errors.ts'
import { bareHost } from './bare-host.ts'
import { NodeRefusedError, NodeResponseError, NodeRpcError, NodeUnreachableError } from './node-errors.ts'
import { type Answer, type Limits, ResponseError, readResponse } from './read-response.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

export type CoreRpc = {
  /** Host and port. */
  readonly name: string
  readonly call: <S extends z.ZodType>(
    method: string,
    params: readonly unknown[],
    answer: S,
    manner?: Manner,
  ) => Promise<z.output<S>>
  /** All in one request; each answer is its result or the node's error for it. */
  readonly batch: <S extends z.ZodType>(
    calls: readonly RpcCall[],
    answer: S,
    manner?: Manner,
  ) => Promise<(z.output<S> | NodeRpcError)[]>
  /** Bytes of a REST path, undefined when the node has no such thing. */
  readonly rest: (path: string, limits?: Limits) => Promise<Buffer | undefined>
  readonly close: () => void
}

export type Manner = Limits & {
  /** No amounts in it: it is read without a look at every number, in a twentieth of the time. */
  readonly isPlain?: boolean
}

export type RpcOptions = {
  readonly url: string
  /** The limits of an answer that is given none of its own. */
  readonly ordinary?: Limits
  /** No answer is waited for longer, whatever its own limit. */
  readonly timeoutMs?: number | undefined
}

/** A node runs out of file descriptors under hundreds of connections (its REST documentation says so). */
const SOCKETS = 8
/** Some kilobytes, in batches of a hundred. A node that writes its cache to a slow disk is silent for minutes. */
export const ORDINARY: Limits = { bytes: 2 * 2 ** 20, withinMs: 300_000 }
const LONGEST_WORDS = 300

export function createCoreRpc({ url, ordinary = ORDINARY, timeoutMs = Infinity }: RpcOptions): CoreRpc {
  const parsed = new URL(url)
  const { protocol, host: name, port, username, password, pathname } = parsed
  const hostname = bareHost(parsed)
  const isTls = protocol === 'https:'
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, maxSockets: SOCKETS })
    : new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const credentials = [decodeURIComponent(username), decodeURIComponent(password)]
  const encoded = Buffer.from(credentials.join(':')).toString('base64')
  const send = isTls ? httpsRequest : httpRequest

  async function exchange(
    { method, path, body }: { readonly method: string; readonly path: string; readonly body?: string },
    what: string,
    limits: Limits,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const headers = {
        authorization: `Basic ${encoded}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const outgoing = send({ hostname, port, path, method, headers, agent })
      try {
        return await readResponse(outgoing, body, { ...limits, withinMs: Math.min(limits.withinMs, timeoutMs) })
      } catch (error) {
        // The node closed an idle connection just as we used it: nothing was asked yet. All that idle may be closed.
        const wasClosed = outgoing.reusedSocket && !(error instanceof ResponseError)
        if (wasClosed && attempt <= SOCKETS) continue
        throw new NodeUnreachableError(name, `${what}: ${reasonOf(error)}`, error)
      }
    }
  }

  async function post(asked: unknown, what: string, { isPlain = false, ...limits }: Manner): Promise<unknown> {
    const body = JSON.stringify(asked)
    const { status, body: bytes } = await exchange({ method: 'POST', path: pathname, body }, what, limits)
    if (status === 401 || status === 403) throw new NodeRefusedError(name, status)
    try {
      return JSON.parse(bytes.toString('utf8'), isPlain ? undefined : keepDecimals)
    } catch {
      throw new NodeUnreachableError(name, `${what}: HTTP ${status} without JSON that can be read`)
    }
  }

  /** The node's own words, as much of them as a log line bears, without what we told it in confidence. */
  const cleaned = (words: string): string =>
    [encoded, ...credentials]
      .filter((secret) => secret.length >= 4)
      .reduce((clean, secret) => clean.replaceAll(secret, '***'), words.slice(0, 10 * LONGEST_WORDS))
      .slice(0, LONGEST_WORDS)

  function resultOf<S extends z.ZodType>(method: string, raw: unknown, answer: S): z.output<S> | NodeRpcError {
    const { result, error } = fieldsOf(raw)
    if (error !== undefined && error !== null) {
      const { code, message = error } = fieldsOf(error)
      const words = typeof message === 'string' ? cleaned(message) : 'no message'
      return new NodeRpcError(name, method, Number.isSafeInteger(code) ? Number(code) : 0, words)
    }
    const parsed = answer.safeParse(result)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new NodeResponseError(name, method, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'unexpected answer'}`)
  }

  return {
    name,
    call: async (method, params, answer, manner = ordinary) => {
      const result = resultOf(method, await post({ jsonrpc: '1.0', id: 0, method, params }, method, manner), answer)
      if (result instanceof NodeRpcError) throw result
      return result
    },
    batch: async (calls, answer, manner = ordinary) => {
      if (calls.length === 0) return []
      const what = `${calls.length} × ${calls[0]?.method ?? ''}`
      const raw = await post(
        calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params })),
        what,
        manner,
      )
      if (!Array.isArray(raw)) throw new NodeResponseError(name, what, 'no list')
      const byId = new Map(raw.map((item: unknown) => [fieldsOf(item)['id'], item]))
      return calls.map(({ method }, id) => resultOf(method, byId.get(id), answer))
    },
    rest: async (path, limits = ordinary) => {
      const { status, body } = await exchange({ method: 'GET', path }, path.split('?')[0] ?? path, limits)
      if (status === 200) return body
      if (status === 503) throw new NodeUnreachableError(name, `${path}: the node is starting`)
      return undefined
    },
    close: () => agent.destroy(),
  }
}

/** What is no object has no fields. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Amounts stay text: a binary fraction cannot hold every one of them. */
function keepDecimals(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value
}
