/**
 * Sends a JSON-RPC payload to an endpoint over HTTP or one websocket, and returns the parsed body.
 *
 * Handles size limits, headers and sockets. Everything it throws becomes an error of the endpoint.
 */

import { type JsonLimits, JsonReader, ResponseTooLargeError } from './json-reader.ts'

export type TransportResponse = {
  readonly status: number
  readonly retryAfter?: string | null | undefined
  readonly body: unknown
}

export type Message = JsonLimits & { readonly payload: string; readonly ids: readonly number[] }

export type Transport = {
  readonly send: (message: Message, signal: AbortSignal) => Promise<TransportResponse>
  readonly close: () => void
}

/** The name of an endpoint in messages: the host only, because path, query and user carry API keys. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'endpoint'
}

/** The parts of a URL that may be an API key. They are removed from the endpoint's messages. */
export function secretsOf(url: string): readonly string[] {
  const parsed = URL.parse(url)
  if (parsed === null) return []
  const { username, password, pathname, searchParams } = parsed
  const parts = [username, password, ...pathname.split('/')]
  return [...parts, ...parts.map(decoded), ...searchParams.values()].filter((part) => part.length >= 6)
}

/** Decodes percent escapes. Text with an invalid escape is returned unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Moves credentials from the URL into a Basic authorization header: `fetch` refuses them in a URL. */
export function splitCredentials(url: string): readonly [string, Record<string, string>] {
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return [url, {}]
  const secret = `${decoded(parsed.username)}:${decoded(parsed.password)}`
  parsed.username = ''
  parsed.password = ''
  return [parsed.href, { authorization: `Basic ${Buffer.from(secret).toString('base64')}` }]
}

/** Reads a response and counts its bytes as they arrive. */
async function readChunks(response: Response, maxBytes: number, add: (chunk: Uint8Array) => void): Promise<void> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel()
    throw new ResponseTooLargeError(maxBytes)
  }
  if (response.body !== null) for await (const chunk of response.body) add(chunk)
}

export async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  await readChunks(response, maxBytes, (chunk) => {
    size += chunk.byteLength
    if (size > maxBytes) throw new ResponseTooLargeError(maxBytes)
    chunks.push(chunk)
  })
  return Buffer.concat(chunks).toString('utf8')
}

/** The error page of a gateway is not JSON: its status is enough. */
async function bodyOf(response: Response, limits: JsonLimits): Promise<unknown> {
  const reader = new JsonReader(limits)
  try {
    await readChunks(response, limits.maxBytes, (chunk) => reader.add(chunk))
    return await reader.end()
  } catch (error) {
    reader.cancel()
    if (response.ok || !(error instanceof SyntaxError)) throw error
    return undefined
  }
}

export function httpTransport(url: string): Transport {
  const [target, authorization] = splitCredentials(url)
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  return {
    send: async ({ payload, ...limits }, signal) => {
      const response = await fetch(target, { method: 'POST', headers, body: payload, signal, redirect: 'error' })
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: await bodyOf(response, limits),
      }
    },
    close: () => {},
  }
}

type Waiter = JsonLimits & {
  readonly resolve: (response: TransportResponse) => void
  readonly reject: (error: Error) => void
}
type Connection = { readonly opened: Promise<WebSocket>; readonly close: () => void }

/** One websocket for all requests, opened on demand and again after it broke or stopped responding. */
export function websocketTransport(url: string): Transport {
  /** By request id, oldest first. */
  const waiting = new Map<number, Waiter>()
  let current: Connection | undefined
  let received = 0

  const drop = (reason: Error): void => {
    const dropped = current
    current = undefined
    const lost = [...waiting.values()]
    waiting.clear()
    for (const waiter of lost) waiter.reject(reason)
    dropped?.close()
  }

  const connect = (): Connection => {
    const giveUp = new AbortController()
    const opened = openSocket(url, giveUp.signal).then((socket) => {
      socket.addEventListener('close', () => current === connection && drop(new Error('the websocket closed')))
      socket.addEventListener('message', ({ data }) => current === connection && void deliver(data))
      return socket
    })
    opened.catch(() => current === connection && (current = undefined))
    const connection: Connection = { opened, close: () => giveUp.abort() }
    return connection
  }

  const deliver = async (data: unknown): Promise<void> => {
    received += 1
    if (typeof data !== 'string') return
    // The request that it responds to is known only after it is parsed.
    const waiters = [...waiting.values()]
    const limits = {
      maxBytes: Math.max(0, ...waiters.map(({ maxBytes }) => maxBytes)),
      maxDepth: Math.max(1, ...waiters.map(({ maxDepth }) => maxDepth)),
    }
    const reader = new JsonReader(limits)
    try {
      if (data.length > limits.maxBytes) throw new ResponseTooLargeError(limits.maxBytes)
      reader.add(Buffer.from(data))
      const body = await reader.end()
      waiterOf(body)?.resolve({ status: 200, body })
    } catch (error) {
      reader.cancel()
      // An exception in a listener would end the process.
      drop(error instanceof SyntaxError ? new Error('the websocket sent a message that is not JSON') : (error as Error))
    }
  }

  const waiterOf = (body: unknown): Waiter | undefined => {
    const ids = (Array.isArray(body) ? body : [body]).map((item) => (item as { id?: unknown } | null)?.id)
    for (const id of ids) {
      const waiter = waiting.get(Number(id ?? Number.NaN))
      if (waiter !== undefined) return waiter
    }
    // A request that the node could not parse is refused without its id. Responses come in the order of requests.
    const isRefusal = (body as { error?: unknown } | null)?.error !== undefined
    return isRefusal ? waiting.values().next().value : undefined
  }

  return {
    send: async ({ payload, ids, maxBytes, maxDepth }, signal) => {
      const before = received
      // No message at all since the request was sent: the connection is dead.
      const dropIfSilent = (): void => {
        if (received === before) drop(new Error('the websocket does not respond'))
      }
      signal.addEventListener('abort', dropIfSilent, { once: true })
      try {
        current ??= connect()
        const socket = await current.opened
        return await new Promise<TransportResponse>((resolve, reject) => {
          const finish = (): void => ids.forEach((id) => waiting.delete(id))
          const waiter: Waiter = {
            maxBytes,
            maxDepth,
            resolve: (response) => (finish(), resolve(response)),
            reject: (error) => (finish(), reject(error)),
          }
          for (const id of ids) waiting.set(id, waiter)
          signal.addEventListener('abort', () => waiter.reject(new Error('aborted')), { once: true })
          socket.send(payload)
        })
      } finally {
        signal.removeEventListener('abort', dropIfSilent)
      }
    },
    close: () => drop(new Error('closed')),
  }
}

/** Opens a websocket. Aborting the signal closes it, also while it opens. */
export function openSocket(url: string, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const [target, headers] = splitCredentials(url)
    const socket = new WebSocket(target, { headers })
    const end = (): void => {
      reject(new Error('the websocket was closed'))
      socket.close()
    }
    signal.addEventListener('abort', end, { once: true })
    socket.addEventListener('close', () => signal.removeEventListener('abort', end), { once: true })
    socket.addEventListener('open', () => resolve(socket), { once: true })
    socket.addEventListener('error', () => reject(new Error('the websocket could not be opened')), { once: true })
    if (signal.aborted) end()
  })
}

export function transportFor(url: string): Transport {
  return /^wss?:/i.test(url) ? websocketTransport(url) : httpTransport(url)
}
