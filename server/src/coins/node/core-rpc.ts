/**
 * One Core node over HTTP: JSON-RPC, in batches where asked, and the bytes of its REST interface.
 *
 * Owns connections and the shape of failures. Knows no method; `core-node.ts` does. Credentials travel in a header and
 * appear in no message: a node is named by host and port.
 */
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import type { z } from 'zod'
import { reasonOf } from '../../lib/errors.ts'
import { NodeAnswerError, NodeRefusedError, NodeRpcError, NodeUnreachableError } from './node-errors.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

export type CoreRpc = {
  /** Host and port. */
  readonly name: string
  readonly call: <S extends z.ZodType>(method: string, params: readonly unknown[], answer: S) => Promise<z.output<S>>
  /** All in one request; each answer is its result or the node's error for it. */
  readonly batch: <S extends z.ZodType>(calls: readonly RpcCall[], answer: S) => Promise<(z.output<S> | NodeRpcError)[]>
  /** Bytes of a REST path, undefined when the node has no such thing. */
  readonly rest: (path: string) => Promise<Buffer | undefined>
  readonly close: () => void
}

export type RpcOptions = { readonly url: string; readonly timeoutMs?: number }

/** A node runs out of file descriptors under hundreds of connections (its REST documentation says so). */
const SOCKETS = 8
/** A scan of the whole UTXO set takes minutes on a large chain. */
const TIMEOUT_MS = 600_000
const LONGEST_ANSWER = 512 * 1024 * 1024

type Answer = { readonly status: number; readonly body: Buffer }

export function createCoreRpc({ url, timeoutMs = TIMEOUT_MS }: RpcOptions): CoreRpc {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const isTls = protocol === 'https:'
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, maxSockets: SOCKETS })
    : new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  const name = port === '' ? hostname : `${hostname}:${port}`
  const send = isTls ? httpsRequest : httpRequest

  async function exchange(method: string, path: string, body: string | undefined, what: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const outgoing = send({ hostname, port, path, method, headers, agent, timeout: timeoutMs })
      try {
        return await answerOf(outgoing, body)
      } catch (error) {
        // The node closed an idle connection just as we used it: nothing was asked yet. All that idle may be closed.
        if (outgoing.reusedSocket && attempt <= SOCKETS) continue
        throw new NodeUnreachableError(name, `${what}: ${reasonOf(error)}`, error)
      }
    }
  }

  async function post(body: unknown, what: string): Promise<unknown> {
    const { status, body: bytes } = await exchange('POST', pathname, JSON.stringify(body), what)
    if (status === 401 || status === 403) throw new NodeRefusedError(name, status)
    try {
      return JSON.parse(bytes.toString('utf8'), keepDecimals)
    } catch {
      throw new NodeUnreachableError(name, `${what}: HTTP ${status} without JSON`)
    }
  }

  function resultOf<S extends z.ZodType>(method: string, raw: unknown, answer: S): z.output<S> | NodeRpcError {
    const { result, error } = (raw ?? {}) as { result?: unknown; error?: { code?: number; message?: string } | null }
    if (error !== undefined && error !== null) {
      return new NodeRpcError(name, method, error.code ?? 0, error.message ?? 'no message')
    }
    const parsed = answer.safeParse(result)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new NodeAnswerError(name, method, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'unexpected answer'}`)
  }

  return {
    name,
    call: async (method, params, answer) => {
      const result = resultOf(method, await post({ jsonrpc: '1.0', id: 0, method, params }, method), answer)
      if (result instanceof NodeRpcError) throw result
      return result
    },
    batch: async (calls, answer) => {
      if (calls.length === 0) return []
      const what = `${calls.length} × ${calls[0]?.method ?? ''}`
      const raw = await post(
        calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params })),
        what,
      )
      if (!Array.isArray(raw)) throw new NodeAnswerError(name, what, 'no list')
      const byId = new Map(raw.map((item: { id?: unknown }) => [item.id, item]))
      return calls.map(({ method }, id) => resultOf(method, byId.get(id), answer))
    },
    rest: async (path) => {
      const { status, body } = await exchange('GET', path, undefined, path.split('?')[0] ?? path)
      if (status === 200) return body
      if (status === 503) throw new NodeUnreachableError(name, `${path}: the node is starting`)
      return undefined
    },
    close: () => agent.destroy(),
  }
}

function answerOf(outgoing: ClientRequest, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.on('response', (incoming: IncomingMessage) => {
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > LONGEST_ANSWER) incoming.destroy(new Error('the answer is too long'))
        chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        if (incoming.complete) resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) })
        else reject(new Error('the answer was cut off'))
      })
    })
    outgoing.end(body)
  })
}

/** Amounts stay text: a binary fraction cannot hold every one of them. */
function keepDecimals(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value
}
