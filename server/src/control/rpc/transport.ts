/**
 * Sends a JSON-RPC payload to an endpoint over HTTP or one websocket, and returns the parsed body.
 *
 * Handles size limits, headers and sockets. Everything it throws becomes an error of the endpoint.
 */

export type TransportResponse = {
  readonly status: number
  readonly retryAfter?: string | null | undefined
  readonly body: unknown
}

export type Message = {
  readonly payload: string
  readonly ids: readonly number[]
  readonly maxBytes?: number | undefined
}

export type Transport = {
  readonly send: (message: Message, signal: AbortSignal) => Promise<TransportResponse>
  readonly close: () => void
}

/** The response exceeds the memory limit: the request was too wide. */
export class ResponseTooLargeError extends Error {
  constructor(limit: number) {
    super(`the response is larger than ${Math.round(limit / 1_048_576)} MB`)
  }
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

export async function readLimited(response: Response, limit: number): Promise<string> {
  const declared = Number(response.headers.get('content-length') ?? Number.NaN)
  if (declared > limit) {
    await response.body?.cancel()
    throw new ResponseTooLargeError(limit)
  }
  // HTTP enforces the declared length unless the body is encoded.
  if (declared >= 0 && response.headers.get('content-encoding') === null) return await response.text()
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > limit) throw new ResponseTooLargeError(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The error page of a gateway is not JSON: its status is enough. */
function jsonOf(text: string, ok: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (ok) throw error
    return undefined
  }
}

export function httpTransport(url: string, limitBytes: number): Transport {
  const [target, authorization] = splitCredentials(url)
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  return {
    send: async ({ payload, maxBytes = limitBytes }, signal) => {
      const response = await fetch(target, { method: 'POST', headers, body: payload, signal, redirect: 'error' })
      const text = await readLimited(response, maxBytes)
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: jsonOf(text, response.ok),
      }
    },
    close: () => {},
  }
}

type Waiter = {
  readonly maxBytes: number
  readonly resolve: (response: TransportResponse) => void
  readonly reject: (error: Error) => void
}
type Connection = { readonly opened: Promise<WebSocket>; readonly close: () => void }

/** One websocket for all requests, opened on demand and again after it broke or stopped responding. */
export function websocketTransport(url: string, limitBytes: number): Transport {
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
      socket.addEventListener('message', ({ data }) => current === connection && deliver(data))
      return socket
    })
    opened.catch(() => current === connection && (current = undefined))
    const connection: Connection = { opened, close: () => giveUp.abort() }
    return connection
  }

  const deliver = (data: unknown): void => {
    received += 1
    if (typeof data !== 'string') return
    const limit = Math.max(limitBytes, ...[...waiting.values()].map((waiter) => waiter.maxBytes))
    if (data.length > limit) return drop(new ResponseTooLargeError(limit))
    const body = jsonOf(data, false)
    // An exception in a listener would end the process.
    if (body === undefined) return drop(new Error('the websocket sent a message that is not JSON'))
    waiterOf(body)?.resolve({ status: 200, body })
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
    send: async ({ payload, ids, maxBytes = 0 }, signal) => {
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

export function transportFor(url: string, limitBytes: number): Transport {
  return /^wss?:/i.test(url) ? websocketTransport(url, limitBytes) : httpTransport(url, limitBytes)
}
